package cmd

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/hookctl/hookctl/profiles"
)

// A world is what a command under test finds around it.
type world struct {
	env       map[string]string
	stdin     io.Reader
	container bool
}

// A ran is what a command left behind.
type ran struct {
	code           int
	stdout, stderr string
}

func (w world) app() (*app, *bytes.Buffer, *bytes.Buffer) {
	var out, errs bytes.Buffer
	stdin := w.stdin
	if stdin == nil {
		stdin = eof{}
	}
	return &app{
		Env: Env{
			Stdin: stdin, Stdout: &out, Stderr: &errs, Version: "0.1.0", Container: func() bool { return w.container },
			Lookup: func(name string) (string, bool) { v, ok := w.env[name]; return v, ok },
		},
		ctx: context.Background(), out: &watched{w: &out},
	}, &out, &errs
}

// run runs one command in this process.
func (w world) run(args ...string) ran {
	a, out, errs := w.app()
	code := Main(context.Background(), a.Env, args)
	return ran{code, out.String(), errs.String()}
}

// want compares the exit code, and looks for patterns on stderr.
func (r ran) want(t *testing.T, code int, patterns ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d; stderr: %s", r.code, code, r.stderr)
	}
	for _, p := range patterns {
		if !regexp.MustCompile(`(?m)` + p).MatchString(r.stderr) {
			t.Errorf("no %q in stderr: %s", p, r.stderr)
		}
	}
}

// never looks for texts that may not stand anywhere.
func (r ran) never(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(r.stdout+r.stderr, text) {
			t.Errorf("%q is shown: %s%s", text, r.stdout, r.stderr)
		}
	}
}

// folder makes files in a new working directory.
func folder(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// commands are all commands of the program, by their path: "profiles list".
func commands(t *testing.T) map[string]*cobra.Command {
	t.Helper()
	a, _, _ := world{}.app()
	all := map[string]*cobra.Command{}
	var add func(c *cobra.Command)
	add = func(c *cobra.Command) {
		all[strings.TrimPrefix(strings.TrimPrefix(c.CommandPath(), programName), " ")] = c
		for _, sub := range c.Commands() {
			add(sub)
		}
	}
	add(a.whole())
	if len(all) < 10 {
		t.Fatalf("only %d commands", len(all))
	}
	return all
}

// builtin is a built-in profile by name.
func builtin(t *testing.T, name string) *profiles.Profile {
	t.Helper()
	e, err := profiles.Builtin().Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return e.Profile
}

// abs is a path from the root.
func abs(t *testing.T, path string) string {
	t.Helper()
	full, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return full
}

// hexOf is the hex HMAC-SHA1 or SHA-256 of a text, as the profile that signs the body alone wants it.
func hexOf(secret, body string) string {
	r := world{}.run("sign", "-p", "kustomer", "--secret", secret, "-d", body, "-o", "value")
	return strings.TrimSpace(r.stdout)
}

func itoa[N int | uintptr](n N) string { return strconv.Itoa(int(n)) }
