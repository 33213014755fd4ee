package sign

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hookctl/hookctl/profiles"
)

// Headers are the header lines of an attempt in the profile's order: its
// headers, and from v.Attempt 2 on its retry headers. The item of the header
// with {signature} repeats for each of the signatures. A placeholder without a
// value is a *HeaderError; a value that would break the line is a *ValueError.
func Headers(p *profiles.Profile, v Values, signatures []string) ([]Header, error) {
	list := p.Headers
	if v.Attempt >= 2 {
		list = slices.Concat(p.Headers, p.RetryHeaders)
	}
	out := make([]Header, 0, len(list)+1) // mostly a User-Agent follows
	buf := make([]byte, 0, 128)
	for _, h := range list {
		var err error
		if buf, err = appendLine(buf[:0], p, h, &v, signatures); err != nil {
			return nil, err
		}
		out = append(out, Header{Name: h.Name, Value: string(buf)})
	}
	return out, nil
}

// appendLine adds the value of a header to buf, which is empty.
func appendLine(buf []byte, p *profiles.Profile, h profiles.Header, v *Values, signatures []string) ([]byte, error) {
	var err error
	if h.Value.Has(nameSignature) && len(signatures) > 0 {
		buf, err = appendSigned(buf, p, h.Value, v, signatures)
	} else {
		var room [8]piece
		buf, err = appendFilled(buf, appendItem(room[:0], h.Value), v.append)
	}
	var missing *profiles.MissingError
	switch {
	case errors.As(err, &missing):
		return nil, &HeaderError{Header: h.Name, Missing: missing}
	case err != nil:
		return nil, err
	}
	for i, c := range buf {
		if c < 0x20 || c == 0x7f {
			return nil, &ValueError{Header: h.Name, Offset: i}
		}
	}
	return buf, nil
}

// appendSigned adds the value of the header with {signature}: its items, and
// those with {signature} once for each of the signatures.
func appendSigned(dst []byte, p *profiles.Profile, t profiles.Template, v *Values, signatures []string) ([]byte, error) {
	sep := separator(p)
	all, spans := splitItems(t, sep, nil, nil)
	for i, s := range spans {
		it := all[s.from:s.to]
		times := signatures
		if !it.has(slotSignature) {
			times = signatures[:1]
		}
		for j, signature := range times {
			if i > 0 || j > 0 {
				dst = append(dst, sep...)
			}
			var err error
			dst, err = appendFilled(dst, it, func(dst []byte, slot int) ([]byte, bool) {
				if slot == slotSignature {
					return append(dst, signature...), true
				}
				return v.append(dst, slot)
			})
			if err != nil {
				return dst, err
			}
		}
	}
	return dst, nil
}

// A HeaderError says which header has a placeholder without a value.
type HeaderError struct {
	Header  string
	Missing *profiles.MissingError
}

func (e *HeaderError) Error() string {
	return fmt.Sprintf("header %s: %v", e.Header, e.Missing)
}

// Unwrap is the *profiles.MissingError.
func (e *HeaderError) Unwrap() error { return e.Missing }

// A ValueError says which header would get a control character, such as a line
// end from the id in a hostile body.
type ValueError struct {
	Header string
	Offset int // bytes of the value before it
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("header %s: its value has a control character after %d bytes", e.Header, e.Offset)
}

// SignatureHeader is the profile's header that holds {signature}; the zero
// Header if it has none.
func SignatureHeader(p *profiles.Profile) profiles.Header {
	for _, h := range p.Headers {
		if h.Value.Has(nameSignature) {
			return h
		}
	}
	return profiles.Header{}
}
