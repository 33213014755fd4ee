package render

import (
	"io"
	"strings"
)

// Kind is how much a message on stderr weighs; it is its first word.
type Kind string

// The kinds of messages, by weight.
const (
	Error   Kind = "error"
	Warning Kind = "warning"
	Note    Kind = "note"
	Hint    Kind = "hint"
)

func (k Kind) role() role {
	switch k {
	case Error:
		return strongBad
	case Warning:
		return warn
	case Note:
		return dim
	case Hint:
		return strong
	}
	return plain
}

// A Message is something said on stderr.
type Message struct {
	Kind    Kind     // "" for a line without a kind, as the ready line
	Text    string   // one sentence, lower case, no full stop
	Command string   // a command to paste, or ""
	Source  []string // a quoted line and the line with its carets, or none
}

// Say writes a message: "hookctl: error: ...". On a terminal it is wrapped at
// the width and its command has a line of its own, which is never broken; else
// the message is one line with the command after a colon. Quoted lines follow,
// four columns in. Text and quoted lines are escaped here.
func Say(w io.Writer, s Style, m Message) error {
	const program = "hookctl: "
	label := ""
	if m.Kind != "" {
		label = string(m.Kind) + ": "
	}
	text := Escape(m.Text)
	command := Escape(m.Command)
	if command != "" && !strings.HasSuffix(text, ":") {
		text += ":"
	}
	line := program + label + text
	switch {
	case s.Terminal:
		line = s.wrap(line, "  ")
		if command != "" {
			line += "\n  " + command
		}
	case command != "":
		line += " " + command
	}
	if rest, ok := strings.CutPrefix(line, program+string(m.Kind)); ok {
		line = program + s.paint(m.Kind.role(), string(m.Kind)) + rest
	}
	var b strings.Builder
	b.WriteString(line + "\n")
	for _, source := range m.Source {
		b.WriteString("    " + s.carets(Escape(source)) + "\n")
	}
	return writeString(w, b.String())
}

// carets paints the carets of a line that has nothing but a gutter before them.
func (s Style) carets(line string) string {
	from := strings.IndexByte(line, '^')
	if from < 0 || strings.Trim(line[:from], " |") != "" {
		return line
	}
	to := from
	for to < len(line) && line[to] == '^' {
		to++
	}
	return line[:from] + s.paint(strongBad, line[from:to]) + line[to:]
}

func writeString(w io.Writer, text string) error {
	_, err := io.WriteString(w, text)
	return err
}
