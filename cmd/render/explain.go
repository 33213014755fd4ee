package render

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hookctl/hookctl/sign/explain"
)

// certaintyWord says how sure an explanation is.
func certaintyWord(c explain.Certainty) string {
	switch c {
	case explain.Proven:
		return "proven"
	case explain.Structural:
		return "certain"
	case explain.Heuristic:
		return "perhaps"
	}
	return "unknown"
}

// explanation draws why a signature does not match: how sure that is and what
// was signed, then what to change, or what to beware of where a forger could
// have made the signature.
func (s Style) explanation(indent int, e *explain.Explanation) []string {
	return s.conclusion(indent, e, e.Told())
}

// conclusion is explanation with a summary of the caller's.
func (s Style) conclusion(indent int, e *explain.Explanation, summary string) []string {
	lines := []string{s.reason(indent, strong, certaintyWord(e.Certainty), summary)}
	switch {
	case e.Fix == "", len(e.Helps) > 0: // the helps say it better, where there is room for them
		return lines
	case e.Warning:
		return append(lines, s.reason(indent, warn, "warning", e.Fix))
	}
	return append(lines, s.reason(indent, plain, "fix", e.Fix))
}

// reason is a gutter with prose that may quote what came from outside: a word
// that is wider than a line is broken, unless it is a URL.
func (s Style) reason(indent int, as role, label, text string) string {
	room := max(s.width()-indent-gutterWidth, gutterWidth)
	words := strings.Split(s.twins(Escape(text)), " ")
	for i, word := range words {
		if columns(word) > room && !strings.Contains(word, "://") {
			words[i] = strings.Join(chop(word, room), " ")
		}
	}
	return s.gutter(indent, as, label, strings.Join(words, " "))
}

// chop cuts a word into pieces of at most n columns.
func chop(word string, n int) []string {
	var pieces []string
	from := 0
	for i, r := range word {
		if i > from && columns(word[from:i+utf8.RuneLen(r)]) > n {
			pieces = append(pieces, word[from:i])
			from = i
		}
	}
	return append(pieces, word[from:])
}

// tried says what was tried in vain, and what would help. Behind an indent, the
// flags that help are those of another command.
func (s Style) tried(indent int, e *explain.Explanation, took time.Duration) []string {
	if e.Certainty != explain.None {
		return nil
	}
	text := e.Tried.String()
	if took > 0 {
		text += " in " + Duration(took)
	}
	lines := []string{s.gutter(indent, plain, "tried", text)}
	width, flag, command := 0, 0, ""
	if indent > 0 {
		command = "hookctl verify "
	}
	for _, h := range e.Helps {
		width, flag = max(width, columns(h.Says)), max(flag, columns(command+h.Flag))
	}
	lead := blanks(indent) + padRight("helps", gutterWidth)
	for _, h := range e.Helps {
		text := h.Flag
		if strings.HasPrefix(text, "--") {
			text = command + text
		}
		if indent+gutterWidth+width+gapWidth+flag > s.width() {
			lines = append(lines, lead+h.Says, blanks(indent+gutterWidth+gapWidth)+text)
		} else {
			lines = append(lines, lead+padRight(h.Says, width)+blanks(gapWidth)+text)
		}
		lead = blanks(indent + gutterWidth)
	}
	return lines
}

// What the other body of a difference is called.
const (
	bySender = "signed"
	byApp    = "hashed" // by the user's own code
)

// difference draws the first place where two bodies differ, one above the other,
// with one caret for both.
func (s Style) difference(indent int, other string, d *explain.Difference) []string {
	same := max(min(d.Offset-d.Start, len(d.Received), len(d.Signed)), 0)
	same = min(characterAt(d.Received, same), characterAt(d.Signed, same))
	text := func(raw string) string { return bareMarks(Escape(raw)) }
	before, from := d.Received[:same], 0
	const after = 12 // columns that are kept for what differs
	for from < len(before) && columns(text(before[from:])) > s.width()-indent-gutterWidth-after {
		_, size := utf8.DecodeRuneInString(before[from:])
		from += size
	}
	lead := ""
	if d.Start+from > 0 {
		lead = s.ellipsis()
	}
	label := func(text string) string { return blanks(indent) + padRight(text, gutterWidth) }
	return []string{
		label("differs") + "from byte " + Number(d.Offset+1) + " on",
		s.cut(label("received") + lead + text(d.Received[from:])),
		s.cut(label(other) + lead + text(d.Signed[from:])),
		label("") + blanks(columns(lead+text(before[from:]))) + s.paint(strongBad, "^"),
	}
}

// bareMarks writes combining marks as escapes: on a terminal they look the same
// as the characters that they make with the one before.
func bareMarks(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.Is(unicode.M, r) {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// characterAt is where the character that byte i belongs to begins.
func characterAt(text string, i int) int {
	for from := i; from >= 0 && from > i-utf8.UTFMax && from < len(text); from-- {
		if !utf8.RuneStart(text[from]) {
			continue
		}
		if _, size := utf8.DecodeRuneInString(text[from:]); from+size > i {
			return from
		}
		break
	}
	return i
}

// explained is all that is known of an explanation. A request on its own has a
// blank line before the difference.
func (s Style) explained(indent int, e *explain.Explanation, other string, took time.Duration) []string {
	lines := append(s.conclusion(indent, e, e.Summary), s.tried(indent, e, took)...)
	if e.Difference == nil {
		return lines
	}
	if indent == 0 {
		lines = append(lines, "")
	}
	return append(lines, s.difference(indent, other, e.Difference)...)
}
