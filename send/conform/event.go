package conform

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// An event is what a request tells.
type event struct {
	id, typ string
	body    []byte
}

// event is the event of the options with an id of its own.
func (r *run) event() event {
	r.mu.Lock()
	id := send.NewID(r.p, r.dice)
	r.mu.Unlock()
	return r.withID(id)
}

// withID is the event of the options under an id.
func (r *run) withID(id string) event {
	e := event{id: id, typ: r.o.Event.Type, body: r.o.Event.Body}
	if r.p.Event.ID != "" {
		e.body = replace(e.body, r.p.Event.ID, quote(id))
	}
	return e
}

// typed is the event under another type, in the body and in the headers.
func (r *run) typed(e event, typ string) event {
	if r.p.Event.Type != "" {
		e.body = replace(e.body, r.p.Event.Type, quote(typ))
	}
	e.typ = typ
	return e
}

// with is the event with one more member, JSON as given. The body must be an
// object.
func (e event) with(name, value string) event {
	body := bytes.TrimRight(e.body, " \t\r\n")
	body = slices.Clone(body[:len(body)-1])
	if trimmed := bytes.TrimRight(body, " \t\r\n"); !bytes.HasSuffix(trimmed, []byte("{")) {
		body = append(body, ',')
	}
	body = append(body, quote(name)+":"+value...)
	e.body = append(body, '}')
	return e
}

// extra is the name of the member that carries what a check needs.
const extra = "hookctl_check"

// replace puts JSON at a path where the body has a value; else the body stays.
func replace(body []byte, path, value string) []byte {
	f, ok := sign.Find(body, path)
	if !ok {
		return body
	}
	return slices.Concat(body[:f.Start], []byte(value), body[f.End:])
}

// quote is a text as JSON.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string is always written
	return strings.TrimSuffix(b.String(), "\n")
}

// chance is a text of random hex digits, two a byte.
func (r *run) chance(n int) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.dice.Uint32())
	}
	return hex.EncodeToString(b)
}

// A moment is when a request is signed; with a text that stands in its place.
type moment struct {
	at   time.Time
	text string
}

func now() moment { return moment{at: time.Now()} }

// value gives the placeholders of headers and signed text.
func (r *run) value(e event, m moment, signature string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		switch name {
		case "id":
			return e.id, true
		case "type":
			return e.typ, true
		case "timestamp", "timestamp_ms":
			switch {
			case m.text != "":
				return m.text, true
			case name == "timestamp":
				return strconv.FormatInt(m.at.Unix(), 10), true
			}
			return strconv.FormatInt(m.at.UnixMilli(), 10), true
		case "body":
			return string(e.body), true
		case "url":
			return r.url.String(), true
		case "attempt":
			return "1", true
		case "retry":
			return "0", true
		case "first_sent_at":
			return m.at.UTC().Format(time.RFC3339), true
		case "signature":
			return signature, true
		}
		return "", false
	}
}

// content is the signed text of an event.
func (r *run) content(e event, m moment) []byte {
	text, err := r.p.Signature.Content.Expand(r.value(e, m, ""))
	if err != nil {
		return nil // prepare has seen that every placeholder has a value
	}
	return []byte(text)
}

// sign is the signature of an event by a key of the profile's scheme.
func (r *run) sign(k *sign.Key, e event, m moment) string {
	signature, err := k.AppendSignature(nil, r.body, sign.Values{}, r.content(e, m))
	if err != nil {
		return "" // a key and a body leave nothing to fail
	}
	return string(signature)
}

// foreign is a key of any text.
func (r *run) foreign(text string) (*sign.Key, error) {
	p := *r.p
	p.Secret = profiles.Secret{Encoding: profiles.Raw}
	return sign.NewKey(&p, text)
}

// keys are those that sign in one header as the provider does: both of a
// rotation where it allows that and the receiver bears it, else the one that is
// accepted.
func (r *run) keys() []*sign.Key {
	if len(r.o.Keys) < 2 || r.p.Secret.Active < 2 || r.single {
		return []*sign.Key{r.key}
	}
	return r.o.Keys
}

// genuine is the event as the provider sends it.
func (r *run) genuine(e event) request { return r.signed(e, now(), r.keys()...) }

// signed is the event, signed by the keys at a moment.
func (r *run) signed(e event, m moment, keys ...*sign.Key) request {
	signatures := make([]string, len(keys))
	for i, k := range keys {
		signatures[i] = r.sign(k, e, m)
	}
	return r.request(e, m, signatures...)
}

// request is the event with these signatures.
func (r *run) request(e event, m moment, signatures ...string) request {
	lines := make([]sign.Header, 0, len(r.p.Headers)+4)
	if r.o.UserAgent != "" && !hasHeader(r.o.Header, "User-Agent") {
		lines = append(lines, sign.Header{Name: "User-Agent", Value: r.o.UserAgent})
	}
	for _, h := range r.p.Headers {
		template := h.Value
		if len(signatures) > 1 && template.Has("signature") {
			template = r.repeated(template, signatures)
		}
		if text, err := template.Expand(r.value(e, m, strings.Join(signatures, ""))); err == nil {
			lines = append(lines, sign.Header{Name: h.Name, Value: text})
		}
	}
	if r.basic != "" && !hasHeader(r.o.Header, "Authorization") {
		lines = append(lines, sign.Header{Name: "Authorization", Value: r.basic})
	}
	return request{header: append(lines, r.o.Header...), body: e.body, event: e, at: m}
}

// repeated is the signature header's template with its item once for each of
// the signatures, which stand in it as text.
func (r *run) repeated(t profiles.Template, signatures []string) profiles.Template {
	var items []string
	for item := range strings.SplitSeq(t.String(), r.separator()) {
		if !strings.Contains(item, "{signature}") {
			items = append(items, item)
			continue
		}
		for _, s := range signatures {
			items = append(items, strings.ReplaceAll(item, "{signature}", s))
		}
	}
	all, err := profiles.ParseTemplate(strings.Join(items, r.separator()))
	if err != nil {
		return t // digests hold no placeholder
	}
	return all
}

func hasHeader(lines []sign.Header, name string) bool {
	return slices.ContainsFunc(lines, func(h sign.Header) bool { return sign.SameName(h.Name, name) })
}

// withHeader is the request with another value of a header; with none, without it.
func (q request) withHeader(name string, values ...string) request {
	var lines []sign.Header
	done := false
	put := func(spelled string) {
		for _, v := range values {
			lines = append(lines, sign.Header{Name: spelled, Value: v})
		}
		done = true
	}
	for _, h := range q.header {
		switch {
		case !strings.EqualFold(h.Name, name):
			lines = append(lines, h)
		case !done:
			put(h.Name)
		}
	}
	if !done {
		put(name)
	}
	q.header = lines
	return q
}

// signatureOf is the value of the request's signature header.
func (r *run) signatureOf(q request) string {
	for _, h := range q.header {
		if strings.EqualFold(h.Name, r.signatureName()) {
			return h.Value
		}
	}
	return ""
}

func (r *run) signatureName() string { return sign.SignatureHeader(r.p).Name }

// within is the request with a time limit of its own.
func (q request) within(d time.Duration) request {
	q.limit = d
	return q
}
