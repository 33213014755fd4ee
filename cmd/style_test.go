package cmd

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/charmbracelet/x/term"

	"github.com/hookctl/hookctl/cmd/render"
)

// with is an environment with these variables alone.
func with(env map[string]string) Env {
	return Env{Lookup: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
}

func TestColourIsDecidedByFlagThenVariablesThenTerminal(t *testing.T) {
	var streams []io.Writer
	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err == nil && term.IsTerminal(tty.Fd()) {
		defer tty.Close()
		streams = []io.Writer{&bytes.Buffer{}, tty}
	} else {
		t.Logf("no pseudo terminal here (%v): only what is none is looked at", err)
		streams = []io.Writer{&bytes.Buffer{}}
	}
	for _, test := range []struct {
		name, flag     string
		env            map[string]string
		file, terminal bool // whether there is colour in a file, on a terminal
	}{
		{"nothing said", "", nil, false, true},
		{"auto", "auto", nil, false, true},
		{"always", "always", nil, true, true},
		{"never", "never", nil, false, false},
		{"NO_COLOR", "", map[string]string{"NO_COLOR": "1"}, false, false},
		{"NO_COLOR is anything", "auto", map[string]string{"NO_COLOR": "0"}, false, false},
		{"an empty NO_COLOR says nothing", "", map[string]string{"NO_COLOR": ""}, false, true},
		{"CLICOLOR_FORCE", "", map[string]string{"CLICOLOR_FORCE": "1"}, true, true},
		{"CLICOLOR_FORCE is 1", "", map[string]string{"CLICOLOR_FORCE": "0"}, false, true},
		{"NO_COLOR beats CLICOLOR_FORCE", "", map[string]string{"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, false, false},
		{"always beats NO_COLOR", "always", map[string]string{"NO_COLOR": "1"}, true, true},
		{"never beats CLICOLOR_FORCE", "never", map[string]string{"CLICOLOR_FORCE": "1"}, false, false},
		{"auto does not beat CLICOLOR_FORCE", "auto", map[string]string{"CLICOLOR_FORCE": "1"}, true, true},
		{"a dumb terminal", "", map[string]string{"TERM": "dumb"}, false, false},
		{"always on a dumb terminal", "always", map[string]string{"TERM": "dumb"}, true, true},
		{"another terminal", "", map[string]string{"TERM": "xterm"}, false, true},
	} {
		for i, w := range streams {
			got := with(test.env).style(w, test.flag)
			want := render.Style{
				Width: got.Width, Terminal: i == 1, Dumb: test.env["TERM"] == "dumb",
				Color: []bool{test.file, test.terminal}[i],
			}
			if i == 0 {
				want.Width = 80
			}
			if got != want {
				t.Errorf("%s, terminal %v: %+v, want %+v", test.name, i == 1, got, want)
			}
		}
	}
}

func TestTheLocaleDecidesOnASCII(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows counts as UTF-8, whatever the variables say")
	}
	for _, test := range []struct {
		name string
		env  map[string]string
		want bool
	}{
		{"unset", nil, false},
		{"empty", map[string]string{"LC_ALL": "", "LC_CTYPE": "", "LANG": ""}, false},
		{"LANG of UTF-8", map[string]string{"LANG": "de_AT.UTF-8"}, false},
		{"LANG of utf8", map[string]string{"LANG": "en_US.utf8"}, false},
		{"LANG of C", map[string]string{"LANG": "C"}, true},
		{"LANG of POSIX", map[string]string{"LANG": "POSIX"}, true},
		{"LANG of Latin 1", map[string]string{"LANG": "de_AT.ISO-8859-1"}, true},
		{"LC_CTYPE before LANG", map[string]string{"LC_CTYPE": "C", "LANG": "C.UTF-8"}, true},
		{"LC_CTYPE of UTF-8 before LANG", map[string]string{"LC_CTYPE": "C.UTF-8", "LANG": "C"}, false},
		{"LC_ALL before LC_CTYPE", map[string]string{"LC_ALL": "C", "LC_CTYPE": "C.UTF-8", "LANG": "C.UTF-8"}, true},
		{"LC_ALL of UTF-8 before all", map[string]string{"LC_ALL": "C.UTF-8", "LC_CTYPE": "C", "LANG": "C"}, false},
		{"an empty LC_ALL says nothing", map[string]string{"LC_ALL": "", "LANG": "C"}, true},
		{"HOOKCTL_ASCII before all", map[string]string{"HOOKCTL_ASCII": "1", "LC_ALL": "C.UTF-8"}, true},
		{"HOOKCTL_ASCII is 1", map[string]string{"HOOKCTL_ASCII": "0", "LC_ALL": "C.UTF-8"}, false},
		{"HOOKCTL_ASCII of 0 is no UTF-8", map[string]string{"HOOKCTL_ASCII": "0", "LC_ALL": "C"}, true},
	} {
		if got := with(test.env).ascii(); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
		if got := with(test.env).style(&bytes.Buffer{}, "").ASCII; got != test.want {
			t.Errorf("%s: the style's is %v, want %v", test.name, got, test.want)
		}
	}
}

func TestTheConfigFolderIsTheUsers(t *testing.T) {
	home, xdg := t.TempDir(), t.TempDir()
	for _, test := range []struct {
		name string
		env  map[string]string
		want string
	}{
		{"XDG_CONFIG_HOME", map[string]string{"XDG_CONFIG_HOME": xdg, "HOME": home}, xdg},
		{"a relative one is passed over", map[string]string{"XDG_CONFIG_HOME": "x", "HOME": home}, filepath.Join(home, ".config")},
		{"HOME alone", map[string]string{"HOME": home}, filepath.Join(home, ".config")},
		{"neither", nil, ""},
	} {
		if got := with(test.env).configHome(); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestStdoutAndStderrDecideEachForItself(t *testing.T) {
	folder(t, nil)
	r := world{env: map[string]string{"CLICOLOR_FORCE": "1"}}.run("send", "-p", "kudos", "--respond", "200", "--color", "never")
	r.want(t, ExitOK)
	r.never(t, "\x1b")
	r = world{}.run("send", "-p", "kudos", "--respond", "404", "--color", "always")
	r.want(t, ExitNo, `^hookctl: \x1b\[`)
	if !bytes.Contains([]byte(r.stdout), []byte("\x1b[")) {
		t.Errorf("no colour in %s", r.stdout)
	}
}
