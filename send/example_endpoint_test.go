package send_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// A memory is a listener without a socket: what Dial makes, Accept returns.
type memory struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newMemory() *memory { return &memory{conns: make(chan net.Conn), done: make(chan struct{})} }

func (m *memory) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case m.conns <- there:
		return here, nil
	case <-m.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (m *memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.done:
		return nil, net.ErrClosed
	}
}

func (m *memory) Addr() net.Addr { return &net.UnixAddr{Name: "memory", Net: "memory"} }
func (m *memory) Close() error   { m.once.Do(func() { close(m.done) }); return nil }

// An endpoint of your own against a provider's whole schedule, in a test that
// needs no socket and no time: connections are pipes, and a Sender without Wait
// skips the waits. Inside testing/synctest, with Wait: send.RealWait, they pass
// in virtual time, and the endpoint's clock with them.
func ExampleSender_Deliver_schedule() {
	entry, err := profiles.Builtin().Get("standard-webhooks")
	if err != nil {
		fmt.Println(err)
		return
	}
	profile := entry.Profile
	key := sign.DevelopmentKey(profile)

	// The endpoint: its database comes back for the fifth attempt.
	calls, stored := 0, map[string]bool{}
	endpoint := func(w http.ResponseWriter, req *http.Request) {
		received := sign.Received{}
		received.Body, _ = io.ReadAll(req.Body)
		for name, values := range req.Header {
			received.Header = append(received.Header, sign.Header{Name: name, Value: values[0]})
		}
		result := sign.Verify(profile, received, time.Now(), key)
		switch calls++; {
		case !result.Verified:
			w.WriteHeader(http.StatusUnauthorized)
		case calls < 5:
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			stored[result.Event.ID] = true
		}
	}
	network := newMemory()
	server := &http.Server{Handler: http.HandlerFunc(endpoint)}
	go server.Serve(network)
	defer server.Close()

	message, err := send.Sample(profile, "invoice.paid", "msg_1", rand.New(rand.NewPCG(1, 2)), time.Now())
	if err != nil {
		fmt.Println(err)
		return
	}
	sender := &send.Sender{
		Profile: profile, URL: "http://192.0.2.1/hooks", Keys: []*sign.Key{key},
		NoJitter: true, Dial: network.Dial,
	}
	attempts, ending := sender.Deliver(context.Background(), message)
	for a := range attempts {
		fmt.Printf("%d  after %-7v  %s  %s\n", a.Number, a.Due.Truncate(time.Second), a.Outcome(), a.Verdict.Then)
	}
	fmt.Println(ending().State, stored)
	// Output:
	// 1  after 0s       503  retry
	// 2  after 5s       503  retry
	// 3  after 5m5s     503  retry
	// 4  after 35m5s    503  retry
	// 5  after 2h35m5s  200  delivered
	// delivered map[msg_1:true]
}
