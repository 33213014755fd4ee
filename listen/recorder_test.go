package listen

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// application is the URL of one that answers everything with a status.
func application(t *testing.T, status int) string {
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	t.Cleanup(app.Close)
	return app.URL
}

// recorded are receivers that answer in each way that there is, with a request.
func recorded(t *testing.T) map[string]struct {
	receiver *Receiver
	request  string
	want     Answer
} {
	post := raw("POST", "/", nil, "{}")
	large := "POST / HTTP/1.1\r\nHost: h\r\nX: " + strings.Repeat("x", 70<<10) + "\r\n\r\n"
	larger := "POST / HTTP/1.1\r\nHost: h\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n\r\n"
	return map[string]struct {
		receiver *Receiver
		request  string
		want     Answer
	}{
		"by default":             {&Receiver{}, post, Answer{200, ByDefault}},
		"refused":                {&Receiver{Verify: true}, post, Answer{401, ByReject}},
		"scripted":               {&Receiver{Script: script(t, "503:body=x")}, post, Answer{503, ByScript}},
		"scripted close":         {&Receiver{Script: script(t, "close")}, post, Answer{0, ByScript}},
		"scripted reset":         {&Receiver{Script: script(t, "reset")}, post, Answer{0, ByScript}},
		"scripted protocol":      {&Receiver{Script: script(t, "protocol")}, post, Answer{0, ByScript}},
		"scripted timeout":       {&Receiver{Script: script(t, "timeout")}, post, Answer{0, ByScript}},
		"forwarded":              {&Receiver{Forward: &Forward{URL: application(t, 202)}}, post, Answer{202, ByForward}},
		"forwarded in vain":      {&Receiver{Forward: &Forward{URL: "http://127.0.0.1:1"}}, post, Answer{502, ByForward}},
		"a body too large":       {&Receiver{MaxBody: 1}, post, Answer{413, ByLimit}},
		"a head too large":       {&Receiver{}, large, Answer{431, ByLimit}},
		"a head much too large":  {&Receiver{}, larger, Answer{431, ByLimit}},
		"a body that ends early": {&Receiver{}, strings.TrimSuffix(post, "}"), Answer{408, ByLimit}},
	}
}

// say writes a request; one whose body ends early is all that is said.
func say(name string, c *net.TCPConn, request string) {
	_, _ = io.WriteString(c, request) // a head that is too large is not read whole
	if name == "a body that ends early" {
		_ = c.CloseWrite()
	}
}

func TestEveryRequestIsRecordedBeforeItsAnswer(t *testing.T) {
	for name, test := range recorded(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kept := make(chan Request, 1)
			release := make(chan struct{})
			r := test.receiver
			r.Record = func(q Request) error {
				kept <- q
				<-release
				return nil
			}
			s := serve(t, r)
			c := s.dial()
			say(name, c, test.request)
			released := atomic.Bool{}
			answered := make(chan int, 1)
			go func() {
				status := 0
				if a, err := http.ReadResponse(bufio.NewReader(c), nil); err == nil {
					status = a.StatusCode
				}
				if !released.Load() {
					t.Error("something was answered before the record was there")
				}
				answered <- status
			}()
			var q Request
			select {
			case q = <-kept:
			case <-time.After(patience):
				t.Fatal("not recorded")
			}
			released.Store(true)
			close(release)
			if test.want.Status == 0 {
				_ = c.CloseWrite() // what is not answered may wait for this
			}
			if status := <-answered; status != test.want.Status {
				t.Errorf("answered %d", status)
			}
			if q.Answer != test.want || q.Number != 1 {
				t.Errorf("recorded #%d with %v, want #1 with %v", q.Number, q.Answer, test.want)
			}
		})
	}
}

func TestWhatCannotBeRecordedIsAnswered503(t *testing.T) {
	full := errors.New("the disk is full")
	for name, test := range recorded(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := test.receiver
			r.Record = func(Request) error { return full }
			s := serve(t, r)
			c := s.dial()
			say(name, c, test.request)
			a, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil || a.StatusCode != 503 || a.ContentLength != 0 || len(a.TransferEncoding) > 0 {
				t.Fatalf("answered %v, %v", a, err)
			}
			if q := s.next(); q.Unrecorded != full || q.Answer != (Answer{503, ByLimit}) {
				t.Errorf("seen with %v and %v", q.Unrecorded, q.Answer)
			}
		})
	}
}

func TestWhatIsNotHTTPIsNotRecorded(t *testing.T) {
	r := &Receiver{Record: func(q Request) error { t.Errorf("recorded: %+v", q); return nil }}
	s := serve(t, r)
	for _, text := range []string{"HELLO\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx"} {
		if a, _ := s.talk(text); !strings.HasPrefix(a, "HTTP/1.1 400 ") {
			t.Errorf("%q: answered %q", text, a)
		}
	}
	s.quiet()
}

func TestNumbersGoOn(t *testing.T) {
	r := &Receiver{}
	r.Resume(41)
	s := serve(t, r)
	s.send(raw("POST", "/", nil, ""))
	if q := s.next(); q.Number != 42 {
		t.Errorf("numbered %d", q.Number)
	}
}

func TestARestoredRequestIsKnown(t *testing.T) {
	p := profile(t, "kudos")
	past := func(change func(*Request)) Request {
		q := Request{Number: 7, At: signedAt.Add(-time.Hour), Profile: p, Event: sign.Event{ID: "evt_1"},
			Body: []byte(eventBody), BodyRead: true, Answer: Answer{200, ByForward}, Result: &sign.Result{Verified: true}}
		change(&q)
		return q
	}
	type found struct {
		Known bool
		Seen  sameID
		By    By
	}
	for name, test := range map[string]struct {
		old  Request
		keep time.Duration
		want found
	}{
		"answered 200":        {past(func(*Request) {}), 2 * time.Hour, found{true, sameID{Duplicate, 0, 7, Earlier{7, 200}, 0}, ByDedupe}},
		"from the future":     {past(func(q *Request) { q.At = signedAt.Add(1000000 * time.Hour) }), time.Minute, found{true, sameID{Duplicate, 0, 7, Earlier{7, 200}, 0}, ByDedupe}},
		"answered 503":        {past(func(q *Request) { q.Answer.Status = 503 }), 2 * time.Hour, found{false, sameID{Retry, 2, 7, Earlier{7, 503}, 0}, ByDefault}},
		"not answered":        {past(func(q *Request) { q.Answer.Status = 0 }), 2 * time.Hour, found{false, sameID{Duplicate, 0, 7, Earlier{7, 0}, 0}, ByDefault}},
		"too long ago":        {past(func(*Request) {}), time.Hour, found{false, sameID{Duplicate, 0, 7, Earlier{7, 200}, 0}, ByDefault}},
		"without dedupe":      {past(func(*Request) {}), 0, found{false, sameID{Duplicate, 0, 7, Earlier{7, 200}, 0}, ByDefault}},
		"other body":          {past(func(q *Request) { q.Body = []byte("{") }), 2 * time.Hour, found{true, sameID{Conflict, 0, 7, Earlier{7, 200}, 2}, ByDedupe}},
		"refused":             {past(func(q *Request) { q.Result.Verified = false }), 2 * time.Hour, found{false, sameID{Seen: New}, ByDefault}},
		"not judged":          {past(func(q *Request) { q.Result = nil }), 2 * time.Hour, found{false, sameID{Seen: New}, ByDefault}},
		"without its body":    {past(func(q *Request) { q.BodyRead = false }), 2 * time.Hour, found{false, sameID{Seen: New}, ByDefault}},
		"of no known profile": {past(func(q *Request) { q.Profile = nil }), 2 * time.Hour, found{false, sameID{Seen: New}, ByDefault}},
		"without an id":       {past(func(q *Request) { q.Event.ID = "" }), 2 * time.Hour, found{false, sameID{Seen: New}, ByDefault}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &Receiver{Profiles: []*profiles.Profile{p}, Verify: true, Keys: keys("s"), Dedupe: test.keep, Now: func() time.Time { return signedAt }}
			r.Restore(test.old)
			got := found{Known: r.Known() == 1}
			s := serve(t, r)
			s.send(raw("POST", "/", signed(t, p, sign.Values{ID: "evt_1"}, eventBody, "s"), eventBody))
			q := s.next()
			if got.Seen, got.By = sameIDOf(q), q.Answer.By; got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}
