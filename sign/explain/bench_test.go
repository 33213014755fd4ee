package explain_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

// largeEvent is a JSON event of about size bytes with text, numbers and names of
// every sort.
func largeEvent(size int) []byte {
	var b strings.Builder
	b.WriteString(`{"event_id":"evt_5d2f9b6ac1e04b7f","event_type":"payment.succeeded","data":{"lines":[`)
	for i := 0; b.Len() < size-200; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"sku":"A-%d","amount":%d,"currency":"EUR","name":"Caf\u00e9 & <b>","url":"https://a.example/%d","rate":%d.5}`, i, 1200+i, i, i)
	}
	b.WriteString(`],"note":"a note","total":1200}}`)
	return []byte(b.String())
}

func mac(key, text string) string {
	h := hmac.New(sha256.New, []byte(key))
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

const (
	theSecret = "hookctl-bench-secret-0123456789"
	theTime   = "1760000000"
)

// stamped is a request of a profile with t and v1.
func stamped(tb testing.TB, body []byte, digest string) explain.Input {
	return explain.Input{
		Profile: builtin(tb, "kudos"), Now: time.Unix(1760000010, 0), Secrets: []explain.Secret{{Text: theSecret}},
		Received: sign.Received{Body: body, Header: []sign.Header{
			{Name: "Host", Value: "localhost:4665"}, {Name: "Content-Type", Value: "application/json"},
			{Name: "X-Kudos-Signature", Value: "t=" + theTime + ",v1=" + digest},
		}},
	}
}

func BenchmarkNothingToFind(b *testing.B) {
	for _, size := range []int{512, 4 << 10, 64 << 10, 1 << 20, 4 << 20} {
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			in := stamped(b, largeEvent(size), mac("another", "text"))
			b.ReportAllocs()
			for b.Loop() {
				if e := explain.Explain(in); e == nil || e.Certainty == explain.Proven {
					b.Fatal(e)
				}
			}
		})
	}
}

// BenchmarkNothingToFindInTheWorstEvent has what makes the search long: names
// and numbers to permute, a rounded number, two secrets, an address.
func BenchmarkNothingToFindInTheWorstEvent(b *testing.B) {
	body := []byte(`{"a":1,"b":2,"c":3,"d":{"e":4,"f":5,"g":6,"h":7,"i":8},"j":9007199254740994000,"k":"` + strings.Repeat("caf\u00e9 & <b> ", 250) + `"}`)
	in := stamped(b, body, mac("another", "text"))
	in.Secrets = []explain.Secret{{Text: "whsec_aG9va2N0bCBkZW1vIHNpZ25pbmcga2V5IDAwMDAwMQ=="}, {Text: "a b&c=d#e$f;0123456789'\""}}
	in.Received.URL = "https://app.example:8443/hooks/?a=b"
	b.ReportAllocs()
	for b.Loop() {
		if e := explain.Explain(in); e == nil || e.Certainty == explain.Proven {
			b.Fatal(e)
		}
	}
}

// BenchmarkNothingToFindInEveryOrder has as many orders of its names as are
// tried, in each of the usual ways to write JSON.
func BenchmarkNothingToFindInEveryOrder(b *testing.B) {
	body := []byte(`{"a": 1, "b": 2, "c": 3, "d": {"e": 4, "f": 5}, "k": "` + strings.Repeat("caf\u00e9 / <b> \\u00e9 ", 165) + `"}`)
	in := stamped(b, body, mac("another", "text"))
	b.ReportAllocs()
	for b.Loop() {
		if e := explain.Explain(in); e == nil || e.Certainty == explain.Proven {
			b.Fatal(e)
		}
	}
}

func BenchmarkFaultOfTheFirstSteps(b *testing.B) {
	body := largeEvent(4 << 10)
	digest := mac(theSecret, theTime+"."+string(body))
	for _, c := range []struct {
		kind   explain.Kind
		secret string
		digest string
	}{
		{"signature_case", theSecret, strings.ToUpper(digest)},
		{"secret_whitespace_verifier", theSecret + "\n", digest},
		{"sender_placeholder_secret", theSecret, mac("placeholder", theTime+"."+string(body))},
	} {
		b.Run(string(c.kind), func(b *testing.B) {
			in := stamped(b, body, c.digest)
			in.Secrets[0].Text = c.secret
			b.ReportAllocs()
			for b.Loop() {
				if e := explain.Explain(in); e == nil || e.Kind != c.kind {
					b.Fatal(e)
				}
			}
		})
	}
}
