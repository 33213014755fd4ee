package cmd

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// words are the words of a command's path.
func words(path string) []string { return strings.Fields(path) }

// A long flag with one dash is not read as a short one with a value, and what
// follows is not shown.
func TestALongFlagWithOneDashGetsAHint(t *testing.T) {
	folder(t, nil)
	for name, c := range commands(t) {
		n := 0
		c.Flags().VisitAll(func(f *pflag.Flag) {
			n++
			for _, typed := range [][]string{{"-" + f.Name + "=hunter2"}, {"-" + f.Name, "hunter2"}, {"-" + f.Name}} {
				r := world{}.run(append(words(name), typed...)...)
				r.want(t, ExitUsage, `^hookctl: error: unknown flag -`+f.Name+`$`, `^hookctl: hint: a long flag has two dashes: --`+f.Name+`$`)
				r.never(t, "hunter2")
			}
		})
		if n == 0 {
			t.Errorf("%s has no flag", name)
		}
	}
	// Values of other flags are no flags, and nothing is one after --.
	for _, args := range [][]string{
		{"sign", "-p", "kudos", "--secret", "x", "--id", "-secret", "-d", "x"},
		{"sign", "-p", "kudos", "--secret", "-event", "-d", "-json"},
		{"sign", "-p", "kudos", "--secret=x", "-d", "-id"},
	} {
		world{}.run(args...).want(t, ExitOK)
	}
	r := world{}.run("send", "-p", "kudos", "--", "-secret")
	if strings.Contains(r.stderr, "two dashes") {
		t.Errorf("after --: %s", r.stderr)
	}
}

func TestAnUnknownFlagShowsNoValue(t *testing.T) {
	folder(t, nil)
	for _, test := range []struct{ args, want string }{
		{"send --secrethunter2", `unknown flag that begins with --secret\nhookctl: hint: a value stands apart: --secret VALUE`},
		{"send --secretHUNTER2", `unknown flag that begins with --secret`},
		{"send --sekret=hunter2", `unknown flag --sekret; did you mean --secret\?\nhookctl: hint: see what there is: hookctl send --help`},
		{"send --sekret hunter2", `unknown flag --sekret; did you mean --secret\?`},
		{"send --xyz=hunter2", `unknown flag --xyz\n`},
		{"send -xhunter2", `unknown flag -x\n`},
		{"send -khunter2", `unknown flag -h|unknown flag -u`},
		{"send --Sekret=hunter2", `unknown flag; did you mean --secret\?`},
		{"send --seed", `--seed needs a value`},
		{"send -p", `-p/--profile needs a value`},
		{"send -p kudos -p hunter2", `-p/--profile takes one profile`},
		{"send --no-jitter=hunter2", `--no-jitter takes true or false`},
		{"profiles list --sekret=hunter2", `unknown flag --sekret\n`},
		{"--sekret=hunter2", `unknown flag --sekret\n`},
		{"help --sekret=hunter2", `unknown flag --sekret\n`},
	} {
		r := world{}.run(strings.Fields(test.args)...)
		if strings.HasPrefix(test.args, "send -khunter2") { // -kh is a request for help
			r.never(t, "hunter2")
			continue
		}
		r.want(t, ExitUsage, `^hookctl: error: (`+test.want+`)`)
		r.never(t, "hunter2", "HUNTER2")
	}
}

func TestAnEmptyValueIsWrongUse(t *testing.T) {
	folder(t, nil)
	seen := 0
	for name, c := range commands(t) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "bool" || f.Name == "data" { // a body may be empty
				return
			}
			args := append(words(name), "--"+f.Name, "")
			if f.Name != "profile" && c.Flags().Lookup("profile") != nil {
				args = append(args, "-p", "kudos")
			}
			switch name {
			case "sign", "verify":
				args = append(args, "-d", "x")
			case "send", "check":
				args = append(args, "127.0.0.1:1")
			case "profiles show", "profiles check", "profiles new":
				args = append(args, "kudos")
			case "listen":
				args = append(args, "--verify", "--for", "1ms")
				if f.Name != "addr" {
					args = append(args, "--addr", "127.0.0.1:0")
				}
			}
			seen++
			r := world{}.run(args...)
			r.want(t, ExitUsage, `^hookctl: error: `)
			if r.stdout != "" {
				t.Errorf("%v: stdout %s", args, r.stdout)
			}
		})
	}
	if seen < 60 {
		t.Errorf("only %d flags", seen)
	}
}

func TestAWrongCommandGetsASuggestion(t *testing.T) {
	folder(t, nil)
	for _, test := range []struct{ args, want string }{
		{"sned", `unknown command "sned"; did you mean send\?\nhookctl: hint: all commands: hookctl --help`},
		{"sned -p kudos --secret hunter2 --json :3000", `unknown command "sned"; did you mean send\?`},
		{"lisen --verify", `unknown command "lisen"; did you mean listen\?`},
		{"verfiy -profile x", `unknown command "verfiy"; did you mean verify\?`},
		{"hunter", `unknown command "hunter"\n`},
		{"profiles lst", `unknown command "lst"; did you mean list\?\nhookctl: hint: all commands: hookctl profiles --help`},
		{"profiles lst --json", `unknown command "lst"; did you mean list\?`},
		{"profiles --help=false shwo kudos", `unknown command "shwo"; did you mean show\?`},
		{"help sned", `no help for "sned"; did you mean send\?`},
		{"help exit-code", `no help for "exit-code"; did you mean exit-codes\?`},
		{"send a b", `hookctl send takes one argument at most`},
		{"replay a b c", `hookctl replay takes two arguments at most`},
		{"sign x", `hookctl sign takes no argument`},
		{"profiles show", `hookctl profiles show takes a profile`},
		{"profiles show a b", `hookctl profiles show takes a profile`},
	} {
		r := world{}.run(strings.Fields(test.args)...)
		r.want(t, ExitUsage, `^hookctl: error: `+test.want)
		r.never(t, "hunter2")
		if r.stdout != "" {
			t.Errorf("%s: stdout %s", test.args, r.stdout)
		}
	}
	r := world{}.run("\x1b[31m\n")
	r.want(t, ExitUsage, `^hookctl: error: unknown command "\\x1b\[31m\\n"`)
}

func TestAnAddressWithoutTLSIsRefusedForOneAndForMany(t *testing.T) {
	folder(t, nil)
	for _, more := range [][]string{nil, {"--count", "2"}} {
		args := append([]string{"send", "-p", "kustomer", "--secret", "x", "--strict", ":1"}, more...)
		world{}.run(args...).want(t, ExitUsage, `^hookctl: error: Kustomer delivers to https addresses only \(--strict\)$`)
	}
}
