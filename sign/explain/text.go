package explain

import (
	"strings"
	"unicode/utf8"
)

// A spelling says how the characters of strings are written.
type spelling struct {
	touch    touch  // which characters are written anew; the others keep their text
	unicode  bool   // above ASCII: \uXXXX
	upper    bool   // its hex digits in upper case
	slash    bool   // / as \/
	html     string // ASCII characters that are written as \uXXXX
	lines    bool   // U+2028 and U+2029 as \uXXXX
	del      bool   // U+007F as \u007f
	long     bool   // \b and \f as \u0008 and \u000c
	replaced bool   // half a surrogate pair becomes U+FFFD
	beyond   bool   // above U+FFFF: \uXXXX\uXXXX, the rest plain
	escaped  bool   // only what is an escape already is touched
}

// touch is a set of kinds of characters.
type touch uint8

const (
	touchUnicode touch = 1 << iota // above ASCII
	touchSlash
	touchHTML       // < > & ' = + ` "
	touchAll  touch = 0xff
)

const htmlChars = "<>&'=+`\""

// affects reports whether a character is written anew.
func (s *spelling) affects(r rune) bool {
	switch {
	case s.touch == touchAll:
		return true
	case s.touch == 0:
		return false
	case r >= 0x80:
		return s.touch&touchUnicode != 0
	case r == '/':
		return s.touch&touchSlash != 0
	default:
		return s.touch&touchHTML != 0 && strings.IndexByte(htmlChars, byte(r)) >= 0
	}
}

// appendString writes the string token, quotes included.
func (s *spelling) appendString(dst, token []byte) []byte {
	if s.touch == 0 || len(token) < 2 {
		return append(dst, token...)
	}
	dst = append(dst, '"')
	inner := token[1 : len(token)-1]
	for i := 0; i < len(inner); {
		if j := i + untouched(inner[i:]); j > i {
			dst = append(dst, inner[i:j]...)
			i = j
			continue
		}
		r, n, escaped := unit(inner[i:])
		if r < 0 || !s.affects(r) || s.escaped && !escaped {
			dst = append(dst, inner[i:i+n]...)
		} else {
			dst = s.appendRune(dst, r)
		}
		i += n
	}
	return append(dst, '"')
}

// untouched is how many bytes at the start of a text no spelling changes.
func untouched(text []byte) int {
	for i, c := range text {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= ':', c == ' ', c == '_', c == '-', c == '.', c == ',':
		default:
			return i
		}
	}
	return len(text)
}

// unit reads a character of a string: its code point, how many bytes it takes,
// whether it is an escape. A byte that is not UTF-8 is -1.
func unit(text []byte) (r rune, n int, escaped bool) {
	if text[0] != '\\' {
		r, n = utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			r = -1
		}
		return r, n, false
	}
	if len(text) < 2 {
		return -1, 1, false
	}
	switch c := text[1]; c {
	case 'b':
		return '\b', 2, true
	case 'f':
		return '\f', 2, true
	case 'n':
		return '\n', 2, true
	case 'r':
		return '\r', 2, true
	case 't':
		return '\t', 2, true
	case 'u':
		r, ok := hex4(text[2:])
		if !ok {
			return -1, 2, false
		}
		if r >= 0xd800 && r < 0xdc00 && len(text) >= 12 && text[6] == '\\' && text[7] == 'u' {
			if low, ok := hex4(text[8:]); ok && low >= 0xdc00 && low < 0xe000 {
				return (r-0xd800)<<10 | (low - 0xdc00) + 0x10000, 12, true
			}
		}
		return r, 6, true
	default:
		return rune(c), 2, true
	}
}

func (s *spelling) appendRune(dst []byte, r rune) []byte {
	switch {
	case r >= 0xd800 && r < 0xe000:
		if s.replaced {
			return append(dst, "\ufffd"...)
		}
		return s.appendHex(dst, r)
	case r > 0xffff:
		if s.unicode || s.beyond {
			r -= 0x10000
			return s.appendHex(s.appendHex(dst, 0xd800|r>>10), 0xdc00|r&0x3ff)
		}
		return utf8.AppendRune(dst, r)
	case r >= 0x80:
		if s.unicode || s.lines && (r == 0x2028 || r == 0x2029) {
			return s.appendHex(dst, r)
		}
		return utf8.AppendRune(dst, r)
	case r == 0x7f && s.del:
		return s.appendHex(dst, r)
	case s.html != "" && strings.IndexByte(s.html, byte(r)) >= 0:
		return s.appendHex(dst, r)
	}
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '/':
		if s.slash {
			return append(dst, '\\', '/')
		}
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	case '\b':
		if !s.long {
			return append(dst, '\\', 'b')
		}
	case '\f':
		if !s.long {
			return append(dst, '\\', 'f')
		}
	}
	if r < 0x20 {
		return s.appendHex(dst, r)
	}
	return append(dst, byte(r))
}

func (s *spelling) appendHex(dst []byte, r rune) []byte {
	digits := "0123456789abcdef"
	if s.upper {
		digits = "0123456789ABCDEF"
	}
	return append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// decode is what a string token stands for, quotes left out; half a surrogate
// pair is U+FFFD.
func decode(dst, token []byte) []byte {
	if len(token) < 2 {
		return dst
	}
	inner := token[1 : len(token)-1]
	for i := 0; i < len(inner); {
		r, n, escaped := unit(inner[i:])
		if escaped {
			dst = utf8.AppendRune(dst, r)
		} else {
			dst = append(dst, inner[i:i+n]...)
		}
		i += n
	}
	return dst
}
