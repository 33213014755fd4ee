package profiles

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// maxFile is the largest profile file, in bytes.
const maxFile = 1 << 20

// maxFaults is how many faults of one file are told.
const maxFaults = 100

// A source is a file that is being read, and what is wrong with it.
type source struct {
	file   string
	lines  []string
	starts []int // the byte at which each line begins
	faults Errors
	bad    map[*yaml.Node]bool // told already, to be passed over

	split   int   // the line that offsets are of
	offsets []int // the byte at which each character begins
}

// newSource takes the text of a file apart into lines as YAML does.
func newSource(file, text string) *source {
	s := &source{file: file, bad: map[*yaml.Node]bool{}}
	start := 0
	for i, r := range text {
		switch r {
		case '\n', '\u0085', '\u2028', '\u2029':
		case '\r':
			if strings.HasPrefix(text[i+1:], "\n") {
				continue
			}
		default:
			continue
		}
		s.lines, s.starts = append(s.lines, strings.TrimSuffix(text[start:i], "\r")), append(s.starts, start)
		start = i + utf8.RuneLen(r)
	}
	s.lines, s.starts = append(s.lines, text[start:]), append(s.starts, start)
	return s
}

// line is line n, from 1; "" if there is none.
func (s *source) line(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	return s.lines[n-1]
}

// full reports whether no more faults are wanted.
func (s *source) full() bool { return len(s.faults) >= maxFaults }

// at tells a fault at a place.
func (s *source) at(line, column, width int, near, format string, args ...any) {
	if s.full() {
		return
	}
	s.faults = append(s.faults, &Error{
		File: s.file, Line: line, Column: column, Width: width,
		Message: fmt.Sprintf(format, args...), Near: near, Source: s.line(line),
	})
}

// fault tells a fault of a node.
func (s *source) fault(n *yaml.Node, near, format string, args ...any) {
	if s.bad[n] || s.full() {
		return
	}
	s.at(n.Line, n.Column, s.width(n), near, format, args...)
}

// result is the faults told, in the file's order, or nil.
func (s *source) result() error {
	if len(s.faults) == 0 {
		return nil
	}
	slices.SortStableFunc(s.faults, func(a, b *Error) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return s.faults
}

// rest is what stands in the file from a node to the end of its line.
func (s *source) rest(n *yaml.Node) string {
	if s.split != n.Line { // a line may be long and have many nodes
		s.split, s.offsets = n.Line, s.offsets[:0]
		for at := range s.line(n.Line) {
			s.offsets = append(s.offsets, at)
		}
	}
	if n.Column < 1 || n.Column > len(s.offsets) {
		return ""
	}
	return s.line(n.Line)[s.offsets[n.Column-1]:]
}

// width is how many characters of its line a node takes; of a list or mapping
// only its first sign or key.
func (s *source) width(n *yaml.Node) int {
	token := s.token(n)
	return max(1, utf8.RuneCountInString(token))
}

// token is the text of a node as far as its first line has it; of a list or
// mapping its first sign or key.
func (s *source) token(n *yaml.Node) string {
	text := s.rest(n)
	switch {
	case text == "":
		return ""
	case strings.ContainsRune("!&*", rune(text[0])):
		end := strings.IndexAny(text, " \t,[]{}")
		if end < 0 {
			end = len(text)
		}
		return text[:end]
	case n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0 && n.Content[0].Line == n.Line:
		if first := n.Content[0]; first.Kind == yaml.ScalarNode && first.Column == n.Column {
			return s.token(first)
		}
		return text[:1]
	case n.Kind == yaml.SequenceNode && n.Style&yaml.FlowStyle != 0:
		return text[:flowEnd(text)]
	case n.Kind != yaml.ScalarNode:
		return text[:1]
	case text[0] == '\'' && n.Style&yaml.SingleQuotedStyle != 0:
		for end := 1; end < len(text); end++ {
			if text[end] != '\'' {
				continue
			}
			if end+1 == len(text) || text[end+1] != '\'' {
				return text[:end+1]
			}
			end++
		}
		return strings.TrimRight(text, " \t")
	case text[0] == '"' && n.Style&yaml.DoubleQuotedStyle != 0:
		for end := 1; end < len(text); end++ {
			switch text[end] {
			case '\\':
				end++
			case '"':
				return text[:end+1]
			}
		}
		return strings.TrimRight(text, " \t")
	case strings.HasPrefix(text, n.Value):
		return n.Value
	default:
		return text[:1]
	}
}

// flowEnd is where the list that begins a text ends, if it does so in its line;
// else 1.
func flowEnd(text string) int {
	depth, quoted, before := 0, byte(0), byte('[')
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted == '"' && c == '\\':
			i++
		case quoted != 0:
			if c == quoted {
				quoted = 0
			}
		case (c == '"' || c == '\'') && strings.IndexByte("[{,:", before) >= 0:
			quoted = c
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		if c != ' ' {
			before = c
		}
	}
	return 1
}
