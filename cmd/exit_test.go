package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

func TestWhatEndedACommandGivesItsCode(t *testing.T) {
	cancelled := func(cause error) context.Context {
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(cause)
		return ctx
	}
	for name, test := range map[string]struct {
		ctx  context.Context
		want int
	}{
		"SIGINT":             {cancelled(stopped{os.Interrupt}), 130},
		"SIGTERM":            {cancelled(stopped{syscall.SIGTERM}), 143},
		"SIGTERM, wrapped":   {cancelled(fmt.Errorf("ended: %w", stopped{syscall.SIGTERM})), 143},
		"SIGTERM of a child": {context.WithValue(cancelled(stopped{syscall.SIGTERM}), failing{}, 1), 143},
		"the caller":         {cancelled(nil), 130},
		"another cause":      {cancelled(errors.New("x")), 130},
	} {
		if got := exitCode(test.ctx); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
	if got := (stopped{syscall.SIGTERM}).code(); got != 143 {
		t.Errorf("a second SIGTERM: %d", got)
	}
	if got := (stopped{os.Interrupt}).code(); got != 130 {
		t.Errorf("a second SIGINT: %d", got)
	}
}

func TestACommandThatIsEndedSaysSoByItsCode(t *testing.T) {
	folder(t, nil)
	for _, test := range []struct {
		args   string
		stdout string
	}{
		{"listen --addr 127.0.0.1:0", ""},
		{"listen --addr 127.0.0.1:0 --exit-after 1 --for 1h", ""},
		{"listen --addr 127.0.0.1:0 --verify --secret s --expect verified", ""},
		{"listen --addr 127.0.0.1:0 -q", ""},
		{"send -p kudos --respond 503 --speed real", "interrupted"},
		{"send -p kudos --respond 503 --speed real -q", "interrupted"},
	} {
		for signal, code := range map[os.Signal]int{os.Interrupt: 130, syscall.SIGTERM: 143} {
			ctx, cancel := context.WithCancelCause(context.Background())
			cancel(stopped{signal})
			a, out, errs := world{}.app()
			if got := Main(ctx, a.Env, strings.Fields(test.args)); got != code {
				t.Errorf("%s, %v: exit code %d, want %d; stderr %s", test.args, signal, got, code, errs)
			}
			if strings.HasPrefix(test.args, "listen") && !strings.Contains(errs.String(), "\n0 requests in ") && !strings.HasPrefix(errs.String(), "0 requests in ") {
				t.Errorf("%s: no summary: %s", test.args, errs)
			}
			if !strings.Contains(out.String(), test.stdout) {
				t.Errorf("%s: stdout %q, want %q", test.args, out, test.stdout)
			}
		}
	}
}

// failing is a stream whose writes fail after some bytes.
type failing struct {
	err   error
	after int
}

func (f *failing) Write(p []byte) (int, error) {
	if f.after -= len(p); f.after < 0 {
		return 0, f.err
	}
	return len(p), nil
}

func TestWhatBecomesOfAStreamThatCannotBeWritten(t *testing.T) {
	folder(t, map[string]string{"broken.yaml": "x: y\n"})
	closed := &fs.PathError{Op: "write", Path: "/dev/stdout", Err: os.ErrClosed}
	if syscall.EPIPE != 0 {
		closed.Err = syscall.EPIPE
	}
	full := &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
	for _, test := range []struct {
		args           string
		outErr, errErr error
		after          int
		code           int
		says           string // on stderr; "": no error
	}{
		{"profiles list", closed, nil, 0, ExitCannot, ""},
		{"profiles show kudos --json", closed, nil, 0, ExitCannot, ""},
		{"--help", closed, nil, 0, ExitCannot, ""},
		{"--version", closed, nil, 0, ExitCannot, ""},
		{"", closed, nil, 0, ExitCannot, ""},
		{"plan", closed, nil, 0, ExitCannot, ""},
		{"send -p kudos --respond 503,200", closed, nil, 300, ExitCannot, ""},
		{"send -p kudos --respond 404 --json", closed, nil, 0, ExitCannot, ""},
		{"send -p kudos --respond 404 -q", closed, nil, 0, ExitCannot, ""},
		{"sign -p kudos --secret s -d x", closed, nil, 0, ExitCannot, ""},
		{"listen --addr 127.0.0.1:0 --json --for 1m", closed, nil, 0, ExitCannot, ""},
		{"profiles list", full, nil, 0, ExitCannot, "writing the output: .*no space left on device"},
		{"send -p kudos --respond 503,200", full, nil, 300, ExitCannot, "writing the output: .*no space left on device"},
		{"listen --addr 127.0.0.1:0 --json --for 1m", full, nil, 0, ExitCannot, "writing the output: .*no space left on device"},
		{"listen --addr 127.0.0.1:0 --for 1ms", nil, full, 0, ExitOK, ""}, // talk that is lost changes nothing
		{"listen --addr 127.0.0.1:0 --for 1ms --exit-after 1", nil, full, 0, ExitNo, ""},
		{"listen --addr 127.0.0.1:0 --for 1ms", nil, closed, 0, ExitOK, ""},
		{"send -p kudos --respond 200", nil, full, 0, ExitOK, ""},
		{"send -p kudos --respond 404", nil, full, 0, ExitNo, ""},
		{"send -p kudoz", nil, full, 0, ExitUsage, ""},
		{"profiles check broken.yaml", nil, full, 0, ExitUsage, ""},
		{"sign -p kudos --secret s -d @none", nil, closed, 0, ExitCannot, ""},
		{"profiles list", closed, closed, 0, ExitCannot, ""},
	} {
		a, _, errs := world{}.app()
		if test.outErr != nil {
			a.Stdout = &failing{test.outErr, test.after}
		}
		if test.errErr != nil {
			a.Stderr = &failing{test.errErr, test.after}
		}
		code := Main(context.Background(), a.Env, strings.Fields(test.args))
		r := ran{code, "", errs.String()}
		if test.says != "" {
			r.want(t, test.code, `^hookctl: error: `+test.says+`$`)
		} else if r.want(t, test.code); strings.Contains(r.stderr, "error") {
			t.Errorf("%s: a message: %s", test.args, r.stderr)
		}
	}
}

func TestWhatCannotBeReadAndWhatIsWrong(t *testing.T) {
	folder(t, map[string]string{
		"locked.yaml": bare, "locked": "x", "broken.yaml": strings.Replace(bare, "timeout", "timeuot", 1), "text": "x",
	})
	if err := os.Mkdir("dir.yaml", 0o700); err != nil {
		t.Fatal(err)
	}
	locked := os.Geteuid() != 0 && os.Chmod("locked.yaml", 0) == nil && os.Chmod("locked", 0) == nil
	if !locked {
		t.Log("files are not locked here (root, or no such rights): those cases are left out")
	}
	for _, test := range []struct {
		args string
		code int
		says string
	}{
		{"send -p ./dir.yaml --respond 200", ExitCannot, `.*dir\.yaml.*`},
		{"profiles show ./dir.yaml", ExitCannot, `.*dir\.yaml.*`},
		{"profiles check dir.yaml", ExitCannot, `.*dir\.yaml.*`},
		{"send -p ./locked.yaml --respond 200", ExitCannot, `.*locked\.yaml.*permission denied`},
		{"profiles check locked.yaml", ExitCannot, `.*locked\.yaml.*permission denied`},
		{"sign -p kudos --secret-file locked -d x", ExitCannot, `--secret-file.*permission denied`},
		{"send -p ./none.yaml --respond 200", ExitUsage, `.*none\.yaml.*no such file.*`},
		{"send -p none --respond 200", ExitUsage, `no profile named "none"`},
		{"profiles check none.yaml", ExitCannot, `.*none\.yaml.*no such file.*`},
		{"send -p ./broken.yaml --respond 200", ExitUsage, `\./broken\.yaml:7:3: unknown key "timeuot".*`},
		{"profiles check broken.yaml", ExitUsage, `broken\.yaml:7:3: unknown key "timeuot".*`},
		{"profiles check text", ExitUsage, `text:1.*`},
		{"send -p kudos --respond 200:body=@none", ExitCannot, `--respond: step 1 of 1: .*none: no such file or directory`},
		{"send -p kudos --respond 200:body=@dir.yaml", ExitCannot, `--respond: step 1 of 1: .*dir\.yaml: is a directory`},
		{"listen --addr 127.0.0.1:0 --for 1ms --respond 200:body=@none", ExitCannot, `--respond: step 1 of 1: .*`},
		{"plan -p kudos --respond 200:body=@none", ExitCannot, `--respond: step 1 of 1: .*`},
		{"send -p kudos --respond 2000", ExitUsage, `--respond: step 1 of 1: .*`},
		{"send -p kudos --secret s -d @none 127.0.0.1:1", ExitCannot, `-d: none: no such file or directory`},
		{"send -p kudos --secret s -d @dir.yaml 127.0.0.1:1", ExitCannot, `-d: .*dir\.yaml: is a directory`},
		{"sign -p kudos --secret s -d @none", ExitCannot, `-d: none: no such file or directory`},
		{"sign -p kudos --secret s -d @dir.yaml", ExitCannot, `.*dir\.yaml: is a directory`},
		{"send -p kudos --secret s --cacert none 127.0.0.1:1", ExitCannot, `--cacert: none: no such file or directory`},
		{"send -p kudos --secret s --cacert text 127.0.0.1:1", ExitUsage, `--cacert: no certificate in PEM form in the file`},
		{"listen --addr 127.0.0.1:0 --for 1ms --ready-file none/x", ExitCannot, `--ready-file: .*no such file or directory`},
		{"listen --addr 192.0.2.1:0 --for 1ms", ExitCannot, `cannot listen on 192\.0\.2\.1:0: .*`},
	} {
		if strings.Contains(test.args, "locked") && !locked {
			continue
		}
		world{}.run(strings.Fields(test.args)...).want(t, test.code, `^hookctl: error: `+test.says+`$`)
	}
	for path, code := range map[string]int{"none.yaml": ExitUsage, "dir.yaml": ExitCannot} {
		r := world{env: map[string]string{"HOOKCTL_CONFIG": path}}.run("sign", "-p", "kudos", "--secret", "s", "-d", "x")
		r.want(t, code, `^hookctl: error: .*`+path)
	}
}

func TestAProfileFileBesideIsNamedByItsPath(t *testing.T) {
	folder(t, map[string]string{"acme.yaml": ""})
	r := world{}.run("plan", "-p", "acme")
	r.want(t, ExitUsage, `^hookctl: error: no profile named "acme"$`, `^hookctl: hint: a file is named by its path: \./acme\.yaml$`)
}

func TestErrorsOfOtherPackagesHaveTheirCode(t *testing.T) {
	a, _, _ := world{}.app()
	for _, test := range []struct {
		err  error
		code int
		text string
		hint string
	}{
		{&profiles.NotFoundError{Name: "kudoz", Near: "kudos"}, ExitUsage, `no profile named "kudoz"; did you mean kudos?`, "see all of them:"},
		{&profiles.NotFoundError{Name: "x"}, ExitUsage, `no profile named "x"`, "see all of them:"},
		{&send.EventError{Profile: "p", Type: "t", Known: []string{"a", "b"}}, ExitUsage, `p has no sample of type "t"; it has a and b`, "any type can be sent with a body of your own: -d @FILE"},
		{&send.EventError{Profile: "p", Type: "t", Known: []string{"u"}, Near: "u"}, ExitUsage, `p has no sample of type "t"; did you mean u?`, "any type can be sent with a body of your own: -d @FILE"},
		{&send.EventError{Profile: "p"}, ExitUsage, `p has no samples`, "give a body of your own: -d @FILE"},
		{&profiles.MissingError{Name: "id"}, ExitUsage, (&profiles.MissingError{Name: "id"}).Error() + " in the signed text", "give it with --id"},
		{&sign.HeaderError{Header: "X", Missing: &profiles.MissingError{Name: "type"}}, ExitUsage, "", "give it with --event"},
		{&send.NoSecretError{Profile: "p"}, ExitUsage, "", ""},
		{errors.New("odd\x1b"), ExitCannot, `odd\x1b`, ""},
		{fmt.Errorf("around: %w", misuse("inside")), ExitUsage, "inside", ""},
		{cannot(fs.ErrPermission, "no"), ExitCannot, "no", ""},
	} {
		f := a.explain(test.err)
		if f.code != test.code || test.text != "" && f.text != test.text || f.hint.text != test.hint {
			t.Errorf("%v: %d, %q, %q, want %d, %q, %q", test.err, f.code, f.text, f.hint.text, test.code, test.text, test.hint)
		}
	}
	for placeholder, want := range map[string]string{
		"id": "--id", "type": "--event", "url": "--url", "attempt": "--attempt", "retry": "--attempt", "first_sent_at": "--first-sent", "timestamp": "--timestamp",
	} {
		if got := flagOf(placeholder); got != want {
			t.Errorf("%s is given with %s, want %s", placeholder, got, want)
		}
	}
}

func TestEveryBrokenProfileIsToldAndTheOthersAreListed(t *testing.T) {
	folder(t, map[string]string{
		".hookctl/profiles/one.yaml":  strings.Replace(bare, "timeout", "timeuot", 1),
		".hookctl/profiles/two.yaml":  strings.NewReplacer("schema: 1", "schema: 2", "name: bare", "name: two").Replace(bare),
		".hookctl/profiles/bare.yaml": bare,
	})
	for _, form := range []string{"", "--json"} {
		r := world{}.run(append([]string{"profiles", "list"}, strings.Fields(form)...)...)
		r.want(t, ExitUsage, `^hookctl: error: .*one\.yaml:2:7: `, `^hookctl: error: .*two\.yaml:1:9: `)
		if n := strings.Count(r.stderr, "hookctl: hint: "); n != 1 {
			t.Errorf("%d hints: %s", n, r.stderr)
		}
		for _, name := range []string{"bare", "clodo", "kudos", "kustomer"} {
			if !strings.Contains(r.stdout, name) {
				t.Errorf("%s is not listed: %s", name, r.stdout)
			}
		}
	}
}

func TestOneHintARunAndNoneWithQuiet(t *testing.T) {
	a, _, errs := world{}.app()
	two := errors.Join(misuse("one").with("first:", "a"), cannot(nil, "two").with("second:", "b"))
	if code := a.report(two); code != ExitUsage {
		t.Errorf("exit code %d", code)
	}
	if want := "hookctl: error: one\nhookctl: error: two\nhookctl: hint: first: a\n"; errs.String() != want {
		t.Errorf("%q, want %q", errs, want)
	}
	a, _, errs = world{}.app()
	a.quiet = true
	if code := a.report(misuse("one").with("first:", "a")); code != ExitUsage || errs.String() != "hookctl: error: one\n" {
		t.Errorf("%d, %q", code, errs)
	}
	var none *bytes.Buffer
	a, none, errs = world{}.app()
	if code := a.report(errNo); code != ExitNo || none.String()+errs.String() != "" {
		t.Errorf("%d, %q", code, errs)
	}
	if code := a.report(nil); code != ExitOK {
		t.Errorf("%d", code)
	}
}
