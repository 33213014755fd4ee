package sign_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/sign"
)

// oneKiB is an event of 1,024 bytes with many short members.
func oneKiB() []byte {
	var b strings.Builder
	b.WriteString(`{"event_id":"evt_5d2f9b6ac1e04b7f","event_type":"payment.succeeded","data":{"lines":[`)
	for b.Len() < 900 {
		b.WriteString(`{"sku":"A-17","amount":1200,"currency":"EUR"},`)
	}
	b.WriteString(`{}],"note":"`)
	for b.Len() < 1021 {
		b.WriteByte('x')
	}
	b.WriteString(`"}}`)
	return []byte(b.String())
}

// received is the body as a sender of the timed scheme sends it, among the
// headers that every request has.
func received(tb testing.TB, body []byte, now time.Time, keys ...*sign.Key) sign.Received {
	tb.Helper()
	p := timed()
	v := sign.Values{ID: "evt_5d2f9b6ac1e04b7f", Type: "payment.succeeded", Time: now}
	signatures, err := sign.Signatures(p, v, bytes.NewReader(body), keys...)
	if err != nil {
		tb.Fatal(err)
	}
	lines, err := sign.Headers(p, v, signatures)
	if err != nil {
		tb.Fatal(err)
	}
	h := []sign.Header{{Name: "Host", Value: "localhost:4665"}, {Name: "User-Agent", Value: "hookctl/0.1.0"}, {Name: "Content-Length", Value: "1024"}}
	return sign.Received{Header: append(h, lines...), Body: body}
}

var benchTime = time.Unix(1700000000, 0)

const benchSecret = "hookctl-bench-secret-0123456789"

func BenchmarkBareHMAC1KiB(b *testing.B) {
	h := hmac.New(sha256.New, []byte(benchSecret))
	body, sum := oneKiB(), make([]byte, 0, 32)
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		h.Reset()
		h.Write(body)
		sum = h.Sum(sum[:0])
	}
}

func BenchmarkSignature1KiB(b *testing.B) {
	p := timed()
	key, body, dst := mustKey(b, p, benchSecret), oneKiB(), make([]byte, 0, 64)
	v := sign.Values{Time: benchTime}
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		var err error
		if dst, err = key.AppendSignature(dst[:0], p, v, body); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSignatures(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"1KiB", 1 << 10}, {"1MiB", 1 << 20}, {"16MiB", 16 << 20}} {
		body := bytes.Repeat([]byte("x"), size.bytes)
		for _, from := range []string{"memory", "stream"} {
			b.Run(size.name+"/"+from, func(b *testing.B) {
				p := timed()
				key := mustKey(b, p, benchSecret)
				b.ReportAllocs()
				b.SetBytes(int64(len(body)))
				for b.Loop() {
					var r io.Reader = bytes.NewReader(body)
					if from == "stream" {
						r = struct{ io.Reader }{r}
					}
					if _, err := sign.Signatures(p, sign.Values{Time: benchTime}, r, key); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkVerify1KiB(b *testing.B) {
	p := timed()
	key := mustKey(b, p, benchSecret)
	r := received(b, oneKiB(), benchTime, key)
	b.ReportAllocs()
	b.SetBytes(int64(len(r.Body)))
	for b.Loop() {
		if res := sign.Verify(p, r, benchTime, key); !res.Verified {
			b.Fatal(res.Reason)
		}
	}
}

func BenchmarkReadEvent1KiB(b *testing.B) {
	p := timed()
	r := received(b, oneKiB(), benchTime, mustKey(b, p, benchSecret))
	b.ReportAllocs()
	for b.Loop() {
		sign.ReadEvent(p, r)
	}
}
