package profiles

import (
	"iter"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// value is the text of a scalar; "" if it is none, or is no good.
func (s *source) value(n *yaml.Node) string {
	if n == nil || n.Kind != yaml.ScalarNode || s.bad[n] {
		return ""
	}
	return n.Value
}

// text is the text at a key of a mapping, or "".
func (s *source) text(n *yaml.Node, name string) string { return s.value(get(n, name)) }

// truth is the bool at a key of a mapping.
func (s *source) truth(n *yaml.Node, name string) bool {
	return strings.EqualFold(s.text(n, name), "true")
}

// duration is the duration at a key of a mapping, or 0.
func (s *source) duration(n *yaml.Node, name string) time.Duration {
	d, _ := ParseDuration(s.text(n, name))
	return d
}

// effects are the effects of a list.
func (s *source) effects(n *yaml.Node) []Effect {
	var all []Effect
	for _, item := range items(n) {
		if word := s.value(item); slices.Contains(effectWords(), word) {
			all = append(all, Effect(word))
		}
	}
	return all
}

// items are the items of a list.
func items(n *yaml.Node) []*yaml.Node {
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}

// pairs ranges over the keys that are text and the values of a mapping.
func pairs(n *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		if n == nil || n.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Kind == yaml.ScalarNode && !yield(n.Content[i], n.Content[i+1]) {
				return
			}
		}
	}
}

// or is the text, or another where it is empty.
func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
