package conform

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

// A 500 on what the event says, not on how it is written, is no fault of the
// parser.
func TestAnErrorForAnUnknownTypeIsNoBrokenBody(t *testing.T) {
	o := options(t, profile(t), "", newSecret)
	well := right(t, &o)
	o.URL = serve(t, func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		req.Body = io.NopCloser(bytes.NewReader(body))
		var e struct{ Type string }
		if text := bytes.TrimPrefix(body, []byte("\ufeff")); len(text) > 0 && text[0] == '{' && json.Unmarshal(text, &e) == nil && e.Type != "paid" {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		well(w, req)
	})
	o.Only = []string{"unknown-event", "broken-body"}
	if got, want := check(t, o).Verdict(), "failed: 1 of 2 required checks: unknown-event"; got != want {
		t.Errorf("verdict %q, want %q", got, want)
	}
}

func TestPushBackIsNoRefusal(t *testing.T) {
	tests := map[string]struct {
		pushed   int64 // requests from the third on
		header   string
		waits    []time.Duration
		state    State
		finding  string
		deserved bool // only what has a wrong signature
	}{
		"once":          {1, "1", []time.Duration{time.Second}, Pass, "", false},
		"untold":        {1, "", []time.Duration{pushPause}, Pass, "", false},
		"for good":      {1 << 40, "1", []time.Duration{time.Second}, Inconclusive, "the receiver pushes back: a request is answered 429 or 503", false},
		"too long":      {1 << 40, "60", nil, Inconclusive, "the receiver pushes back: a request is answered 429 or 503", false},
		"the signature": {1 << 40, "60", nil, Fail, "an unsigned event is answered 503, not refused: without the signature header and with an empty signature header", true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o := options(t, profile(t), "", newSecret)
			well := right(t, &o)
			var n atomic.Int64
			o.URL = serve(t, func(w http.ResponseWriter, req *http.Request) {
				if i := n.Add(1); i >= 2 && i < 2+test.pushed && !(test.deserved && req.Header.Get("X-Acme-Signature") != "") {
					if test.header != "" {
						w.Header().Set("Retry-After", test.header)
					}
					w.WriteHeader(http.StatusServiceUnavailable)
					return
				}
				well(w, req)
			})
			var waits []time.Duration
			o.Wait = func(ctx context.Context, d time.Duration) error {
				waits = append(waits, d)
				return ctx.Err()
			}
			o.Only = []string{"unsigned"}
			c := only(t, check(t, o), "unsigned")
			if c.State != test.state || c.Finding != test.finding {
				t.Errorf("%s: %q, want %s: %q", c.State, c.Finding, test.state, test.finding)
			}
			if test.state == Pass && (len(waits) != 1 || waits[0] != test.waits[0]) {
				t.Errorf("waited %v, want %v", waits, test.waits)
			}
		})
	}
}

// A provider that never sends two signatures, and a receiver that has only the
// newer secret.
func TestTheNewerSecretAloneIsFound(t *testing.T) {
	p := plainProfile(t)
	o := options(t, p, "", oldSecret, newSecret)
	held := o
	held.Keys = o.Keys[1:]
	o.URL = serve(t, right(t, &held))
	r := check(t, o)
	if got, want := ids(r, Required, Fail), "rotation"; got != want {
		t.Errorf("failed %q, want %q", got, want)
	}
	if got, want := len(r.Rotation), 2; got != want || r.Rotation[0] != (Rotated{"old", false, "401"}) || r.Rotation[1] != (Rotated{"new", true, "200"}) {
		t.Errorf("rotation %+v", r.Rotation)
	}
	c := only(t, r, "rotation")
	if c.Asked != "two deliveries, one with each secret" || c.Why != "Acme Pay never sends two signatures: in a rotation some deliveries come with one secret, some with the other" {
		t.Errorf("sent %q, why %q", c.Asked, c.Why)
	}
}

func TestAMemberThatIsRefusedIsNoRewrittenBody(t *testing.T) {
	o := options(t, profile(t), "", newSecret)
	well := right(t, &o)
	o.URL = serve(t, func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		if bytes.Contains(body, []byte(extra)) {
			w.WriteHeader(http.StatusUnprocessableEntity)
			return
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
		well(w, req)
	})
	o.Only = []string{"raw-bytes", "body-limit"}
	r := check(t, o)
	for _, id := range o.Only {
		if c := only(t, r, id); c.State != Inconclusive || c.Fix != "first see unknown-event" {
			t.Errorf("%s is %s: %q, %q", id, c.State, c.Finding, c.Fix)
		}
	}
	if got, want := r.Verdict(), "passed: 0 of 1 required checks; inconclusive: raw-bytes"; got != want {
		t.Errorf("verdict %q, want %q", got, want)
	}
}

func TestTheLastDigitThatCountsIsChanged(t *testing.T) {
	for digest, want := range map[string]string{"abcd": "abc0", "abc0": "abc1", "abcde=": "abc0e=", "": "0"} {
		if got := lastDigit(digest); got != want {
			t.Errorf("lastDigit(%q) = %q, want %q", digest, got, want)
		}
	}
}

func TestTheVerdictNamesWhatWasNotRun(t *testing.T) {
	results := func(states map[string]Result) *Report {
		r := &Report{}
		for _, c := range Checks() {
			result, ok := states[c.ID]
			if !ok {
				result = Result{State: Skip, Why: "not chosen"}
			}
			result.Check, result.Level = c, c.Level
			r.Results = append(r.Results, result)
		}
		return r
	}
	late := Result{State: Skip, Why: timeUp}
	under := Result{State: Inconclusive, Finding: timeUp}
	open := Result{State: Inconclusive, Finding: "x"}
	tests := map[string]struct {
		report *Report
		want   string
		passed bool
	}{
		"nothing": {results(nil), "failed: nothing was tried, 0 of 0 required checks", false},
		"passed": {results(map[string]Result{"unsigned": {State: Pass}, "forged": under, "leak": late, "wall": open}),
			"passed: 1 of 4 required checks; not run: forged, leak; inconclusive: wall", true},
		"failed": {results(map[string]Result{"unsigned": {State: Fail}, "leak": late}), "failed: 1 of 2 required checks: unsigned; not run: leak", false},
	}
	kept := Result{State: Skip, Why: notAccepted}
	tests["kept"] = struct {
		report *Report
		want   string
		passed bool
	}{results(map[string]Result{"wall": {State: Fail}, "redirect": open, "leak": kept, "forged": kept, "burst": kept}), "failed: 1 of 2 required checks, 2 not run: wall", false}
	tests["advice alone"] = struct {
		report *Report
		want   string
		passed bool
	}{results(map[string]Result{"order": open}), "passed: 0 of 0 required checks, none was run", true}
	cut := results(map[string]Result{"unsigned": {State: Fail}, "forged": {State: Pass}, "leak": {State: Skip, Why: interrupted}})
	cut.Cut = true
	tests["interrupted"] = struct {
		report *Report
		want   string
		passed bool
	}{cut, "interrupted: 1 of 2 required checks, 1 not run; failed: unsigned", false}
	for name, test := range tests {
		if got := test.report.Verdict(); got != test.want || test.report.Passed() != test.passed {
			t.Errorf("%s: %q, %t; want %q, %t", name, got, test.report.Passed(), test.want, test.passed)
		}
	}
}

// A copy that is refused lost no race: the same bytes were accepted before.
func TestACopyThatIsRefusedIsNoLostRace(t *testing.T) {
	o := options(t, profile(t), "", newSecret)
	well := right(t, &o)
	var n atomic.Int64
	o.URL = serve(t, func(w http.ResponseWriter, req *http.Request) {
		if n.Add(1) > 2 { // as one that takes what is there for the whole body
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		well(w, req)
	})
	o.Only = []string{"parallel-duplicate"}
	c := only(t, check(t, o), "parallel-duplicate")
	if want := "a copy whose last byte comes late is answered 401: its body was not read whole"; c.State != Fail || c.Finding != want {
		t.Errorf("%s: %q, want %q", c.State, c.Finding, want)
	}
}
