package explain_test

import (
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

// notTheBody reports whether the signed text of a fault is not the received
// body, so that the body's letters do not matter to it.
func notTheBody(faults []explain.Kind) bool {
	for _, kind := range faults {
		switch kind {
		case "signature_from_other_delivery", "empty_body_signed", "placeholder_body_signed":
			return true
		}
	}
	return false
}

// anotherLetter changes one letter inside the last JSON string that has one, or
// one letter of another text.
func anotherLetter(t *testing.T, body []byte) []byte {
	t.Helper()
	changed := append([]byte{}, body...)
	for i := len(changed) - 1; i >= 0; i-- {
		if c := changed[i]; c >= 'g' && c <= 'm' || c == 'o' || c >= 'x' && c <= 'z' && (i == 0 || changed[i-1] != '\\') {
			if i > 0 && changed[i-1] == '%' {
				continue
			}
			changed[i] = 'q'
			return changed
		}
	}
	return nil
}

// everyCase is every proven request of this package's tests; in a short run, each
// fourth of those that are made.
func everyCase(t *testing.T) map[string]explain.Input {
	all := map[string]explain.Input{}
	for _, w := range workedCases(t) {
		if w.Certainty == explain.Proven && w.Kind != "ok" {
			all[w.ID] = w.input(t)
		}
	}
	for i, m := range allMade() {
		if m.certainty == "" && (i%4 == 0 || !testing.Short()) {
			all[string(m.kind)+"/"+m.fact] = m.input(t)
		}
	}
	return all
}

func TestNothingIsProvenForAnotherBody(t *testing.T) {
	n := 0
	for name, in := range everyCase(t) {
		t.Run(name, func(t *testing.T) {
			before := explain.Explain(in)
			if before == nil || before.Certainty != explain.Proven {
				t.Fatalf("not proven: %+v", before)
			}
			changed := anotherLetter(t, in.Received.Body)
			if changed == nil || notTheBody(before.Faults) {
				return
			}
			n++
			in.Received.Body = changed
			if after := explain.Explain(in); after == nil || after.Certainty == explain.Proven {
				t.Errorf("still proven with another letter: %+v", after)
			}
		})
	}
	if n < 100 && !testing.Short() {
		t.Errorf("only %d bodies were changed", n)
	}
}

func TestNothingIsProvenForAnotherDigest(t *testing.T) {
	for name, in := range everyCase(t) {
		t.Run(name, func(t *testing.T) {
			header := append([]sign.Header{}, in.Received.Header...)
			in.Received.Header = header
			n := 0
			for i, h := range header {
				// The last digit of the longest run is one of a digest.
				if at := lastDigit(h.Value); at >= 0 {
					c := byte('3')
					if h.Value[at] == c {
						c = '4'
					}
					header[i].Value = h.Value[:at] + string(c) + h.Value[at+1:]
					n++
				}
			}
			if n == 0 {
				t.Fatal("no digest in the headers")
			}
			if after := explain.Explain(in); after == nil || after.Certainty == explain.Proven {
				t.Errorf("still proven with another digit: %+v", after)
			}
		})
	}
}

// lastDigit is a place inside the last digest of a header; -1 if there is none.
func lastDigit(value string) int {
	end := len(strings.TrimRight(value, `=" `))
	start := end
	for start > 0 && strings.IndexByte("=,: \"\t", value[start-1]) < 0 {
		start--
	}
	if end-start < 16 {
		if i := strings.Index(value, "v1="); i >= 0 && len(value) > i+20 {
			return i + 10
		}
		return -1
	}
	return start + 4
}

func TestRandomSignaturesAreNotExplained(t *testing.T) {
	tries := 1000
	if testing.Short() {
		tries = 100
	}
	r := rand.New(rand.NewPCG(1, 2))
	p, plain := builtin(t, "kudos"), builtin(t, "kustomer")
	for i := range tries {
		size := r.IntN(150)
		body := make([]byte, size)
		for j := range body {
			body[j] = byte(r.Uint32())
		}
		if i%2 == 0 {
			body = []byte(`{"id":"` + hex.EncodeToString(body) + `","n":` + theTime + `}`)
		}
		digest := make([]byte, 32)
		for j := range digest {
			digest[j] = byte(r.Uint32())
		}
		in := explain.Input{
			Profile: p, Now: time.Unix(1760000010, 0), Secrets: []explain.Secret{{Text: theSecret}},
			Received: sign.Received{Body: body, Header: []sign.Header{{Name: "X-Kudos-Signature", Value: "t=" + theTime + ",v1=" + hex.EncodeToString(digest)}}},
		}
		if i%3 == 0 {
			in.Profile = plain
			in.Received.Header = []sign.Header{{Name: "X-Kustomer-Webhook-Signature", Value: hex.EncodeToString(digest)}}
		}
		if e := explain.Explain(in); e == nil || e.Kind != "no_candidate_matched" || e.Certainty != explain.None {
			t.Fatalf("body %x, digest %x: %+v", body, digest, e)
		}
	}
}

func TestSearchStaysWithinItsBudget(t *testing.T) {
	in := stamped(t, largeEvent(4<<10), mac("another", "text"))
	for _, budget := range []explain.Budget{{Candidates: 1}, {Candidates: 100}, {Bytes: 1}, {Bytes: 100_000}, {}} {
		in.Budget = budget
		e := explain.Explain(in)
		if e == nil || e.Kind != "no_candidate_matched" {
			t.Fatalf("%+v: %+v", budget, e)
		}
		most := budget.Candidates
		if most == 0 {
			most = 50_000
		}
		if budget.Bytes > 0 {
			most = min(most, int(budget.Bytes/4000)+60)
		}
		if e.Tried.Signatures > most {
			t.Errorf("%+v: %d signatures", budget, e.Tried.Signatures)
		}
		if cut := budget != (explain.Budget{}); e.Tried.Cut != cut {
			t.Errorf("%+v: cut is %t", budget, e.Tried.Cut)
		}
	}
}

func TestLargeBodiesAreNotRewritten(t *testing.T) {
	body := largeEvent(2 << 20)
	digest := mac(theSecret, theTime+"."+strings.Replace(string(body), ",", ", ", 1))
	e := explain.Explain(stamped(t, body, digest))
	if e == nil || e.Kind != "no_candidate_matched" || !e.Tried.Large || e.Tried.Bodies > 50 {
		t.Fatalf("%+v", e)
	}
	if !strings.Contains(e.Tried.String(), "over 1 MiB") {
		t.Errorf("not said: %s", e.Tried)
	}
	for _, c := range []struct {
		received, signed string
		want             explain.Kind
	}{
		{string(body), string(body) + "\n", "trailing_newline_removed"},
		{string(body) + "\r\n", string(body), "trailing_newline_added"},
		{string(body) + "\n", string(body) + "\r\n", "crlf_to_lf"},
		{string(body), "", "empty_body_signed"},
		{string(body), "[object Object]", "placeholder_body_signed"},
	} {
		e := explain.Explain(stamped(t, []byte(c.received), mac(theSecret, theTime+"."+c.signed)))
		if e == nil || e.Kind != c.want || e.Certainty != explain.Proven || strings.Contains(e.Summary, "{") {
			t.Errorf("%+v, want %s", e, c.want)
		}
	}
	in := stamped(t, body, mac(theSecret, theTime+"."+string(body)))
	in.Secrets[0].Text += "\n"
	if e := explain.Explain(in); e == nil || e.Kind != "secret_whitespace_verifier" {
		t.Fatalf("%+v", e)
	}
}

func FuzzExplain(f *testing.F) {
	f.Add("t=1760000000,v1=00", body, k, "https://a.example/", "abc")
	f.Add(", t=,v1= ,\"", "{\"a\":[1e400,-0,{\"a\":1,\"a\":2}]", "whsec_", "::", "")
	f.Add(strings.Repeat("a", 64), "payload=%7B%22a%22%3A1%7D", "v1,whsec_YQ==", "http://[::1]:80/?a", strings.Repeat("0", 64))
	f.Add("v1=", "\x1f\x8b\x08", "'\"#$", "", "t=1,v1=2")
	f.Add("t=1,v1="+strings.Repeat("f", 64), "{\"a\":\"\\ud83d\\u00e9\xff\"}\r\n", "\ufeff a", "x", "YQ==")
	p, plain := builtin(f, "kudos"), builtin(f, "kustomer")
	f.Fuzz(func(t *testing.T, value, text, secret, address, app string) {
		for i, profile := range []string{"", plainOne} {
			in := explain.Input{
				Profile: p, Now: time.Unix(now, 0), Secrets: []explain.Secret{{Text: secret}}, Try: []explain.Secret{{Name: value, Text: app}},
				Received: sign.Received{Body: []byte(text), URL: address, Header: []sign.Header{
					{Name: "X-Kudos-Signature", Value: value}, {Name: "X-Kustomer-Webhook-Signature", Value: value},
					{Name: "X-Timestamp", Value: app}, {Name: "Content-Length", Value: app}, {Name: "Content-Encoding", Value: address},
				}},
				Others: []sign.Received{{Body: []byte(value), Header: []sign.Header{{Name: "X-Kudos-Signature", Value: text}}}},
				Budget: explain.Budget{Candidates: 3000, Bytes: 1 << 20},
			}
			if profile != "" {
				in.Profile = plain
			}
			if i == 1 && len(app)%2 == 1 {
				in.App = app
			}
			e := explain.Explain(in)
			if e == nil {
				continue
			}
			if e.Tried.Signatures > 3000 {
				t.Fatalf("%d signatures", e.Tried.Signatures)
			}
			if e.Kind == "" || e.Certainty == "" || e.Summary == "" || len(e.Faults) == 0 || len(e.Faults) > 2 {
				t.Fatalf("not whole: %+v", e)
			}
		}
	})
}
