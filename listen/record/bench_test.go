package record

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// BenchmarkRequest records requests of 1 KiB, from one goroutine and from many.
func BenchmarkRequest(b *testing.B) {
	event := sign.Event{ID: "evt_095a88bfd44109d2", Type: "payment.succeeded"}
	q := listen.Request{
		Number: 12345, At: at, Remote: "127.0.0.1:51000", Method: "POST", Target: "/hooks", Proto: "HTTP/1.1",
		Header: []sign.Header{{Name: "Host", Value: "localhost:4665"}, {Name: "User-Agent", Value: "hookctl/dev"}, {Name: "Content-Length", Value: "1024"},
			{Name: "Content-Type", Value: "application/json"}, {Name: "X-Event-Id", Value: event.ID},
			{Name: "X-Signature", Value: "t=1767348183,v1=bd1c99b844529ea3c53f6c1091433a1176e0dd820f17ba3bf2892a0cabe85525"}},
		Body: bytes.Repeat([]byte("x"), 1024), BodyRead: true, Profile: &profiles.Profile{Name: "p"}, Event: event,
		Result: &sign.Result{Verified: true, Secret: 1, Time: at.Add(-time.Second), Age: time.Second, Event: event},
		Seen:   listen.New, Answer: listen.Answer{Status: 200, By: listen.ByDefault}, Took: 123456,
	}
	b.Run("one", func(b *testing.B) {
		w := open(b, filepath.Join(b.TempDir(), "r"), false)
		b.ReportAllocs()
		for b.Loop() {
			if err := w.Request(q); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("many", func(b *testing.B) {
		w := open(b, filepath.Join(b.TempDir(), "r"), false)
		b.ReportAllocs()
		b.SetParallelism(32)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if err := w.Request(q); err != nil {
					b.Error(err)
					return
				}
			}
		})
	})
	b.Run("line alone", func(b *testing.B) {
		var line []byte
		b.ReportAllocs()
		for b.Loop() {
			line, _ = q.AppendJSON(line[:0])
		}
	})
}
