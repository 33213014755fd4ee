package send

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// WriteDocument writes v as one line of JSON, in one call of Write. Control
// characters and bidirectional controls are escaped, nothing else that JSON
// leaves plain.
func WriteDocument(w io.Writer, v any) error {
	line, err := encode(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// encode is v as JSON on one line, without escapes for HTML but with those for
// what could drive a terminal.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return profiles.EscapeControls(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// Seconds is a length of time as JSON: a plain decimal number of seconds with
// at most 9 decimals.
type Seconds time.Duration

// MarshalJSON writes the number.
func (s Seconds) MarshalJSON() ([]byte, error) { return []byte(s.String()), nil }

// String is the number: "31.4", "0.0021", "0".
func (s Seconds) String() string {
	d := time.Duration(s)
	return decimal(int64(d/time.Second), int64(d%time.Second))
}

// Between is the time from one instant to another as [Seconds] writes it, also
// where no time.Duration is as long.
func Between(from, to time.Time) json.Number {
	whole, nanos := to.Unix()-from.Unix(), int64(to.Nanosecond()-from.Nanosecond())
	switch { // of one sign
	case whole > 0 && nanos < 0:
		whole, nanos = whole-1, nanos+int64(time.Second)
	case whole < 0 && nanos > 0:
		whole, nanos = whole+1, nanos-int64(time.Second)
	}
	return json.Number(decimal(whole, nanos))
}

// decimal writes seconds and the nanoseconds beyond them, which have one sign.
func decimal(whole, nanos int64) string {
	var text [32]byte
	b := text[:0]
	if nanos < 0 && whole == 0 {
		b = append(b, '-')
	}
	b = strconv.AppendInt(b, whole, 10)
	if nanos = max(nanos, -nanos); nanos > 0 {
		b = append(b, '.')
	}
	for digit := int64(100_000_000); nanos > 0; digit /= 10 {
		b = append(b, byte('0'+nanos/digit))
		nanos %= digit
	}
	return string(b)
}

// OrNull is a pointer to v, which JSON writes as v, or nil (null) where v is its
// zero value.
func OrNull[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// instant is what AppendInstant appends.
func instant(at time.Time) string { return string(AppendInstant(nil, at)) }

// AppendInstant appends a time as documents have it: RFC 3339, UTC, milliseconds.
func AppendInstant(b []byte, at time.Time) []byte {
	b = at.UTC().AppendFormat(b, time.RFC3339) // the one form that package time does not parse first
	ms := at.Nanosecond() / int(time.Millisecond)
	return append(b[:len(b)-1], '.', byte('0'+ms/100), byte('0'+ms/10%10), byte('0'+ms%10), 'Z')
}

// HeaderList is a header as JSON: [name, value] pairs in order; a value that is
// not UTF-8 has a third element, its bytes in base64.
type HeaderList []sign.Header

// MarshalJSON writes the pairs; a nil list is an empty one.
func (h HeaderList) MarshalJSON() ([]byte, error) {
	pairs := make([][]string, len(h))
	for i, line := range h {
		pairs[i] = []string{line.Name, line.Value}
		if !utf8.ValidString(line.Value) {
			pairs[i] = append(pairs[i], base64.StdEncoding.EncodeToString([]byte(line.Value)))
		}
	}
	return encode(pairs)
}

// Mask replaces what [MaskHeader] does in each header of a list. The list given
// is not changed.
func Mask(h []sign.Header, more func(name string) bool) []sign.Header {
	masked := make([]sign.Header, len(h))
	for i, line := range h {
		masked[i] = MaskHeader(line, more)
	}
	return masked
}

// MaskHeader is a header as it may be shown: *** for the value of one that holds
// a credential, as masks says, and for the password in a Location.
func MaskHeader(h sign.Header, more func(name string) bool) sign.Header {
	switch {
	case masks(h.Name, more):
		h.Value = Masked
	case sign.SameName(h.Name, "Location"):
		h.Value = ShownURL(h.Value)
	}
	return h
}

// Masked stands for the value of a header that holds a credential.
const Masked = "***"

// masks reports whether the header of that name holds a credential:
// Authorization, Proxy-Authorization, Cookie, Set-Cookie, X-Api-Key and those
// that more, if not nil, names.
func masks(name string, more func(name string) bool) bool {
	for _, secret := range [...]string{"Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key"} {
		if sign.SameName(name, secret) {
			return true
		}
	}
	return more != nil && more(name)
}

// headers is a header of the timeline as a document.
func (t Timeline) headers(h []sign.Header) HeaderList {
	if !t.Sensitive {
		h = Mask(h, t.Masked)
	}
	return HeaderList(h)
}
