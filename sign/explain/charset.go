package explain

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// charsetForms are the body in other charsets.
func (s *search) charsetForms(yield func(bodyForm) bool) bool {
	b := s.body
	if isASCII(b) {
		return s.wideForms(yield)
	}
	if !utf8.Valid(b) {
		for _, f := range [...]struct {
			says   string
			decode func(c byte) rune
		}{{"UTF-8", latin1}, {"UTF-8", windows1252}} {
			s.buf = s.buf[:0]
			for _, c := range b {
				s.buf = utf8.AppendRune(s.buf, f.decode(c))
			}
			if !yield(bodyForm{charsetTranscoded, f.says, s.buf}) {
				return false
			}
		}
		s.buf = append(s.buf[:0], string([]rune(string(b)))...)
		return yield(bodyForm{charsetTranscoded, "UTF-8 with U+FFFD for what is none", s.buf}) && s.wideForms(yield)
	}
	for _, f := range [...]struct {
		says   string
		encode func(r rune) (byte, bool)
	}{{"latin-1", toLatin1}, {"windows-1252", toWindows1252}} {
		out, lost := s.buf[:0], false
		for _, r := range string(b) {
			c, ok := f.encode(r)
			if !ok {
				c, lost = '?', true
			}
			out = append(out, c)
		}
		s.buf = out
		form := bodyForm{charsetTranscoded, f.says, out}
		switch {
		case lost:
			form.detail += " with ? for what is not in it"
		case utf8.Valid(out):
			form.kind, form.detail = latin1Mojibake, "the text before it was read as "+f.says+" and written as UTF-8"
		}
		if !yield(form) {
			return false
		}
		if inner, ok := onceMore(out, f.encode); ok && !lost && !yield(bodyForm{latin1Mojibake, "the text before it was twice read as " + f.says + " and written as UTF-8", inner}) {
			return false
		}
	}
	for _, f := range [...]struct {
		says   string
		decode func(c byte) rune
	}{{"latin-1", latin1}, {"windows-1252", windows1252}} {
		s.buf = s.buf[:0]
		for _, c := range b {
			s.buf = utf8.AppendRune(s.buf, f.decode(c))
		}
		if !yield(bodyForm{latin1Mojibake, "this body, read as " + f.says + " and written as UTF-8", s.buf}) {
			return false
		}
	}
	return s.markForms(yield) && s.normalForms(yield) && s.wideForms(yield)
}

// onceMore encodes a text that was decoded wrongly twice.
func onceMore(text []byte, encode func(r rune) (byte, bool)) ([]byte, bool) {
	if !utf8.Valid(text) {
		return nil, false
	}
	var out []byte
	for _, r := range string(text) {
		c, ok := encode(r)
		if !ok {
			return nil, false
		}
		out = append(out, c)
	}
	return out, utf8.Valid(out)
}

// markForms are the body with question marks for what is not ASCII.
func (s *search) markForms(yield func(bodyForm) bool) bool {
	for _, marks := range [...]func(r rune) int{
		func(rune) int { return 1 },
		func(r rune) int { return utf16.RuneLen(r) },
		utf8.RuneLen,
	} {
		s.buf = s.buf[:0]
		for _, r := range string(s.body) {
			if r < 0x80 {
				s.buf = append(s.buf, byte(r))
				continue
			}
			for range marks(r) {
				s.buf = append(s.buf, '?')
			}
		}
		if !yield(bodyForm{asciiReplacement, "", s.buf}) {
			return false
		}
	}
	return true
}

// normalForms are the body in the normal forms of Unicode.
func (s *search) normalForms(yield func(bodyForm) bool) bool {
	for _, f := range [...]struct {
		says string
		norm.Form
	}{{"NFC", norm.NFC}, {"NFD", norm.NFD}} {
		s.buf = f.Append(s.buf[:0], s.body...)
		if !yield(bodyForm{unicodeNormalised, f.says, s.buf}) {
			return false
		}
	}
	return true
}

// wideForms are the body in UTF-16, and in UTF-8 if it is in UTF-16.
func (s *search) wideForms(yield func(bodyForm) bool) bool {
	b := s.body
	if len(b) >= 4 && len(b)%2 == 0 {
		for _, order := range [...]binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			units := make([]uint16, 0, len(b)/2)
			for i := 0; i < len(b); i += 2 {
				units = append(units, order.Uint16(b[i:]))
			}
			if units[0] == 0xfeff {
				units = units[1:]
			}
			if len(units) == 0 || units[0] >= 0x100 {
				continue
			}
			s.buf = append(s.buf[:0], string(utf16.Decode(units))...)
			if !yield(bodyForm{charsetTranscoded, "UTF-8", s.buf}) {
				return false
			}
		}
	}
	if !utf8.Valid(b) {
		return true
	}
	units := utf16.Encode([]rune(string(b)))
	for _, f := range [...]struct {
		says  string
		order binary.AppendByteOrder
		mark  bool
	}{
		{"UTF-16 (little endian)", binary.LittleEndian, false}, {"UTF-16 (big endian)", binary.BigEndian, false},
		{"UTF-16 (little endian, with BOM)", binary.LittleEndian, true}, {"UTF-16 (big endian, with BOM)", binary.BigEndian, true},
	} {
		s.buf = s.buf[:0]
		if f.mark {
			s.buf = f.order.AppendUint16(s.buf, 0xfeff)
		}
		for _, u := range units {
			s.buf = f.order.AppendUint16(s.buf, u)
		}
		if !yield(bodyForm{charsetTranscoded, f.says, s.buf}) {
			return false
		}
	}
	return true
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

func latin1(c byte) rune { return rune(c) }

func toLatin1(r rune) (byte, bool) { return byte(r), r < 0x100 }

// high1252 are the characters of windows-1252 from 0x80 to 0x9f; what it leaves
// free is as in latin-1.
const high1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

func windows1252(c byte) rune {
	if c < 0x80 || c >= 0xa0 {
		return rune(c)
	}
	place := 0x80
	for _, r := range high1252 {
		if place == int(c) {
			return r
		}
		place++
	}
	return rune(c)
}

func toWindows1252(r rune) (byte, bool) {
	if r < 0x80 || r >= 0xa0 && r < 0x100 {
		return byte(r), true
	}
	place := 0x80
	for _, h := range high1252 {
		if h == r {
			return byte(place), true
		}
		place++
	}
	return 0, false
}
