package listen

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

// An endless connection gives the same request n times, and drops what is
// written: what is left is the work of the server.
type endless struct {
	net.Conn // a real one, for its deadlines: nothing passes over it
	request  []byte
	rest     []byte
	n        int
	done     chan struct{}
	once     sync.Once
}

func (c *endless) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		if c.n == 0 {
			return 0, io.EOF
		}
		c.n--
		c.rest = c.request
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

func (c *endless) Write(p []byte) (int, error) { return len(p), nil }
func (c *endless) Close() error                { c.once.Do(func() { close(c.done) }); return nil }

// bareHandler reads the body into a pooled buffer and verifies it with a pooled
// HMAC: what a receiver cannot do without.
func bareHandler(secret string) http.Handler {
	bodies := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	hashes := sync.Pool{New: func() any { return hmac.New(sha256.New, []byte(secret)) }}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body := bodies.Get().(*bytes.Buffer)
		defer bodies.Put(body)
		body.Reset()
		_, err := body.ReadFrom(req.Body)
		h := hashes.Get().(hash.Hash)
		defer hashes.Put(h)
		h.Reset()
		t, digest, _ := strings.Cut(strings.TrimPrefix(req.Header.Get("X-Kudos-Signature"), "t="), ",v1=")
		_, _ = io.WriteString(h, t+".")
		h.Write(body.Bytes())
		var sum [sha256.Size]byte
		if got, bad := hex.DecodeString(digest); err != nil || bad != nil || !hmac.Equal(h.Sum(sum[:0]), got) {
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
}

// BenchmarkServe compares a Receiver that verifies with a bare handler that does,
// on one connection that is always ready.
func BenchmarkServe(b *testing.B) {
	p := profile(b, "kudos")
	ks := []*sign.Key{key(b, p, "s")}
	receiver := func(brief bool, forward *Forward) func(context.Context, net.Listener) error {
		return func(ctx context.Context, l net.Listener) error {
			return (&Server{Receiver: &Receiver{
				Profiles: []*profiles.Profile{p}, Verify: true, Seen: func(Request) {}, Now: func() time.Time { return signedAt },
				Keys:  func(*profiles.Profile) ([]*sign.Key, error) { return ks, nil },
				Brief: brief, Forward: forward, Explain: func(explain.Input) *explain.Explanation { return nil },
			}}).Serve(ctx, l)
		}
	}
	bare := func(ctx context.Context, l net.Listener) error {
		h := &http.Server{Handler: bareHandler("s")}
		go func() { <-ctx.Done(); _ = h.Close() }()
		return h.Serve(l)
	}
	for _, kind := range []struct {
		name  string
		serve func(context.Context, net.Listener) error
		size  int
	}{
		{"1KiB/bare", bare, 1 << 10},
		{"1KiB/brief", receiver(true, nil), 1 << 10},
		{"1KiB/whole", receiver(false, nil), 1 << 10},
		{"512KiB/bare", bare, 512 << 10},
		{"512KiB/brief", receiver(true, nil), 512 << 10},
	} {
		b.Run(kind.name, func(b *testing.B) {
			body := `{"event_id":"evt_1","event_type":"payment.succeeded","data":"` + strings.Repeat("x", kind.size-63) + `"}`
			header := []sign.Header{{Name: "User-Agent", Value: "Bench/1"}, {Name: "Content-Type", Value: "application/json"}}
			header = append(header, signed(b, p, sign.Values{ID: "evt_1", Type: "payment.succeeded"}, body, "s")...)
			c := &endless{request: []byte(raw("POST", "/hooks", header, body)), n: b.N, done: make(chan struct{})}
			there, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				b.Fatal(err)
			}
			defer there.Close()
			if c.Conn, err = net.Dial("tcp", there.Addr().String()); err != nil {
				b.Fatal(err)
			}
			defer c.Conn.Close()
			l := newPipeListener()
			ctx, cancel := context.WithCancel(b.Context())
			done := make(chan error, 1)
			go func() { done <- kind.serve(ctx, l) }()
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			b.ResetTimer()
			l.conns <- c
			<-c.done
			b.StopTimer()
			cancel()
			<-done
		})
	}
}
