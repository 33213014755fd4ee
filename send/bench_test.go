package send

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/hookctl/hookctl/sign"
)

// BenchmarkAttempt is what an attempt costs, beside a bare RoundTrip on a new
// connection: no more than 50 microseconds on top.
func BenchmarkAttempt(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body) }))
	defer server.Close()
	body := bytes.Repeat([]byte("x"), 1024)
	b.Run("attempt", func(b *testing.B) {
		p := builtin(b, "kudos")
		s := &Sender{Profile: p, URL: server.URL, Keys: []*sign.Key{sign.DevelopmentKey(p)}}
		b.ReportAllocs()
		for b.Loop() {
			seq, _ := s.Deliver(context.Background(), Message{ID: "evt_1", Type: "a", Body: body})
			for a := range seq {
				if a.Response == nil {
					b.Fatal(a.Failure)
				}
			}
		}
	})
	b.Run("bare", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			transport := &http.Transport{DialContext: (&net.Dialer{}).DialContext}
			request, err := http.NewRequest("POST", server.URL, bytes.NewReader(body))
			if err != nil {
				b.Fatal(err)
			}
			response, err := transport.RoundTrip(request)
			if err != nil {
				b.Fatal(err)
			}
			io.Copy(io.Discard, response.Body)
			response.Body.Close()
			transport.CloseIdleConnections()
		}
	})
}

// BenchmarkPlan is what a whole delivery takes without a network: six attempts.
func BenchmarkPlan(b *testing.B) {
	p, dead := builtin(b, "kudos"), script(b, "503")
	b.ReportAllocs()
	for k := 0; b.Loop(); k++ {
		if attempts, _ := Plan(p, dead, Seeded(p, 1, k)); len(attempts) != 6 {
			b.Fatal(len(attempts))
		}
	}
}
