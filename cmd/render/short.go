package render

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/lipgloss"
)

// What a shortened id or digest keeps, and from which length it is shortened.
const (
	keepFirst   = 8
	keepLast    = 4
	longestID   = 16
	leastDigest = 27 // base64 of the shortest digest, without its padding
)

// shortID shortens an id of more than 16 characters to its first 8 and last 4.
func (s Style) shortID(id string) string {
	id = Escape(id)
	if s.Verbose || utf8.RuneCountInString(id) <= longestID {
		return id
	}
	r := []rune(id)
	return string(r[:keepFirst]) + s.ellipsis() + string(r[len(r)-keepLast:])
}

// shortDigests shortens each digest inside a signature header.
func (s Style) shortDigests(value string) string {
	value = Escape(value)
	if s.Verbose {
		return value
	}
	var b strings.Builder
	for value != "" {
		n := 0
		for n < len(value) && digestByte(value[n]) {
			n++
		}
		end := n
		for end < len(value) && end < n+2 && value[end] == '=' {
			end++
		}
		switch {
		case n >= leastDigest:
			b.WriteString(value[:keepFirst] + s.ellipsis() + value[end-keepLast:end])
		case end == 0:
			end = 1
			fallthrough
		default:
			b.WriteString(value[:end])
		}
		value = value[end:]
	}
	return b.String()
}

func digestByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '+' || c == '/'
}

// cut cuts a line without style codes at Width with an ellipsis.
func (s Style) cut(line string) string { return s.cutAt(line, s.width()) }

// cutAt cuts text without style codes at n columns with an ellipsis.
func (s Style) cutAt(text string, n int) string {
	if s.Verbose || columns(text) <= n {
		return text
	}
	if n < 1 {
		return ""
	}
	end, used := 0, 0
	for i, r := range text {
		w := 1
		if r >= utf8.RuneSelf {
			w = lipgloss.Width(string(r))
		}
		if used+w > n-1 {
			break
		}
		used += w
		end = i + utf8.RuneLen(r)
	}
	for end > 0 && columns(text[:end]) > n-1 {
		_, size := utf8.DecodeLastRuneInString(text[:end])
		end -= size
	}
	return text[:end] + s.ellipsis()
}

// wrap breaks prose at Width; following lines begin with indent. A number and
// its unit are never parted, a word that is too long is never broken.
func (s Style) wrap(text, indent string) string {
	return wrapAt(text, indent, s.width())
}

func wrapAt(text, indent string, width int) string {
	var b strings.Builder
	used, empty := 0, true // of the line that is being filled
	for i, word := range glueUnits(strings.Split(text, " ")) {
		w := columns(word)
		switch {
		case i == 0:
		case word != "" && !empty && used+1+w > width:
			b.WriteString("\n" + indent)
			used, empty = columns(indent), true
		default:
			word = " " + word
			w++
		}
		b.WriteString(word)
		used += w
		empty = empty && strings.TrimSpace(word) == ""
	}
	return b.String()
}

// glueUnits joins each number with the unit that follows it.
func glueUnits(words []string) []string {
	var glued []string
	for _, word := range words {
		if n := len(glued); n > 0 && isUnit(word) && isNumber(glued[n-1]) {
			glued[n-1] += " " + word
			continue
		}
		glued = append(glued, word)
	}
	return glued
}

// isNumber tells whether a word ends in a number: "30", "(1,178", "<1", "±25".
func isNumber(word string) bool {
	word = strings.TrimLeft(word, `("<>=~+-±`)
	if word == "" || word[len(word)-1] < '0' || word[len(word)-1] > '9' {
		return false
	}
	return strings.Trim(word, "0123456789.,+") == ""
}

// isUnit tells whether a word is a unit, with what punctuation may follow.
func isUnit(word string) bool {
	switch strings.TrimRight(word, `.,;:)"`) {
	case "ms", "s", "m", "h", "d", "%", "byte", "bytes", "KiB", "MiB":
		return true
	}
	return false
}
