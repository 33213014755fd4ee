package explain

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// shownBytes is how much of a text from outside is shown, in bytes.
const shownBytes = 80

// quote shows a text from outside in quotes, escaped and cut.
func quote(text string) string {
	if len(text) > shownBytes {
		text = text[:shownBytes] + "…"
	}
	return strconv.Quote(text)
}

// escape shows a text from outside, escaped and cut.
func escape(text string) string {
	q := quote(text)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

// number writes a number with commas.
func number(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// count says a number of bytes.
func count(n int) string {
	if n == 1 {
		return "1 byte"
	}
	return number(n) + " bytes"
}

const (
	windowBefore = 24  // bytes of a window before the difference
	windowSize   = 192 // bytes of a window
)

// comparable reports whether a body of that kind has its likeness to the
// received one.
func comparable(k Kind) bool {
	switch k {
	case emptyBodySigned, placeholderBody, bodyCompressed, bodyBase64Encoded, charsetTranscoded:
		return false
	}
	return true
}

// differ finds the first byte that differs; nil if there is none.
func differ(received, signed []byte) *Difference {
	n := 0
	for n < len(received) && n < len(signed) && received[n] == signed[n] {
		n++
	}
	if n == len(received) && n == len(signed) {
		return nil
	}
	start := max(0, n-windowBefore)
	for start > 0 && start > n-windowBefore-utf8.UTFMax && !utf8.RuneStart(received[start]) {
		start--
	}
	return &Difference{Offset: n, Start: start, Received: window(received, start), Signed: window(signed, start)}
}

// window is a piece of a text that begins and ends with whole characters.
func window(text []byte, start int) string {
	start = min(start, len(text))
	end := min(len(text), start+windowSize)
	for end < len(text) && end > start+windowSize-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return string(text[start:end])
}
