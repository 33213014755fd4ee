package send

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/hookctl/hookctl/sign"
)

// sender sends under a copy of a built-in profile with the development secret.
func sender(t testing.TB, name, url string) *Sender {
	t.Helper()
	copied := *builtin(t, name)
	p := &copied
	return &Sender{Profile: p, URL: url, Keys: []*sign.Key{sign.DevelopmentKey(p)}, UserAgent: "hookctl/test", Seed: 7}
}

// payment is a message for tests.
func payment() Message {
	return Message{ID: "evt_1", Type: "payment.succeeded", Body: []byte(`{"event_id":"evt_1","event_type":"payment.succeeded"}`)}
}

// first is the first attempt of a delivery, and how it would have ended if
// nothing had followed.
func first(t *testing.T, s *Sender) (Attempt, Ending) {
	t.Helper()
	seq, end := s.Deliver(context.Background(), payment())
	for a := range seq {
		return a, end()
	}
	t.Fatalf("no attempt: %+v", end())
	return Attempt{}, Ending{}
}

// all are the attempts of a delivery, and its ending.
func all(ctx context.Context, s *Sender) ([]Attempt, Ending) {
	var list []Attempt
	seq, end := s.Deliver(ctx, payment())
	for a := range seq {
		list = append(list, a)
	}
	return list, end()
}

// serve gives each connection to a loopback port to handle, one goroutine each,
// and returns the address. The connection is closed when handle returns.
func serve(t *testing.T, handle func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer c.Close()
				handle(c)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		wg.Wait()
	})
	return l.Addr().String()
}

// takeRequest reads a request whole.
func takeRequest(c net.Conn) {
	r, err := http.ReadRequest(bufio.NewReader(c))
	if err == nil {
		io.Copy(io.Discard, r.Body)
	}
}

// untilGone reads until the other side is gone.
func untilGone(c net.Conn) { io.Copy(io.Discard, c) }

// says answers a request with that text.
func says(text string) func(net.Conn) {
	return func(c net.Conn) {
		takeRequest(c)
		io.WriteString(c, text)
	}
}

// A pipes is a listener whose connections are pipes, for bubbles of synctest.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipes() *pipes {
	return &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// Dial is a Sender.Dial.
func (p *pipes) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// A heard is a request as a handler got it.
type heard struct {
	at     time.Time
	header http.Header
	body   string
}

// listenOnPipes serves handle on pipes until the test ends, and keeps what was
// heard. To be called in a bubble; stop must be called before it ends.
func listenOnPipes(s *Sender, handle http.HandlerFunc) (list *[]heard, stop func()) {
	p := newPipes()
	list = new([]heard)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*list = append(*list, heard{time.Now(), r.Header, string(body)})
		handle(w, r)
	})}
	go server.Serve(p)
	s.Dial = p.Dial
	return list, func() { server.Close() }
}
