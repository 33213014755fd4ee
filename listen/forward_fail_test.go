package listen

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

func TestForwardThatFailsIsA502(t *testing.T) {
	closedPort := func(t *testing.T) string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		return l.Addr().String()
	}
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that are meant to fail
	secure.StartTLS()
	defer secure.Close()
	port := func(address string) string { _, p, _ := net.SplitHostPort(address); return p }
	gone := closedPort(t)
	tests := []struct {
		name, url string
		kind      profiles.Failure
		message   string
		tried     []string
	}{
		{"a closed port", "http://" + gone, profiles.Refused, gone, []string{gone}},
		{"a closed port of localhost", "http://localhost:" + port(gone), profiles.Refused,
			gone + " and [::1]:" + port(gone), []string{gone, "[::1]:" + port(gone)}},
		{"an end of stream", startApp(t, "").url, profiles.Closed, "no status line before the end", nil},
		{"half a head", startApp(t, "HTTP/1.1 200 OK\r\nContent-Le").url, profiles.Closed, "the answer ended inside its header", nil},
		{"not HTTP", startApp(t, "SSH-2.0-x\r\n\r\n").url, profiles.Protocol, `not an HTTP answer: "SSH-2.0-x"`, nil},
		{"not HTTP, and no line end", startApp(t, "hello").url, profiles.Protocol, `not an HTTP answer: "hello"`, nil},
		{"101", startApp(t, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n").url, profiles.Protocol,
			"an answer 101 cannot be passed on", nil},
		{"a reset inside the head", startAppFunc(t, func(c *net.TCPConn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-")
			_ = c.SetReadDeadline(time.Now().Add(100 * time.Millisecond)) // for it to arrive before the reset
			_, _ = c.Read(make([]byte, 1))
			_ = c.SetLinger(0)
		}).url, profiles.Reset, "inside the answer's header", nil},
		{"a reset", startAppFunc(t, func(c *net.TCPConn) { _ = c.SetLinger(0) }).url, profiles.Reset, "after the request was sent", nil},
		{"https to a plain port", strings.Replace(plain.URL, "http", "https", 1), profiles.TLS, "the answer is not TLS; is it a plain http port?", nil},
		{"an unknown authority", secure.URL, profiles.TLS, "certificate signed by an unknown authority", nil},
		{"a message of TLS out of turn", "https://" + outOfTurn(t), profiles.TLS, "", nil},
		{"an unknown name", "http://x.invalid", profiles.DNS, "", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if strings.Contains(test.name, "localhost") && !hasIPv6() {
				t.Skip("this machine has no [::1]")
			}
			s := serve(t, &Receiver{Forward: &Forward{URL: test.url}})
			a := s.send(raw("POST", "/", nil, "x"))
			if a.StatusCode != 502 || a.ContentLength != 0 {
				t.Errorf("answered %d, want 502 without a body", a.StatusCode)
			}
			q := s.next()
			if q.Answer != (Answer{502, ByForward}) || q.Failure == nil {
				t.Fatalf("seen %+v, %+v; want 502 by forward and why", q.Answer, q.Failure)
			}
			if q.Failure.Kind != test.kind || test.message != "" && q.Failure.Message != test.message || test.tried != nil && !slices.Equal(q.Failure.Tried, test.tried) {
				t.Errorf("failure %+v, want %s: %s, tried %q", *q.Failure, test.kind, test.message, test.tried)
			}
		})
	}
}

// outOfTurn is a port that answers the first message of TLS by a wrong one.
func outOfTurn(t *testing.T) string {
	t.Helper()
	return accepting(t, func(c net.Conn) {
		_, _ = io.WriteString(c, "\x16\x03\x03\x00\x04\x0e\x00\x00\x00")
		_, _ = io.Copy(io.Discard, c)
	})
}

func hasIPv6() bool {
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		return false
	}
	_ = l.Close()
	return true
}

func TestAnswerThatIsCutIsSeenToBeCut(t *testing.T) {
	for name, answer := range map[string]string{
		"length": "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
		"chunks": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, &Receiver{Forward: &Forward{URL: startApp(t, answer).url}})
			c := s.dial()
			if _, err := io.WriteString(c, raw("POST", "/", nil, "x")); err != nil {
				t.Fatal(err)
			}
			a, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(a.Body)
			if string(got) != "abc" || !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, syscall.ECONNRESET) {
				t.Errorf("got %q, %v; want abc and an unexpected end", got, err)
			}
			q := s.next()
			if q.Answer != (Answer{200, ByForward}) || q.Failure == nil || q.Failure.Kind != profiles.Closed || q.Failure.Message != "the answer ended inside its body" {
				t.Errorf("seen %+v, %+v", q.Answer, q.Failure)
			}
		})
	}
}

func TestSenderThatLeavesEndsTheForward(t *testing.T) {
	left := make(chan error, 1)
	a := startAppFunc(t, func(c *net.TCPConn) {
		_, err := c.Read(make([]byte, 1))
		left <- err
	})
	s := serve(t, &Receiver{Forward: &Forward{URL: a.url}})
	c := s.dial()
	if _, err := io.WriteString(c, raw("POST", "/", nil, "x")); err != nil {
		t.Fatal(err)
	}
	<-a.got
	_ = c.Close()
	if err := <-left; err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the application's connection: %v, want its end", err)
	}
	q := s.next()
	if q.Answer != (Answer{0, ByForward}) || q.Failure == nil || q.Failure.Message != "the sender left before the application answered" {
		t.Errorf("seen %+v, %+v", q.Answer, q.Failure)
	}
}

// onPipe makes the connections of a forward pipes, whose other ends go to app. Its
// error is that of the dial.
func onPipe(r *Receiver, app func(ctx context.Context, there net.Conn) error) {
	r.via.once.Do(func() {
		r.via.forwarder, r.via.err = newForwarder(r.Forward)
		r.via.dial = func(ctx context.Context, _ string, _ func(string)) (net.Conn, error) {
			here, there := net.Pipe()
			return here, app(ctx, there)
		}
	})
}

func TestApplicationThatStandsStillIsA502(t *testing.T) {
	tests := []struct {
		name, answer string
		connects     bool
		status       int
		want         send.Failure
	}{
		{"no connection", "", false, 502, send.Failure{Kind: profiles.ConnectTimeout, Message: "no connection within 30 s"}},
		{"no answer", "", true, 502, send.Failure{Kind: profiles.ReadTimeout, Message: "connected, but no answer within 30 s"}},
		{"half an answer", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", true, 200, send.Failure{Kind: profiles.ReadTimeout, Message: "the answer stood still for 30 s"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var seen []Request
			r := &Receiver{Forward: &Forward{URL: "http://127.0.0.1:1"}, Seen: func(q Request) { seen = append(seen, q) }}
			onPipe(r, func(ctx context.Context, there net.Conn) error {
				if !test.connects {
					<-ctx.Done()
					return ctx.Err()
				}
				go func() {
					from := bufio.NewReader(there)
					_, _ = readHead(from)
					_, _ = io.ReadFull(from, make([]byte, 1))
					_, _ = io.WriteString(there, test.answer)
					_, _ = io.ReadAll(from)
					_ = there.Close()
				}()
				return nil
			})
			bubble(t, r, func(t *testing.T, l *pipeListener, stop func() time.Duration) {
				c := l.dial()
				defer c.Close()
				write(t, c, raw("POST", "/", nil, "x"))
				_, _ = io.ReadAll(io.LimitReader(c, 15))
				go func() { _, _ = io.Copy(io.Discard, c) }()
				time.Sleep(forwardTime)
				stop()
			})
			if len(seen) != 1 || seen[0].Failure == nil {
				t.Fatalf("seen %+v, want one with a failure", seen)
			}
			q := seen[0]
			if q.Answer != (Answer{test.status, ByForward}) || q.Failure.Kind != test.want.Kind || q.Failure.Message != test.want.Message || q.Took != forwardTime {
				t.Errorf("seen %+v, %+v after %v; want %d, %+v after %v", q.Answer, *q.Failure, q.Took, test.status, test.want, forwardTime)
			}
		})
	}
}
