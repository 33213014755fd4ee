package profiles

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// check tells where a node is not of the form. at is the node's key, at which an
// empty value is told; path is the node's.
func (s *source) check(f *form, n, at *yaml.Node, path string) {
	if s.bad[n] || s.full() {
		return
	}
	if empty(n) {
		if at == nil {
			at = n
		}
		s.fault(at, "", "%s has no value", named(path))
		s.bad[n] = true
		return
	}
	if f.or != nil && n.Kind == yaml.MappingNode {
		f = f.or
	}
	switch f.kind {
	case mappingKind, openKind:
		if n.Kind != yaml.MappingNode {
			s.fault(n, "", "%s must be a mapping", named(path))
			s.bad[n] = true
			return
		}
		if f.kind == openKind {
			s.checkOpen(f, n, path)
		} else {
			s.checkKeys(f, n, at, path)
		}
	case listKind:
		if n.Kind != yaml.SequenceNode {
			s.fault(n, "", "%s must be a list", named(path))
			s.bad[n] = true
			return
		}
		s.checkList(f, n, at, path)
	default:
		if n.Kind != yaml.ScalarNode {
			what := "text"
			if f.or != nil {
				what = "text or a mapping"
			}
			s.fault(n, "", "%s must be %s, not %s", named(path), what, structure(n))
			s.bad[n] = true
			return
		}
		if near, err := scalar(f, n); err != nil {
			s.faultIn(n, near, named(path), err)
			s.bad[n] = true
		}
	}
}

// faultIn tells what is wrong with a value, at its unknown placeholder if that is
// it.
func (s *source) faultIn(n *yaml.Node, near, name string, err error) {
	unknown := (*PlaceholderError)(nil)
	if !errors.As(err, &unknown) {
		s.fault(n, near, "%s: %v", name, err)
		return
	}
	if unknown.Near != "" {
		near = "{" + unknown.Near + "}"
	}
	column, width := n.Column, s.width(n)
	if before, _, ok := strings.Cut(s.token(n), "{"+unknown.Name+"}"); ok {
		column, width = column+utf8.RuneCountInString(before), utf8.RuneCountInString(unknown.Name)+2
	}
	s.at(n.Line, column, width, near, "%s: %v", name, err)
}

// checkKeys tells unknown and missing keys, and what is wrong below the others.
func (s *source) checkKeys(f *form, n, at *yaml.Node, path string) {
	names := make([]string, len(f.keys))
	for i, k := range f.keys {
		names[i] = k.name
	}
	meant := map[string]bool{} // by an unknown key, so not told as missing
	for i := 0; i+1 < len(n.Content) && !s.full(); i += 2 {
		k := n.Content[i]
		if s.bad[k] {
			continue
		}
		if at := slices.Index(names, k.Value); at >= 0 {
			s.check(f.keys[at].form, n.Content[i+1], k, join(path, k.Value))
			continue
		}
		near := Near(k.Value, names)
		meant[near] = true
		s.fault(k, near, "unknown key %s%s", quote(k.Value), in(path))
	}
	if at == nil {
		at = n
	}
	for _, k := range f.keys {
		if k.must && !meant[k.name] && get(n, k.name) == nil {
			s.fault(at, "", "missing key %s%s", quote(k.name), in(path))
		}
	}
}

// checkOpen tells keys that are no text or none of those known, and what is
// wrong below them.
func (s *source) checkOpen(f *form, n *yaml.Node, path string) {
	for i := 0; i+1 < len(n.Content) && !s.full(); i += 2 {
		k := n.Content[i]
		switch {
		case s.bad[k]:
			continue
		case k.Value == "":
			s.fault(k, "", "an empty key%s", in(path))
		case k.Tag != "!!str":
			s.fault(k, "", "the key %s%s must be text; put it in quotes", quote(k.Value), in(path))
		case f.words != nil && !slices.Contains(f.words, k.Value):
			s.fault(k, Near(k.Value, f.words), "unknown key %s%s", quote(k.Value), in(path))
		}
		s.check(f.item, n.Content[i+1], k, join(path, k.Value))
	}
}

// checkList tells what is wrong with the items.
func (s *source) checkList(f *form, n, at *yaml.Node, path string) {
	if len(n.Content) == 0 && f.some {
		if at == nil {
			at = n
		}
		s.fault(at, "", "%s is empty", named(path))
		return
	}
	seen := map[string]bool{}
	for _, item := range n.Content {
		s.check(f.item, item, nil, path)
		switch f.item.kind {
		case wordKind, onKind, statusKind:
			if seen[item.Value] && !s.bad[item] {
				s.fault(item, "", "%s names %s twice", named(path), quote(item.Value))
			}
			seen[item.Value] = true
		}
	}
}

// scalar tells what is wrong with one value, and what may have been meant.
func scalar(f *form, n *yaml.Node) (near string, err error) {
	if want := tags(f.kind); !slices.Contains(want, n.Tag) {
		switch {
		case f.kind == boolKind:
			return "", fmt.Errorf("%s is neither true nor false", quote(n.Value))
		case len(want) == 1 && want[0] == "!!str" && f.kind != wordKind && f.kind != nameKind && f.kind != percentKind:
			return "", fmt.Errorf("%s is not text; put it in quotes", quote(n.Value))
		}
	}
	switch f.kind {
	case wordKind, numberKind:
		if slices.Contains(f.words, n.Value) && (f.kind == wordKind || n.Tag == "!!int") {
			return "", nil
		}
		if f.kind == wordKind {
			near = Near(n.Value, f.words)
		} else if slices.Contains(f.words, n.Value) {
			return "", fmt.Errorf("%s is text; write the number without quotes", quote(n.Value))
		}
		return near, fmt.Errorf("%s is not %s", quote(n.Value), List(f.words, "or"))
	case nameKind:
		if !IsName(n.Value) {
			return "", fmt.Errorf("%s is not a profile name (small letters, digits, dashes)", quote(n.Value))
		}
	case durationKind, waitKind:
		d, err := ParseDuration(n.Value)
		if err == nil && d == 0 && f.kind == durationKind {
			err = fmt.Errorf("%s is not above zero", quote(n.Value))
		}
		return "", err
	case sizeKind:
		size, err := ParseSize(n.Value)
		if err == nil && size == 0 {
			err = fmt.Errorf("%s is not above zero", quote(n.Value))
		}
		return "", err
	case percentKind:
		_, err = parsePercent(n.Value)
	case statusKind:
		if _, ok := parseStatus(n.Value); !ok {
			err = fmt.Errorf("%s is not a status (100 to 999)", quote(n.Value))
		}
	case onKind:
		if _, err = parseItem(n.Value); err != nil {
			near = Near(n.Value, itemWords())
		}
	case valueKind:
		_, err = parseValue(n.Value)
	case contentKind:
		_, err = parseContent(n.Value)
	case newIDKind:
		_, err = parseNewID(n.Value)
	case pathKind:
		err = checkPath(n.Value)
	case textKind, sampleKind:
		if n.Value == "" {
			err = errors.New("it is empty")
		}
	}
	return near, err
}

// tags are the YAML types that a kind takes.
func tags(k kind) []string {
	switch k {
	case boolKind:
		return []string{"!!bool"}
	case numberKind, statusKind:
		return []string{"!!int"}
	case durationKind, waitKind, sizeKind, onKind:
		return []string{"!!str", "!!int"}
	default:
		return []string{"!!str"}
	}
}

// named is a path as the subject of a sentence.
func named(path string) string {
	if path == "" {
		return "the file"
	}
	return strings.TrimPrefix(in(path), " in ")
}

// structure is the word for a node that is no scalar.
func structure(n *yaml.Node) string {
	if n.Kind == yaml.SequenceNode {
		return "a list"
	}
	return "a mapping"
}

// get is the value of a key of a mapping, nil if it has none.
func get(n *yaml.Node, name string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := n.Content[i]; k.Kind == yaml.ScalarNode && k.Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// keyOf is the key node of a name; nil if the mapping has none.
func keyOf(n *yaml.Node, name string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := n.Content[i]; k.Kind == yaml.ScalarNode && k.Value == name {
			return k
		}
	}
	return nil
}
