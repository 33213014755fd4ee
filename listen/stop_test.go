package listen

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// A pipeListener gives connections of net.Pipe: time in a test's bubble passes
// only while all wait, and a wait for a socket does not count.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	select {
	case <-l.closed:
	default:
		close(l.closed)
	}
	return nil
}

func (l *pipeListener) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }

func (l *pipeListener) dial() net.Conn {
	here, there := net.Pipe()
	l.conns <- there
	return here
}

// bubble runs a test against a server on pipes, in virtual time. stop stops the
// server and says how long that took.
// most, if given, is how many connections the server takes.
func bubble(t *testing.T, r *Receiver, test func(t *testing.T, l *pipeListener, stop func() time.Duration), most ...int) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipeListener()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		server := &Server{Receiver: r}
		if len(most) > 0 {
			server.connections = most[0]
		}
		go func() { done <- server.Serve(ctx, l) }()
		stopped := false
		stop := func() time.Duration {
			begin := time.Now()
			stopped = true
			cancel()
			if err := <-done; err != nil {
				t.Errorf("Serve: %v", err)
			}
			return time.Since(begin)
		}
		test(t, l, stop)
		if !stopped {
			stop()
		}
	})
}

func write(t *testing.T, c net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
}

func TestBodyThatIsLateIsAnswered408(t *testing.T) {
	var seen []Request
	r := &Receiver{Seen: func(q Request) { seen = append(seen, q) }}
	bubble(t, r, func(t *testing.T, l *pipeListener, stop func() time.Duration) {
		c := l.dial()
		defer c.Close()
		begin := time.Now()
		write(t, c, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n01234")
		a, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); a.StatusCode != 408 || took != bodyTime {
			t.Errorf("answered %d after %v, want 408 after %v", a.StatusCode, took, bodyTime)
		}
		stop()
	})
	if len(seen) != 1 {
		t.Fatalf("%d requests were seen", len(seen))
	}
	want := limited{"POST", "/", Answer{408, ByLimit}, "", false, profiles.ReadTimeout, "the body was not there after 30s: 5 of 10 bytes arrived"}
	if got := limitedOf(seen[0]); got != want || seen[0].Took != bodyTime {
		t.Errorf("seen\n%+v after %v, want\n%+v", got, seen[0].Took, want)
	}
}

func TestBodyThatComesInTimeIsTaken(t *testing.T) {
	bubble(t, &Receiver{}, func(t *testing.T, l *pipeListener, _ func() time.Duration) {
		c := l.dial()
		defer c.Close()
		write(t, c, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n")
		for range 3 {
			time.Sleep(9 * time.Second)
			write(t, c, "x")
		}
		if a, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || a.StatusCode != 200 {
			t.Errorf("answered %v, %v; want 200", a, err)
		}
	})
}

func TestSlowAnswerOutlivesTheLimitOfTheBody(t *testing.T) {
	bubble(t, &Receiver{Script: script(t, "200:delay=10m")}, func(t *testing.T, l *pipeListener, _ func() time.Duration) {
		c := l.dial()
		defer c.Close()
		begin := time.Now()
		write(t, c, raw("POST", "/", nil, "x"))
		a, err := http.ReadResponse(bufio.NewReader(c), nil)
		if took := time.Since(begin); err != nil || a.StatusCode != 200 || took != 10*time.Minute {
			t.Errorf("answered %v, %v after %v; want 200 after 10m", a, err, took)
		}
	})
}

func TestHeadThatIsLateEndsTheConnection(t *testing.T) {
	for text, want := range map[string]string{"POST / HTTP/1.1\r\nHost: h\r\nX": "HTTP/1.1 400 Bad Request\r\n", "POST": "HTTP/1.1 400 Bad Request\r\n", "": ""} {
		bubble(t, &Receiver{}, func(t *testing.T, l *pipeListener, _ func() time.Duration) {
			c := l.dial()
			defer c.Close()
			begin := time.Now()
			if text != "" {
				write(t, c, text)
			}
			got, err := bufio.NewReader(c).ReadString('\n')
			if took := time.Since(begin); err != nil && err != io.EOF || got != want || took != headTime {
				t.Errorf("%q: got %q, %v after %v; want %q after %v", text, got, err, took, want, headTime)
			}
		})
	}
}

func TestRequestInFlightIsFinished(t *testing.T) {
	bubble(t, &Receiver{Script: script(t, "200:delay=3s")}, func(t *testing.T, l *pipeListener, stop func() time.Duration) {
		c := l.dial()
		defer c.Close()
		write(t, c, raw("POST", "/", nil, "x"))
		synctest.Wait()
		answers := make(chan string)
		go func() {
			all, _ := io.ReadAll(c)
			answers <- string(all)
		}()
		if took := stop(); took < 3*time.Second || took > graceTime {
			t.Errorf("stopped after %v, want about 3s", took)
		}
		if got := <-answers; !strings.HasPrefix(got, "HTTP/1.1 200 OK\r\n") {
			t.Errorf("answered %q, want 200", got)
		}
	})
}

func TestRequestThatTakesTooLongIsCutAtTheStop(t *testing.T) {
	var seen []Request
	r := &Receiver{Script: script(t, "200:delay=1h"), Seen: func(q Request) { seen = append(seen, q) }}
	bubble(t, r, func(t *testing.T, l *pipeListener, stop func() time.Duration) {
		c := l.dial()
		defer c.Close()
		write(t, c, raw("POST", "/", nil, "x"))
		synctest.Wait()
		if took := stop(); took != graceTime {
			t.Errorf("stopped after %v, want %v", took, graceTime)
		}
		if got, err := io.ReadAll(c); len(got) != 0 || err != nil {
			t.Errorf("got %q, %v; want nothing", got, err)
		}
	})
	if len(seen) != 1 || seen[0].Answer != (Answer{By: ByScript}) {
		t.Errorf("seen %+v, want one without an answer", seen)
	}
}

func TestStopDoesNotWaitForThoseThatSayNothing(t *testing.T) {
	bubble(t, &Receiver{Script: script(t, "200,timeout")}, func(t *testing.T, l *pipeListener, stop func() time.Duration) {
		fresh, half, idle, silent := l.dial(), l.dial(), l.dial(), l.dial()
		for _, c := range []net.Conn{fresh, half, idle, silent} {
			defer c.Close()
		}
		write(t, half, "POST / HTTP/1.1\r\nHost")
		write(t, idle, raw("POST", "/", nil, "x"))
		if a, err := http.ReadResponse(bufio.NewReader(idle), nil); err != nil || a.StatusCode != 200 {
			t.Fatalf("answered %v, %v; want 200", a, err)
		}
		write(t, silent, raw("POST", "/", nil, "x"))
		synctest.Wait()
		if took := stop(); took > time.Second {
			t.Errorf("stopped after %v", took)
		}
	})
}

func TestBodyThatTheStopCutsIsSaidToBeCut(t *testing.T) {
	var seen []Request
	r := &Receiver{Seen: func(q Request) { seen = append(seen, q) }}
	bubble(t, r, func(t *testing.T, l *pipeListener, stop func() time.Duration) {
		c := l.dial()
		defer c.Close()
		write(t, c, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n01234")
		synctest.Wait()
		if took := stop(); took != graceTime {
			t.Errorf("stopped after %v, want %v", took, graceTime)
		}
		if got, err := io.ReadAll(c); len(got) != 0 || err != nil {
			t.Errorf("got %q, %v; want nothing", got, err)
		}
	})
	want := limited{"POST", "/", Answer{0, ByLimit}, "", false, profiles.Closed, "hookctl stopped before the body was there: 5 of 10 bytes arrived"}
	if len(seen) != 1 || limitedOf(seen[0]) != want {
		t.Errorf("seen %+v, want\n%+v", seen, want)
	}
}

func TestListenerThatFailsEndsTheServer(t *testing.T) {
	broken := errors.New("broken")
	good, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Receiver: &Receiver{}}
	if err := s.Serve(t.Context(), good, &failing{good, broken}); err != broken {
		t.Errorf("Serve: %v, want %v", err, broken)
	}
	if _, err := good.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the other listener: %v, want %v", err, net.ErrClosed)
	}
}

type failing struct {
	net.Listener
	err error
}

func (f *failing) Accept() (net.Conn, error) { return nil, f.err }
func (f *failing) Close() error              { return nil }
