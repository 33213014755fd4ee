package explain

import (
	"bytes"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// appendQuoted writes a text as a JSON string.
func (s *spelling) appendQuoted(dst, text []byte) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, text[i])
		} else {
			dst = s.appendRune(dst, r)
		}
		i += n
	}
	return append(dst, '"')
}

// repr appends a node as Python's repr writes what json.loads makes of it.
func (d *document) repr(dst []byte, i int32) []byte {
	if len(dst) > mostWritten {
		return dst
	}
	n := &d.nodes[i]
	token := d.bytesOf(i)
	switch n.kind {
	case objectNode:
		all := d.appendMembers(nil, i)
		if d.repeatsIn(i) {
			all = d.single(all, lastAtFirst)
		}
		dst = append(dst, '{')
		for j, m := range all {
			if j > 0 {
				dst = append(dst, ", "...)
			}
			dst = d.repr(dst, m.name)
			dst = append(dst, ": "...)
			dst = d.repr(dst, m.value)
		}
		return append(dst, '}')
	case arrayNode:
		dst = append(dst, '[')
		for c := i + 1; c < n.next; c = d.nodes[c].next {
			if c > i+1 {
				dst = append(dst, ", "...)
			}
			dst = d.repr(dst, c)
		}
		return append(dst, ']')
	case stringNode:
		return appendRepr(dst, decode(nil, token))
	case numberNode:
		return asPython.appendNumber(dst, token)
	}
	switch token[0] {
	case 't':
		return append(dst, "True"...)
	case 'f':
		return append(dst, "False"...)
	}
	return append(dst, "None"...)
}

// quoteFor is the quote that Python takes: double ones only where they save
// escapes.
func quoteFor(text []byte) byte {
	if bytes.IndexByte(text, '\'') >= 0 && bytes.IndexByte(text, '"') < 0 {
		return '"'
	}
	return '\''
}

// appendRepr writes a text as Python's repr of a string.
func appendRepr(dst, text []byte) []byte {
	q := quoteFor(text)
	dst = append(dst, q)
	for _, r := range string(text) {
		switch {
		case r < 0x80:
			dst = appendReprByte(dst, byte(r), q)
		case unicode.IsPrint(r):
			dst = utf8.AppendRune(dst, r)
		case r < 0x100:
			dst = append(dst, `\x`...)
			dst = append(dst, strconv.FormatInt(int64(r), 16)...)
		case r < 0x10000:
			dst = append(dst, `\u`...)
			dst = append(dst, padded(int64(r), 4)...)
		default:
			dst = append(dst, `\U`...)
			dst = append(dst, padded(int64(r), 8)...)
		}
	}
	return append(dst, q)
}

func padded(n int64, width int) string {
	text := strconv.FormatInt(n, 16)
	for len(text) < width {
		text = "0" + text
	}
	return text
}

func appendReprByte(dst []byte, c, q byte) []byte {
	switch {
	case c == q || c == '\\':
		return append(dst, '\\', c)
	case c == '\n':
		return append(dst, '\\', 'n')
	case c == '\r':
		return append(dst, '\\', 'r')
	case c == '\t':
		return append(dst, '\\', 't')
	case c < 0x20 || c >= 0x7f:
		const digits = "0123456789abcdef"
		return append(dst, '\\', 'x', digits[c>>4], digits[c&15])
	}
	return append(dst, c)
}

// bytesRepresentation writes a text as Python's repr of bytes.
func bytesRepresentation(dst, text []byte) []byte {
	q := quoteFor(text)
	dst = append(dst, 'b', q)
	for _, c := range text {
		dst = appendReprByte(dst, c, q)
	}
	return append(dst, q)
}
