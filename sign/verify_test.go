package sign_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

const (
	signedAt = 1700000000
	theBody  = `{"event_id":"evt_1","event_type":"payment.succeeded"}`
)

var ofOld, ofNew, foreign = "old-secret-0123456789", "new-secret-0123456789", "foreign-secret-0123456789"

// digest signs the body at a time, as the scheme says.
func digest(tb testing.TB, p *profiles.Profile, v sign.Values, body, secret string) string {
	tb.Helper()
	got, err := sign.Signatures(p, v, strings.NewReader(body), mustKey(tb, p, secret))
	if err != nil {
		tb.Fatal(err)
	}
	return got[0]
}

func at(seconds int64) sign.Values { return sign.Values{Time: time.Unix(seconds, 0)} }

func TestHeadersAreReadStrictly(t *testing.T) {
	p := timed()
	good := digest(t, p, at(signedAt), theBody, ofOld)
	next := digest(t, p, at(signedAt), theBody, ofNew)
	other := digest(t, p, at(signedAt), theBody, foreign)
	ms := digest(t, p, at(signedAt*1000), theBody, ofOld)
	wrong := strings.Repeat("0", 64)
	const malformed, mismatch = sign.MalformedHeader, sign.NoMatchingSignature
	for _, c := range []struct {
		fact   string
		value  string
		reason sign.Reason
		secret int
	}{
		{"alone", "t=1700000000,v1=" + good, "", 1},
		{"the second secret", "t=1700000000,v1=" + next, "", 2},
		{"both: the first secret counts", "t=1700000000,v1=" + next + ",v1=" + good, "", 1},
		{"right one first", "t=1700000000,v1=" + good + ",v1=" + wrong + ",v1=" + other, "", 1},
		{"right one in the middle", "t=1700000000,v1=" + wrong + ",v1=" + good + ",v1=" + other, "", 1},
		{"right one last", "t=1700000000,v1=" + wrong + ",v1=" + other + ",v1=" + good, "", 1},
		{"t last", "v1=" + good + ",t=1700000000", "", 1},
		{"t between", "v1=" + wrong + ",t=1700000000,v1=" + good, "", 1},
		{"unknown schemes beside v1", "v0=" + wrong + ",t=1700000000,v1=" + good + ",v2=x,x,=,v1a=" + wrong, "", 1},
		{"a v1 that is no digest", "t=1700000000,v1=zz,v1=" + good + ",v1=" + good[:63], "", 1},
		{"an empty v1 beside a good one", "t=1700000000,v1=,v1=" + good, "", 1},
		{"empty items", ",t=1700000000,,v1=" + good + ",", "", 1},
		{"two wrong ones", "t=1700000000,v1=" + wrong + ",v1=" + other, mismatch, 0},
		{"upper-case hex", "t=1700000000,v1=" + strings.ToUpper(good), mismatch, 0},
		{"a cut digest", "t=1700000000,v1=" + good[:63], mismatch, 0},
		{"a longer digest", "t=1700000000,v1=" + good + "0", mismatch, 0},
		{"a blank at the end", "t=1700000000,v1=" + good + " ", mismatch, 0},
		{"no digest at all", "t=1700000000,v1=zz", mismatch, 0},
		{"a value with two =", "t=1700000000,v1=" + good + "=", mismatch, 0},
		{"right under v0 only", "t=1700000000,v0=" + good + ",v1=" + wrong, mismatch, 0},
		{"another time", "t=1700000001,v1=" + good, mismatch, 0},
		{"a blank after the comma", "t=1700000000, v1=" + good, malformed, 0},
		{"a blank in front", " t=1700000000,v1=" + good, malformed, 0},
		{"quotes", `"t=1700000000,v1=` + good + `"`, malformed, 0},
		{"no v1", "t=1700000000,v0=" + good, malformed, 0},
		{"an empty v1 only", "t=1700000000,v1=", malformed, 0},
		{"V1", "t=1700000000,V1=" + good, malformed, 0},
		{"no t", "v1=" + good, malformed, 0},
		{"T", "T=1700000000,v1=" + good, malformed, 0},
		{"the bare digest", good, malformed, 0},
		{"t twice", "t=1700000000,t=1700000001,v1=" + good, malformed, 0},
		{"t twice, equal", "t=1700000000,v1=" + good + ",t=1700000000", malformed, 0},
		{"t with a plus", "t=+1700000000,v1=" + good, malformed, 0},
		{"t with a minus", "t=-1700000000,v1=" + good, malformed, 0},
		{"t with a leading zero", "t=01700000000,v1=" + good, malformed, 0},
		{"t with a blank", "t=1700000000 ,v1=" + good, malformed, 0},
		{"t as a fraction", "t=1700000000.0,v1=" + good, malformed, 0},
		{"t as a float", "t=1.7e9,v1=" + good, malformed, 0},
		{"t in other digits", "t=١٧٠٠,v1=" + good, malformed, 0},
		{"t empty", "t=,v1=" + good, malformed, 0},
		{"t as a word", "t=Infinity,v1=" + good, malformed, 0},
		{"a semicolon", "t=1700000000;v1=" + good, malformed, 0},
		{"no =", "t,v1", malformed, 0},
		{"commas only", ",,", malformed, 0},
		{"an empty value", "", malformed, 0},
		{"t in milliseconds", "t=1700000000000,v1=" + ms, sign.InTheFuture, 1},
	} {
		t.Run(c.fact, func(t *testing.T) {
			r := sign.Received{Header: []sign.Header{{Name: "X-Signature", Value: c.value}}, Body: []byte(theBody)}
			res := sign.Verify(p, r, time.Unix(signedAt+4, 0), mustKey(t, p, ofOld), mustKey(t, p, ofNew))
			if res.Reason != c.reason || res.Secret != c.secret || res.Verified != (c.reason == "") {
				t.Errorf("%q: %+v", c.value, res)
			}
		})
	}
}

func TestItemWithMoreConstantTextFitsBetter(t *testing.T) {
	good := digest(t, timed(), at(signedAt), theBody, ofOld)
	for form, value := range map[string]string{
		"t={timestamp},{signature}":    "t=1700000000," + good,
		"{signature},t={timestamp}":    good + ",t=1700000000",
		"t={timestamp},te={signature}": "te=" + good + ",t=1700000000",
	} {
		p := timed()
		p.Headers[2] = header("X-Signature", form)
		r := sign.Received{Header: []sign.Header{{Name: "X-Signature", Value: value}}, Body: []byte(theBody)}
		if res := sign.Verify(p, r, time.Unix(signedAt, 0), mustKey(t, p, ofOld)); !res.Verified {
			t.Errorf("%s: %+v", form, res)
		}
	}
}

func TestTimeIsZeroOrOfAnyLength(t *testing.T) {
	p := timed()
	for text, want := range map[string]sign.Reason{
		"0":                    sign.TooOld,
		"999999999999999999":   sign.InTheFuture,
		"9223372036854775807":  sign.InTheFuture,
		"99999999999999999999": sign.InTheFuture,
	} {
		key := mustKey(t, p, ofOld)
		// The text is signed as it is: a scheme with the time as its type says so.
		q := timed()
		q.Signature.Content = template("{type}.{body}")
		signatures, err := sign.Signatures(q, sign.Values{Type: text}, strings.NewReader(theBody), key)
		if err != nil {
			t.Fatal(err)
		}
		r := sign.Received{Header: []sign.Header{{Name: "X-Signature", Value: "t=" + text + ",v1=" + signatures[0]}}, Body: []byte(theBody)}
		if res := sign.Verify(p, r, time.Unix(signedAt, 0), key); res.Reason != want || res.Secret != 1 {
			t.Errorf("t=%s: %+v, want %s", text, res, want)
		}
		p.Signature.Tolerance = nil
		if res := sign.Verify(p, r, time.Unix(signedAt, 0), key); !res.Verified {
			t.Errorf("t=%s without a tolerance: %+v", text, res)
		}
		p = timed()
	}
}

func TestAgeIsJudgedWithItsEdgesInside(t *testing.T) {
	p := timed()
	p.Signature.Tolerance = &profiles.Tolerance{Past: 300 * time.Second, Future: 60 * time.Second}
	key := mustKey(t, p, ofOld)
	r := sign.Received{
		Header: []sign.Header{{Name: "X-Signature", Value: "t=1700000000,v1=" + digest(t, p, at(signedAt), theBody, ofOld)}},
		Body:   []byte(theBody),
	}
	event := sign.Event{ID: "evt_1", Type: "payment.succeeded"}
	for _, c := range []struct {
		now    time.Time
		age    time.Duration
		reason sign.Reason
	}{
		{time.Unix(signedAt, 0), 0, ""},
		{time.Unix(signedAt+300, 0), 300 * time.Second, ""},
		{time.Unix(signedAt+300, 999e6), 300 * time.Second, ""},
		{time.Unix(signedAt+301, 0), 301 * time.Second, sign.TooOld},
		{time.Unix(signedAt-60, 0), -60 * time.Second, ""},
		{time.Unix(signedAt-61, 999e6), -61 * time.Second, sign.InTheFuture},
		{time.Unix(signedAt+843, 0), 843 * time.Second, sign.TooOld},
	} {
		want := sign.Result{Verified: c.reason == "", Reason: c.reason, Secret: 1, Time: time.Unix(signedAt, 0).UTC(), Age: c.age, Event: event}
		if got := sign.Verify(p, r, c.now, key); !reflect.DeepEqual(got, want) {
			t.Errorf("at %v: %+v, want %+v", c.now, got, want)
		}
	}
	p.Signature.Tolerance = nil
	if got := sign.Verify(p, r, time.Unix(2*signedAt, 0), key); !got.Verified || got.Age != signedAt*time.Second {
		t.Errorf("without a tolerance: %+v", got)
	}
}

func TestReasonsComeInTheirOrder(t *testing.T) {
	p := timed()
	key := mustKey(t, p, ofOld)
	line := func(v string) []sign.Header { return []sign.Header{{Name: "x-SIGNATURE", Value: v}} }
	good := "t=1700000000,v1=" + digest(t, p, at(signedAt), theBody, ofOld)
	for _, c := range []struct {
		fact   string
		header []sign.Header
		keys   []*sign.Key
		want   sign.Reason
	}{
		{"no key comes first", nil, nil, sign.NoSecret},
		{"a nil key is none", line(good), []*sign.Key{nil, {}}, sign.NoSecret},
		{"a nil key beside a real one", line(good), []*sign.Key{nil, key}, ""},
		{"no header", []sign.Header{{Name: "X-Signature-2", Value: good}, {Name: "X_Signature", Value: good}}, []*sign.Key{key}, sign.MissingHeader},
		{"two lines, each right", append(line(good), line(good)...), []*sign.Key{key}, sign.MalformedHeader},
		{"malformed, stale and wrong", line("t=01,v1=00"), []*sign.Key{key}, sign.MalformedHeader},
		{"wrong and stale", line("t=1,v1=00"), []*sign.Key{key}, sign.NoMatchingSignature},
		{"right, the name in another case", line(good), []*sign.Key{key}, ""},
	} {
		t.Run(c.fact, func(t *testing.T) {
			res := sign.Verify(p, sign.Received{Header: c.header, Body: []byte(theBody)}, time.Unix(signedAt, 0), c.keys...)
			if res.Reason != c.want || res.Verified != (c.want == "") {
				t.Errorf("%+v, want %q", res, c.want)
			}
			if want := (sign.Event{ID: "evt_1", Type: "payment.succeeded"}); res.Event != want {
				t.Errorf("event %+v, want %+v", res.Event, want)
			}
		})
	}
}

func TestPlainSchemeHasNoTimeAndOneItem(t *testing.T) {
	p := plain()
	key := mustKey(t, p, ofOld)
	good := digest(t, p, sign.Values{}, theBody, ofOld)
	for value, want := range map[string]sign.Reason{
		good:                      "",
		good + "," + good:         sign.NoMatchingSignature,
		strings.ToUpper(good):     sign.NoMatchingSignature,
		"sha256=" + good:          sign.NoMatchingSignature,
		" " + good:                sign.NoMatchingSignature,
		"t=1700000000,v1=" + good: sign.NoMatchingSignature,
		"":                        sign.MalformedHeader,
	} {
		r := sign.Received{Header: []sign.Header{{Name: "X-Signature", Value: value}}, Body: []byte(theBody)}
		res := sign.Verify(p, r, time.Unix(signedAt, 0), key)
		if res.Reason != want || !res.Time.IsZero() {
			t.Errorf("%q: %+v, want %q", value, res, want)
		}
	}
	p = plain()
	p.Headers[1].Value = template("sha256={signature}")
	for value, want := range map[string]sign.Reason{
		"sha256=" + good:     "",
		"sha256=" + good[1:]: sign.NoMatchingSignature,
		good:                 sign.MalformedHeader,
		"sha1=" + good:       sign.MalformedHeader,
		"sha256=":            sign.MalformedHeader,
		"SHA256=" + good:     sign.MalformedHeader,
	} {
		r := sign.Received{Header: []sign.Header{{Name: "X-Signature", Value: value}}, Body: []byte(theBody)}
		if res := sign.Verify(p, r, time.Unix(signedAt, 0), key); res.Reason != want {
			t.Errorf("%q: %+v, want %q", value, res, want)
		}
	}
}

func TestSignedIDAndTimeHaveTheirOwnHeaders(t *testing.T) {
	p := listed()
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	key := mustKey(t, p, secret)
	v := sign.Values{ID: "msg_1", Time: time.Unix(signedAt, 0)}
	good := "v1," + digest(t, p, v, theBody, secret)
	id, when, sig := sign.Header{Name: "Webhook-Id", Value: "msg_1"}, sign.Header{Name: "Webhook-Timestamp", Value: "1700000000"}, sign.Header{Name: "Webhook-Signature", Value: good}
	with := func(h sign.Header, value string) sign.Header { h.Value = value; return h }
	for _, c := range []struct {
		fact   string
		header []sign.Header
		want   sign.Reason
	}{
		{"as documented", []sign.Header{id, when, sig}, ""},
		{"in a list", []sign.Header{sig, when, id, {Name: "X", Value: "y"}}, ""},
		{"beside other versions", []sign.Header{id, when, with(sig, "v1a,xyz v2,abc "+good)}, ""},
		{"a comma list is no list", []sign.Header{id, when, with(sig, "v1,xyz,"+good)}, sign.NoMatchingSignature},
		{"another version only", []sign.Header{id, when, with(sig, "v2"+good[2:])}, sign.MalformedHeader},
		{"an empty digest", []sign.Header{id, when, with(sig, "v1,")}, sign.MalformedHeader},
		{"another id", []sign.Header{with(id, "msg_2"), when, sig}, sign.NoMatchingSignature},
		{"another time", []sign.Header{id, with(when, "1700000001"), sig}, sign.NoMatchingSignature},
		{"no id", []sign.Header{when, sig}, sign.MalformedHeader},
		{"an empty id", []sign.Header{with(id, ""), when, sig}, sign.MalformedHeader},
		{"two ids", []sign.Header{id, id, when, sig}, sign.MalformedHeader},
		{"no time", []sign.Header{id, sig}, sign.MalformedHeader},
		{"two times", []sign.Header{id, when, when, sig}, sign.MalformedHeader},
		{"a time with a sign", []sign.Header{id, with(when, "+1700000000"), sig}, sign.MalformedHeader},
		{"a time with a blank", []sign.Header{id, with(when, "1700000000 "), sig}, sign.MalformedHeader},
		{"no signature", []sign.Header{id, when}, sign.MissingHeader},
	} {
		t.Run(c.fact, func(t *testing.T) {
			res := sign.Verify(p, sign.Received{Header: c.header, Body: []byte(theBody)}, time.Unix(signedAt, 0), key)
			if res.Reason != c.want {
				t.Errorf("%+v, want %q", res, c.want)
			}
		})
	}
	stale := sign.Verify(p, sign.Received{Header: []sign.Header{id, when, sig}, Body: []byte(theBody)}, time.Unix(signedAt+301, 0), key)
	if stale.Reason != sign.TooOld || stale.Secret != 1 {
		t.Errorf("after 301 s: %+v", stale)
	}
}

func TestSignedIDComesFromTheBodyWithoutAHeader(t *testing.T) {
	p := listed()
	p.Event.ID = "id"
	const secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", `{"id":"msg_9","type":"x"}`
	v := sign.Values{ID: "msg_9", Time: time.Unix(signedAt, 0)}
	r := sign.Received{Header: []sign.Header{
		{Name: "webhook-timestamp", Value: "1700000000"},
		{Name: "webhook-signature", Value: "v1," + digest(t, p, v, body, secret)},
	}, Body: []byte(body)}
	if res := sign.Verify(p, r, v.Time, mustKey(t, p, secret)); !res.Verified || res.Event.ID != "msg_9" {
		t.Errorf("%+v", res)
	}
}

func TestAddressIsSigned(t *testing.T) {
	p := plain()
	p.Signature.Content = template("{url}{body}")
	key := mustKey(t, p, ofOld)
	const url = "https://example.com/hooks?x=1"
	r := sign.Received{
		Header: []sign.Header{{Name: "X-Signature", Value: digest(t, p, sign.Values{URL: url}, theBody, ofOld)}},
		Body:   []byte(theBody), URL: url,
	}
	if res := sign.Verify(p, r, time.Time{}, key); !res.Verified || len(res.Warnings) != 0 {
		t.Errorf("%+v", res)
	}
	r.URL = "http://example.com/hooks?x=1"
	if res := sign.Verify(p, r, time.Time{}, key); res.Reason != sign.NoMatchingSignature || len(res.Warnings) != 0 {
		t.Errorf("another address: %+v", res)
	}
	r.URL = ""
	res := sign.Verify(p, r, time.Time{}, key)
	want := []string{"the address that was called is signed, and none was given"}
	if res.Reason != sign.NoMatchingSignature || !reflect.DeepEqual(res.Warnings, want) {
		t.Errorf("no address: %+v", res)
	}
}

func TestPartsAreWhatTheRequestSays(t *testing.T) {
	p := timed()
	r := sign.Received{Header: []sign.Header{{Name: "X-Signature", Value: "t=0017,v1=aa,v0=cc,v1=bb"}}, Body: []byte(theBody)}
	q, reason := sign.Parse(p, r)
	before, after, err := q.Content(p)
	if reason != sign.MalformedHeader || q.Time != "0017" || !reflect.DeepEqual(q.Signatures, []string{"aa", "bb"}) ||
		q.Lines != 1 || q.Header != r.Header[0].Value || string(before) != "0017." || len(after) != 0 || err != nil {
		t.Errorf("%q: %+v; %q, %q, %v", reason, q, before, after, err)
	}
	if id, ok := q.Value("id"); !ok || id != "evt_1" {
		t.Errorf("id %q, %v", id, ok)
	}
	if url, ok := q.Value("url"); ok {
		t.Errorf("url %q", url)
	}
}
