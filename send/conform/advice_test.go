package conform

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// assumed makes a profile that assumes the tolerance, and how many secrets sign.
const assumed = `assumed: [{ field: signature.tolerance, note: how old a signature may be }, { field: secret.active, note: how many secrets sign }]
events:`

func TestWhatAProfileAssumesIsAdviceAndSaysSo(t *testing.T) {
	guessed := profile(t, "events:", assumed)
	tests := []struct {
		profile, check string
		level          Level
		because        string
	}{
		{"sure", "clock", Required, ""},
		{"sure", "rotation", Required, ""},
		{"guessed", "clock", Advice, "advice, since the documentation does not say how old a signature may be"},
		{"guessed", "rotation", Advice, "advice, since the documentation does not say how many secrets sign"},
		{"guessed", "order", Advice, ""},
		{"plain", "clock", Required, "skipped: signatures have no time limit"},
		{"plain", "rotation", Required, "skipped with one secret"},
	}
	for _, test := range tests {
		c, err := Find(test.check)
		if err != nil {
			t.Fatal(err)
		}
		switch test.profile {
		case "sure":
			c = c.For(profile(t))
		case "guessed":
			c = c.For(guessed)
		case "plain":
			c = c.For(plainProfile(t))
		}
		if c.Level != test.level || c.Because != test.because {
			t.Errorf("%s %s: %s, %q; want %s, %q", test.profile, test.check, c.Level, c.Because, test.level, test.because)
		}
	}
	o := options(t, guessed, "", newSecret)
	o.URL = refusing(t, &o, answers(http.StatusOK))
	o.Only = []string{"clock"}
	r := check(t, o)
	if c := only(t, r, "clock"); c.State != Fail || c.Level != Advice || c.Because != tests[2].because {
		t.Errorf("%s, %s, %q", c.State, c.Level, c.Because)
	}
	b, err := json.Marshal(r)
	if want := `"because":"` + tests[2].because + `"`; err != nil || strings.Count(string(b), want) != 1 {
		t.Errorf("not once in the document: %s, %v", want, err)
	}
}

// A required check that only the probe objects to is advice, and says so.
func TestWhatOnlyTheProbeSaysIsAdvice(t *testing.T) {
	o := options(t, profile(t), "", newSecret)
	o.URL = serve(t, right(t, &o))
	o.Only = []string{"duplicate"}
	o.Probe = func(context.Context, string) (int, error) { return 2, nil }
	if c := only(t, check(t, o), "duplicate"); c.State != Fail || c.Level != Advice || c.Because != "advice, since only the probe says so" {
		t.Errorf("%s, %s, %q", c.State, c.Level, c.Because)
	}
}
