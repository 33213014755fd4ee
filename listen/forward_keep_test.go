package listen

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
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

func TestStaleConnectionToTheApplicationIsReplaced(t *testing.T) {
	url, taken := keptApp(t, func(conn, request int, body string) (string, bool) {
		if conn == 1 && request == 2 {
			return "", false
		}
		return "HTTP/1.1 200 OK\r\nX-Body: " + body + "\r\nContent-Length: 0\r\n\r\n", true
	})
	s := serve(t, &Receiver{Forward: &Forward{URL: url}})
	for _, body := range []string{"one", "two"} {
		if a := s.send(raw("POST", "/", nil, body)); a.StatusCode != 200 || a.Header.Get("X-Body") != body {
			t.Errorf("answered %d %v, want 200 for %s", a.StatusCode, a.Header, body)
		}
		s.next()
	}
	if got := taken.Load(); got != 2 {
		t.Errorf("%d connections, want 2", got)
	}
}

func TestRequestIsNotSentAgainOnceAnAnswerHasBegun(t *testing.T) {
	url, taken := keptApp(t, func(_, request int, _ string) (string, bool) {
		if request == 1 {
			return "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true
		}
		return "HTTP/1.1 200 OK\r\nX-Half", false
	})
	s := serve(t, &Receiver{Forward: &Forward{URL: url}})
	for _, want := range []int{200, 502} {
		if a := s.send(raw("POST", "/", nil, "x")); a.StatusCode != want {
			t.Errorf("answered %d, want %d", a.StatusCode, want)
		}
		s.next()
	}
	if got := taken.Load(); got != 1 {
		t.Errorf("%d connections, want 1", got)
	}
}
