package render

import (
	"bytes"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

func TestResultLineSaysHowItEnded(t *testing.T) {
	p := &profiles.Profile{Retry: profiles.Retry{Waits: make([]time.Duration, 5)}}
	status := func(n, status int, then profiles.Verdict) *send.Attempt {
		return &send.Attempt{Number: n, Response: &send.Response{Status: status}, Verdict: send.Verdict{Then: then}}
	}
	failure := func(n int, kind profiles.Failure) *send.Attempt {
		return &send.Attempt{Number: n, Failure: &send.Failure{Kind: kind}}
	}
	waiting := status(1, 503, profiles.Retried)
	waiting.Next = &send.Wait{Wait: time.Minute}
	end := func(state send.State, cause send.Cause, effects ...profiles.Effect) send.Ending {
		return send.Ending{State: state, Cause: cause, Effects: effects, Elapsed: 151*time.Second + 400*time.Millisecond}
	}
	assumed := end(send.StateFailed, send.ByExhausted, profiles.DisableWebhook, profiles.NotifyAdmins)
	assumed.Assumed = "how long it must fail"
	interrupted := end(send.StateInterrupted, send.ByInterrupted)
	tests := []struct {
		want string
		r    Result
	}{
		{"delivered: 200 at attempt 3 of 6, after 2 m 31 s", Result{Last: status(3, 200, profiles.Delivered), Ending: end(send.StateDelivered, send.ByRule)}},
		{"delivered: 200 at attempt 1 of 6", Result{Last: status(1, 200, profiles.Delivered), Ending: end(send.StateDelivered, send.ByRule)}},
		{"delivered: 301 at attempt 1 of 6; your handler never saw the event", Result{Last: status(1, 301, profiles.Delivered), Ending: end(send.StateDelivered, send.ByRule)}},
		{"failed: 404 at attempt 1 of 6", Result{Last: status(1, 404, profiles.Failed), Ending: end(send.StateFailed, send.ByRule)}},
		{"failed: 410 at attempt 1 of 6; the subscription is paused", Result{Last: status(1, 410, profiles.Failed), Ending: end(send.StateFailed, send.ByRule, profiles.PauseSubscription)}},
		{"failed: 401 at attempt 6 of 6, after 2 m 31 s; the webhook is disabled (assumed)", Result{Last: status(6, 401, profiles.Retried), Ending: assumed}},
		{"failed: timeout at attempt 6 of 6, after 2 m 31 s; the owner is notified", Result{Last: failure(6, profiles.ReadTimeout), Ending: end(send.StateFailed, send.ByExhausted, profiles.NotifyOwner)}},
		{"failed: no route at attempt 2 of 6, after 2 m 31 s; the ceiling is reached", Result{Last: failure(2, profiles.Unreachable), Ending: end(send.StateFailed, send.ByCeiling)}},
		{"failed: 503 at attempt 1 of 6, after 2 m 31 s; the ceiling is reached", Result{Last: status(1, 503, profiles.Retried), Ending: end(send.StateFailed, send.ByCeiling)}},
		{"failed: 503 at attempt 1 of 6; stopped with the webhook", Result{Last: status(1, 503, profiles.Retried), Ending: end(send.StateFailed, send.ByStopped)}},
		{"failed: blocked at attempt 1 of 6; the subscription is deleted", Result{Last: failure(1, profiles.BlockedAddress), Ending: end(send.StateFailed, send.ByRule, profiles.DeleteSubscription)}},
		{"failed: no-secret at attempt 1 of 6; the admins are notified", Result{Last: failure(1, profiles.NoSecret), Ending: end(send.StateFailed, send.ByRule, profiles.NotifyAdmins)}},
		{"failed: no attempt was made; stopped with the webhook", Result{Ending: end(send.StateFailed, send.ByStopped)}},
		{"interrupted: 503 at attempt 1 of 6; attempt 2 was due in 21.4 s", Result{Last: waiting, Ending: interrupted, Remaining: 21400 * time.Millisecond}},
		{"interrupted: 503 at attempt 1 of 6; attempt 2 was next", Result{Last: waiting, Ending: interrupted, Remaining: -1}},
		{"interrupted: attempt 2 of 6 had no answer yet", Result{Last: failure(2, profiles.Interrupted), Ending: interrupted}},
		{"interrupted: 200 at attempt 1 of 6", Result{Last: status(1, 200, profiles.Delivered), Ending: interrupted}},
		{"interrupted: before the first answer", Result{Ending: interrupted}},
		{"delivered: 200 at attempt 1 of 6", Result{
			Last: status(1, 200, profiles.Delivered), Ending: end(send.StateDelivered, send.ByRule), Duplicate: status(1, 200, profiles.Delivered),
		}},
		{"failed: 409 at the duplicate; delivered before it: 200 at attempt 1 of 6", Result{
			Last: status(1, 200, profiles.Delivered), Ending: end(send.StateDelivered, send.ByRule), Duplicate: status(1, 409, profiles.Failed),
		}},
	}
	for _, test := range tests {
		test.r.Profile = p
		for _, s := range []Style{{Width: 60}, {Width: 60, Color: true}} {
			var b bytes.Buffer
			if err := ResultLine(&b, s, test.r); err != nil {
				t.Fatal(err)
			}
			if got := stripped(b.String()); got != test.want+"\n" || s.Color == (got == b.String()) {
				t.Errorf("got %q, want %q", b.String(), test.want)
			}
		}
	}
}

func TestRestOfAResultIsWarnWhereDeliveredIsWrong(t *testing.T) {
	s := Style{Width: 80, Color: true}
	a := send.Attempt{Number: 1, Response: &send.Response{Status: 301}, Verdict: send.Verdict{
		Then: profiles.Delivered, Rule: &profiles.Rule{Warn: "counted as delivered"},
	}}
	got := s.result(Result{Profile: &profiles.Profile{}, Last: &a, Ending: send.Ending{State: send.StateDelivered}})
	want := s.paint(strongGood, "delivered") + ": " + s.paint(warn, "301 at attempt 1 of 1; your handler never saw the event")
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestInterruptedDrawsWhatThereWas(t *testing.T) {
	d := toldToWait(t)
	tests := []struct {
		attempts int
		want     string
	}{
		{0, "\ninterrupted: before the first answer\n"},
		{1, "\ninterrupted: 503 at attempt 1 of 6; attempt 2 was due in 21.4 s\n"},
		{2, `
    1─────────────────────────────────────────────────────────────────────────2
    0 s                                                                  31.4 s

interrupted: 429 at attempt 2 of 6; attempt 3 was due in 21.4 s
`},
	}
	for _, test := range tests {
		var b bytes.Buffer
		tl := NewTimeline(&b, Style{Width: 80}, d.head)
		for _, a := range d.attempts[:test.attempts] {
			if err := tl.Attempt(a); err != nil {
				t.Fatal(err)
			}
		}
		b.Reset()
		if err := tl.Interrupted(21400 * time.Millisecond); err != nil {
			t.Fatal(err)
		}
		if b.String() != test.want {
			t.Errorf("got\n%s\nwant\n%s", b.String(), test.want)
		}
	}
}

func TestAnAttemptCutByTheUserHasNoVerdict(t *testing.T) {
	d := toldToWait(t)
	cut := send.Attempt{Number: 2, Due: 31412100 * time.Microsecond, Took: time.Second, Failure: &send.Failure{
		Kind: profiles.Interrupted, Message: "context canceled",
	}}
	var b bytes.Buffer
	if err := NewTimeline(&b, Style{Width: 120}, d.head).Attempt(cut); err != nil {
		t.Fatal(err)
	}
	if want := " 2     31.4 s  interrupted\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestFailuresSayWhatHappened(t *testing.T) {
	tests := []struct {
		f    send.Failure
		want string
	}{
		{send.Failure{Kind: profiles.Refused, Message: "x", Tried: []string{"127.0.0.1:4665", "[::1]:4665"}}, "refused: 127.0.0.1:4665 and [::1]:4665"},
		{send.Failure{Kind: profiles.Refused, Tried: []string{"a", "b", "c"}}, "refused: a, b and c"},
		{send.Failure{Kind: profiles.Refused, Message: "connection refused"}, "refused: connection refused"},
		{send.Failure{Kind: profiles.DNS, Message: "no such host: nowhere.invalid"}, "dns: no such host: nowhere.invalid"},
		{send.Failure{Kind: profiles.DNS, Message: "dns: no such host: nowhere.invalid"}, "dns: no such host: nowhere.invalid"},
		{send.Failure{Kind: profiles.Closed}, "closed"},
		{send.Failure{Kind: profiles.Reset, Message: "reset"}, "reset"},
		{send.Failure{Kind: profiles.Unreachable, Message: "no route to 10.0.0.1:80", Tried: []string{"10.0.0.1:80"}}, "unreachable: no route to 10.0.0.1:80"},
		{send.Failure{Kind: profiles.Protocol, Message: "not an HTTP answer: \"\x1b\""}, `protocol: not an HTTP answer: "\x1b"`},
	}
	for _, test := range tests {
		if got := failureText(&test.f); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestAddressMasksUserinfo(t *testing.T) {
	for url, want := range map[string]string{
		"http://localhost:3000/hooks":       "http://localhost:3000/hooks",
		"http://user:secret@host/a@b":       "http://user:***@host/a@b",
		"http://user:s@cret@host?x=a@b":     "http://user:***@host?x=a@b",
		"https://user@host#@":               "https://user:***@host#@",
		"http://user:***@host":              "http://user:***@host",
		"/relative/a@b":                     "/relative/a@b",
		"a receiver inside hookctl: 200":    "a receiver inside hookctl: 200",
		"a receiver: 301:location=x://a:b@": "a receiver: 301:location=x://a:***@",
		"/next?to=http://a:b@h/":            "/next?to=http://a:***@h/",
		"http://h/\x1b":                     `http://h/\x1b`,
	} {
		if got := Address(url); got != want {
			t.Errorf("Address(%q) = %q, want %q", url, got, want)
		}
	}
}

func TestPendingLineIsDrawnOnlyBetweenTerminals(t *testing.T) {
	terminal := Style{Width: 80, Terminal: true}
	dumb := Style{Width: 80, Terminal: true, Dumb: true}
	due := time.Date(2026, 1, 2, 10, 3, 34, 0, time.UTC)
	tests := []struct {
		out, err Style
		want     string
	}{
		{terminal, terminal, "\r\x1b[K 2     31.4 s  due at 10:03:34; Ctrl-C ends" +
			"\r\x1b[K 2     31.4 s  connecting (5 s at most)" +
			"\r\x1b[K 2     31.4 s  sent, waiting for the answer (8 s at most)\r\x1b[K"},
		{Style{Width: 80}, terminal, ""},
		{terminal, Style{Width: 80}, ""},
		{dumb, terminal, ""},
		{terminal, dumb, ""},
	}
	for _, test := range tests {
		var b bytes.Buffer
		p := NewPending(&b, test.out, test.err)
		at := 31412100 * time.Microsecond
		for _, err := range []error{p.Clear(), p.Due(2, at, due), p.Connecting(2, at, 5*time.Second), p.Sent(2, at, 8*time.Second), p.Clear(), p.Clear()} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if b.String() != test.want {
			t.Errorf("got %q, want %q", b.String(), test.want)
		}
	}
}
