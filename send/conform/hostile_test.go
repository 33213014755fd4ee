package conform

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// speak is speakAlive for those that wait for the first bytes.
func speak(t *testing.T, say func(net.Conn)) string {
	t.Helper()
	return speakAlive(t, func(c net.Conn) {
		if _, err := bufio.NewReader(c).Peek(1); err == nil {
			say(c)
		}
	})
}

// endless writes a text for ever.
func endless(c net.Conn, before, text string) {
	if _, err := io.WriteString(c, before); err != nil {
		return
	}
	for {
		if _, err := io.WriteString(c, text); err != nil {
			return
		}
	}
}

func TestWhatIsNoReceiverFailsOneCheck(t *testing.T) {
	tests := []struct {
		name    string
		say     func(net.Conn)
		failed  string
		finding string
	}{
		{"no HTTP", func(c net.Conn) { io.WriteString(c, "220 mail ready\r\n") }, "wall", "the event is not answered: an answer that is not HTTP"},
		{"half a head", func(c net.Conn) { io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-") }, "wall", "the event is not answered: connection closed without an answer"},
		{"a head without an end", func(c net.Conn) { endless(c, "HTTP/1.1 200 OK\r\n", strings.Repeat("X-A: b\r\n", 4096)) }, "wall", "the event is not answered: an answer that is not HTTP"},
		{"one line without an end", func(c net.Conn) { endless(c, "HTTP/1.1 200 ", strings.Repeat("a", 64<<10)) }, "wall", "the event is not answered: an answer that is not HTTP"},
		{"1xx for ever", func(c net.Conn) { endless(c, "", strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 1024)) }, "wall", "the event is not answered: an answer that is not HTTP"},
		{"a broken status", func(c net.Conn) { io.WriteString(c, "HTTP/1.1 abc OK\r\n\r\n") }, "wall", "the event is not answered: an answer that is not HTTP"},
		{"switching protocols", func(c net.Conn) { io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\n\r\n") }, "wall", "the event is not accepted: 101"},
		{"nothing", func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }, "slow-answer", "the event is not answered within 300 ms"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := profile(t, "timeout: 8s", "timeout: 1m")
			if test.failed == "slow-answer" { // only this one may run into it
				p = profile(t, "timeout: 8s", "timeout: 300ms")
			}
			r := check(t, options(t, p, speak(t, test.say), newSecret))
			if got := ids(r, Required, Fail); got != test.failed || r.Passed() {
				t.Errorf("failed: %q, want %q", got, test.failed)
			}
			if c := only(t, r, test.failed); c.Finding != test.finding {
				t.Errorf("%q, want %q", c.Finding, test.finding)
			}
			if got, want := ids(r, Required, Pass)+ids(r, Advice, Pass), ""; got != want {
				t.Errorf("passed: %q", got)
			}
		})
	}
}

// An answer whose body never ends is read for its head.
func TestAnEndlessBodyIsCut(t *testing.T) {
	url := speak(t, func(c net.Conn) {
		endless(c, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", strings.Repeat("a", 4096))
	})
	o := options(t, profile(t), url, newSecret)
	o.Only = []string{"redirect"}
	if got := ids(check(t, o), Required, Pass); got != "redirect" {
		t.Errorf("passed: %q", got)
	}
}

func TestNothingIsRunWhereNothingAnswers(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	r := check(t, options(t, profile(t), "http://"+l.Addr().String(), newSecret))
	if r.Unreached == nil || r.Unreached.Kind != profiles.Refused || r.Passed() {
		t.Fatalf("unreached: %+v", r.Unreached)
	}
	for _, c := range r.Results {
		if c.State != Skip || len(c.Sent) > 0 {
			t.Errorf("%s is %s after %q", c.ID, c.State, c.Sent)
		}
	}
}

func TestAnUnknownNameReachesNothing(t *testing.T) {
	r := check(t, options(t, profile(t), "http://nowhere.invalid/", newSecret))
	if r.Unreached == nil || r.Unreached.Kind != profiles.DNS {
		t.Errorf("unreached: %+v", r.Unreached)
	}
}

func TestPublicHostsNeedPermission(t *testing.T) {
	_, err := Run(t.Context(), options(t, profile(t), "http://192.0.2.1/", newSecret))
	var remote *RemoteError
	if !errors.As(err, &remote) || *remote != (RemoteError{"192.0.2.1", "192.0.2.1"}) {
		t.Errorf("%v", err)
	}
}

func TestARunEndsAtItsTime(t *testing.T) {
	o := options(t, profile(t), "", newSecret)
	started := make(chan struct{})
	o.URL = serve(t, func(w http.ResponseWriter, req *http.Request) {
		select {
		case <-started:
			_, _ = io.Copy(io.Discard, req.Body) // else the server does not see that the sender left
			<-req.Context().Done()               // nothing is answered after the first request
		default:
			right(t, &o)(w, req)
			close(started)
		}
	})
	o.MaxTime = 300 * time.Millisecond
	r := check(t, o)
	const up = "the time was up: --max-time"
	for _, c := range r.Results {
		timeUp := c.State == Skip && c.Why == up || c.State == Inconclusive && c.Finding == up
		if !timeUp && c.State != Skip {
			t.Errorf("%s is %s: %q, %q", c.ID, c.State, c.Finding, c.Why)
		}
	}
	if c := only(t, r, "leak"); c.State != Skip || c.Why != up {
		t.Errorf("leak is %s: %q", c.State, c.Why)
	}
}

func TestAnInterruptedRunIsNoPass(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := options(t, profile(t), "", newSecret)
	o.URL = serve(t, right(t, &o))
	o.Started = func(c Check) {
		if c.ID == "forged" {
			cancel()
		}
	}
	r, err := Run(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Cut || r.Passed() || !strings.HasPrefix(r.Verdict(), "interrupted: ") {
		t.Errorf("cut %v, passed %v: %q", r.Cut, r.Passed(), r.Verdict())
	}
	if c := only(t, r, "leak"); c.State != Skip || c.Why != "interrupted" {
		t.Errorf("leak is %s: %q", c.State, c.Why)
	}
}

// stopsAtPut is a right receiver until a PUT comes; from then on it answers 500,
// with a Retry-After if one is given.
func stopsAtPut(t *testing.T, o *Options, retryAfter string) http.HandlerFunc {
	var stopped atomic.Bool
	return func(w http.ResponseWriter, req *http.Request) {
		if req.Method == http.MethodPut {
			stopped.Store(true)
		}
		if stopped.Load() {
			if retryAfter != "" {
				w.Header().Set("Retry-After", retryAfter)
			}
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		right(t, o)(w, req)
	}
}

// A receiver that is gone after a check is not blamed for the others.
func TestAReceiverThatStopsFailsTheCheckThatStoppedIt(t *testing.T) {
	o := options(t, profile(t), "", newSecret)
	o.URL = serve(t, stopsAtPut(t, &o, ""))
	r := check(t, o)
	if got := ids(r, Required, Fail); got != "methods" {
		t.Errorf("failed: %q", got)
	}
	want := "since methods no event is accepted: the last is answered 500"
	if c := only(t, r, "bad-header"); c.State != Inconclusive || c.Finding != want {
		t.Errorf("bad-header is %s: %q, want %q", c.State, c.Finding, want)
	}
}

// What Retry-After asks for is waited once, if it is short: no number wraps round
// to one that is.
func TestAReceiverThatAsksForTooLongIsNotWaitedFor(t *testing.T) {
	for told, want := range map[string]time.Duration{"5": 5 * time.Second, "11": backTime / 4, "36028797018963973": backTime / 4, "9223372036854775807": backTime / 4} {
		o := options(t, profile(t), "", newSecret)
		o.URL = serve(t, stopsAtPut(t, &o, told))
		longest := time.Duration(0)
		o.Wait = func(ctx context.Context, d time.Duration) error {
			longest = max(longest, d)
			return ctx.Err()
		}
		o.Only = []string{"methods"}
		if c := only(t, check(t, o), "methods"); c.State != Fail || longest != want {
			t.Errorf("Retry-After %s: %s, waited %v, want %v", told, c.State, longest, want)
		}
	}
}
