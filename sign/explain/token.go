package explain

import "bytes"

// The kinds of nodes, by the byte that they begin with.
const (
	objectNode = '{'
	arrayNode  = '['
	stringNode = '"'
	numberNode = '0'
	wordNode   = 't' // true, false, null
)

// A node is a value, or the name of a member. Nodes stand in the text's order: a
// container, then what is in it; in an object each name before its value.
type node struct {
	kind       byte
	start, end int32 // of its text
	next       int32 // the node after it and all that is in it
}

// A document is a JSON text, taken apart.
type document struct {
	text  []byte
	nodes []node

	looked    bool    // for names that repeat
	repeating []int32 // the objects with one, ascending
}

const (
	deepest  = 256     // how deep containers may stand in each other
	mostJSON = 1 << 20 // bytes of a text that is taken apart
)

// parse takes a JSON text apart. White space may stand around it. Names may
// repeat; strings need not be UTF-8.
func parse(text []byte) (*document, bool) {
	if len(text) > mostJSON {
		return nil, false
	}
	p := parser{document: document{text: text}}
	if !p.value(0) {
		return nil, false
	}
	p.space()
	return &p.document, p.at == len(text)
}

type parser struct {
	document
	at int
}

// space skips white space and gives the next byte, 0 at the end.
func (p *parser) space() byte {
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (p *parser) value(depth int) bool {
	c := p.space()
	i := len(p.nodes)
	p.nodes = append(p.nodes, node{kind: c, start: int32(p.at)})
	ok := false
	switch {
	case depth > deepest:
	case c == objectNode:
		ok = p.members('}', depth)
	case c == arrayNode:
		ok = p.members(']', depth)
	case c == stringNode:
		ok = p.quoted()
	case c == '-' || c >= '0' && c <= '9':
		p.nodes[i].kind = numberNode
		ok = p.number()
	default:
		p.nodes[i].kind = wordNode
		for _, word := range [...]string{"true", "false", "null"} {
			if bytes.HasPrefix(p.text[p.at:], []byte(word)) {
				p.at += len(word)
				ok = true
				break
			}
		}
	}
	p.nodes[i].end, p.nodes[i].next = int32(p.at), int32(len(p.nodes))
	return ok
}

// members reads an object or an array, from its first byte to its last.
func (p *parser) members(end byte, depth int) bool {
	p.at++
	if p.space() == end {
		p.at++
		return true
	}
	for {
		if end == '}' {
			if p.space() != '"' || !p.value(depth+1) || p.space() != ':' {
				return false
			}
			p.at++
		}
		if !p.value(depth + 1) {
			return false
		}
		switch p.space() {
		case ',':
			p.at++
		case end:
			p.at++
			return true
		default:
			return false
		}
	}
}

func (p *parser) quoted() bool {
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return true
		case c < 0x20:
			return false
		case c == '\\':
			p.at++
			if p.at >= len(p.text) {
				return false
			}
			switch p.text[p.at] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				if _, ok := hex4(p.text[p.at+1:]); !ok {
					return false
				}
				p.at += 4
			default:
				return false
			}
		}
	}
	return false
}

func (p *parser) number() bool {
	if p.text[p.at] == '-' {
		p.at++
	}
	if p.at < len(p.text) && p.text[p.at] == '0' {
		p.at++
	} else if !p.digits() {
		return false
	}
	if p.at < len(p.text) && p.text[p.at] == '.' {
		p.at++
		if !p.digits() {
			return false
		}
	}
	if p.at < len(p.text) && p.text[p.at]|0x20 == 'e' {
		p.at++
		if p.at < len(p.text) && (p.text[p.at] == '+' || p.text[p.at] == '-') {
			p.at++
		}
		return p.digits()
	}
	return true
}

func (p *parser) digits() bool {
	from := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return p.at > from
}

// hex4 reads four hex digits.
func hex4(text []byte) (rune, bool) {
	if len(text) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range text[:4] {
		r <<= 4
		switch {
		case c >= '0' && c <= '9':
			r |= rune(c - '0')
		case c >= 'a' && c <= 'f':
			r |= rune(c-'a') + 10
		case c >= 'A' && c <= 'F':
			r |= rune(c-'A') + 10
		default:
			return 0, false
		}
	}
	return r, true
}

// bytesOf is a node's text.
func (d *document) bytesOf(i int32) []byte { return d.text[d.nodes[i].start:d.nodes[i].end] }
