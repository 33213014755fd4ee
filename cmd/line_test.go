package cmd

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// typed is the command line that a command makes of its words.
func typed(t *testing.T, words ...string) *commandLine {
	t.Helper()
	a, _, _ := world{}.app()
	root := a.root(words)
	c, _, err := root.Find(words)
	if err != nil {
		t.Fatal(err)
	}
	var line *commandLine
	c.RunE = func(c *cobra.Command, args []string) error { line = lineOf(c, args); return nil }
	root.SetArgs(words)
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	return line
}

func TestACommandLineRepeatsWhatWasTypedButNoSecret(t *testing.T) {
	for _, test := range []struct{ typed, want string }{
		{"send -p kudos :3000/hooks", "hookctl send -p kudos :3000/hooks"},
		{"send --profile=kudos --event e.x 3000", "hookctl send -p kudos -e e.x 3000"},
		{"send --secret hunter2 -p kudos", "hookctl send --secret-env NAME -p kudos"},
		{"send --secret hunter2 --secret-env NEW --secret-file f", "hookctl send --secret-env NAME --secret-env NEW --secret-file f"},
		{"send --secret-file a --secret hunter2", "hookctl send --secret-file a --secret-env NAME"},
		{"send --no-secret -k", "hookctl send --no-secret -k"},
		{"send -q -v --json --seed 7 --color never -p kudos", "hookctl send -p kudos"},
		{"send -H X-A:1 -H Authorization:hunter2", "hookctl send -H 'X-A: 1' -H 'Authorization: ***'"},
		{"send -H cookie:hunter2 -H x-api-key:hunter2", "hookctl send -H 'cookie: ***' -H 'x-api-key: ***'"},
		{"send -H hunter2", `hookctl send -H ''\''NAME: VALUE'\'''`},
		{"send http://user:hunter2@host/h", "hookctl send 'http://user:***@host/h'"},
		{"send user:hunter2@host/h", "hookctl send 'user:***@host/h'"},
		{"listen --forward-to http://user:hunter2@host/h", "hookctl listen --forward-to 'http://user:***@host/h'"},
		{"listen --forward-to user:hunter2@host:3000", "hookctl listen --forward-to 'user:***@host:3000'"},
		{"sign --url user:hunter2@host", "hookctl sign --url 'user:***@host'"},
		{"send --speed 60 --timeout 2s --timestamp 1700000000", "hookctl send --speed 60 --timeout 2s --timestamp 1700000000"},
		{"send --set a=1 --set b:=2", "hookctl send --set a=1 --set b:=2"},
		{"profiles show kudos", "hookctl profiles show kudos"},
	} {
		got := typed(t, strings.Fields(test.typed)...).String()
		if got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.typed, got, test.want)
		}
	}
}

func TestACommandLineIsChangedInACopy(t *testing.T) {
	line := &commandLine{command: "hookctl send", args: []string{"3000"}, flags: []flagWords{{"-p", "kudos"}, {"-k", ""}, {"-H", "A: 1"}, {"-H", "B: 2"}}}
	for name, test := range map[string]struct {
		got  *commandLine
		want string
	}{
		"with another":     {line.with("--id", "evt 1"), "hookctl send -p kudos -k -H 'A: 1' -H 'B: 2' --id 'evt 1' 3000"},
		"with the same":    {line.with("-p", "clodo"), "hookctl send -k -H 'A: 1' -H 'B: 2' -p clodo 3000"},
		"with no value":    {line.with("--strict", ""), "hookctl send -p kudos -k -H 'A: 1' -H 'B: 2' --strict 3000"},
		"without":          {line.without("-H"), "hookctl send -p kudos -k 3000"},
		"without nothing":  {line.without("-x"), "hookctl send -p kudos -k -H 'A: 1' -H 'B: 2' 3000"},
		"only":             {line.only("hookctl plan", "-p", "-k"), "hookctl plan -p kudos -k"},
		"to":               {line.to("http://u:p@h/"), "hookctl send -p kudos -k -H 'A: 1' -H 'B: 2' 'http://u:***@h/'"},
		"to, after a file": {(&commandLine{command: "hookctl replay", args: []string{"rec", "3000"}, fixed: 1}).to("4000"), "hookctl replay rec 4000"},
		"the line itself":  {line, "hookctl send -p kudos -k -H 'A: 1' -H 'B: 2' 3000"},
	} {
		if got := test.got.String(); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, test.want)
		}
	}
	if !line.has("-k") || line.has("--no-secret") {
		t.Errorf("has -k %v, --no-secret %v", line.has("-k"), line.has("--no-secret"))
	}
}

func TestWordsAreQuotedForAShellWhereTheyNeedIt(t *testing.T) {
	for in, want := range map[string]string{
		"":                       "''",
		"kudos":                  "kudos",
		"@event.json":            "@event.json",
		"http://h:3000/a_b-c%20": "http://h:3000/a_b-c%20",
		"a=b,c+d":                "a=b,c+d",
		"a b":                    "'a b'",
		"$HOME":                  "'$HOME'",
		"`id`":                   "'`id`'",
		"a;b":                    "'a;b'",
		"a&b":                    "'a&b'",
		"*":                      "'*'",
		"~":                      "'~'",
		"#x":                     "'#x'",
		`a"b`:                    `'a"b'`,
		`a\b`:                    `'a\b'`,
		"it's":                   `'it'\''s'`,
		"/?a=1":                  "'/?a=1'",
		"é":                      "'é'",
	} {
		if got := shellQuote(in); got != want {
			t.Errorf("shellQuote(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestAHintNeverShowsAPassword(t *testing.T) {
	folder(t, nil)
	for _, args := range []string{
		"send -p kudos http://user:hunter2@127.0.0.1:1/h",
		"send -p kudos user:hunter2@127.0.0.1:1/h",
		"send -p kustomer --strict --secret hunter2 http://user:hunter2@127.0.0.1:1/h",
		"send -p kudos --respond 200 --secret hunter2 -H Authorization:hunter2 http://hunter2/",
		"listen --verify --secret hunter2 --addr 256.0.0.1:1 --forward-to user:hunter2@h",
		"listen --verify --addr 127.0.0.1:0 --forward-to user:hunter2@h",
		"sign --secret hunter2 --url http://user:hunter2@h/ -d x",
		"verify --secret hunter2 -H Authorization:hunter2 -d x",
		"send -p kudos --secret hunter2 http://user:hunter2@127.0.0.1:99999/h",
		"send -p kudos --secret hunter2 ftp://user:hunter2@h/h",
		"send -p kudos --secret hunter2 http://user:hunter2@[h/h",
	} {
		r := world{}.run(strings.Fields(args)...)
		if r.code == ExitOK || r.stderr == "" {
			t.Errorf("%s: exit code %d, stderr %q", args, r.code, r.stderr)
		}
		r.never(t, "hunter2")
	}
}
