package explain

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
)

// mostForm is the largest form that is taken apart, in bytes.
const mostForm = 256 << 10

// A percentStyle is a way to write a form's names and values.
type percentStyle struct {
	plus  bool   // a blank is +
	plain string // characters that stay, beside letters, digits and -_.
	lower bool   // hex digits in lower case
}

func percentStyles() []percentStyle {
	var all []percentStyle
	for _, plain := range [...]string{"", "~", "*", "~*", "!*'()", "~!*'()", "/", "~/", "~@:/", ":/?@!$'()*,;~"} {
		for _, plus := range [...]bool{true, false} {
			for _, lower := range [...]bool{false, true} {
				all = append(all, percentStyle{plus, plain, lower})
			}
		}
	}
	return all
}

func (p percentStyle) append(dst []byte, text string) []byte {
	digits := "0123456789ABCDEF"
	if p.lower {
		digits = "0123456789abcdef"
	}
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_', c == '.', strings.IndexByte(p.plain, c) >= 0:
			dst = append(dst, c)
		case c == ' ' && p.plus:
			dst = append(dst, '+')
		default:
			dst = append(dst, '%', digits[c>>4], digits[c&15])
		}
	}
	return dst
}

// A field is a name and a value of a form, decoded.
type field struct {
	name, value string
	bare        bool // there is no =
}

// form takes a body apart as a form.
func form(body []byte) ([]field, bool) {
	text := strings.TrimRight(string(body), "\r\n")
	if len(text) > mostForm || text == "" || !strings.Contains(text, "=") || strings.ContainsAny(text, "{<\"\n") {
		return nil, false
	}
	var all []field
	for part := range strings.SplitSeq(text, "&") {
		name, value, found := strings.Cut(part, "=")
		n, err1 := url.QueryUnescape(name)
		v, err2 := url.QueryUnescape(value)
		if err1 != nil || err2 != nil || len(all) > 2000 {
			return nil, false
		}
		all = append(all, field{n, v, !found})
	}
	return all, true
}

// wrapperForms are the body in a form, out of one, and a form written anew.
func (s *search) wrapperForms(yield func(bodyForm) bool) bool {
	if fields, ok := form(s.body); ok {
		for _, f := range fields {
			if inner := strings.TrimSpace(f.value); inner != "" && strings.IndexByte("{[\"", inner[0]) >= 0 && !yield(bodyForm{formWrapperAdded, quote(f.name), []byte(f.value)}) {
				return false
			}
		}
		return s.reencoded(yield, fields)
	}
	if len(s.body) == 0 || len(s.body) > mostForm {
		return true
	}
	for _, name := range [...]string{"payload", "data", "body", "json", "event"} {
		for _, p := range percentStyles() {
			s.buf = append(append(s.buf[:0], name...), '=')
			s.buf = p.append(s.buf, string(s.body))
			if !yield(bodyForm{formWrapperRemoved, quote(name), s.buf}) {
				return false
			}
			if name != "payload" {
				break
			}
		}
		s.buf = append(append(s.buf[:0], name+"="...), s.body...)
		if !yield(bodyForm{formWrapperRemoved, quote(name), s.buf}) {
			return false
		}
	}
	return true
}

// reencoded are the form with its fields decoded and encoded again.
func (s *search) reencoded(yield func(bodyForm) bool, fields []field) bool {
	sorted := slices.Clone(fields)
	slices.SortStableFunc(sorted, func(a, b field) int { return strings.Compare(a.name, b.name) })
	for _, list := range [...][]field{fields, sorted} {
		for _, p := range percentStyles() {
			s.buf = s.buf[:0]
			for i, f := range list {
				if i > 0 {
					s.buf = append(s.buf, '&')
				}
				s.buf = p.append(s.buf, f.name)
				if !f.bare {
					s.buf = p.append(append(s.buf, '='), f.value)
				}
			}
			if !yield(bodyForm{formReencoded, "", s.buf}) {
				return false
			}
		}
	}
	s.buf = append(s.buf[:0], bytes.ReplaceAll(s.body, []byte("+"), []byte("%20"))...)
	if !yield(bodyForm{formReencoded, "", s.buf}) {
		return false
	}
	s.buf = append(s.buf[:0], bytes.ReplaceAll(s.body, []byte("%20"), []byte("+"))...)
	if !yield(bodyForm{formReencoded, "", s.buf}) {
		return false
	}
	plain, err := url.QueryUnescape(string(s.body))
	return err != nil || yield(bodyForm{formReencoded, "decoded", []byte(plain)})
}
