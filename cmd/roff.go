package cmd

import "strings"

// A roff writes the language of manual pages.
type roff struct{ strings.Builder }

// request is a line such as .SH NAME.
func (r *roff) request(name string, words ...string) {
	r.WriteString("." + name)
	for _, w := range words {
		r.WriteString(` "` + strings.ReplaceAll(escapeRoff(w), `"`, `\(dq`) + `"`)
	}
	r.WriteString("\n")
}

// line is a line of text.
func (r *roff) line(s string) {
	s = escapeRoff(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s // it is no request
	}
	r.WriteString(s + "\n")
}

// bold is a line in bold.
func (r *roff) bold(s string) { r.WriteString(`\fB` + escapeRoff(s) + `\fR` + "\n") }

// text is prose, which man wraps.
func (r *roff) text(s string) {
	for line := range strings.Lines(strings.TrimSpace(s)) {
		if line = strings.TrimSpace(line); line == "" {
			r.request("PP")
		} else {
			r.line(line)
		}
	}
}

// literal is text that keeps its lines and blanks. It begins at the left edge,
// so that 80 columns of help are 80 columns here.
func (r *roff) literal(s string) {
	r.WriteString(".in 0\n.nf\n")
	for line := range strings.Lines(strings.Trim(s, "\n")) {
		r.line(strings.TrimSuffix(line, "\n"))
	}
	r.WriteString(".fi\n.in\n")
}

// escapeRoff makes every sign the one that is meant: a hyphen stays the minus of
// a flag, a quote the quote of a shell.
func escapeRoff(s string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(s)
}
