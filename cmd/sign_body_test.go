package cmd

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// named signs the id in front of the body.
var named = strings.Replace(bare, `"{body}"`, `"{id}.{body}"`, 1)

func TestABodyFromStdinThatIsSignedAfterItsIDHasALimit(t *testing.T) {
	folder(t, map[string]string{"n.yaml": named, "bare.yaml": bare})
	long := func(n int) string {
		head := `{"id":"e1","x":"`
		return head + strings.Repeat("x", n-len(head)-2) + `"}`
	}
	const limit = 10 << 20
	for _, test := range []struct {
		name, profile, flags, body string
		code                       int
	}{
		{"at the limit", "./n.yaml", "", long(limit), ExitOK},
		{"over it", "./n.yaml", "", long(limit + 1), ExitUsage},
		{"over it, with -d @-", "./n.yaml", "-d @-", long(limit + 1), ExitUsage},
		{"over it, with the id", "./n.yaml", "--id e1", long(limit + 1), ExitOK},
		{"over it, where no id is signed", "./bare.yaml", "", long(limit + 1), ExitOK},
	} {
		args := append([]string{"sign", "-p", test.profile, "--secret", "s"}, strings.Fields(test.flags)...)
		r := world{stdin: strings.NewReader(test.body)}.run(args...)
		if test.code == ExitUsage {
			r.want(t, ExitUsage, `^hookctl: error: .*over 10 MiB`, `^hookctl: hint: give it with --id$`)
			if r.stdout != "" {
				t.Errorf("%s: stdout %s", test.name, r.stdout)
			}
			continue
		}
		r.want(t, test.code)
		if !strings.HasPrefix(r.stdout, "X-Bare-Signature: ") {
			t.Errorf("%s: %s", test.name, r.stdout)
		}
	}
	// A file may have any size: it is read twice.
	if err := os.WriteFile("big", []byte(long(limit+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	file := world{}.run("sign", "-p", "./n.yaml", "--secret", "s", "-d", "@big")
	stdin := world{stdin: strings.NewReader(long(limit + 1))}.run("sign", "-p", "./n.yaml", "--secret", "s", "--id", "e1")
	if file.code != ExitOK || file.stdout != stdin.stdout {
		t.Errorf("a file: %+v, stdin: %+v", file, stdin)
	}
}

func TestACurlCommandHoldsTheVeryBody(t *testing.T) {
	folder(t, map[string]string{"a b.json": "{}", "plain.json": "{}"})
	for _, test := range []struct {
		name, data string // "" is stdin
		stdin      string
		want       string // the end of the command; "": refused
	}{
		{"a file", "@plain.json", "", `' --data-binary @plain.json http://localhost:4665/`},
		{"a file with a blank", "@a b.json", "", `' --data-binary '@a b.json' http://localhost:4665/`},
		{"a text", `{"a":"it's"}`, "", `' --data-binary '{"a":"it'\''s"}' http://localhost:4665/`},
		{"a text that is empty", "", "", `' --data-binary '' http://localhost:4665/`},
		{"stdin", "@-", "x\n", "' --data-binary 'x\n' http://localhost:4665/"},
		{"stdin that is empty", "@-", "", `' --data-binary '' http://localhost:4665/`},
		{"stdin that begins with @", "@-", "@x", `' --data-raw '@x' http://localhost:4665/`},
		{"stdin with @ inside", "@-", "x@", `' --data-binary 'x@' http://localhost:4665/`},
		{"stdin of 64 KiB", "@-", strings.Repeat("x", 64<<10), "' --data-binary '" + strings.Repeat("x", 64<<10) + "' http://localhost:4665/"},
		{"stdin over 64 KiB", "@-", strings.Repeat("x", 64<<10+1), ""},
		{"stdin far over 64 KiB", "@-", strings.Repeat("x", 1<<20), ""},
		{"stdin with NUL", "@-", "a\x00b", ""},
		{"stdin that is not UTF-8", "@-", "a\xffb", ""},
		{"stdin that is cut in a letter", "@-", "\xc3", ""},
		{"stdin with other letters", "@-", "é\u202e", "' --data-binary 'é\u202e' http://localhost:4665/"},
	} {
		r := world{stdin: strings.NewReader(test.stdin)}.run("sign", "-p", "clodo", "--secret", "s", "--id", "1", "-o", "curl", "-d", test.data)
		if test.want == "" {
			r.want(t, ExitUsage, `^hookctl: error: this body from stdin cannot stand in a command$`, `^hookctl: hint: save it to a file and give -d @FILE$`)
			continue
		}
		r.want(t, ExitOK)
		if !strings.HasPrefix(r.stdout, "curl -H '") || !strings.HasSuffix(r.stdout, test.want+"\n") {
			t.Errorf("%s: %.300s, want it to end in %.300s", test.name, r.stdout, test.want)
		}
	}
}

// A shell reads back what was quoted.
func TestAShellReadsTheOutputBack(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh here to read what is quoted")
	}
	folder(t, map[string]string{"q.yaml": strings.NewReplacer(`"{signature}"`, `"it's `+"`id`"+` $HOME \"{signature}\""`).Replace(bare)})
	r := world{}.run("sign", "-p", "./q.yaml", "--secret", "s", "-d", "x", "-o", "env")
	r.want(t, ExitOK)
	value := world{}.run("sign", "-p", "./q.yaml", "--secret", "s", "-d", "x", "-o", "value")
	out, err := exec.Command(sh, "-c", r.stdout+`printf '%s\n' "$X_BARE_SIGNATURE"`).Output()
	if err != nil || string(out) != value.stdout || !strings.HasPrefix(value.stdout, "it's `id` $HOME \"") {
		t.Errorf("%s gave %q (%v), want %q", r.stdout, out, err, value.stdout)
	}
	body := "it's \"$HOME\" `id` \\ \n"
	r = world{stdin: strings.NewReader(body)}.run("sign", "-p", "clodo", "--secret", "s", "--id", "a'b", "-o", "curl")
	r.want(t, ExitOK)
	out, err = exec.Command(sh, "-c", `curl() { printf '%s|' "$@"; }; `+r.stdout).Output()
	if err != nil || !bytes.Contains(out, []byte("|Clodo-Webhook-Id: a'b|")) || !bytes.HasSuffix(out, []byte("|--data-binary|"+body+"|http://localhost:4665/|")) {
		t.Errorf("%s gave %q (%v)", r.stdout, out, err)
	}
}

func TestAnAttemptWasFirstSentWhenItIsSignedUnlessSaid(t *testing.T) {
	folder(t, nil)
	for flags, want := range map[string]string{
		"":                                       "2023-11-14T22:13:20Z",
		"--first-sent 1600000000":                "2020-09-13T12:26:40Z",
		"--first-sent 2020-09-13T14:26:40+02:00": "2020-09-13T12:26:40Z",
	} {
		args := "sign -p kudos --secret s -d {} --id e1 --all-headers --attempt 2 --timestamp 1700000000 " + flags
		r := world{}.run(strings.Fields(args)...)
		r.want(t, ExitOK)
		if !strings.Contains(r.stdout, "\nX-Kudos-First-Sent-At: "+want+"\n") {
			t.Errorf("%q: %s, want %s", flags, r.stdout, want)
		}
	}
	before := time.Now().Unix()
	r := world{}.run("sign", "-p", "kudos", "--secret", "s", "-d", "{}")
	var at int64
	if _, err := fmt.Sscanf(r.stdout, "X-Kudos-Signature: t=%d,", &at); err != nil || at < before || at > time.Now().Unix() {
		t.Errorf("signed at %d (%v), not now: %s", at, err, r.stdout)
	}
}

func TestWhereEachSecretHasItsOwnLineNamesAreNumbered(t *testing.T) {
	folder(t, nil)
	r := world{}.run("sign", "-p", "kustomer", "--secret", "a", "--secret", "b", "-d", "x", "-o", "env")
	want := fmt.Sprintf("X_KUSTOMER_WEBHOOK_SIGNATURE_1='%s'\nX_KUSTOMER_WEBHOOK_SIGNATURE_2='%s'\n", hexOf("a", "x"), hexOf("b", "x"))
	if r.code != ExitOK || r.stdout != want {
		t.Errorf("%+v, want %s", r, want)
	}
	r = world{}.run("sign", "-p", "kustomer", "--secret", "a", "-d", "x", "-o", "env")
	if want := fmt.Sprintf("X_KUSTOMER_WEBHOOK_SIGNATURE='%s'\n", hexOf("a", "x")); r.stdout != want {
		t.Errorf("%+v, want %s", r, want)
	}
}
