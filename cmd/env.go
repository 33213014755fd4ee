package cmd

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/charmbracelet/x/term"

	"github.com/hookctl/hookctl/cmd/render"
)

// Env is the world around a command.
type Env struct {
	Stdin          io.Reader // nil: empty
	Stdout, Stderr io.Writer
	Lookup         func(name string) (string, bool)      // an environment variable
	Version        string                                // "0.1.0", or "dev"; "": as the build info says
	Signals        func(context.Context) context.Context // ends a context on a signal; nil: signals are not watched
	Container      func() bool                           // inside a container, whose loopback is not the host's; nil: outside
}

// System is this process's environment.
func System() Env {
	return Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Lookup: os.LookupEnv, Signals: untilSignal, Container: inContainer}
}

// version is the version of a tagged build, as the build info has it, or "dev".
// Most commands do without: reading the build info takes longer than signing.
func (e Env) version() string {
	if e.Version != "" {
		return e.Version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "dev"
	}
	return release(info.Main.Version)
}

// release is a module version without its v, or "dev" for one that no tag gave:
// a pseudo-version, a build with changes, (devel).
func release(v string) string {
	v, tagged := strings.CutPrefix(v, "v")
	if !tagged || strings.Contains(v, "+") {
		return "dev"
	}
	parts := strings.Split(v, "-")
	if last := parts[len(parts)-1]; len(parts) > 1 && len(last) == 12 && strings.Trim(last, "0123456789abcdef") == "" {
		return "dev"
	}
	return v
}

// getenv is an environment variable's value, "" if it is not set.
func (e Env) getenv(name string) string {
	v, _ := e.Lookup(name)
	return v
}

// terminal reports whether a stream is a terminal.
func terminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// style is how a stream wants its text. color is --color.
func (e Env) style(w io.Writer, color string) render.Style {
	s := render.Style{Width: 80, Terminal: terminal(w), Dumb: e.getenv("TERM") == "dumb", ASCII: e.ascii()}
	if s.Terminal {
		if width, _, err := term.GetSize(w.(*os.File).Fd()); err == nil && width > 0 {
			s.Width = width
		}
	}
	noColor := e.getenv("NO_COLOR") != ""
	switch {
	case color == "always":
		s.Color = true
	case color == "never" || noColor:
	case e.getenv("CLICOLOR_FORCE") == "1":
		s.Color = true
	default:
		s.Color = s.Terminal && !s.Dumb
	}
	return s
}

// ascii reports whether the locale cannot show more than ASCII. A locale that is
// not set counts as UTF-8, since that is what viewers of CI logs show.
func (e Env) ascii() bool {
	if e.getenv("HOOKCTL_ASCII") == "1" {
		return true
	}
	if runtime.GOOS == "windows" {
		return false
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToUpper(e.getenv(name)); v != "" {
			return !strings.Contains(v, "UTF-8") && !strings.Contains(v, "UTF8")
		}
	}
	return false
}

// configHome is $XDG_CONFIG_HOME, or ~/.config; "" where there is no home.
func (e Env) configHome() string {
	if dir := e.getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	if home := e.getenv("HOME"); home != "" {
		return filepath.Join(home, ".config")
	}
	return ""
}

// contained reports whether this process is inside a container.
func (e Env) contained() bool { return e.Container != nil && e.Container() }

// inContainer reports whether this looks like the inside of a container.
func inContainer() bool {
	for _, mark := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(mark); err == nil {
			return true
		}
	}
	return false
}
