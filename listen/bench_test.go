package listen

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// BenchmarkServe compares a Receiver that verifies with a bare handler that
// reads the body, each on a server of its own.
func BenchmarkServe(b *testing.B) {
	p := profile(b, "kudos")
	ks := []*sign.Key{key(b, p, "s")}
	serveReceiver := func(ctx context.Context, l net.Listener) error {
		return (&Server{Receiver: &Receiver{
			Profiles: []*profiles.Profile{p}, Verify: true, Seen: func(Request) {}, Now: func() time.Time { return signedAt },
			Keys: func(*profiles.Profile) ([]*sign.Key, error) { return ks, nil },
		}}).Serve(ctx, l)
	}
	serveBare := func(ctx context.Context, l net.Listener) error {
		h := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
			_, _ = io.Copy(io.Discard, req.Body)
		})}
		go func() { <-ctx.Done(); _ = h.Close() }()
		return h.Serve(l)
	}
	body := `{"event_id":"evt_1","event_type":"payment.succeeded","data":"` + strings.Repeat("x", 1000) + `"}`
	for _, kind := range []struct {
		name  string
		serve func(context.Context, net.Listener) error
	}{{"receiver", serveReceiver}, {"bare", serveBare}} {
		b.Run(kind.name, func(b *testing.B) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				b.Fatal(err)
			}
			ctx, cancel := context.WithCancel(b.Context())
			done := make(chan error, 1)
			go func() { done <- kind.serve(ctx, l) }()
			request := []byte(raw("POST", "/hooks", signed(b, p, sign.Values{ID: "evt_1", Type: "payment.succeeded"}, body, "s"), body))
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				c, err := net.Dial("tcp", l.Addr().String())
				if err != nil {
					b.Error(err)
					return
				}
				defer c.Close()
				buf := make([]byte, 4<<10)
				for pb.Next() {
					if _, err := c.Write(request); err != nil {
						b.Error(err)
						return
					}
					if _, err := c.Read(buf); err != nil {
						b.Error(err)
						return
					}
				}
			})
			cancel()
			<-done
		})
	}
}
