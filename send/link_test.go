package send

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

func TestFirstAttemptsShareConnections(t *testing.T) {
	for _, keep := range []bool{true, false} {
		var conns atomic.Int32
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		e := &endpoint{}
		server := &http.Server{
			Handler: e.handle(func(event, n int, w http.ResponseWriter) {
				w.Header().Set("X-Answer-To", strconv.Itoa(event))
				if event%10 == 0 && n == 0 {
					w.WriteHeader(503)
				}
				io.WriteString(w, "answered")
			}),
			ConnState: func(_ net.Conn, s http.ConnState) {
				if s == http.StateNew {
					conns.Add(1)
				}
			},
		}
		go server.Serve(l)
		defer server.Close()
		b := &Burst{Sender: sender(t, "kudos", "http://"+l.Addr().String()), Messages: events(100), Events: 100, Concurrency: 2, KeepAlive: keep, Whole: true,
			Done: func(d Delivery) error {
				for _, a := range d.Attempts {
					if to, _ := a.Response.Get("X-Answer-To"); to != strconv.Itoa(d.Message.Number) || string(a.Response.Body) != "answered" {
						t.Errorf("event %d has the answer to %s: %q", d.Message.Number, to, a.Response.Body)
					}
					if len(a.Request.Header) < 5 {
						t.Errorf("event %d: sent %v", d.Message.Number, a.Request.Header)
					}
				}
				return nil
			}}
		s, err := b.Run(t.Context())
		if err != nil || s.Delivered != 100 || s.Attempts != 110 {
			t.Errorf("keep-alive %v: %s, %v", keep, counts(s), err)
		}
		least, most := int32(110), int32(110)
		if keep { // one or both of two at once, and the retries
			least, most = 1+10, 2+10
		}
		if got := conns.Load(); got < least || got > most {
			t.Errorf("keep-alive %v: %d connections, want %d to %d", keep, got, least, most)
		}
	}
}

// A server may close a kept connection at any moment, also when the next request
// has reached it.
func TestAFailureOnAKeptConnectionIsNoAttempt(t *testing.T) {
	for name, second := range map[string]func(c net.Conn){
		"closed":                     func(net.Conn) {},
		"closed at the next request": takeRequest,
		"reset at the next request":  func(c net.Conn) { takeRequest(c); _ = c.(*net.TCPConn).SetLinger(0) },
		"closed in the next request": func(c net.Conn) { c.Read(make([]byte, 10)) },
	} {
		t.Run(name, func(t *testing.T) {
			var conns, requests atomic.Int32
			addr := serve(t, func(c net.Conn) {
				conns.Add(1)
				r, err := http.ReadRequest(bufio.NewReader(c))
				if err != nil {
					return
				}
				io.Copy(io.Discard, r.Body)
				requests.Add(1)
				io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
				second(c)
			})
			b := &Burst{Sender: sender(t, "kudos", "http://"+addr), Messages: events(10), Events: 10, KeepAlive: true}
			s, err := b.Run(t.Context())
			if got, want := counts(s), "10 delivered (10 at first), 0 failed (0 stopped), 0 not sent, 0 interrupted, 10 attempts, 0 late"; got != want || err != nil {
				t.Errorf("%s, %v; want %s (%v)", got, err, want, s.FailedAt)
			}
			if conns.Load() != 10 || requests.Load() != 10 {
				t.Errorf("%d connections, %d requests read whole first; want 10 and 10", conns.Load(), requests.Load())
			}
		})
	}
}

// What fails after the first byte, or by the time limit, is an attempt.
func TestAnAnswerThatBeganOnAKeptConnectionIsAnAttempt(t *testing.T) {
	addr := serve(t, func(c net.Conn) {
		from := bufio.NewReader(c)
		for _, text := range []string{"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 2"} {
			r, err := http.ReadRequest(from)
			if err != nil {
				return
			}
			io.Copy(io.Discard, r.Body)
			io.WriteString(c, text)
		}
	})
	s := sender(t, "clodo", "http://"+addr)
	s.Profile.Retry.Waits = nil
	b := &Burst{Sender: s, Messages: events(2), Events: 2, KeepAlive: true}
	sum, err := b.Run(t.Context())
	if err != nil || sum.Delivered != 1 || sum.FailedAt[profiles.Outcome{Failure: profiles.Closed}] != 1 {
		t.Errorf("%s, %v, %v", counts(sum), sum.FailedAt, err)
	}
}

// A server may say something between two exchanges, such as a 408, or end: that
// is no answer to the next request.
func TestWhatComesBetweenExchangesEndsTheConnection(t *testing.T) {
	for name, then := range map[string]func(c net.Conn){
		"an answer": func(c net.Conn) {
			io.WriteString(c, "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n")
			untilGone(c)
		},
		"the end": func(net.Conn) {},
	} {
		t.Run(name, func(t *testing.T) {
			proceed := make(chan struct{})
			s := sender(t, "kudos", "http://"+serve(t, func(c net.Conn) {
				says("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")(c)
				<-proceed
				then(c)
			}))
			target, err := s.check()
			if err != nil {
				t.Fatal(err)
			}
			kept := &Links{Most: 1}
			if x := s.exchange(t.Context(), target, nil, nil, kept); x.Response == nil || len(kept.idle) != 1 {
				t.Fatalf("failure %+v, %d kept", x.Failure, len(kept.idle))
			}
			l := kept.Take()
			if l == nil {
				t.Fatal("nothing came, and the connection is not there any more")
			}
			kept.add(l)
			close(proceed)
			giveUp := time.After(10 * time.Second)
			for l := kept.Take(); l != nil; l = kept.Take() {
				kept.add(l)
				select {
				case <-giveUp:
					t.Fatal("the connection is still there")
				case <-time.After(time.Millisecond):
				}
			}
		})
	}
}

// An answer may be whole before the request is: its connection is not used again.
func TestAConnectionWithHalfARequestIsNotKept(t *testing.T) {
	s := sender(t, "kudos", "http://"+serve(t, func(c net.Conn) {
		c.Read(make([]byte, 1))
		io.WriteString(c, "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
		c.(*net.TCPConn).CloseWrite()
		<-t.Context().Done()
	}))
	target, err := s.check()
	if err != nil {
		t.Fatal(err)
	}
	kept := &Links{Most: 1}
	if x := s.exchange(t.Context(), target, nil, make([]byte, 64<<20), kept); x.Response == nil || x.Response.Status != 413 || len(kept.idle) != 0 {
		t.Errorf("failure %+v, %d kept", x.Failure, len(kept.idle))
	}
}
