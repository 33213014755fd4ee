package listen

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

// gone reports whether the other side has closed a connection of the bubble.
func gone(c net.Conn) bool {
	synctest.Wait()
	_ = c.SetReadDeadline(time.Now().Add(time.Nanosecond))
	_, err := c.Read(make([]byte, 1))
	return err == io.EOF
}

func TestAtTheBoundTheConnectionIdleLongestIsClosed(t *testing.T) {
	bubble(t, &Receiver{Script: script(t, "200:delay=1h")}, func(t *testing.T, l *pipeListener, _ func() time.Duration) {
		handled := l.dial()
		defer handled.Close()
		write(t, handled, raw("POST", "/", nil, "x"))
		var waiting []net.Conn
		for range 2 {
			time.Sleep(time.Second)
			waiting = append(waiting, l.dial())
		}
		time.Sleep(time.Second)
		write(t, waiting[0], "POST / HTTP/1.1\r\n") // it waits since now
		synctest.Wait()
		last := l.dial()
		for i, want := range []bool{false, true, false, false} {
			c := []net.Conn{waiting[0], waiting[1], last, handled}[i]
			if gone(c) != want {
				t.Errorf("connection %d: closed %v, want %v", i, !want, want)
			}
			defer c.Close()
		}
	}, 3)
}

// Beside a handler net/http reads on: what that finds of the next request does not
// make a connection wait that has just begun to be served.
func TestConnectionThatIsServedDoesNotWait(t *testing.T) {
	c := newConn(babbling{}, newRunning(&Server{Receiver: &Receiver{Forward: &Forward{}}}))
	c.handled.Store(true)
	for range 200_000 {
		c.waits.Store(c.running.now())
		read := make(chan struct{})
		go func() {
			_, _ = c.Read(make([]byte, 1))
			close(read)
		}()
		runtime.Gosched()
		c.serve()
		<-read
		if w := c.waits.Load(); w != 0 {
			t.Fatalf("it waits since %d", w)
		}
	}
}

// babbling is a connection on which a head does not end.
type babbling struct{ net.Conn }

func (babbling) Read(p []byte) (int, error) { return copy(p, "P"), nil }
func (babbling) RemoteAddr() net.Addr       { return &net.TCPAddr{} }

func TestConnectionWaitsForRoomWhereAllAreHandled(t *testing.T) {
	bubble(t, &Receiver{Script: script(t, "200:delay=1s,200")}, func(t *testing.T, l *pipeListener, _ func() time.Duration) {
		handled := l.dial()
		defer handled.Close()
		write(t, handled, raw("POST", "/", nil, "x"))
		synctest.Wait()
		begin := time.Now()
		next := l.dial()
		defer next.Close()
		if a, err := http.ReadResponse(bufio.NewReader(handled), nil); err != nil || a.StatusCode != 200 {
			t.Errorf("answered %v, %v; want 200", a, err)
		}
		write(t, next, raw("POST", "/", nil, "x"))
		a, err := http.ReadResponse(bufio.NewReader(next), nil)
		if took := time.Since(begin); err != nil || a.StatusCode != 200 || took != time.Second {
			t.Errorf("answered %v, %v after %v; want 200 after 1s", a, err, took)
		}
	}, 1)
}

func TestConnectionsAreFewerWhereFilesAre(t *testing.T) {
	for _, test := range []struct {
		files   int
		forward bool
		want    int
	}{{math.MaxInt32, false, 1024}, {math.MaxInt32, true, 1024}, {1024, false, 960}, {1024, true, 832}, {256, true, 64}, {64, false, 16}, {3, false, 1}} {
		if got := connectionsFor(test.files, test.forward); got != test.want {
			t.Errorf("%d files, forwarding %v: %d connections, want %d", test.files, test.forward, got, test.want)
		}
	}
}

func TestRequestBeyond128IsAnswered503(t *testing.T) {
	var seen []Request
	r := &Receiver{Script: script(t, "200:delay=1s"), Seen: func(q Request) { seen = append(seen, q) }}
	bubble(t, r, func(t *testing.T, l *pipeListener, _ func() time.Duration) {
		var conns []net.Conn
		for range mostAtOnce + 1 {
			c := l.dial()
			defer c.Close()
			write(t, c, raw("POST", "/", nil, "x"))
			synctest.Wait()
			conns = append(conns, c)
		}
		for i, c := range slices.Backward(conns) {
			a, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				t.Fatal(err)
			}
			want := 200
			if i == mostAtOnce {
				want = 503
			}
			if after := a.Header.Get("Retry-After"); a.StatusCode != want || (after == "1") != (want == 503) {
				t.Errorf("request %d was answered %d, Retry-After %q; want %d", i+1, a.StatusCode, after, want)
			}
		}
	})
	if got := limitedOf(seen[0]); got != (limited{"POST", "/", Answer{503, ByLimit}, "", false, "", ""}) {
		t.Errorf("seen first: %+v", got)
	}
	if r.atOnce.Load() != 0 || r.bodies.held.Load() != 0 {
		t.Errorf("%d requests and %d bytes are still counted", r.atOnce.Load(), r.bodies.held.Load())
	}
}

func TestASenderInThisProcessIsAnsweredAsTold(t *testing.T) {
	const n = 2 * mostAtOnce
	r := &Receiver{Script: script(t, "200:delay=1s"), AtOnce: n}
	r.bodies.held.Store(mostBodies + forSmall)
	large := []sign.Header{{Name: "X-Large", Value: strings.Repeat("x", maxHead)}}
	bubble(t, r, func(t *testing.T, l *pipeListener, _ func() time.Duration) {
		var conns []net.Conn
		for range n {
			c := l.dial()
			defer c.Close()
			write(t, c, raw("POST", "/", large, "x"))
			conns = append(conns, c)
		}
		for i, c := range conns {
			if a, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || a.StatusCode != 200 {
				t.Fatalf("request %d was answered %v, %v; want 200", i+1, a, err)
			}
		}
	})
}

func TestASenderInThisProcessWaitsForRoom(t *testing.T) {
	bubble(t, &Receiver{AtOnce: 2}, func(t *testing.T, l *pipeListener, _ func() time.Duration) {
		first, second, third := l.dial(), l.dial(), l.dial()
		defer second.Close()
		defer third.Close()
		for i, c := range []net.Conn{first, second, third} {
			if gone(c) {
				t.Errorf("connection %d was closed to make room", i+1)
			}
			_ = c.SetReadDeadline(time.Time{})
		}
		first.Close()
		write(t, third, raw("POST", "/", nil, "x"))
		if a, err := http.ReadResponse(bufio.NewReader(third), nil); err != nil || a.StatusCode != 200 {
			t.Errorf("answered %v, %v; want 200", a, err)
		}
	})
}

func TestBodiesBeyondTheMemoryAreAnswered503(t *testing.T) {
	for _, test := range []struct {
		name   string
		held   int64
		length int
		want   int
	}{
		{"a large one", mostBodies - 100_000, 200_000, 503},
		{"a large one that fits", mostBodies - 200_000, 200_000, 200},
		{"a small one: room is kept for it", mostBodies, smallBody, 200},
		{"a small one too many", mostBodies + forSmall, 1, 503},
	} {
		r := &Receiver{}
		s := serve(t, r)
		r.bodies.held.Store(test.held)
		if a := s.send(raw("POST", "/", nil, strings.Repeat("x", test.length))); a.StatusCode != test.want {
			t.Errorf("%s: answered %d, want %d", test.name, a.StatusCode, test.want)
		}
		s.next()
		s.stop()
		if held := r.bodies.held.Load(); held != test.held {
			t.Errorf("%s: %d bytes held, want %d", test.name, held, test.held)
		}
	}
}

func TestLargeHeadsAreFewAtATime(t *testing.T) {
	bubble(t, &Receiver{}, func(t *testing.T, l *pipeListener, _ func() time.Duration) {
		const each = 60 << 10
		closed := 0
		for range mostHeads/each + 20 {
			c := l.dial()
			defer c.Close()
			write(t, c, "POST / HTTP/1.1\r\nX: ")
			if _, err := io.WriteString(c, strings.Repeat("x", each)); err != nil {
				closed++
			}
		}
		if closed == 0 || closed > 20 {
			t.Errorf("%d connections were closed, want a few", closed)
		}
		c := l.dial()
		defer c.Close()
		write(t, c, raw("POST", "/", nil, "x"))
		if a, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || a.StatusCode != 200 {
			t.Errorf("a small request was answered %v, %v; want 200", a, err)
		}
	})
}

func TestMemoryUsedAgainIsNobodyElses(t *testing.T) {
	p := profile(t, "kudos")
	var wrong atomic.Int32
	r := &Receiver{
		Profiles: []*profiles.Profile{p}, Verify: true, Keys: keys("s"), Brief: true,
		Explain: func(explain.Input) *explain.Explanation { return nil },
		Seen: func(q Request) {
			if !q.Result.Verified || !strings.HasPrefix(string(q.Body), `{"event_id":"`+q.Event.ID+`"`) || q.Seen == Conflict {
				wrong.Add(1)
			}
		},
		Now: func() time.Time { return signedAt },
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- (&Server{Receiver: r}).Serve(ctx, l) }()
	clients := make(chan error)
	for n := range 8 {
		id := fmt.Sprintf("evt_%d", n)
		body := `{"event_id":"` + id + `","text":"` + strings.Repeat("x", n*n*500) + `"}`
		request := raw("POST", "/", signed(t, p, sign.Values{ID: id, Type: "t"}, body, "s"), body)
		go func() { clients <- talk(l.Addr().String(), strings.Repeat(request, 50)) }()
	}
	for range 8 {
		if err := <-clients; err != nil {
			t.Error(err)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if wrong.Load() > 0 {
		t.Errorf("%d requests had the body of another", wrong.Load())
	}
	if held := r.bodies.held.Load(); held > mostRecentBytes {
		t.Errorf("%d bytes are still held", held)
	}
}

// talk writes to a new connection and reads until the other side has answered
// all.
func talk(address, text string) error {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer c.Close()
	go func() {
		_, _ = io.WriteString(c, text)
		_ = c.(*net.TCPConn).CloseWrite()
	}()
	_, err = io.Copy(io.Discard, c)
	return err
}
