package profiles

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// load reads a text as one YAML document of the plain kind: mappings, lists and
// scalars, no key twice, no anchor, alias, tag or merge key. The root is nil if
// there is nothing to go on with; the faults are in the source.
func load(file string, data []byte) (*source, *yaml.Node) {
	if len(data) > maxFile {
		s := newSource(file, "")
		s.faults = errTooLarge(file)
		return s, nil
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	s := newSource(file, string(data))
	if !s.readable() {
		return s, nil
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	doc, err := decode(dec)
	switch {
	case errors.Is(err, io.EOF), err == nil && len(doc.Content) != 1, err == nil && empty(doc.Content[0]):
		s.at(1, 1, 1, "", "the file is empty")
		return s, nil
	case err != nil:
		s.notYAML(err)
		return s, nil
	}
	second, err := decode(dec)
	switch {
	case err == nil:
		s.at(second.Line, second.Column, 3, "", "a second document begins here; a profile file has one")
	case !errors.Is(err, io.EOF):
		s.notYAML(err)
		return s, nil
	}
	s.strict(doc.Content[0], "", 0)
	return s, doc.Content[0]
}

// errTooLarge says that a file is larger than maxFile.
func errTooLarge(file string) Errors {
	return Errors{{File: file, Line: 1, Column: 1, Width: 1, Message: "the file is larger than 1 MiB"}}
}

// decode reads the next document. The YAML package may panic on odd input; then
// that is the error.
func decode(dec *yaml.Decoder) (doc *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			doc, err = nil, fmt.Errorf("%v", r)
		}
	}()
	var n yaml.Node
	if err := dec.Decode(&n); err != nil {
		return nil, err
	}
	return &n, nil
}

// readable tells the first byte that no YAML may have.
func (s *source) readable() bool {
	for i, line := range s.lines {
		column := 0
		for at, r := range line {
			column++
			_, size := utf8.DecodeRuneInString(line[at:])
			switch {
			case r == utf8.RuneError && size == 1:
				s.at(i+1, column, 1, "", "the byte 0x%02x is not UTF-8", line[at])
				return false
			case r < ' ' && r != '\t', r >= 0x7f && r < 0xa0, r == 0xfeff, r == 0xfffe, r == 0xffff:
				s.at(i+1, column, 1, "", "the character U+%04X may not stand in a profile file", r)
				return false
			}
		}
	}
	return true
}

// notYAML tells at which line a text stops being readable as YAML.
func (s *source) notYAML(err error) {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if number, what, ok := strings.Cut(strings.TrimPrefix(text, "line "), ": "); ok && strings.HasPrefix(text, "line ") {
		if n, err := strconv.Atoi(number); err == nil {
			line, text = n, what
		}
	}
	if name, ok := strings.CutPrefix(text, "unknown anchor '"); ok {
		name = strings.TrimSuffix(name, "' referenced")
		for i, l := range s.lines {
			if at := strings.Index(l, "*"+name); at >= 0 {
				s.at(i+1, utf8.RuneCountInString(l[:at])+1, utf8.RuneCountInString(name)+1, "", "an alias is not allowed")
				return
			}
		}
	}
	if n := s.unreadable(); n > 0 {
		line = n
	}
	s.at(min(max(line, 1), len(s.lines)), 0, 0, "", "not YAML: %s", text)
}

// unreadable is the first line that no lines after it make readable, which the
// YAML package's errors do not always name; 0 where looking takes too long.
func (s *source) unreadable() int {
	all := &lineReader{lines: s.lines}
	if errors.Is(readAll(all), io.EOF) {
		return 0
	}
	lines := s.lines[:all.next]
	for budget := 1 << 20; len(lines) > 0 && budget > 0; {
		lines = lines[:len(lines)-1]
		for _, l := range lines {
			budget -= len(l) + 1
		}
		if errors.Is(readAll(&lineReader{lines: lines}), io.EOF) {
			return len(lines) + 1
		}
	}
	return 0
}

// readAll reads all documents; io.EOF is the end of a text that is YAML.
func readAll(r io.Reader) error {
	dec := yaml.NewDecoder(r)
	for {
		if _, err := decode(dec); err != nil {
			return err
		}
	}
}

// A lineReader gives a line at a time, so that one can tell how far a text was
// read.
type lineReader struct {
	lines []string
	next  int    // the lines that were begun
	rest  string // of the last of them
}

// Read implements [io.Reader].
func (r *lineReader) Read(p []byte) (int, error) {
	if r.rest == "" {
		if r.next == len(r.lines) {
			return 0, io.EOF
		}
		r.rest = r.lines[r.next] + "\n"
		r.next++
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// deepest is how deep a profile file may nest; its keys need six levels.
const deepest = 20

// strict tells what a plain tree may not have. path is the node's.
func (s *source) strict(n *yaml.Node, path string, depth int) {
	if s.full() {
		return
	}
	if depth > deepest {
		s.fault(n, "", "nested more than %d levels deep", deepest)
		s.bad[n] = true
		return
	}
	mark := s.rest(n)
	switch {
	case n.Kind == yaml.AliasNode:
		s.fault(n, "", "an alias is not allowed")
		s.bad[n] = true
		return
	case n.Anchor != "":
		s.fault(n, "", "an anchor is not allowed")
		s.bad[n] = true
	case n.Style&yaml.TaggedStyle != 0, n.Kind == yaml.ScalarNode && strings.HasPrefix(mark, "!"):
		s.fault(n, "", "a tag is not allowed")
		s.bad[n] = true
	}
	if n.Kind == yaml.SequenceNode {
		for _, item := range n.Content {
			s.strict(item, path, depth+1)
		}
		return
	}
	if n.Kind != yaml.MappingNode {
		return
	}
	first := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch before := first[key.Value]; {
		case key.Kind == yaml.ScalarNode && key.Tag == "!!merge" && key.Style == 0:
			s.fault(key, "", "a merge key is not allowed")
			s.bad[key] = true
			continue
		case key.Kind == yaml.AliasNode || key.Anchor != "" || key.Style&yaml.TaggedStyle != 0:
			s.strict(key, path, depth+1)
			continue
		case key.Kind != yaml.ScalarNode:
			s.fault(key, "", "a key%s must be text", in(path))
			s.bad[key] = true
			continue
		case before != nil:
			s.fault(key, "", "repeated key %s%s (first in line %d)", quote(key.Value), in(path), before.Line)
			s.bad[key] = true
			continue
		}
		first[key.Value] = key
		s.strict(n.Content[i+1], join(path, key.Value), depth+1)
	}
}

// empty reports whether a value is left out or null.
func empty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null"
}

// in says in which mapping a key stands.
func in(path string) string {
	switch quoted := quote(path); {
	case path == "":
		return ""
	case quoted == `"`+path+`"`:
		return " in " + path
	default:
		return " in " + quoted
	}
}

// join is the path of a key in the mapping at path.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
