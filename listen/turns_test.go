package listen

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

// heldClock is a clock that does not return from one call, which closes held,
// until it is let go.
func heldClock(call int32) (now func() time.Time, held chan struct{}, letGo func()) {
	held, hold := make(chan struct{}), make(chan struct{})
	var calls atomic.Int32
	now = func() time.Time {
		if calls.Add(1) == call {
			close(held)
			<-hold
		}
		return signedAt
	}
	return now, held, func() { close(hold) }
}

// Each sender waits for its answer before the next one sends. The receiver is
// held once the first has its answer, so that all others overtake it there.
func TestRequestsAreSeenInTheOrderOfTheirAnswers(t *testing.T) {
	const long = 100_000
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/long" {
			w.Header().Set("Content-Length", strconv.Itoa(long))
			_, _ = io.WriteString(w, strings.Repeat("x", long/2))
			_ = http.NewResponseController(w).Flush()
			_, _ = io.WriteString(w, strings.Repeat("x", long/2))
		}
	}))
	defer app.Close()
	for _, test := range []struct {
		name    string
		r       *Receiver
		request string
		call    int32 // of the clock, after the answer to the first
	}{
		{"an answer of its own", &Receiver{}, raw("POST", "/", nil, "x"), 2},
		{"a head that is too large", &Receiver{}, "POST / HTTP/1.1\r\nHost: h\r\nX: " + strings.Repeat("x", 80_000) + "\r\n\r\n", 2},
		{"a scripted answer", &Receiver{Script: script(t, "503:body="+strings.Repeat("x", long))}, raw("POST", "/", nil, "x"), 3},
		{"none, as scripted", &Receiver{Script: script(t, "close")}, raw("POST", "/", nil, "x"), 2},
		{"an application's answer", &Receiver{Forward: &Forward{URL: app.URL}}, raw("POST", "/", nil, "x"), 2},
		{"one in pieces", &Receiver{Forward: &Forward{URL: app.URL}}, raw("POST", "/long", nil, "x"), 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			now, held, letGo := heldClock(test.call)
			test.r.Now = now
			s := serve(t, test.r)
			first := s.dial()
			if _, err := io.WriteString(first, test.request); err != nil {
				t.Fatal(err)
			}
			if a, err := http.ReadResponse(bufio.NewReader(first), nil); err == nil {
				_, _ = io.ReadAll(a.Body)
			}
			<-held
			for range 2 {
				_, _ = s.talk(raw("POST", "/next", nil, "x")) // it ends once that request is over
			}
			letGo()
			for want := 1; want <= 3; want++ {
				if q := s.next(); q.Number != want {
					t.Errorf("request %d is seen, want %d", q.Number, want)
				}
			}
		})
	}
}

func TestExplanationDoesNotChangeTheOrder(t *testing.T) {
	p := profile(t, "kudos")
	v := sign.Values{ID: "evt_1", Type: "payment.succeeded"}
	hold := make(chan struct{})
	s := serve(t, verifying(p, func(explain.Input) *explain.Explanation {
		<-hold
		return &explain.Explanation{Kind: "no_candidate_matched"}
	}, "secret-of-the-test"))
	s.send(raw("POST", "/", signed(t, p, v, eventBody, "other"), eventBody))
	right := raw("POST", "/", signed(t, p, v, eventBody, "secret-of-the-test"), eventBody)
	for range mostWaiting - 1 {
		if a := s.send(right); a.StatusCode != 200 {
			t.Fatalf("answered %d, want 200", a.StatusCode)
		}
	}
	if len(s.seen) != 0 {
		t.Errorf("%d requests are seen before the first", len(s.seen))
	}
	close(hold)
	for want := 1; want <= mostWaiting; want++ {
		if q := s.next(); q.Number != want {
			t.Fatalf("request %d is seen, want %d", q.Number, want)
		}
	}
}

func TestPanicOfAnExplanationHoldsBackNothing(t *testing.T) {
	p := profile(t, "kudos")
	v := sign.Values{ID: "evt_1", Type: "payment.succeeded"}
	s := serve(t, verifying(p, func(explain.Input) *explain.Explanation { panic("explain") }, "secret-of-the-test"))
	s.send(raw("POST", "/", signed(t, p, v, eventBody, "other"), eventBody))
	s.send(raw("POST", "/", signed(t, p, v, eventBody, "secret-of-the-test"), eventBody))
	for want := 1; want <= 2; want++ {
		if q := s.next(); q.Number != want || q.Explanation != nil {
			t.Errorf("request %d is seen, explained %v; want %d, unexplained", q.Number, q.Explanation, want)
		}
	}
}
