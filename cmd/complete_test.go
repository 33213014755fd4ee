package cmd

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// offered is what a shell is offered for the last of some words, and the number
// that tells it what to do.
func offered(t *testing.T, env map[string]string, words ...string) string {
	t.Helper()
	r := world{env: env}.run(append([]string{"__completeNoDesc"}, words...)...)
	if r.code != ExitOK {
		t.Fatalf("%q: exit code %d, stderr %q", words, r.code, r.stderr)
	}
	return strings.ReplaceAll(strings.TrimSuffix(r.stdout, "\n"), "\n", " ")
}

func TestTabOffersWhatFits(t *testing.T) {
	data, err := os.ReadFile("../profiles/testdata/kudos-example.yaml")
	if err != nil {
		t.Fatal(err)
	}
	acme := strings.Replace(string(data), "name: kudos", "name: acme", 1)
	acme = strings.ReplaceAll(acme, "subscription.upgraded", "acme.paid")
	folder(t, map[string]string{
		".hookctl/profiles/acme.yaml": acme, ".hookctl/profiles/broken.yaml": "name: [",
		"event.json": "{}", "echo.json": "{}", "events/one.json": "{}", "events/two.json": "{}", ".hidden": "", "e\x1bsc": "",
	})
	const files, noFiles, goesOn, folders = ":0", ":4", ":6", ":16"
	for _, test := range []struct{ words, want string }{
		{"se|", "send " + noFiles},
		{"pro|", "profiles " + noFiles},
		{"nothing|", noFiles},
		{"profiles s|", "schema show " + noFiles},
		{"completion |", "bash zsh fish powershell " + noFiles},
		{"completion p|", "powershell " + noFiles},
		{"completion bash |", noFiles},
		{"man |", folders},
		{"help r|", "replay response-script " + noFiles},
		{"help li|", "listen " + noFiles},

		{"send -p |", "acme clodo github kudos kustomer shopify slack standard-webhooks stripe svix " + files},
		{"send -p ku|", "kudos kustomer " + files},
		{"send -p ./a|", files},
		{"send --profile=cl|", "clodo " + files},
		{"plan -p kudos -p cl|", "clodo " + files},
		{"profiles show a|", "acme " + files},
		{"profiles check |", files},
		{"profiles new x --from k|", "kudos kustomer " + files},
		{"profiles new x --from a|", files},
		{"profiles new |", noFiles},

		{"send -p kudos -e s|", "subscription.upgraded subscription.replay_started subscription.replay_completed " + noFiles},
		{"send -p acme -e a|", "acme.paid " + noFiles},
		{"send -e p|", noFiles}, // no profile is named
		{"sign -p kudoz --event |", noFiles},
		{"check -p kudos -e pay|", "payment.succeeded " + noFiles},

		{"send -d @|", "@echo.json @event.json @events/ " + goesOn},
		{"send -d |", "@echo.json @event.json @events/ " + goesOn},
		{"send -d @ev|", "@event.json @events/ " + goesOn},
		{"send --data=@ec|", "@echo.json " + noFiles},
		{"sign -d @events/|", "@events/one.json @events/two.json " + noFiles},
		{"sign -d @.hi|", "@.hidden " + noFiles},
		{"sign -d @nowhere/|", noFiles},
		{`sign -d {"a|`, noFiles},

		{"send --speed |", "instant real " + noFiles},
		{"send --color a|", "auto always " + noFiles},
		{"sign -o |", "headers value env curl json " + noFiles},
		{"listen --expect |", "verified refused delivered " + noFiles},
		{"check --only raw|", "raw-bytes " + goesOn},
		{"check --skip raw-bytes,forg|", "raw-bytes,forged " + goesOn},
		{"check --list raw-bytes forg|", "forged " + noFiles},
		{"check --junit |", files},
		{"check --probe |", files},
		{"send --cacert |", files},
		{"send --timeout |", noFiles},
		{"send --secret |", noFiles},
		{"send http|", noFiles},
		{"send --no-j|", "--no-jitter " + noFiles},
		{"send --no-jitter -p kudos -p |", "acme clodo github kudos kustomer shopify slack standard-webhooks stripe svix " + files},
	} {
		words := strings.Split(strings.TrimSuffix(test.words, "|"), " ")
		if got := offered(t, nil, words...); got != test.want {
			t.Errorf("hookctl %s\n got %s\nwant %s", test.words, got, test.want)
		}
	}
	env := map[string]string{"HOOKCTL_PROFILE": "clodo"}
	if got, want := offered(t, env, "send", "-e", ""), "job.completed "+noFiles; got != want {
		t.Errorf("with HOOKCTL_PROFILE: %s, want %s", got, want)
	}
}

func TestTabSaysWhatEachWordIs(t *testing.T) {
	folder(t, nil)
	for words, want := range map[string]string{
		"send -p ku": "kudos\tKudos CRM\nkustomer\tKustomer\n:0\n",
		"si":         "sign\tprint the signature headers of a payload\n:4\n",
	} {
		if r := (world{}).run(append([]string{"__complete"}, strings.Split(words, " ")...)...); r.stdout != want {
			t.Errorf("%s: %q, want %q", words, r.stdout, want)
		}
	}
}

// Cobra repeats a line that it cannot read.
func TestTabForgetsSecretsOfTheLine(t *testing.T) {
	got := withoutSecrets([]string{"send", "--secret", "hunter2", "--secret=hunter2", "-H", "hunter2", "--header=hunter2", "--secret-env", "NAME", "--secret"})
	want := []string{"send", "--secret", "", "--secret=", "-H", "", "--header=", "--secret-env", "NAME", "--secret"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Every kind of value that help names is known to be completed or not.
func TestEveryKindOfValueIsCompletedOrNot(t *testing.T) {
	kinds := map[string]bool{}
	for _, c := range commands(t) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Annotations != nil {
				kinds[f.Annotations[argKey][0]] = true
			}
		})
		for n := range 3 {
			kinds[argument(c, n)] = true
		}
	}
	completed := []string{"NAME|FILE", "TYPE", "ID,...", "SHELL", "COMMAND|TOPIC", "TEXT|@FILE|@-", "DIR", "FILE", "FILE|-", "PATH", "CMD"}
	free := []string{
		"", "'NAME: VALUE'", "C", "D", "DURATION", "FORM", "HEX", "HOST:PORT", "ID", "N", "NAME", "NAME=SECRET", "N[-M]", "PATH=VALUE", "R", "SCRIPT",
		"SIZE", "SPEED", "STEP", "TEXT", "TIME", "URL", "WHAT", "WHEN",
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		if !slices.Contains(completed, kind) && !slices.Contains(free, kind) {
			t.Errorf("what is %q? complete knows it, or it is listed here as free", kind)
		}
	}
}

func TestTheScriptOfEachShell(t *testing.T) {
	for shell, marks := range map[string][]string{
		"bash":       {"complete -o default -F __start_hookctl hookctl", "_init_completion -n =:@ ", `_handle_special_char "$cur" @`},
		"zsh":        {"#compdef hookctl"},
		"fish":       {"complete -c hookctl"},
		"powershell": {"Register-ArgumentCompleter -CommandName 'hookctl'"},
	} {
		r := world{}.run("completion", shell)
		r.want(t, ExitOK)
		for _, m := range append(marks, "__complete") {
			if !strings.Contains(r.stdout, m) {
				t.Errorf("%s: no %q", shell, m)
			}
		}
	}
	world{}.run("completion", "fis").want(t, ExitUsage, `^hookctl: error: no completion for "fis"; did you mean fish\?$`, `there are bash, zsh, fish and powershell`)
	world{}.run("completion").want(t, ExitUsage, `takes a shell`)
}
