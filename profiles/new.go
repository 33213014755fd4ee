package profiles

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// New is a commented profile file to edit, called name. from is a built-in
// profile to begin with; "" is one that shows every key. An unknown from is a
// *NotFoundError.
func New(name, from string) ([]byte, error) {
	source := newFile
	if from != "" {
		e, err := Builtin().Get(from)
		if err != nil {
			return nil, err
		}
		source = e.Source()
	}
	return rename(source, name)
}

// rename is a profile file with another name, and a title made of it where it
// has a title. Everything else stays, comments too.
func rename(data []byte, name string) ([]byte, error) {
	if !IsName(name) {
		return nil, fmt.Errorf("%s is not a profile name (small letters, digits, dashes)", quote(name))
	}
	s, root := load("profile", data)
	if err := s.result(); err != nil {
		return nil, err
	}
	out := bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	// From the end, so that what stands before stays where it is.
	changes := []struct {
		node *yaml.Node
		text string
	}{{get(root, "title"), title(name)}, {get(root, "name"), name}}
	if a, b := changes[0].node, changes[1].node; a != nil && b != nil && (a.Line < b.Line || a.Line == b.Line && a.Column < b.Column) {
		changes[0], changes[1] = changes[1], changes[0]
	}
	for _, change := range changes {
		if change.node == nil {
			continue
		}
		begin := s.offset(change.node)
		end := begin + len(s.token(change.node))
		out = bytes.Join([][]byte{out[:begin], []byte(change.text), out[end:]}, nil)
	}
	again, root := load("profile", out)
	if err := again.result(); err != nil {
		return nil, err
	}
	if again.text(root, "name") != name {
		return nil, fmt.Errorf("the profile's name cannot be changed to %s", name)
	}
	return out, nil
}

// offset is the byte of the file at which a node begins.
func (s *source) offset(n *yaml.Node) int {
	return s.starts[n.Line-1] + len(s.line(n.Line)) - len(s.rest(n))
}

// title is a name as a title: its words with a capital each.
func title(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '-' })
	for i, w := range words {
		first, size := utf8.DecodeRuneInString(w)
		words[i] = strings.ToUpper(string(first)) + w[size:]
	}
	return strings.Join(words, " ")
}
