package send

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// answers answers the requests of a connection one after the other, then closes
// it.
func answers(texts ...string) func(net.Conn) {
	return func(c net.Conn) {
		from := bufio.NewReader(c)
		for _, text := range texts {
			r, err := http.ReadRequest(from)
			if err != nil {
				return
			}
			io.Copy(io.Discard, r.Body)
			io.WriteString(c, text)
		}
		untilGone(c)
	}
}

// linked is a link over a new connection to addr.
func linked(t *testing.T, addr string) *Link {
	t.Helper()
	c, err := Dial(t.Context(), addr, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := NewLink(c, []string{addr}, 20*time.Second)
	t.Cleanup(l.Close)
	return l
}

// piped is a link over a pipe, and the other end of it.
func piped(t *testing.T) (*Link, net.Conn) {
	t.Helper()
	here, there := net.Pipe()
	l := NewLink(here, nil, 30*time.Second)
	t.Cleanup(l.Close)
	return l, there
}

// asking is a request without a body.
func asking(method string) *Request { return NewRequest(method, "/", "h.test", nil, nil) }

const noContent = "HTTP/1.1 204 No Content\r\n\r\n"

func TestALinkIsUsedAgain(t *testing.T) {
	type got struct {
		status  int
		head    string
		body    string
		trailer http.Header
		whole   bool
	}
	tests := []struct {
		method, answer string
		want           got
	}{
		{"POST", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", got{200, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "ok", nil, true}},
		{"HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", got{200, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "", nil, true}},
		{"GET", noContent, got{204, noContent, "", nil, true}},
		{"GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n", got{304, "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n", "", nil, true}},
		{"POST", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n",
			got{200, "HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n", "ok", http.Header{"X-Sum": {"7"}}, false}},
		{"POST", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n",
			got{200, "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n", "", nil, true}},
	}
	var texts []string
	for _, tt := range tests {
		texts = append(texts, tt.answer)
	}
	l, kept := linked(t, serve(t, answers(texts...))), &Links{Most: 1, For: 20 * time.Second}
	for _, tt := range tests {
		ctx, cancel := context.WithCancel(t.Context())
		a, err := l.Send(ctx, asking(tt.method), nil)
		if err != nil {
			t.Fatalf("%s: %v", tt.answer, err)
		}
		whole := l.Whole()
		body, err := io.ReadAll(a.Body)
		if got := (got{a.StatusCode, string(l.Head()), string(body), a.Trailer, whole}); err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%+v, %v; want %+v", got, err, tt.want)
		}
		kept.Keep(l)
		cancel() // it is over: nothing is cut
		if again := kept.Take(); again != l {
			t.Fatalf("after %q: %p was kept, want %p", tt.answer, again, l)
		}
	}
}

func TestALinkIsKeptOnlyWhereAnotherExchangeCanBeMade(t *testing.T) {
	for name, answer := range map[string]string{
		"it says so":         "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
		"an older version":   "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
		"more than was said": "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxy",
		"a second answer":    noContent + noContent,
		"more than there is": "HTTP/1.1 204 No Content\r\nContent-Length: 1\r\n\r\nx",
		"no length":          "HTTP/1.1 200 OK\r\n\r\nto the end",
	} {
		t.Run(name, func(t *testing.T) {
			l, kept := linked(t, serve(t, func(c net.Conn) {
				says(answer)(c)
				if !strings.Contains(answer, "Content") {
					c.(*net.TCPConn).CloseWrite()
				}
				untilGone(c)
			})), &Links{Most: 1}
			a, err := l.Send(t.Context(), asking("POST"), nil)
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, a.Body)
			kept.Keep(l)
			if kept.Take() != nil {
				t.Error("it was kept")
			}
			if _, err := l.socket.Write([]byte("x")); !errors.Is(err, net.ErrClosed) {
				t.Errorf("it was not closed: %v", err)
			}
		})
	}
}

func TestARequestIsSentAgainOnlyIfItsLinkWasStale(t *testing.T) {
	tests := []struct {
		name  string
		then  func(net.Conn) // after one exchange
		cut   bool
		stale bool
	}{
		{"an end", takeRequest, false, true},
		{"a reset", func(c net.Conn) { takeRequest(c); reset(c) }, false, true},
		{"half an answer", says("HTTP/1.1 2"), false, false},
		{"the end of the context", func(c net.Conn) { takeRequest(c); untilGone(c) }, true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			addr := serve(t, func(c net.Conn) {
				says(noContent)(c)
				tt.then(c)
			})
			l, kept := linked(t, addr), &Links{Most: 1}
			if _, err := l.Send(t.Context(), asking("POST"), nil); err != nil || l.Stale() {
				t.Fatalf("%v, stale %v", err, l.Stale())
			}
			kept.Keep(l)
			if kept.Take() != l {
				t.Fatal("it was not kept")
			}
			ctx, cancel := context.WithCancel(t.Context())
			if tt.cut {
				cancel()
			}
			defer cancel()
			if a, err := l.Send(ctx, asking("POST"), nil); err == nil || l.Stale() != tt.stale {
				t.Errorf("answered %+v, %v; stale %v, want %v", a, err, l.Stale(), tt.stale)
			}
		})
	}
	first := linked(t, serve(t, takeRequest))
	if _, err := first.Send(t.Context(), asking("POST"), nil); err == nil || first.Stale() {
		t.Errorf("a first exchange: %v, stale %v", err, first.Stale())
	}
}

func TestEveryProgressGivesALinkItsTimeAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, there := piped(t)
		body := strings.Repeat("x", 5*piece)
		go func() {
			from := bufio.NewReader(there)
			r, _ := http.ReadRequest(from)
			for range 5 { // a body that is taken slowly
				time.Sleep(14 * time.Second)
				io.CopyN(io.Discard, r.Body, piece)
			}
			io.WriteString(there, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
			for range 3 { // an answer that comes slowly, and not whole
				time.Sleep(29 * time.Second)
				io.WriteString(there, "x")
			}
			untilGone(there)
		}()
		a, err := l.Send(t.Context(), NewRequest("POST", "/", "h.test", nil, []byte(body)), []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		var got int
		var last time.Time
		for {
			n, err := a.Body.Read(make([]byte, 10))
			if got += n; err != nil {
				break
			}
			last = time.Now()
			l.Progress()
		}
		if took := time.Since(last); got != 3 || took != 30*time.Second || !l.StoodStill() {
			t.Errorf("%d bytes, then cut after %v (stood still: %v); want 3, and 30s", got, took, l.StoodStill())
		}
	})
}

func TestALinkWithoutAnAnswerSaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, there := piped(t)
		go untilGone(there)
		begin := time.Now()
		_, err := l.Send(t.Context(), asking("POST"), nil)
		if took := time.Since(begin); err == nil || took != 30*time.Second || !l.StoodStill() || l.Stale() {
			t.Errorf("%v after %v, stood still: %v, stale: %v", err, took, l.StoodStill(), l.Stale())
		}
		left := errors.New("left")
		l, there = piped(t)
		go untilGone(there)
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() { time.Sleep(time.Second); cancel(left) }()
		begin = time.Now()
		_, err = l.Send(ctx, asking("POST"), nil)
		if took := time.Since(begin); err == nil || took != time.Second || l.why() != left || l.StoodStill() {
			t.Errorf("%v after %v, cut for %v", err, took, l.why())
		}
	})
	addr := serve(t, says("HTTP/1.1 200"))
	l := linked(t, addr)
	_, err := l.Send(t.Context(), asking("POST"), nil)
	want := Failure{Kind: profiles.Closed, Message: "the answer ended inside its header", Tried: []string{addr}}
	if got := l.NoAnswer(err); !reflect.DeepEqual(*got, want) {
		t.Errorf("%+v, want %+v", *got, want)
	}
}

// An answer may come before the request was taken: its link is given a moment, for
// what was written may not be noted yet.
func TestALinkWhoseRequestIsNotTakenIsNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, takes := range []bool{true, false} {
			l, there := piped(t)
			kept := &Links{Most: 1}
			body := make([]byte, 3*piece)
			go func() {
				r, _ := http.ReadRequest(bufio.NewReader(there))
				io.WriteString(there, "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
				if takes {
					time.Sleep(lagTime / 2)
					io.Copy(io.Discard, r.Body)
				}
				<-t.Context().Done()
			}()
			a, err := l.Send(t.Context(), NewRequest("POST", "/", "h.test", nil, body), body)
			if err != nil || a.StatusCode != 413 {
				t.Fatalf("%+v, %v", a, err)
			}
			kept.Keep(l)
			if (kept.last() == l) != takes {
				t.Errorf("the request is taken: %v; kept: %v", takes, !takes)
			}
		}
	})
}

func TestLinksWaitForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kept := &Links{Most: 2, For: 3 * time.Second}
		use := func() *Link {
			l, there := piped(t)
			go answers(noContent)(there)
			if _, err := l.Send(t.Context(), asking("POST"), nil); err != nil {
				t.Fatal(err)
			}
			kept.Keep(l)
			return l
		}
		a, b, c := use(), use(), use()
		if err := a.socket.SetDeadline(time.Time{}); err != io.ErrClosedPipe {
			t.Errorf("the first of three: %v, want %v", err, io.ErrClosedPipe)
		}
		if got := kept.Take(); got != c {
			t.Errorf("took %p, want the last, %p", got, c)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if got := kept.Take(); got != nil || b.why() == nil {
			t.Errorf("took %p after 3s, %v", got, b.why())
		}
		if c.why() != nil {
			t.Errorf("the one in use was cut: %v", c.why())
		}
		d := use()
		time.Sleep(3 * time.Second)
		synctest.Wait()
		e := use()
		if len(kept.idle) != 1 || kept.idle[0] != e {
			t.Errorf("%p waits, want %p without %p, whose time is over", kept.idle, e, d)
		}
		kept.Close()
		if kept.Take() != nil || e.socket.SetDeadline(time.Time{}) != io.ErrClosedPipe {
			t.Error("one is left")
		}
	})
}

// The order is that of net/http, and so is the length: none where none is meant.
func TestALengthIsSentWhereItMeansSomething(t *testing.T) {
	host := sign.Header{Name: "Host", Value: "h.test"}
	for _, tt := range []struct {
		method, body, want string
	}{{"POST", "", "0"}, {"PUT", "", "0"}, {"PATCH", "", "0"}, {"GET", "", ""}, {"DELETE", "", ""}, {"GET", "abc", "3"}, {"POST", "abc", "3"}} {
		want := []sign.Header{host}
		if tt.want != "" {
			want = append(want, sign.Header{Name: "Content-Length", Value: tt.want})
		}
		if got := NewRequest(tt.method, "/", "h.test", nil, []byte(tt.body)).Header; !reflect.DeepEqual(got, want) {
			t.Errorf("%s %q: %v, want %v", tt.method, tt.body, got, want)
		}
	}
}
