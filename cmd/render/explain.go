package render

import (
	"time"

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
	lines := []string{s.gutter(indent, strong, certaintyWord(e.Certainty), Escape(e.Summary))}
	if e.Fix == "" {
		return lines
	}
	if e.Warning {
		return append(lines, s.gutter(indent, warn, "warning", Escape(e.Fix)))
	}
	return append(lines, s.gutter(indent, plain, "fix", Escape(e.Fix)))
}

// tried says what was tried in vain, and what would help.
func (s Style) tried(e *explain.Explanation, took time.Duration) []string {
	if e.Certainty != explain.None {
		return nil
	}
	lines := []string{s.gutter(0, plain, "tried", e.Tried.String()+" in "+Duration(took))}
	width := 0
	for _, h := range e.Helps {
		width = max(width, columns(h.Says))
	}
	label := "helps"
	for _, h := range e.Helps {
		lines = append(lines, padRight(label, gutterWidth)+padRight(h.Says, width)+blanks(gapWidth)+h.Flag)
		label = ""
	}
	return lines
}

// difference draws the first place where two bodies differ, one above the other,
// with one caret for both.
func (s Style) difference(d *explain.Difference) []string {
	lead := ""
	if d.Start > 0 {
		lead = s.ellipsis()
	}
	before := d.Received[:min(d.Offset-d.Start, len(d.Received))]
	caret := gutterWidth + columns(lead+Escape(before))
	return []string{
		"",
		padRight("differs", gutterWidth) + "from byte " + Number(d.Offset+1) + " on",
		s.cut(padRight("received", gutterWidth) + lead + Escape(d.Received)),
		s.cut(padRight("signed", gutterWidth) + lead + Escape(d.Signed)),
		blanks(caret) + s.paint(strongBad, "^"),
	}
}

// explained is all that is known of an explanation, for a request on its own.
func (s Style) explained(e *explain.Explanation, took time.Duration) []string {
	lines := append(s.explanation(0, e), s.tried(e, took)...)
	if e.Difference != nil {
		lines = append(lines, s.difference(e.Difference)...)
	}
	return lines
}
