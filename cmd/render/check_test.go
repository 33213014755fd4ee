package render

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/send/conform"
)

// allWell is a report in which everything passes that can.
func allWell(t *testing.T) *conform.Report {
	p := builtin(t, "kudos")
	r := &conform.Report{Profile: p, URL: hooksURL, Secrets: 2, Probe: true, Seed: 7, Elapsed: 6212 * time.Millisecond}
	for _, c := range conform.Checks() {
		result := conform.Result{Check: c, Level: c.Level, State: conform.Pass, Why: strings.ReplaceAll(c.Why, "{title}", p.Title), Alone: true}
		switch c.ID {
		case "clock":
			result.Level = conform.Advice
		case "order":
			result.State, result.Finding = conform.Inconclusive, "does an older event overwrite a newer one?"
			result.Came = "200 for both; what was stored cannot be seen from here"
			result.Fix = "look it up: the stored time must be 10:03:13, not 10:03:03"
		case "idle-close":
			result.State, result.Why = conform.Skip, "takes 3 minutes: --slow"
		case "tls":
			result.State, result.Why = conform.Skip, "the URL is http"
		}
		r.Results = append(r.Results, result)
	}
	for _, with := range []string{"old", "old+new", "new+old", "new"} {
		r.Rotation = append(r.Rotation, conform.Rotated{SignedWith: with, Accepted: true, Answer: "200"})
	}
	return r
}

// twoFail is the report of the picture.
func twoFail(t *testing.T) *conform.Report {
	r := allWell(t)
	change := func(id string, finding, asked, came, fix string) {
		i := slices.IndexFunc(r.Results, func(c conform.Result) bool { return c.ID == id })
		c := &r.Results[i]
		c.State, c.Finding, c.Asked, c.Came, c.Fix = conform.Fail, finding, asked, came, fix
	}
	change("raw-bytes", "the body is parsed and written again before the check", "one event in 16 layouts, each signed over exactly the bytes sent",
		"200 for a e g j p, 401 for b c d f h i k l m n o: what Node's JSON.stringify leaves of them",
		`take the raw body: express.raw({type: "application/json"}) on this route in place of express.json()`)
	change("rotation", "only the first v1= of the signature header is read", "t=…,v1=<wrong>,v1=<right>, then t=…,v1=<right>,v1=<wrong>", "401, then 200",
		"compare each v1= with each secret you hold; one match is enough")
	change("body-limit", "the largest body accepted is 100 KiB, which is Express's default", "events", "413", `express.raw({limit: "1mb"})`)
	change("addresses", "127.0.0.1 answers, [::1] does not", "the event", "connection refused from [::1]", "listen on both, or give senders 127.0.0.1 in place of localhost")
	for i := range r.Rotation[2:] {
		r.Rotation[2+i].Accepted, r.Rotation[2+i].Answer = false, "401"
	}
	return r
}

func drawCheck(t *testing.T, s Style, r *conform.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := CheckReport(&b, s, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReportsOfChecks(t *testing.T) {
	single := allWell(t)
	single.Profile, single.Secrets, single.Probe = builtin(t, "kustomer"), 2, false
	single.Rotation = []conform.Rotated{{SignedWith: "old", Accepted: true, Answer: "204"}, {SignedWith: "new", Answer: "no answer within 30 s"}}
	for i := range single.Results {
		c := &single.Results[i]
		c.Answers = c.ID == "duplicate" || c.ID == "lost-answer"
	}
	compared := twoFail(t)
	compared.Compare(conform.Baseline{"raw-bytes": conform.Pass, "rotation": conform.Fail, "forged": conform.Fail, "wall": conform.Pass})
	lost := allWell(t)
	lost.Unreached = &send.Failure{Kind: profiles.Refused}
	hostile := twoFail(t)
	hostile.Results[3].Finding = "an answer with \x1b[31m and \u202e in it"
	tests := []struct {
		name   string
		style  Style
		report *conform.Report
	}{
		{"check-failed-80", Style{Width: 80}, twoFail(t)},
		{"check-failed-60", Style{Width: 60}, twoFail(t)},
		{"check-failed-120", Style{Width: 120}, twoFail(t)},
		{"check-failed-80-colour", Style{Width: 80, Color: true}, twoFail(t)},
		{"check-failed-80-ascii", Style{Width: 80, ASCII: true}, twoFail(t)},
		{"check-passed-80", Style{Width: 80}, allWell(t)},
		{"check-single-80", Style{Width: 80}, single},
		{"check-compared-80", Style{Width: 80}, compared},
		{"check-unreached-80", Style{Width: 80}, lost},
		{"check-hostile-80", Style{Width: 80}, hostile},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := drawCheck(t, test.style, test.report)
			golden(t, test.name, []byte(got))
			if line := firstWide(got, test.style.Width, "failed: "); line != "" {
				t.Errorf("wider than %d: %q", test.style.Width, line)
			}
			if test.style.Color {
				if plain := drawCheck(t, Style{Width: test.style.Width}, test.report); stripped(got) != plain {
					t.Error("colours change the text")
				}
			}
			if strings.ContainsAny(stripped(got), "\x1b\u202e") {
				t.Error("controls came through")
			}
		})
	}
}

func TestListsOfChecks(t *testing.T) {
	for _, requests := range []bool{false, true} {
		name := "check-list-80"
		checks := conform.Checks()
		if requests {
			name, checks = "check-list-requests-80", checks[3:5]
		}
		var b bytes.Buffer
		if err := CheckList(&b, Style{Width: 80}, checks, requests); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.Bytes())
		if line := firstWide(b.String(), 80); line != "" {
			t.Errorf("too wide: %q", line)
		}
	}
}

// A check that a profile makes advice says why, in the list and in the report.
func TestWhyACheckIsAdviceIsSaid(t *testing.T) {
	p := builtin(t, "kudos")
	clock, err := conform.Find("clock")
	if err != nil {
		t.Fatal(err)
	}
	clock = clock.For(p)
	var b bytes.Buffer
	if err := CheckList(&b, Style{Width: 80}, []conform.Check{clock}, false); err != nil {
		t.Fatal(err)
	}
	want := " #  check  level     what passes\n12  clock  advice    a signature is refused when its time is off (advice, since\n" +
		"                     the documentation does not say how old a signature may be)\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	r := allWell(t)
	c := &r.Results[11]
	c.Check, c.State, c.Finding, c.Fix = clock, conform.Fail, "it is accepted", "refuse it"
	got := drawCheck(t, Style{Width: 80}, r)
	want = "advice: clock: it is accepted\n  level    advice, since the documentation does not say how old a signature may\n           be\n  change   refuse it\n\n"
	if !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant in it\n%s", got, want)
	}
}

func TestTheHeadSaysHowManyWereChosen(t *testing.T) {
	r := allWell(t)
	for i := range r.Results {
		r.Results[i].Alone = i < 2
	}
	if got, want := drawCheck(t, Style{Width: 80}, r), "\n2 of 27 checks  2 secrets  with a probe  seed 7\n"; !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant in it %q", got, want)
	}
}

func TestProgressCountsAllChecks(t *testing.T) {
	c, err := conform.Find("rotation")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := Progress(c), "check 14 of 27: rotation"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What could not be judged for one cause is one block.
func TestOneCauseIsDrawnOnce(t *testing.T) {
	r := allWell(t)
	for i := range r.Results {
		if c := &r.Results[i]; c.ID == "burst" || c.ID == "methods" || c.ID == "leak" {
			c.State, c.Finding, c.Came, c.Fix = conform.Inconclusive, "it is gone", "", "bring it back"
		}
	}
	var b bytes.Buffer
	if err := CheckReport(&b, Style{Width: 80}, r); err != nil {
		t.Fatal(err)
	}
	want := "inconclusive: leak: it is gone\n  also     burst, methods\n  helps    bring it back\n\n"
	if !strings.Contains(b.String(), want) || strings.Count(b.String(), "it is gone") != 1 {
		t.Errorf("got\n%s\nwant in it\n%s", b.String(), want)
	}
	if last := "passed: 13 of 14 required checks in 6.2 s; inconclusive: leak; advice: 8 of 13\n"; !strings.HasSuffix(b.String(), last) {
		t.Errorf("got\n%s\nwant at its end %q", b.String(), last)
	}
}
