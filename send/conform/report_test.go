package conform

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/joshdk/go-junit"
)

// sample is a report with each state, and with text that could do harm.
func sample(t testing.TB) *Report {
	r := &Report{Profile: profile(t), URL: "http://user:password@localhost:3000/hooks", Secrets: 2, Seed: 7, Elapsed: 6212 * time.Millisecond}
	for _, c := range Checks() {
		result := Result{Check: c, Level: c.Level, State: Pass, Why: c.Why, Sent: []string{"an event"}, Got: []string{"200"}, Alone: true}
		switch c.ID {
		case "raw-bytes":
			result.State, result.Finding, result.Fix = Fail, "rewritten `a|b` <b>\x1b[31m\u202e", "take | the raw body"
			result.Asked, result.Came = "an event", "401 \x00"
		case "order":
			result.State, result.Finding = Inconclusive, "does an older event overwrite a newer one?"
		case "addresses":
			result.State, result.Finding = Fail, "[::1] does not answer"
		case "tls":
			result.State, result.Why = Skip, "the URL is http"
		}
		r.Results = append(r.Results, result)
	}
	r.Rotation = []Rotated{{"old", true, "200"}, {"new+old", false, "401"}}
	return r
}

func TestJUnitIsReadBack(t *testing.T) {
	r := sample(t)
	var b bytes.Buffer
	if err := r.WriteJUnit(&b); err != nil {
		t.Fatal(err)
	}
	suites, err := junit.Ingest(b.Bytes())
	if err != nil || len(suites) != 1 {
		t.Fatalf("%d suites: %v", len(suites), err)
	}
	suite := suites[0]
	if got, want := suite.Totals, (junit.Totals{Tests: 27, Passed: 23, Skipped: 3, Failed: 1}); got.Tests != want.Tests || got.Passed != want.Passed || got.Skipped != want.Skipped || got.Failed != want.Failed || got.Error != 0 {
		t.Errorf("totals %+v, want %+v", got, want)
	}
	states := map[State]junit.Status{Pass: junit.StatusPassed, Fail: junit.StatusFailed, Skip: junit.StatusSkipped, Inconclusive: junit.StatusSkipped}
	for i, c := range r.Results {
		want := states[c.State]
		if c.ID == "addresses" {
			want = junit.StatusSkipped // advice decides nothing
		}
		if got := suite.Tests[i]; got.Name != c.ID || got.Status != want {
			t.Errorf("%s is %s, want %s %s", got.Name, got.Status, c.ID, want)
		}
	}
	if got, want := suite.Tests[21].Message, "advice: [::1] does not answer"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
	if got, want := suite.Tests[17].Message, "inconclusive: does an older event overwrite a newer one?"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
	if got, want := suite.Tests[3].Message, "rewritten `a|b` <b>\ufffd[31m\ufffd"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
	if strings.ContainsAny(b.String(), "\x00\x1b\u202e") {
		t.Error("controls came through")
	}
}

func TestTextInXMLIsReadBack(t *testing.T) {
	const text = "a<b>&amp;\"'\n\t]]> <!-- \u00e9"
	var got string
	if err := xml.Unmarshal([]byte("<t>"+inXML(text)+"</t>"), &got); err != nil || got != text {
		t.Errorf("between tags %q, %v", got, err)
	}
	var attr struct {
		A string `xml:"a,attr"`
	}
	if err := xml.Unmarshal([]byte(`<t a="`+inXML(text)+`"></t>`), &attr); err != nil || attr.A != text {
		t.Errorf("in an attribute %q, %v", attr.A, err)
	}
}

func TestMarkdownIsEscaped(t *testing.T) {
	r := sample(t)
	r.Compare(Baseline{"raw-bytes": Pass, "addresses": Fail, "order": Fail, "forged": Fail, "tls": Pass, "wall": Skip})
	var b bytes.Buffer
	if err := r.WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"## hookctl check: Acme Pay\n\nhttp://user:\\*\\*\\*&#64;localhost:3000/hooks, failed: 1 of 15 required checks: raw-bytes\n",
		"| fail | raw-bytes | required | rewritten \\`a\\|b\\` &lt;b&gt;\ufffd\\[31m\ufffd |\n",
		"| skip | tls | advice | the URL is http |\n",
		"- change: take \\| the raw body\n",
		"| new, old | 401 | refused |\n",
		"Compared with the baseline: fixed forged; regressed raw-bytes; same 2.\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestTheDocumentHasAllChecks(t *testing.T) {
	r := sample(t)
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Schema, Profile, URL string
		Passed               bool
		FailedRequired       int `json:"failed_required"`
		Checks               []struct {
			ID, Level, State, Title, Why string
			Number                       int
			Sent, Got                    []string
			Fix                          *string
		}
		Rotation []map[string]any
	}
	if err := json.Unmarshal(b, &d); err != nil {
		t.Fatal(err)
	}
	if d.Schema != "hookctl.check/1" || d.Profile != "acme" || d.URL != "http://user:***@localhost:3000/hooks" || d.Passed || d.FailedRequired != 1 {
		t.Errorf("%+v", d)
	}
	for i, c := range d.Checks {
		want := r.Results[i]
		if c.ID != want.ID || c.Number != i+1 || c.Level != string(want.Level) || c.State != string(want.State) || c.Title != want.Title || c.Why != want.Why ||
			!slices.Equal(c.Sent, want.Sent) || !slices.Equal(c.Got, want.Got) {
			t.Errorf("check %d: %+v, want %+v", i+1, c, want)
		}
	}
	if len(d.Checks) != 27 || len(d.Rotation) != 2 || d.Rotation[1]["signed_with"] != "new+old" || d.Rotation[1]["accepted"] != false {
		t.Errorf("%d checks, rotation %v", len(d.Checks), d.Rotation)
	}
}

// A report compares with itself as the same.
func TestABaselineIsAnEarlierDocument(t *testing.T) {
	r := sample(t)
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	baseline, err := ParseBaseline(b)
	if err != nil {
		t.Fatal(err)
	}
	r.Compare(baseline)
	if c := r.Compared; len(c.Fixed) != 0 || len(c.Regressed) != 0 || len(c.Same) != 26 { // tls was skipped
		t.Errorf("%+v", c)
	}
	for _, bad := range []string{"", "{", "[]", `{"schema":1}`, `{}`, `{"schema":"hookctl.timeline/1"}`} {
		if _, err := ParseBaseline([]byte(bad)); !errors.Is(err, errBaseline) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestChecksAreTwentySeven(t *testing.T) {
	all := Checks()
	var required []int
	for i, c := range all {
		if c.Number != i+1 || c.ID == "" || c.Title == "" || c.Why == "" || len(c.Requests) == 0 || c.try == nil {
			t.Errorf("check %d: %+v", i+1, c)
		}
		if c.Level == Required {
			required = append(required, c.Number)
		}
		if found, err := Find(c.ID); err != nil || found.Number != c.Number {
			t.Errorf("%s: %v", c.ID, err)
		}
	}
	if want := []int{1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 14, 15, 16, 17, 23}; len(all) != 27 || !slices.Equal(required, want) {
		t.Errorf("%d checks, required %v, want %v", len(all), required, want)
	}
	var none []*tried
	for _, c := range all {
		none = append(none, &tried{Result: Result{Check: c}})
	}
	ordered := order(none)
	slices.SortFunc(ordered, func(a, b *tried) int { return a.Number - b.Number })
	if !slices.Equal(ordered, none) {
		t.Error("the order leaves a check out")
	}
}
