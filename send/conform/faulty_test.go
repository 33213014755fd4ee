package conform

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// probeFile counts an id's lines in a file.
func probeFile(file string) func(context.Context, string) (int, error) {
	return func(_ context.Context, id string) (int, error) {
		b, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			return 0, nil
		}
		n := 0
		for line := range strings.Lines(string(b)) {
			if strings.TrimSuffix(line, "\n") == id {
				n++
			}
		}
		return n, err
	}
}

// Each faulty receiver fails the check that is meant for it, and no other that
// is required.
func TestEachFaultIsFoundByItsCheck(t *testing.T) {
	program, err := built()
	if err != nil {
		t.Fatalf("%v: %s", err, program)
	}
	const required, advice = Required, Advice
	tests := []struct {
		fault, check string
		level        Level
		also         string // other required checks that see the same fault
		finding      string
	}{
		{"none", "", required, "", ""},
		{"no-header", "unsigned", required, "", "an event without the signature header is accepted"},
		{"log-only", "unsigned", required, "forged", "an event without the signature header is accepted"},
		{"any-signature", "forged", required, "", "any signature is accepted"},
		{"prefix", "forged", required, "", "an event with a wrong signature is accepted: the last digit of the signature changed"},
		{"empty-secret", "guessable-key", required, "", "critical, anyone can forge: an event signed with an empty secret is accepted"},
		{"placeholder", "guessable-key", required, "", `critical, anyone can forge: an event signed with "changeme" is accepted`},
		{"rewrite-raw", "raw-bytes", required, "", "the body is parsed and written again before the check"},
		{"throws", "bad-header", required, "", "the signature header t=1,v1= is answered 500"},
		{"crash", "bad-header", required, "", "the signature header t=1,v1= ends in connection closed without an answer"},
		{"conflict", "duplicate", required, "", "a repeated event is answered 409 (the same bytes again)"},
		{"race", "parallel-duplicate", required, "", "an event has its effect 10 times"},
		{"race-error", "parallel-duplicate", required, "", "one of several copies at once is answered 500"},
		{"pool", "slow-answer", advice, "", "an event in a row of 40 gets no answer within 1 s"},
		{"crowd", "burst", advice, "", "under load an event ends in connection closed without an answer"},
		{"redirect", "redirect", required, "", "the URL answers with a redirect"},
		{"www", "redirect", required, "", "the URL answers with a redirect"},
		{"login", "wall", required, "", "the verifier is never reached: it redirects to /login?next=/hooks"},
		{"basic", "wall", required, "", `the verifier is never reached: a login answers 401 with WWW-Authenticate: Basic realm="staging"`},
		{"csrf", "wall", required, "", "the verifier is never reached: a CSRF protection answers 403"},
		{"page", "wall", required, "", "the verifier is never reached: a page of HTML is answered to everything"},
		{"missing", "wall", required, "", "the event is not accepted: 404"},
		{"garbage", "wall", required, "", "the event is not answered: an answer that is not HTTP"},
		{"close", "wall", required, "", "the event is not answered: connection closed without an answer"},
		{"reset", "wall", required, "", "the event is not answered: connection reset"},
		{"no-clock", "clock", required, "", ""},
		{"no-future", "clock", required, "", "an event with a right signature is accepted with this time: 360 s ahead and a time in the wrong unit"},
		{"loose-clock", "clock", required, "", "an event with a right signature is accepted with this time: abc, an ISO time, 1e9 and <now>abc"},
		{"small-body", "body-limit", advice, "", "the largest body accepted is 100 KiB, which is Express's default"},
		{"first", "rotation", required, "", "only the first v1= of the signature header is read"},
		{"last", "rotation", required, "", "only the last v1= of the signature header is read"},
		{"one-secret", "rotation", required, "", "an event signed with the new secret alone is refused"},
		{"known-items", "rotation", required, "", "this signature header is refused: t=…,v1=<right>,v0=x"},
		{"fixed-order", "rotation", required, "", "this signature header is refused: v1=<right>,t=…"},
		{"older-scheme", "downgrade", required, "", "the right digest under v0= only is accepted"},
		{"sha1", "downgrade", required, "", "a right HMAC-SHA1 is accepted"},
		{"unknown-type", "unknown-event", required, "", "an event that it does not know is answered 404 (the type hookctl.unknown)"},
		{"parse-first", "broken-body", required, "", "a wrongly signed body (not json) is answered 400, not 401 as any wrong signature: it is parsed first"},
		{"parse-crash", "broken-body", required, "", "a rightly signed body that is no event (not json) is answered 500"},
		{"older", "order", advice, "", "the older event is answered 500"},
		{"needs-length", "transport", advice, "", "an event in chunks, without a length is answered 411"},
		{"leak", "leak", required, "", "a refusal tells the signature that it expected"},
		{"trace", "leak", required, "", "a refusal tells a stack trace"},
		{"gone", "retry-signal", advice, "forged", "a wrong signature is answered 410, which stops the webhook"},
		{"accepts-broken", "retry-signal", advice, "", "while its dependency is down an event is answered 200: the event is lost"},
		{"content-dedupe", "over-dedupe", advice, "", "of 2 different events 0 had an effect"},
		{"any-method", "methods", advice, "", "a GET has the effect of the event"},
	}
	for _, test := range tests {
		t.Run(test.fault, func(t *testing.T) {
			t.Parallel()
			p := profile(t)
			if test.fault == "pool" {
				p = profile(t, "timeout: 8s", "timeout: 1s")
			}
			dir := t.TempDir()
			broken, effects := filepath.Join(dir, "broken"), filepath.Join(dir, "effects")
			o := options(t, p, "", oldSecret, newSecret)
			o.URL = start(t, p, "id", []string{"FAULT=" + test.fault, "SECRET=" + oldSecret + "\n" + newSecret, "EFFECTS=" + effects, "BROKEN=" + broken}, program)
			o.Probe = probeFile(effects)
			o.Break = func(context.Context) error { return os.WriteFile(broken, nil, 0o600) }
			o.Heal = func(context.Context) error { return os.Remove(broken) }
			o.Skip = []string{"lost-answer"} // without pauses, which of both comes first is chance
			r := check(t, o)
			want := ""
			if test.level == required {
				want = test.check
			}
			if test.also != "" {
				want = strings.TrimSpace(want + " " + test.also)
			}
			if got := ids(r, Required, Fail); got != want {
				t.Errorf("required checks that failed: %q, want %q", got, want)
			}
			if test.check == "" {
				if got := ids(r, Advice, Fail) + ids(r, Required, Inconclusive); got != "" || ids(r, Advice, Inconclusive) != "order" {
					t.Errorf("failed or inconclusive: %q, %q", got, ids(r, Advice, Inconclusive))
				}
				if got, want := r.Verdict(), "passed: 15 of 15 required checks"; got != want {
					t.Errorf("verdict %q, want %q", got, want)
				}
				return
			}
			c := only(t, r, test.check)
			if c.State != Fail || c.Level != test.level || test.finding != "" && c.Finding != test.finding {
				t.Errorf("%s is %s, %s: %q; want a failure, %s: %q", test.check, c.State, c.Level, c.Finding, test.level, test.finding)
			}
			if c.Asked == "" || c.Came == "" || c.Why == "" || c.Fix == "" || len(c.Sent) == 0 || len(c.Sent) != len(c.Got) {
				t.Errorf("a failure must say what was sent, what came, why and what to change: %+v", c)
			}
		})
	}
}

// A receiver that holds one secret, and does not find its signature among two.
func TestASignatureThatIsNotFoundAmongTwoIsARotationFault(t *testing.T) {
	program, err := built()
	if err != nil {
		t.Fatalf("%v: %s", err, program)
	}
	for _, test := range []struct{ fault, secret, finding, rotation string }{
		{"first", newSecret, "only the first v1= of the signature header is read", "new+old new"},
		{"last", oldSecret, "only the last v1= of the signature header is read", "old new+old"},
	} {
		p := profile(t)
		o := options(t, p, "", oldSecret, newSecret)
		o.URL = start(t, p, "id", []string{"FAULT=" + test.fault, "SECRET=" + test.secret}, program)
		r := check(t, o)
		if got := ids(r, Required, Fail) + ids(r, Advice, Fail); got != "rotation" {
			t.Errorf("%s: %q failed, want rotation alone", test.fault, got)
		}
		if c := only(t, r, "rotation"); c.Finding != test.finding {
			t.Errorf("%s: %q, want %q", test.fault, c.Finding, test.finding)
		}
		var accepted []string
		for _, row := range r.Rotation {
			if row.Accepted {
				accepted = append(accepted, row.SignedWith)
			}
		}
		if got := strings.Join(accepted, " "); got != test.rotation {
			t.Errorf("%s: accepted %q, want %q", test.fault, got, test.rotation)
		}
	}
}

// The real serialisers, each found by its name.
func TestRewritersAreNamed(t *testing.T) {
	program, err := built()
	if err != nil {
		t.Fatalf("%v: %s", err, program)
	}
	node := []string{"node", filepath.Join(receivers, "faulty", "rewrite.mjs")}
	python := []string{"python3", filepath.Join(receivers, "faulty", "rewrite.py")}
	tests := []struct {
		name    string
		env     string
		program []string
		came    string
	}{
		{"node", "", node, "200 for a e g j p, 401 for b c d f h i k l m n o: what Node's JSON.stringify leaves of them"},
		{"python", "STYLE=default", python, "401 for a b c e f g h i j k l m n o p, 200 for d: what Python's json.dumps with its default separators leaves of them"},
		{"python compact", "STYLE=compact", python, "200 for a e f j l o p, 401 for b c d g h i k m n: what Python's json.dumps with compact separators leaves of them"},
		{"python utf-8", "STYLE=utf-8", python, "200 for a e g j l o p, 401 for b c d f h i k m n: what Python's json.dumps with compact separators and without ASCII escapes leaves of them"},
		{"go any", "FAULT=rewrite-any", []string{program}, "200 for a g i o p, 401 for b c d e f h j k l m n: what Go's encoding/json of a map leaves of them"},
		{"go raw", "FAULT=rewrite-raw", []string{program}, "200 for a e f g h i k l o p, 401 for b c d j m n: what Go's encoding/json of a json.RawMessage leaves of them"},
	}
	for _, p := range []string{"timed", "plain"} {
		for _, test := range tests {
			t.Run(p+" "+test.name, func(t *testing.T) {
				t.Parallel()
				if _, err := exec.LookPath(test.program[0]); err != nil {
					t.Skipf("%s is not installed", test.program[0])
				}
				profile := profile(t)
				if p == "plain" {
					profile = plainProfile(t)
				}
				o := options(t, profile, "", newSecret)
				o.URL = start(t, profile, "id", []string{test.env, "SECRET=" + newSecret}, test.program...)
				o.Only = []string{"raw-bytes"}
				c := only(t, check(t, o), "raw-bytes")
				if c.State != Fail || c.Level != Required || c.Came != test.came {
					t.Errorf("%s, %s: %q, want %q", c.State, c.Level, c.Came, test.came)
				}
				if strings.HasPrefix(test.name, "node") && !strings.Contains(c.Fix, "express.raw") {
					t.Errorf("change: %q", c.Fix)
				}
			})
		}
	}
}

// A receiver that loses a race against the sender that leaves.
func TestLostAnswersAreFound(t *testing.T) {
	program, err := built()
	if err != nil {
		t.Fatalf("%v: %s", err, program)
	}
	p := profile(t)
	effects := filepath.Join(t.TempDir(), "effects")
	o := options(t, p, "", newSecret)
	o.URL = start(t, p, "id", []string{"FAULT=forgets", "SECRET=" + newSecret, "EFFECTS=" + effects}, program)
	o.Probe = probeFile(effects)
	o.Only = []string{"lost-answer"}
	o.Wait = nil // the pauses are what is tried
	c := only(t, check(t, o), "lost-answer")
	if c.State != Fail || c.Level != Advice || c.Finding != "an event was accepted, but had no effect" {
		t.Errorf("%s, %s: %q", c.State, c.Level, c.Finding)
	}
}
