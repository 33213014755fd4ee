package render

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/lipgloss"
)

const day = 24 * time.Hour

// Duration writes d like a clock, at most two units, truncated: "<1 ms",
// "31 ms", "31.4 s", "2 m 31 s", "1 h 42 m", "2 d 7 h". What is zero is
// dropped: "30 s", "2 m", "0 s". A negative d has a minus in front.
func Duration(d time.Duration) string {
	switch {
	case d == math.MinInt64:
		return "-" + Duration(math.MaxInt64)
	case d < 0:
		return "-" + Duration(-d)
	case d == 0:
		return "0 s"
	case d < time.Millisecond:
		return "<1 ms"
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	case d < time.Minute && d%time.Second != 0:
		tenths := int64(d / (100 * time.Millisecond))
		return strconv.FormatInt(tenths/10, 10) + "." + strconv.FormatInt(tenths%10, 10) + " s"
	case d < time.Minute:
		return strconv.FormatInt(int64(d/time.Second), 10) + " s"
	case d < time.Hour:
		return twoUnits(d, time.Minute, " m", time.Second, " s")
	case d < day:
		return twoUnits(d, time.Hour, " h", time.Minute, " m")
	}
	return twoUnits(d, day, " d", time.Hour, " h")
}

func twoUnits(d, large time.Duration, largeName string, small time.Duration, smallName string) string {
	text := Number(int(d/large)) + largeName
	if rest := d % large / small; rest > 0 {
		text += " " + strconv.FormatInt(int64(rest), 10) + smallName
	}
	return text
}

// Number writes n with a comma every three digits.
func Number(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// percent writes a share (1 is all) with one decimal: "99.2 %".
func percent(share float64) string {
	return strconv.FormatFloat(share*100, 'f', 1, 64) + " %"
}

// signedPercent is percent with its sign: "+4.7 %".
func signedPercent(share float64) string {
	text := percent(share)
	switch {
	case text == "-0.0 %":
		return "+0.0 %"
	case text[0] == '-':
		return text
	}
	return "+" + text
}

// count is a number and what is counted: "1 byte", "1,178 bytes".
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return Number(n) + " " + thing
}

// Escape makes text from outside safe to show: what does not print (C0, DEL,
// C1, bidirectional and other invisible characters) and invalid UTF-8 stand as
// in Go strings (\n, \x1b, \u202e). Quotes and backslashes stay, so that JSON
// is readable; therefore escaping twice is escaping once.
func Escape(s string) string {
	if !needsEscape(s) {
		return s
	}
	var b strings.Builder
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			const hex = "0123456789abcdef"
			b.WriteString(`\x` + string(hex[s[0]>>4]) + string(hex[s[0]&15]))
		case strconv.IsPrint(r):
			b.WriteString(s[:size])
		default:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		s = s[size:]
	}
	return b.String()
}

func needsEscape(s string) bool {
	for i, r := range s {
		if r >= ' ' && r < utf8.RuneSelf-1 {
			continue
		}
		if !strconv.IsPrint(r) {
			return true
		}
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return true
		}
	}
	return false
}

// columns is the width of s in columns, without style codes.
func columns(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return lipgloss.Width(s)
		}
	}
	return len(s)
}

// padLeft pads to n columns, without counting style codes.
func padLeft(s string, n int) string { return blanks(n-columns(s)) + s }

// padRight pads to n columns, without counting style codes.
func padRight(s string, n int) string { return s + blanks(n-columns(s)) }

func blanks(n int) string { return strings.Repeat(" ", max(n, 0)) }

// ellipsis, plusMinus, thin, thick are the drawings or their ASCII twins.
func (s Style) ellipsis() string  { return s.twins("…") }
func (s Style) plusMinus() string { return s.twins("±") }
func (s Style) thin() string      { return s.twins("─") }
func (s Style) thick() string     { return s.twins("━") }

// twins replaces each drawing in a text of hookctl's own by its ASCII twin, if
// the style wants that. All are one column wide but for the twin of ±, two.
func (s Style) twins(text string) string {
	if !s.ASCII {
		return text
	}
	return asciiTwins(text)
}

func asciiTwins(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch r {
		case '─':
			b.WriteByte('-')
		case '━':
			b.WriteByte('=')
		case '░':
			b.WriteByte(' ')
		case '▁', '▂', '▃':
			b.WriteByte('.')
		case '▄', '▅', '▆':
			b.WriteByte(':')
		case '▇', '█':
			b.WriteByte('#')
		case '…':
			b.WriteByte('~')
		case '±':
			b.WriteString("+-")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
