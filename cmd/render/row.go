package render

import (
	"strings"
	"unicode/utf8"
)

// A row is one line of a table: words with roles, and blanks between them. It
// is measured plain and coloured last.
type row struct {
	spans []span
	used  int // columns
}

// A span is a part of a row in one role.
type span struct {
	role role
	text string
}

// add appends text, which must be safe to show.
func (r *row) add(as role, text string) {
	if text == "" {
		return
	}
	r.spans = append(r.spans, span{as, text})
	r.used += columns(text)
}

// left appends text and pads to the right, up to n columns.
func (r *row) left(as role, text string, n int) {
	r.add(as, text)
	r.add(plain, blanks(n-columns(text)))
}

// right pads to the left, up to n columns, and appends text.
func (r *row) right(as role, text string, n int) {
	r.add(plain, blanks(n-columns(text)))
	r.add(as, text)
}

// gap appends n blanks.
func (r *row) gap(n int) { r.add(plain, blanks(n)) }

// until appends blanks up to a column, from 0.
func (r *row) until(column int) { r.add(plain, blanks(column-r.used)) }

// line is the row as a coloured line without an end, without trailing blanks,
// cut at the style's width.
func (s Style) line(r row) string { return s.lineAt(r, s.width()) }

// whole is the row as line gives it, never cut.
func (s Style) whole(r row) string { return s.lineAt(r, r.used) }

func (s Style) lineAt(r row, width int) string {
	var all strings.Builder
	for _, p := range r.spans {
		all.WriteString(p.text)
	}
	text := strings.TrimRight(all.String(), " ")
	kept := s.cutAt(text, width)
	tail := ""
	if kept != text {
		tail = s.ellipsis()
		kept = strings.TrimSuffix(kept, tail)
	}
	var b strings.Builder
	last := plain
	for _, p := range r.spans {
		if kept == "" {
			break
		}
		part := p.text[:min(len(p.text), len(kept))]
		kept = kept[len(part):]
		last = p.role
		b.WriteString(s.paint(p.role, part))
	}
	b.WriteString(s.paint(last, tail))
	return b.String()
}

// cutFront keeps the end of text that fits n columns, with an ellipsis before.
func (s Style) cutFront(text string, n int) string {
	if s.Verbose || columns(text) <= n {
		return text
	}
	if n < 1 {
		return ""
	}
	start := len(text)
	for start > 0 {
		_, size := utf8.DecodeLastRuneInString(text[:start])
		if columns(text[start-size:]) > n-1 {
			break
		}
		start -= size
	}
	return s.ellipsis() + text[start:]
}

// hang writes prose behind a lead; the lines that follow stand under its first
// word. The lead may be coloured.
func (s Style) hang(lead, text string) string {
	indent := columns(lead)
	const least = 20
	width := max(s.width()-indent, least)
	lines := strings.Split(wrapAt(text, "", width), "\n")
	return lead + strings.Join(lines, "\n"+blanks(indent))
}

// gutterWidth is the width of the labels before an explanation or a setting.
const gutterWidth = 10

// gutter writes prose behind a label of ten columns.
func (s Style) gutter(indent int, as role, label, text string) string {
	return s.hang(blanks(indent)+s.paint(as, label)+blanks(gutterWidth-columns(label)), text)
}
