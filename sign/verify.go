package sign

import (
	"crypto/subtle"
	"math"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// Received is a request as it arrived.
type Received struct {
	Header []Header // in wire order, repeats kept
	Body   []byte   // not decoded in any way
	URL    string   // the address that was called, where the scheme signs it
}

// Reason is why a signature is refused.
type Reason string

// The reasons, in the order in which they are looked for.
const (
	NoSecret            Reason = "no secret"
	MissingHeader       Reason = "missing header"
	MalformedHeader     Reason = "malformed header"
	NoMatchingSignature Reason = "no matching signature"
	TooOld              Reason = "too old"
	InTheFuture         Reason = "in the future"
	UnknownProfile      Reason = "unknown profile" // only where the profile is recognised
)

// A Result is the verdict on one request.
type Result struct {
	Verified bool
	Reason   Reason        // "" when verified
	Secret   int           // the key that matched, from 1; 0: none. Set with TooOld and InTheFuture too
	Time     time.Time     // of the signature; zero where the scheme has none or it cannot be read
	Age      time.Duration // now - Time, at most some 292 years; whole where Time is whole seconds; meaningless if Time is zero
	Event    Event
	Warnings []string // a header and the body disagree, and the like
}

// Verify judges a request by the profile's scheme at the instant now. Any of
// the keys may match. It never reads a clock and compares in constant time. A
// nil Key and the zero Key are no key.
//
// The age is judged only after a match; the edges of the tolerance count as
// inside. A time far beyond the clock, such as one in milliseconds where seconds
// belong, is in the future. To change the tolerance, change it in a copy of the
// profile.
func Verify(p *profiles.Profile, r Received, now time.Time, keys ...*Key) Result {
	var q Parts
	var res Result
	var room [2]string // for the signatures: most requests have no more
	k := anyKey(keys)
	if k == nil {
		q.parseOnce(p, r, room[:0])
		res.setTime(&q, now)
		res.Reason, res.Event, res.Warnings = NoSecret, q.event, q.warnings
		return res
	}
	l := k.planFor(p)
	signatures, reason := q.parse(l, r, room[:0])
	readable := res.setTime(&q, now)
	if reason == "" {
		res.Secret = q.match(l, signatures, r.Body, keys)
		reason = res.judge(p, &q, readable)
	}
	res.Verified, res.Reason = reason == "", reason
	res.Event, res.Warnings = q.event, q.warnings
	return res
}

// anyKey is one of the keys; nil if there is none.
func anyKey(keys []*Key) *material {
	for _, k := range keys {
		if k != nil && k.m != nil {
			return k.m()
		}
	}
	return nil
}

// match is the first of the keys, from 1, that made one of the signatures; 0 if
// none did.
func (q *Parts) match(l *plan, signatures []string, body []byte, keys []*Key) int {
	for i, k := range keys {
		if k != nil && k.m != nil && k.m().made(l, q, signatures, body) {
			return i + 1
		}
	}
	return 0
}

// made reports whether the key made one of the signatures. They are compared as
// text, so that a digest in upper case is another one.
func (m *material) made(l *plan, q *Parts, signatures []string, body []byte) bool {
	s := m.get()
	defer m.put(s)
	err := s.sign(l.content, body, func(dst []byte, slot int) ([]byte, bool) {
		return q.append(dst, slot)
	})
	if err != nil {
		return false
	}
	want := s.digest(l.profile.Signature.Encoding)
	for _, signature := range signatures {
		if subtle.ConstantTimeCompare([]byte(signature), want) == 1 {
			return true
		}
	}
	return false
}

// timeDigits is the longest number that is read as a time.
const timeDigits = 18

// setTime sets the time and the age, at the time's own precision. It reports
// whether the time can be read.
func (res *Result) setTime(q *Parts, now time.Time) bool {
	if !canonical(q.Time) || len(q.Time) > timeDigits {
		return false
	}
	var n int64
	for i := range len(q.Time) {
		n = n*10 + int64(q.Time[i]-'0')
	}
	if q.Milliseconds {
		res.Time, res.Age = time.UnixMilli(n).UTC(), age(now.UnixMilli(), n, time.Millisecond)
	} else {
		res.Time, res.Age = time.Unix(n, 0).UTC(), age(now.Unix(), n, time.Second)
	}
	return true
}

// age is how long then lies behind now, both in units since 1970 and then not
// before; where a Duration cannot hold it, the longest that it can.
func age(now, then int64, unit time.Duration) time.Duration {
	most := math.MaxInt64 / int64(unit)
	n := now - then
	switch {
	case now >= then && n > most:
		return math.MaxInt64
	case now < then && (n < -most || n > 0): // the difference itself may overflow
		return math.MinInt64
	}
	return time.Duration(n) * unit
}

// judge is the reason after the signatures were compared; readable says whether
// Time and Age are set.
func (res *Result) judge(p *profiles.Profile, q *Parts, readable bool) Reason {
	t := p.Signature.Tolerance
	switch {
	case res.Secret == 0:
		return NoMatchingSignature
	case t == nil || q.Time == "":
		return ""
	case !readable: // a canonical number of more digits than any time has
		return InTheFuture
	case res.Age > t.Past:
		return TooOld
	case res.Age < -t.Future:
		return InTheFuture
	}
	return ""
}
