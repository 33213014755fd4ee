package profiles

import (
	_ "embed" // the outlines
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
	for o := (outline{text: outlines}); o.text != ""; {
		called, rest, _ := strings.Cut(o.text, " ")
		o.text = rest
		nodes := o.number()
		size := o.number()
		if called == name {
			o.nodes, o.links = make([]yaml.Node, nodes), make([]*yaml.Node, nodes)
			return new(source).build(o.next()), true
		}
		o.text = o.text[size:]
	}
	return nil, false
}

// An outline is the text of some that are being read, and room for the nodes.
type outline struct {
	text  string
	nodes []yaml.Node
	links []*yaml.Node
}

// next reads a value and all below it.
func (o *outline) next() *yaml.Node {
	n := &o.nodes[0]
	o.nodes = o.nodes[1:]
	children := 0
	switch o.text[0] {
	case '{':
		o.text = o.text[1:]
		n.Kind, children = yaml.MappingNode, 2*o.number()
	case '[':
		o.text = o.text[1:]
		n.Kind, children = yaml.SequenceNode, o.number()
	default:
		size := o.number()
		n.Kind, n.Value = yaml.ScalarNode, o.text[:size]
		o.text = o.text[size+1:]
	}
	n.Content, o.links = o.links[:children:children], o.links[children:]
	for i := range n.Content {
		n.Content[i] = o.next()
	}
	return n
}

// number reads a number and the blank or line end after it.
func (o *outline) number() int {
	n := 0
	for i := range len(o.text) {
		c := o.text[i]
		if c < '0' {
			o.text = o.text[i+1:]
			break
		}
		n = 10*n + int(c-'0')
	}
	return n
}
