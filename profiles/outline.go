package profiles

import (
	_ "embed" // the outlines
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// outlines are the built-in profiles, parsed beforehand: to read an outline costs
// a twentieth of what its YAML costs, and every command reads one. A test writes
// the file (go test ./profiles -update) and holds that each outline gives the
// profile that its YAML gives.
//
// An outline is the tree of a file, a value a line: "{2" is a mapping of two keys,
// "[2" a list of two items, "5 hello" a text of five bytes. In front of each stands
// "NAME NODES BYTES".
//
//go:embed builtin/outlines
var outlines string

// fromOutline is a built-in profile.
func fromOutline(name string) (*Profile, bool) {
	for rest := outlines; rest != ""; {
		head, text, _ := strings.Cut(rest, "\n")
		called, counts, _ := strings.Cut(head, " ")
		nodes, size, _ := strings.Cut(counts, " ")
		end := number(size)
		if called == name {
			o := outline{text: text[:end], nodes: make([]yaml.Node, number(nodes)), links: make([]*yaml.Node, number(nodes))}
			return new(source).build(o.next()), true
		}
		rest = text[end:]
	}
	return nil, false
}

// number reads a number of an outline.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err) // a test read the outlines
	}
	return n
}

// An outline is the text of one that is being read, and room for its nodes.
type outline struct {
	text  string
	nodes []yaml.Node
	links []*yaml.Node
}

// next reads a value and all below it.
func (o *outline) next() *yaml.Node {
	n := &o.nodes[0]
	o.nodes = o.nodes[1:]
	switch o.text[0] {
	case '{':
		n.Kind = yaml.MappingNode
	case '[':
		n.Kind = yaml.SequenceNode
	default:
		n.Kind = yaml.ScalarNode
		size, rest, _ := strings.Cut(o.text, " ")
		end := number(size)
		n.Value, o.text = rest[:end], rest[end+1:]
		return n
	}
	size, rest, _ := strings.Cut(o.text[1:], "\n")
	o.text = rest
	children := number(size)
	if n.Kind == yaml.MappingNode {
		children *= 2
	}
	n.Content, o.links = o.links[:children:children], o.links[children:]
	for i := range n.Content {
		n.Content[i] = o.next()
	}
	return n
}
