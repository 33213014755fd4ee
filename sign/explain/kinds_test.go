package explain_test

import (
	"bytes"
	"compress/gzip"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

const (
	k    = "hookctl-demo-key-41d7f0"
	at   = "1759999988"
	now  = 1760000000
	body = `{"id":"evt_41","type":"invoice.paid","amount":1250}`
	word = "whsec_aG9va2N0bCBkZW1vIHNpZ25pbmcga2V5IDAwMDAwMQ=="
)

// A made is a request with a known fault.
type made struct {
	kind      explain.Kind
	fact      string
	certainty explain.Certainty // "": proven
	profile   string            // "": the one with t and v1
	secret    string            // "": k
	key       string            // that signs; "": the secret
	content   string            // that is signed; "": time, dot and body
	body      string            // received; "": body
	value     string            // of the signature header, {s} the hex digest; "": t={at},v1={s}
	sum       func(key, content string) string
	change    func(in *explain.Input, digest string)
}

const plainOne = "kustomer"

func (m made) input(t *testing.T) explain.Input {
	t.Helper()
	name := m.profile
	if name == "" {
		name = "kudos"
	}
	p := builtin(t, name)
	header := sign.SignatureHeader(p).Name
	if m.secret == "" {
		m.secret = k
	}
	if m.key == "" {
		m.key = m.secret
	}
	if m.key == "-" {
		m.key = ""
	}
	if m.body == "" {
		m.body = body
	}
	if m.content == "" {
		m.content = m.body
		if name != plainOne {
			m.content = at + "." + m.body
		}
	}
	if m.sum == nil {
		m.sum = mac
	}
	if m.value == "" {
		m.value = "{s}"
		if name != plainOne {
			m.value = "t=" + at + ",v1={s}"
		}
	}
	digest := m.sum(m.key, m.content)
	in := explain.Input{
		Profile: p, Now: time.Unix(now, 0), Secrets: []explain.Secret{{Text: m.secret}},
		Received: sign.Received{Body: []byte(m.body), Header: []sign.Header{
			{Name: "Content-Type", Value: "application/json"},
			{Name: header, Value: strings.ReplaceAll(m.value, "{s}", digest)},
		}},
	}
	if m.change != nil {
		m.change(&in, digest)
	}
	return in
}

func macOf(f func() hash.Hash) func(key, content string) string {
	return func(key, content string) string {
		h := hmac.New(f, []byte(key))
		h.Write([]byte(content))
		return hex.EncodeToString(h.Sum(nil))
	}
}

func sumOf(key, content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

func raw(text string) string {
	b, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func in64(digest string) string { return base64.StdEncoding.EncodeToString([]byte(raw(digest))) }

func macs(f func(digest string) string) func(key, content string) string {
	return func(key, content string) string { return f(mac(key, content)) }
}

func header(name, value string) func(in *explain.Input, digest string) {
	return func(in *explain.Input, digest string) {
		in.Received.Header = append(in.Received.Header, sign.Header{Name: name, Value: strings.ReplaceAll(value, "{s}", digest)})
	}
}

// inHeader puts the request's whole signature header under another name.
func inHeader(name string) func(in *explain.Input, digest string) {
	return func(in *explain.Input, digest string) { in.Received.Header[1].Name = name }
}

func named(role, text string) func(in *explain.Input, digest string) {
	return func(in *explain.Input, digest string) { in.Try = []explain.Secret{{Name: role, Text: text}} }
}

func zipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return b.String()
}

func allMade() []made {
	var all []made
	for _, list := range [...][]made{headerKinds(), secretKinds(), constructionKinds(), bodyKinds()} {
		all = append(all, list...)
	}
	return all
}

func TestEveryFaultIsExplained(t *testing.T) {
	for _, m := range allMade() {
		t.Run(string(m.kind)+"/"+m.fact, func(t *testing.T) {
			if m.certainty == "" {
				m.certainty = explain.Proven
			}
			e := explain.Explain(m.input(t))
			if e == nil {
				t.Fatal("not explained")
			}
			if e.Kind != m.kind || e.Certainty != m.certainty {
				t.Errorf("%s, %s %v; want %s, %s: %s", e.Kind, e.Certainty, e.Faults, m.kind, m.certainty, e.Summary)
			}
			if want := 1 + strings.Count(string(e.Kind), "two_faults"); len(e.Faults) != want {
				t.Errorf("%d faults, want %d", len(e.Faults), want)
			}
			for _, text := range []string{e.Summary, e.Fix} {
				if text == "" || strings.Contains(text, "{it}") || strings.Contains(text, "{detail}") {
					t.Errorf("a text is not whole: %q", text)
				}
				for _, secret := range []string{k, word, word[6:], "some-unrelated-key", "sk_live"} {
					if strings.Contains(text, secret) {
						t.Errorf("a text shows a secret: %q", text)
					}
				}
			}
			t.Log(e.Summary, "|", e.Fix)
		})
	}
}

func TestEveryKindHasACase(t *testing.T) {
	have := map[explain.Kind]bool{"ok": true} // its explanation is nil
	for _, m := range allMade() {
		have[m.kind] = true
	}
	for _, kind := range explain.Kinds() {
		if !have[kind] {
			t.Errorf("no case for %s", kind)
		}
	}
	if n := len(explain.Kinds()); n != 97 {
		t.Errorf("%d kinds, want 97", n)
	}
}
