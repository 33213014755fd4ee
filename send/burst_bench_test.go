package send

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// BenchmarkBurst is what an event of a burst costs, 32 at a time over
// connections that are kept.
func BenchmarkBurst(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body) }))
	defer server.Close()
	b.ReportAllocs()
	burst := &Burst{Sender: sender(b, "kudos", server.URL), Messages: events(b.N), Events: b.N, Concurrency: 32, KeepAlive: true}
	b.ResetTimer()
	if s, err := burst.Run(b.Context()); err != nil || s.Delivered != b.N {
		b.Fatal(err, counts(s))
	}
}
