package conform

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// A node is a JSON value with its members in order and its words as written.
type node struct {
	raw     string // of a string, number or word
	object  bool
	array   bool
	names   []string // of an object's members, as written
	members []*node
}

// parseJSON reads a text. It is nil if the text is not JSON.
func parseJSON(text []byte) *node {
	if !json.Valid(text) { // which bounds the depth, too
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	p := &jsonParser{text: text, d: d}
	return p.value()
}

// A jsonParser walks over a valid text.
type jsonParser struct {
	text []byte
	d    *json.Decoder
}

// word is the next token and its bytes in the text.
func (p *jsonParser) word() (json.Token, string) {
	from := p.d.InputOffset()
	token, err := p.d.Token()
	if err != nil {
		return nil, ""
	}
	raw := bytes.TrimLeft(p.text[from:p.d.InputOffset()], " \t\r\n,:")
	return token, string(raw)
}

func (p *jsonParser) value() *node {
	token, raw := p.word()
	delim, ok := token.(json.Delim)
	if !ok {
		return &node{raw: raw}
	}
	n := &node{object: delim == '{', array: delim == '['}
	for p.d.More() {
		if n.object {
			_, name := p.word()
			n.names = append(n.names, name)
		}
		n.members = append(n.members, p.value())
	}
	_, _ = p.d.Token() // the closing bracket
	return n
}

// sorted is the value with the members of all objects in the order of their
// names.
func (n *node) sorted() *node {
	return n.ordered(func(a, b string) int { return strings.Compare(a, b) })
}

// reversed is the value with the members of all objects in reverse order.
func (n *node) reversed() *node {
	return n.ordered(func(a, b string) int { return -strings.Compare(a, b) })
}

func (n *node) ordered(compare func(a, b string) int) *node {
	c := &node{raw: n.raw, object: n.object, array: n.array}
	at := make([]int, len(n.members))
	for i := range at {
		at[i] = i
	}
	if n.object {
		slices.SortStableFunc(at, func(a, b int) int { return compare(n.names[a], n.names[b]) })
	}
	for _, i := range at {
		if n.object {
			c.names = append(c.names, n.names[i])
		}
		c.members = append(c.members, n.members[i].ordered(compare))
	}
	return c
}

// A form is how a value is written.
type form struct {
	comma, colon string
	indent       string // "": on one line
	end          string // of a line
}

// write appends the value in a form, depth levels deep.
func (n *node) write(b *bytes.Buffer, f form, depth int) {
	if !n.object && !n.array {
		b.WriteString(n.raw)
		return
	}
	open, closing := byte('['), byte(']')
	if n.object {
		open, closing = '{', '}'
	}
	b.WriteByte(open)
	line := func(depth int) {
		if f.indent != "" && len(n.members) > 0 {
			b.WriteString(f.end + strings.Repeat(f.indent, depth))
		}
	}
	for i, m := range n.members {
		if i > 0 {
			b.WriteString(f.comma)
		}
		line(depth + 1)
		if n.object {
			b.WriteString(n.names[i] + f.colon)
		}
		m.write(b, f, depth+1)
	}
	line(depth)
	b.WriteByte(closing)
}

// text is the value in a form.
func (n *node) text(f form) []byte {
	var b bytes.Buffer
	n.write(&b, f, 0)
	return b.Bytes()
}
