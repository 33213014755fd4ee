package listen

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// keptApp is an application that serves requests as answers says, each with the
// connection's number, from 1, and the request's on it. After a false one
// it closes the connection.
func keptApp(t *testing.T, answers func(conn, request int, body string) (string, bool)) (url string, taken *atomic.Int32) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	taken = new(atomic.Int32)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			n := int(taken.Add(1))
			go func() {
				defer c.Close()
				r := bufio.NewReader(c)
				for i := 1; ; i++ {
					req, err := http.ReadRequest(r)
					if err != nil {
						return
					}
					body, err := io.ReadAll(req.Body)
					if err != nil {
						return
					}
					text, ok := answers(n, i, string(body))
					_, _ = io.WriteString(c, text)
					if !ok {
						return
					}
				}
			}()
		}
	}()
	return "http://" + l.Addr().String(), taken
}

func TestConnectionToTheApplicationIsUsedAgain(t *testing.T) {
	url, taken := keptApp(t, func(_, _ int, body string) (string, bool) {
		return "HTTP/1.1 202 Fine\r\nx-b: 1\r\nX-A: " + body + "\r\nContent-Length: 2\r\n\r\nok", true
	})
	s := serve(t, &Receiver{Forward: &Forward{URL: url}})
	c := s.dial()
	for _, body := range []string{"one", "two", "three"} {
		a := s.sendOn(c, raw("POST", "/", nil, body))
		if got := text(t, a.Body); a.StatusCode != 202 || got != "ok" {
			t.Errorf("answered %d %q", a.StatusCode, got)
		}
		var names []string
		for _, h := range s.next().Sent {
			names = append(names, h.Name+"="+h.Value)
		}
		if got := strings.Join(names, " "); !strings.Contains(got, "x-b=1") || !strings.Contains(got, "X-A="+body) {
			t.Errorf("sent %s", got)
		}
	}
	if got := taken.Load(); got != 1 {
		t.Errorf("%d connections, want 1", got)
	}
}

func TestConnectionThatTheApplicationHasEndedIsReplaced(t *testing.T) {
	url, taken := keptApp(t, func(conn, _ int, body string) (string, bool) {
		return "HTTP/1.1 200 OK\r\nX-Body: " + body + "\r\nContent-Length: 0\r\n\r\n", conn > 1
	})
	r := &Receiver{Forward: &Forward{URL: url}}
	dialled := make(chan net.Conn, 2)
	r.via.once.Do(func() {
		r.via.forwarder, r.via.err = newForwarder(r.Forward)
		r.via.dial = func(ctx context.Context, address string, tried func(string)) (net.Conn, error) {
			c, err := send.Dial(ctx, address, tried)
			dialled <- c
			return c, err
		}
	})
	s := serve(t, r)
	for _, body := range []string{"one", "two"} {
		if a := s.send(raw("POST", "/", nil, body)); a.StatusCode != 200 || a.Header.Get("X-Body") != body {
			t.Errorf("answered %d %v, want 200 for %s", a.StatusCode, a.Header, body)
		}
		s.next()
		if body == "one" {
			if n, err := (<-dialled).Read(make([]byte, 1)); err != io.EOF { // it has come
				t.Fatalf("read %d bytes, %v, want the end", n, err)
			}
		}
	}
	if got := taken.Load(); got != 2 {
		t.Errorf("%d connections, want 2", got)
	}
}

// One that ends its connection instead of an answer may have the request.
func TestApplicationHasARequestOnce(t *testing.T) {
	for _, begun := range []string{"", "HTTP/1.1 200 OK\r\nX-Half"} {
		var mu sync.Mutex
		var had []string
		url, _ := keptApp(t, func(_, request int, body string) (string, bool) {
			mu.Lock()
			defer mu.Unlock()
			had = append(had, fmt.Sprintf("%s as %d", body, request))
			if body == "two" {
				return begun, false
			}
			return "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true
		})
		s := serve(t, &Receiver{Forward: &Forward{URL: url}})
		for _, test := range []struct {
			body   string
			status int
		}{{"one", 200}, {"two", 502}, {"three", 200}} {
			if a := s.send(raw("POST", "/", nil, test.body)); a.StatusCode != test.status {
				t.Errorf("%s was answered %d, want %d", test.body, a.StatusCode, test.status)
			}
			if q := s.next(); (q.Failure != nil) != (test.status == 502) || q.Failure != nil && q.Failure.Kind != profiles.Closed {
				t.Errorf("%s: %+v", test.body, q.Failure)
			}
		}
		mu.Lock()
		if want := []string{"one as 1", "two as 2", "three as 1"}; !slices.Equal(had, want) {
			t.Errorf("the application had %q, want %q", had, want)
		}
		mu.Unlock()
	}
}

// After any answer that ends by itself the connection is used again, and nothing
// of it is lost.
func TestConnectionIsUsedAgainAfterAnswersOfEveryKind(t *testing.T) {
	tests := []struct {
		method, answer, body string
		trailer              http.Header
	}{
		{"HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "", nil},
		{"HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n", "", nil},
		{"GET", "HTTP/1.1 204 No Content\r\n\r\n", "", nil},
		{"GET", "HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n", "", nil},
		{"POST", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", "abc", nil},
		{"POST", "HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nX-Sum: 7\r\n\r\n", "ab", http.Header{"X-Sum": {"7"}}},
		{"POST", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nthe last.", "the last.", nil},
	}
	url, taken := keptApp(t, func(_, request int, _ string) (string, bool) { return tests[request-1].answer, true })
	s := serve(t, &Receiver{Forward: &Forward{URL: url}})
	for _, test := range tests {
		c := s.dial()
		write(t, c, raw(test.method, "/", nil, "x"))
		a, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: test.method})
		if err != nil {
			t.Fatal(err)
		}
		if got := text(t, a.Body); got != test.body || !reflect.DeepEqual(a.Trailer, test.trailer) {
			t.Errorf("%s %q: got %q, %v; want %q, %v", test.method, test.answer, got, a.Trailer, test.body, test.trailer)
		}
		s.next()
	}
	if got := taken.Load(); got != 1 {
		t.Errorf("%d connections, want 1", got)
	}
}

// What is still being written of a body is not overwritten by the next.
func TestApplicationMayAnswerBeforeItHasTheBody(t *testing.T) {
	proceed, rest := make(chan struct{}), make(chan []byte, 2)
	at := accepting(t, func(c net.Conn) {
		_, _ = readHead(bufio.NewReader(c))
		_, _ = io.WriteString(c, "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
		<-proceed
		all, _ := io.ReadAll(c)
		rest <- all
	})
	s := serve(t, &Receiver{Brief: true, Forward: &Forward{URL: "http://" + at}})
	for _, letter := range []string{"a", "b"} {
		if a := s.send(raw("POST", "/", nil, strings.Repeat(letter, 8<<20))); a.StatusCode != 413 {
			t.Errorf("answered %d, want 413", a.StatusCode)
		}
		s.next()
	}
	close(proceed)
	for range 2 {
		if all := <-rest; bytes.Contains(all, []byte("ab")) || bytes.Contains(all, []byte("ba")) {
			t.Error("one body has bytes of another")
		}
	}
}

// Each part of an answer gives the application its time anew.
func TestApplicationThatIsSlowIsWaitedFor(t *testing.T) {
	r := &Receiver{Forward: &Forward{URL: "http://127.0.0.1:1"}}
	onPipe(r, func(_ context.Context, there net.Conn) error {
		go func() {
			from := bufio.NewReader(there)
			_, _ = readHead(from)
			_, _ = io.ReadFull(from, make([]byte, 1))
			for _, part := range []string{"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", "a", "b", "c"} {
				time.Sleep(forwardTime - 1)
				_, _ = io.WriteString(there, part)
			}
			_, _ = io.ReadAll(from)
			_ = there.Close()
		}()
		return nil
	})
	bubble(t, r, func(t *testing.T, l *pipeListener, _ func() time.Duration) {
		c := l.dial()
		defer c.Close()
		write(t, c, raw("POST", "/", nil, "x"))
		a, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := text(t, a.Body); a.StatusCode != 200 || got != "abc" {
			t.Errorf("answered %d %q", a.StatusCode, got)
		}
		time.Sleep(appIdleTime) // until the application's connection is closed
	})
}

// When Serve has ended, nothing is left of what was forwarded, however that ended.
func TestNothingIsLeftOfForwards(t *testing.T) {
	got := make(chan struct{}, 1)
	url, _ := keptApp(t, func(_, _ int, body string) (string, bool) {
		switch body {
		case "cut":
			return "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx", false
		case "left":
			got <- struct{}{}
			return "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx", true // and no more
		}
		return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body), true
	})
	before := runtime.NumGoroutine()
	r := &Receiver{Forward: &Forward{URL: url}}
	s := serve(t, r)
	for _, body := range []string{"cut", "left", strings.Repeat("x", 1<<20), "ok"} {
		c := s.dial()
		write(t, c, raw("POST", "/", nil, body))
		if body == "left" {
			<-got
		} else if a, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil {
			t.Fatal(err)
		} else {
			_, _ = io.Copy(io.Discard, a.Body)
		}
		_ = c.Close()
		s.next()
	}
	s.stop()
	if app := r.via.kept.Take(); app != nil {
		t.Error("a connection is still kept")
	}
	for giveUp := time.After(patience); runtime.NumGoroutine() > before; {
		select {
		case <-giveUp:
			stacks := make([]byte, 64<<10)
			t.Fatalf("%d goroutines, want %d\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		case <-time.After(time.Millisecond):
		}
	}
}
