package cmd_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hookctl/hookctl/cmd"
)

var update = flag.Bool("update", false, "write the goldens anew")

// run runs a command in this process and returns what it printed.
func run(t *testing.T, env map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cmd.Main(context.Background(), cmd.Env{
		Stdout: &out, Stderr: &errs, Version: "0.1.0",
		Lookup: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
	}, args)
	return code, out.String(), errs.String()
}

var helpPages = []string{
	"", "send", "listen", "check", "sign", "verify", "replay", "plan", "forecast", "profiles", "profiles list", "profiles show", "profiles check",
	"profiles new", "profiles schema", "completion", "man", "help",
}

func TestHelpIsGolden(t *testing.T) {
	for _, page := range helpPages {
		t.Run("hookctl "+page, func(t *testing.T) {
			code, stdout, stderr := run(t, nil, append(strings.Fields(page), "--help")...)
			if code != 0 || stderr != "" {
				t.Fatalf("exit code %d, stderr %q", code, stderr)
			}
			golden(t, "help-"+strings.ReplaceAll("hookctl "+page, " ", "-"), stdout)
			checkWidth(t, stdout)
		})
	}
	for _, topic := range []string{"profiles", "exit-codes", "response-script", "ci"} {
		code, stdout, _ := run(t, nil, "help", topic)
		if code != 0 {
			t.Errorf("help %s: exit code %d", topic, code)
		}
		golden(t, "help-topic-"+topic, stdout)
		checkWidth(t, stdout)
	}
	_, stdout, _ := run(t, nil)
	golden(t, "help-first", stdout)
	checkWidth(t, stdout)
}

func checkWidth(t *testing.T, text string) {
	t.Helper()
	for _, line := range strings.Split(text, "\n") {
		if n := utf8.RuneCountInString(line); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// golden compares with cmd/testdata/NAME.golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", strings.TrimSuffix(name, "-")+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs:\n%s\nwant:\n%s", file, got, want)
	}
}

// A hint or an example never names a command or a flag that does not exist.
func TestEveryCommandInHelpExists(t *testing.T) {
	_, first, _ := run(t, nil)
	command := regexp.MustCompile(`(?m)^  hookctl (.*)$`)
	flags := regexp.MustCompile(`(?:^| )(--?[a-z][a-z-]*)`)
	seen := 0
	for _, page := range helpPages {
		_, text, _ := run(t, nil, append(strings.Fields(page), "--help")...)
		for _, m := range command.FindAllStringSubmatch(text+first, -1) {
			words := strings.Fields(m[1])
			if words[0] == "COMMAND" || strings.HasPrefix(words[0], "[") || words[0] == "help" {
				continue
			}
			name := words[:1]
			if words[0] == "profiles" && len(words) > 1 && words[1] != "COMMAND" {
				name = words[:2]
			}
			_, help, _ := run(t, nil, append(append([]string{}, name...), "--help")...)
			if !strings.Contains(help, "hookctl "+strings.Join(name, " ")) {
				t.Errorf("%q: no such command", m[1])
			}
			for _, f := range flags.FindAllStringSubmatch(m[1], -1) {
				if !strings.Contains(help, " "+f[1]+",") && !strings.Contains(help, " "+f[1]+" ") {
					t.Errorf("%q: no flag %s", m[1], f[1])
				}
				seen++
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d flags looked at", seen)
	}
}
