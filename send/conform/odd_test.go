package conform

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

const (
	whyCrash  = "the handler fails on such a request in place of refusing it: what it throws is not caught, and may end the process"
	whyStatus = "a status is a command to the sender: one that is no refusal may be retried, or switch the webhook off"
	fixCrash  = "catch what the check of the signature throws, and answer 401, or 400 or 403"
	fixStatus = "answer 401, or 400 or 403, before anything else is done with the request"
)

// refusing is a receiver that is right but for how it refuses.
func refusing(t *testing.T, o *Options, refuse http.HandlerFunc) string {
	well := right(t, o)
	return serve(t, func(w http.ResponseWriter, req *http.Request) {
		said := httptest.NewRecorder()
		if well(said, req); said.Code == http.StatusUnauthorized {
			refuse(w, req)
		}
	})
}

func closes(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func answers(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
}

// Where nobody gets in, no check says that somebody does.
func TestACrashIsNotCalledAnOpenDoor(t *testing.T) {
	const closed = "ends in connection closed without an answer, not refused: "
	tests := []struct {
		check, finding string
		why            string
	}{
		{"unsigned", "an unsigned event " + closed + "without the signature header and with an empty signature header", whyCrash},
		{"forged", "an event with a wrong signature " + closed + "one digit of the signature changed, the last digit of the signature changed, one byte of the body changed, signed with a random key, the signature of another event and a signature of zeros", whyCrash},
		{"guessable-key", "an event signed with a guessable secret " + closed + `an empty secret, "undefined", "null", "None", "changeme", "secret", "your_webhook_secret" and "hookctl-development-secret"`, whyCrash},
		{"clock", "an event with a right signature of a wrong time " + closed + "360 s old, a day old, 360 s ahead, a time in the wrong unit, abc, an ISO time, -1, 1e9, 0 and <now>abc", whyCrash},
		{"downgrade", "an event signed by another scheme " + closed + "the right digest under v0= only, a right HMAC-SHA1 and a plain hash of secret and body", whyCrash},
		{"bad-header", "the signature header abc ends in connection closed without an answer", "constant-time comparisons throw on unequal lengths and odd characters; uncaught, that is a 500, or the end of the process"},
	}
	for _, test := range tests {
		t.Run(test.check, func(t *testing.T) {
			o := options(t, profile(t), "", newSecret)
			o.Only = []string{test.check}
			o.URL = refusing(t, &o, closes)
			if c := only(t, check(t, o), test.check); c.State != Fail || c.Finding != test.finding || c.Why != test.why {
				t.Errorf("closed: %s: %q, why %q; want a failure: %q, why %q", c.State, c.Finding, c.Why, test.finding, test.why)
			}
			o.URL = refusing(t, &o, answers(http.StatusInternalServerError))
			if c := only(t, check(t, o), test.check); c.State != Fail || c.Why != test.why {
				t.Errorf("500: %s, why %q, want %q", c.State, c.Why, test.why)
			}
			o.URL = refusing(t, &o, answers(http.StatusNotFound))
			if c := only(t, check(t, o), test.check); c.State != Fail || c.Why != whyStatus || c.Fix != fixStatus {
				t.Errorf("404: %s, why %q, change %q; want %q, %q", c.State, c.Why, c.Fix, whyStatus, fixStatus)
			}
			o.URL = refusing(t, &o, answers(http.StatusOK))
			c := only(t, check(t, o), test.check)
			want := c.Check.Why
			if test.check == "bad-header" {
				want = "who sends such a header gets in: anybody who knows the URL can make events"
			}
			if c.State != Fail || c.Why != want {
				t.Errorf("200: %s, why %q, want %q", c.State, c.Why, want)
			}
		})
	}
}

func TestWhyAnOddAnswerMatters(t *testing.T) {
	status := func(n int) answer { return answer{response: &send.Response{Status: n}} }
	failed := func(kind profiles.Failure) answer { return answer{failure: &send.Failure{Kind: kind}} }
	tests := map[string]struct {
		answer   answer
		why, fix string
	}{
		"closed":  {failed(profiles.Closed), whyCrash, fixCrash},
		"reset":   {failed(profiles.Reset), whyCrash, fixCrash},
		"garbage": {failed(profiles.Protocol), whyCrash, fixCrash},
		"500":     {status(500), whyCrash, fixCrash},
		"599":     {status(599), whyCrash, fixCrash},
		"hangs":   {failed(profiles.ReadTimeout), "a refusal needs no work: while the receiver is busy with such requests, events wait", fixStatus},
		"a page":  {status(200), "a 2xx says that the event was taken, whatever the page says", fixStatus},
		"302":     {status(302), whyStatus, fixStatus},
		"410":     {status(410), whyStatus, fixStatus},
	}
	for name, test := range tests {
		if why, fix := test.answer.whyOdd(), test.answer.fixOdd(); why != test.why || fix != test.fix {
			t.Errorf("%s: %q, %q; want %q, %q", name, why, fix, test.why, test.fix)
		}
	}
}

// An event of a few minutes ago that is not taken lets nobody in.
func TestALateEventThatIsLostIsNoReplay(t *testing.T) {
	const why = "a delivery is on its way for a while, and clocks differ: a genuine event is lost"
	tests := map[string]struct {
		refuse       http.HandlerFunc
		finding, fix string
	}{
		"refused": {answers(http.StatusUnauthorized), "an event that was signed 270 s ago is refused, though 300 s are allowed",
			"allow 300 s between the time in the signature and your clock, and keep the clock right"},
		"crashed": {closes, "an event that was signed 270 s ago ends in connection closed without an answer, though 300 s are allowed", "see the receiver's log"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o := options(t, profile(t), "", newSecret)
			o.Only = []string{"clock"}
			strict := o
			strict.Profile = profile(t, "past: 5m", "past: 1m")
			o.URL = refusing(t, &strict, test.refuse)
			if c := only(t, check(t, o), "clock"); c.State != Fail || c.Finding != test.finding || c.Why != why || c.Fix != test.fix {
				t.Errorf("%s: %q, why %q, change %q", c.State, c.Finding, c.Why, c.Fix)
			}
		})
	}
}

// A parser that throws on a layout is not one that writes the body again; a
// check of the signature that throws is.
func TestALayoutThatCrashesIsNoRewrittenBody(t *testing.T) {
	fails := answers(http.StatusInternalServerError)
	o := options(t, profile(t), "", newSecret)
	well := right(t, &o)
	throws := serve(t, func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		if bytes.Contains(body, []byte("9007199254740993")) {
			fails(w, req)
			return
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
		well(w, req)
	})
	refuses := refusing(t, &o, fails)
	rewrites := serve(t, func(w http.ResponseWriter, req *http.Request) {
		var e map[string]any
		body, _ := io.ReadAll(req.Body)
		if json.Unmarshal(body, &e) == nil {
			body, _ = json.Marshal(e)
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
		said := httptest.NewRecorder()
		if well(said, req); said.Code != http.StatusOK {
			fails(w, req)
		}
	})
	tests := map[string]struct {
		url, finding, why string
	}{
		"throws":   {throws, "an event is answered 500 in these layouts: l", "an event may be written in any of these ways: what the handler throws on one of them loses it"},
		"refuses":  {refuses, "", "a blank, an escape or a number written another way, and a genuine event is refused"},
		"rewrites": {rewrites, "the body is parsed and written again before the check", "a blank, an escape or a number written another way, and a genuine event is refused"},
	}
	for name, test := range tests {
		o.URL, o.Only = test.url, []string{"forged", "raw-bytes"}
		// What the map of Go makes of the event must be accepted.
		o.Event.Body = []byte(`{"data":{"amount":1200,"currency":"EUR"},"id":"evt_1","type":"paid"}`)
		if c := only(t, check(t, o), "raw-bytes"); c.Finding != test.finding || c.Why != test.why {
			t.Errorf("%s: %s: %q, why %q; want %q, why %q", name, c.State, c.Finding, c.Why, test.finding, test.why)
		}
	}
}

// Whatever a check asks, why it failed is about how it failed.
func TestWhyIsAboutWhatCame(t *testing.T) {
	o := options(t, profile(t), "", newSecret)
	well := right(t, &o)
	var n atomic.Int64
	after := func(requests int64, then http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, req *http.Request) {
			if n.Add(1) > requests {
				then(w, req)
				return
			}
			well(w, req)
		}
	}
	noJSON := func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		req.Body = io.NopCloser(bytes.NewReader(body))
		said := httptest.NewRecorder()
		switch well(said, req); {
		case !json.Valid(bytes.TrimPrefix(body, []byte("\ufeff"))):
			w.WriteHeader(http.StatusBadRequest)
		case said.Code != http.StatusOK:
			closes(w, req)
		}
	}
	getFails := func(w http.ResponseWriter, req *http.Request) {
		if req.Method != http.MethodPost {
			closes(w, req)
		}
		well(w, req)
	}
	tests := []struct {
		check             string
		serve             http.HandlerFunc
		finding, why, fix string
	}{
		{"unsigned", after(3, closes), "after these requests an event is no longer accepted: connection closed without an answer",
			"one such request, and no event after it is taken", "no request may end the process or leave it in a bad state"},
		{"parallel-duplicate", after(2, answers(http.StatusUnauthorized)), "a copy whose last byte comes late is answered 401: its body was not read whole",
			"a body may come in pieces: who checks what is there so far refuses a genuine event", "read the body to its end, by its length, before the check"},
		{"slow-answer", after(9, answers(http.StatusInternalServerError)), "an event in a row of 40 is answered 500",
			"events come in rows and at once: what bears one of them has to bear many", "see the receiver's log: what do requests share that fails?"},
		{"methods", getFails, "a GET ends in connection closed without an answer",
			"a crawler or a link preview sends such a request: " + whyCrash, "answer 405 to all methods but POST"},
		{"broken-body", noJSON, "a wrongly signed body (not json) is answered 400, not without an answer as any wrong signature: it is parsed first",
			"what is parsed before the check can be fed by anybody; a crash in the parser is a retry, again and again", "check the signature over the raw bytes before a parser sees them"},
	}
	for _, test := range tests {
		n.Store(0)
		o.URL, o.Only = serve(t, test.serve), []string{test.check}
		if c := only(t, check(t, o), test.check); c.State != Fail || c.Finding != test.finding || c.Why != test.why || c.Fix != test.fix {
			t.Errorf("%s: %s: %q, why %q, change %q", test.check, c.State, c.Finding, c.Why, c.Fix)
		}
	}
}
