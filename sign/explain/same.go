package explain

import (
	"bytes"
	"encoding/json"
	"reflect"
	"unicode/utf8"
)

// nameRewriting names the rewriting, in place of another delivery, where the body
// that was signed is this one written in another way: as the search would find
// it if that other request had not been captured.
func (s *search) nameRewriting(m *match) {
	for i, f := range m.faults {
		if f.kind != signatureOfOther {
			continue
		}
		if kind, detail := s.rewriting(f); kind != "" {
			m.faults[i].kind, m.faults[i].detail = kind, detail
		}
	}
}

// rewriting is what makes the signed body of this one; "" if nothing does.
func (s *search) rewriting(f fault) (kind Kind, detail string) {
	if len(f.signed) == 0 || len(f.signed) > rewritten { // nothing is no rewriting
		return "", ""
	}
	forms := append(append(s.simpleForms(), s.rareForms()...), s.wholeForms()...)
	for form := range s.distinct(newSeen(), forms...) {
		if bytes.Equal(form.body, f.signed) && form.kind != placeholderBody {
			return form.kind, form.detail
		}
		if s.spent {
			break
		}
	}
	switch {
	case s.doc == nil:
		return "", ""
	case sameTokens(s.body, f.signed):
		return jsonWhitespace, "as in " + f.detail
	case sameValues(s.body, f.signed):
		return jsonReserialised, "the sender of " + f.detail
	}
	return "", ""
}

// sameTokens reports whether two JSON texts differ in white space alone.
func sameTokens(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// sameValues reports whether two JSON texts say the same, with numbers that are
// written alike.
func sameValues(a, b []byte) bool {
	x, y := values(a), values(b)
	return x != nil && reflect.DeepEqual(x, y)
}

// values is what a JSON text says; nil if it is none.
func values(text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if !json.Valid(text) || !utf8.Valid(text) || d.Decode(&v) != nil {
		return nil
	}
	return v
}
