package conform

import (
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// unsigned sends events without a signature.
func unsigned(ctx context.Context, r *run, t *tried) {
	bare := func() request { return r.genuine(r.event()) }
	accepted, odd := t.refuse(ctx, []trial{
		{"without the signature header", bare().withHeader(r.signatureName())},
		{"with an empty signature header", bare().withHeader(r.signatureName(), "")},
	})
	t.Asked = "an event without the signature header, and one with an empty one"
	if len(accepted) > 0 {
		t.fail("an event "+accepted[0].name+" is accepted", "refuse with 401 when the header is missing or empty; log and carry on is no check")
	}
	t.oddly("an unsigned event", odd)
	t.alive(ctx)
}

// forged sends events whose signature is not theirs.
func forged(ctx context.Context, r *run, t *tried) {
	e := r.event()
	at := now()
	digit := r.sign(r.key, e, at)
	changed := r.signed(r.event(), now(), r.key)
	changed.body = oneByte(changed.body)
	another := r.event()
	if r.object {
		another = another.with(extra, `"another"`) // it may have no id that tells it apart
	} else {
		another.body = append(another.body[:len(another.body):len(another.body)], ' ')
	}
	other := r.signed(another, now(), r.key)
	swapped := r.genuine(r.event())
	swapped = swapped.withHeader(r.signatureName(), r.signatureOf(other))
	trials := []trial{
		{"one digit of the signature changed", r.request(e, at, oneDigit(digit))},
		{"the last digit of the signature changed", r.request(e, at, lastDigit(digit))},
		{"one byte of the body changed", changed},
		{randomKey, r.signed(r.event(), now(), r.wrong)},
		{"the signature of another event", swapped},
		{"a signature of zeros", r.request(r.event(), now(), strings.Repeat("0", len(digit)))},
	}
	t.Asked = "events with a signature that is not theirs: a digit or a byte changed, a random key, another event's, zeros"
	accepted, odd := t.refuse(ctx, trials)
	for _, s := range t.saidOf(trials) {
		r.codes = append(r.codes, s.answer)
		if s.name == randomKey && s.accepted() {
			r.anything = true
		}
		if r.refusal == 0 && s.refusedWell() {
			r.refusal = s.status()
		}
	}
	if len(accepted) > 0 {
		finding := "an event with a wrong signature is accepted: " + list(names(accepted, answer.accepted))
		if len(accepted) == len(trials) {
			finding = "any signature is accepted"
		}
		t.fail(finding, "compute the signature over the body received, compare it in constant time, and refuse with 401 if it differs")
	}
	t.oddly("an event with a wrong signature", odd)
	for _, s := range odd {
		r.oddly = append(r.oddly, s.String())
	}
	t.alive(ctx)
}

const randomKey = "signed with a random key"

// oneDigit is a digest with its first character changed to another of the same
// alphabet.
func oneDigit(digest string) string {
	if digest == "" {
		return "0"
	}
	c := byte('0')
	if digest[0] == '0' {
		c = '1'
	}
	return string(c) + digest[1:]
}

// lastDigit is a digest with its last character changed to another of the same
// alphabet; in base64 the last of which every bit counts.
func lastDigit(digest string) string {
	end := len(strings.TrimRight(digest, "="))
	if end < len(digest) {
		end--
	}
	if end < 1 {
		return "0"
	}
	return digest[:end-1] + oneDigit(digest[end-1:])
}

// oneByte is a body with one byte changed, if possible inside a number or a
// text, so that it is still JSON.
func oneByte(body []byte) []byte {
	changed := append([]byte(nil), body...)
	for i := len(changed) - 1; i >= 0; i-- {
		switch c := changed[i]; {
		case c >= '1' && c <= '8', c >= 'a' && c <= 'y' && i > 0 && changed[i-1] != '\\' && inText(changed, i):
			changed[i]++
			return changed
		}
	}
	if len(changed) == 0 {
		return []byte(" ")
	}
	changed[0] ^= 1
	return changed
}

// inText reports whether offset i is inside a JSON string.
func inText(body []byte, i int) bool {
	inside := false
	for j := 0; j < i; j++ {
		switch {
		case body[j] == '\\' && inside:
			j++
		case body[j] == '"':
			inside = !inside
		}
	}
	return inside
}

// placeholders are the secrets that stand in examples, and what a missing
// setting becomes.
func placeholders() []string {
	return []string{"", "undefined", "null", "None", "changeme", "secret", "your_webhook_secret", sign.DevelopmentSecret}
}

// guessable signs with secrets that anybody would try.
func guessable(ctx context.Context, r *run, t *tried) {
	var trials []trial
	for _, text := range placeholders() {
		if r.given(text) {
			continue
		}
		e, at := r.event(), now()
		name := quote(text)
		if text == "" {
			name = "an empty secret"
		}
		digest := r.encode(mac(r.p.Signature.Algorithm, []byte(text), r.content(e, at)))
		trials = append(trials, trial{name, r.request(e, at, digest)})
	}
	t.Asked = "events signed with an empty secret and with " + list(quoted(placeholders()[1:]))
	accepted, odd := t.refuse(ctx, trials)
	switch {
	case len(accepted) > 0 && r.anything:
		t.inconclusive("any signature is accepted, so these are too", "first see forged")
		return
	case len(accepted) > 0:
		t.fail("critical, anyone can forge: an event signed with "+list(names(accepted, answer.accepted))+" is accepted",
			"refuse to start without a secret, and set a long random one")
	}
	t.oddly("an event signed with a guessable secret", odd)
}

func quoted(words []string) []string {
	var all []string
	for _, w := range words {
		all = append(all, quote(w))
	}
	return all
}

// given reports whether a text is one of the secrets in use.
func (r *run) given(text string) bool {
	for _, k := range r.o.Keys {
		if k.Reveal() == text {
			return true
		}
	}
	return false
}

// hashOf is the hash of an algorithm.
func hashOf(a profiles.Algorithm) func() hash.Hash {
	switch a {
	case profiles.HMACSHA1:
		return sha1.New
	case profiles.HMACSHA512:
		return sha512.New
	}
	return sha256.New
}

func mac(a profiles.Algorithm, key, content []byte) []byte {
	m := hmac.New(hashOf(a), key)
	m.Write(content)
	return m.Sum(nil)
}

// encode is a digest as the profile writes it.
func (r *run) encode(digest []byte) string {
	if r.p.Signature.Encoding == profiles.Base64 {
		return base64.StdEncoding.EncodeToString(digest)
	}
	return hex.EncodeToString(digest)
}

// weaker is the event signed by another algorithm, with the first secret.
func (r *run) weaker(a profiles.Algorithm, e event, at moment) (string, bool) {
	p := *r.body
	p.Signature.Algorithm = a
	text := r.key.Reveal()
	key, err := sign.NewKey(&p, text)
	if text == sign.DevelopmentSecret {
		key, err = sign.DevelopmentKey(&p), nil
	}
	if err != nil {
		return "", false
	}
	digest, err := key.AppendSignature(nil, &p, sign.Values{}, r.content(e, at))
	return string(digest), err == nil
}

// downgrade sends signatures of weaker or older schemes.
func downgrade(ctx context.Context, r *run, t *tried) {
	var trials []trial
	e, at := r.event(), now()
	older := r.signed(e, at, r.key)
	if value, ok := r.renamed(older, "v0="); ok {
		trials = append(trials, trial{"the right digest under v0= only", older.withHeader(r.signatureName(), value)})
	}
	if r.p.Signature.Algorithm != profiles.HMACSHA1 {
		e, at := r.event(), now()
		if digest, ok := r.weaker(profiles.HMACSHA1, e, at); ok {
			trials = append(trials, trial{"a right HMAC-SHA1", r.request(e, at, digest)})
		}
	}
	plain, at := r.event(), now()
	sum := hashOf(r.p.Signature.Algorithm)()
	sum.Write([]byte(strings.TrimPrefix(r.key.Reveal(), r.p.Secret.Strip)))
	sum.Write(plain.body)
	trials = append(trials, trial{"a plain hash of secret and body", r.request(plain, at, r.encode(sum.Sum(nil)))})
	t.Asked = "events signed by weaker or older schemes: " + list(trialNames(trials))
	accepted, odd := t.refuse(ctx, trials)
	switch {
	case len(accepted) > 0 && r.anything:
		t.inconclusive("any signature is accepted, so these are too", "first see forged")
		return
	case len(accepted) > 0:
		t.fail(list(names(accepted, answer.accepted))+" is accepted",
			"compare with one scheme only, the one that you expect; never choose it by what the header says")
	case len(odd) > 0 && r.result("bad-header").State == Fail:
		t.inconclusive("these are answered as other odd headers are: "+odd[0].String(), "first see bad-header")
		return
	}
	t.oddly("an event signed by another scheme", odd)
}

func trialNames(trials []trial) []string {
	var all []string
	for _, one := range trials {
		all = append(all, one.name)
	}
	return all
}

// clock sends right signatures of wrong times.
func clock(ctx context.Context, r *run, t *tried) {
	past, future := r.p.Signature.Tolerance.Past, r.p.Signature.Tolerance.Future
	inside := past - min(30*time.Second, past/2)
	signed := func(name string, m moment) trial { return trial{name, r.signed(r.event(), m, r.key)} }
	ago := func(d time.Duration) moment { return moment{at: time.Now().Add(-d)} }
	text := func(s string) moment { return moment{at: time.Now(), text: s} }
	unit := text(r.text(moment{at: time.Now()}, true))
	good := t.send(ctx, spell(inside)+" old", signed("", ago(inside)).request)
	trials := []trial{
		signed(spell(past+time.Minute)+" old", ago(past+time.Minute)),
		signed("a day old", ago(24*time.Hour)),
		signed(spell(future+time.Minute)+" ahead", ago(-future-time.Minute)),
		signed("a time in the wrong unit", unit),
		signed("abc", text("abc")),
		signed("an ISO time", text(time.Now().UTC().Format(time.RFC3339))),
		signed("-1", text("-1")),
		signed("1e9", text("1e9")),
		signed("0", text("0")),
		signed("<now>abc", text(r.text(now(), false)+"abc")),
	}
	t.Asked = "right signatures of wrong times: " + list(trialNames(trials))
	accepted, odd := t.refuse(ctx, trials)
	switch {
	case len(accepted) > 0 && r.anything:
		t.inconclusive("any signature is accepted, so these are too", "first see forged")
		return
	case good.cut && !t.stopped:
		return
	case !good.accepted():
		t.Came = good.String()
		finding, fix := "an event that was signed "+spell(inside)+" ago "+good.met(), "see the receiver's log"
		if r.refused(good) {
			finding = "an event that was signed " + spell(inside) + " ago is refused"
			fix = "allow " + spell(past) + " between the time in the signature and your clock, and keep the clock right"
		}
		t.failFor("a delivery is on its way for a while, and clocks differ: a genuine event is lost", finding+", though "+spell(past)+" are allowed", fix)
	case len(accepted) > 0:
		t.fail("an event with a right signature is accepted with this time: "+list(names(accepted, answer.accepted)),
			"after the signature, read the time as whole seconds, strictly, and refuse what is more than "+spell(past)+" old or "+spell(future)+" ahead")
	}
	t.oddly("an event with a right signature of a wrong time", odd)
	t.alive(ctx)
}

// text is a time as it is signed; other is the other unit.
func (r *run) text(m moment, other bool) string {
	name := "timestamp"
	if r.p.Signature.Content.Has("timestamp_ms") {
		name = "timestamp_ms"
	}
	if other {
		name = map[string]string{"timestamp": "timestamp_ms", "timestamp_ms": "timestamp"}[name]
	}
	text, _ := r.value(event{}, m, "")(name)
	return text
}
