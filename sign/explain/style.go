package explain

import "strconv"

// A style is how JSON is written: what a serialiser does, or one part of it.
type style struct {
	comma, colon string // "," and ":" with their blanks
	indent       string // of each level, "" for one line
	eol          string // with indent; "" is LF
	pad          string // inside braces of one line
	inline       bool   // arrays stand on one line, with blanks inside
	hollow       bool   // empty containers take lines
	order        ordering
	shallow      bool // only the outermost names are ordered
	spelling     spelling
	numbers      numbering
	repeats      repeating
	lists        bool // {} and objects with the names 0, 1, ... become arrays
	end          string
}

// write appends the document in the style.
func (s *style) write(dst []byte, d *document) []byte {
	w := writer{style: s, d: d, dst: dst}
	w.value(0, 0)
	return append(w.dst, s.end...)
}

// mostWritten is how long a rewritten body may be, in bytes.
const mostWritten = 4 << 20

type writer struct {
	*style
	d    *document
	dst  []byte
	room []member // of the objects that are being written
}

func (w *writer) line(depth int) {
	if w.indent == "" {
		return
	}
	if w.eol == "" {
		w.dst = append(w.dst, '\n')
	} else {
		w.dst = append(w.dst, w.eol...)
	}
	for range depth {
		w.dst = append(w.dst, w.indent...)
	}
}

func (w *writer) value(i int32, depth int) {
	if len(w.dst) > mostWritten {
		return // what is too long is not tried
	}
	n := &w.d.nodes[i]
	switch n.kind {
	case objectNode:
		w.object(i, depth)
	case arrayNode:
		w.array(i, depth)
	case stringNode:
		w.dst = w.spelling.appendString(w.dst, w.d.bytesOf(i))
	case numberNode:
		w.dst = w.numbers.appendNumber(w.dst, w.d.bytesOf(i))
	default:
		w.dst = append(w.dst, w.d.bytesOf(i)...)
	}
}

func (w *writer) array(i int32, depth int) {
	n := &w.d.nodes[i]
	if i+1 == n.next {
		w.empty("[]", depth)
		return
	}
	w.dst = append(w.dst, '[')
	if w.inline {
		w.dst = append(w.dst, ' ')
	}
	for c := i + 1; c < n.next; c = w.d.nodes[c].next {
		if c > i+1 {
			if w.inline {
				w.dst = append(w.dst, ", "...)
			} else {
				w.dst = append(w.dst, w.comma...)
			}
		}
		if !w.inline {
			w.line(depth + 1)
		}
		w.value(c, depth+1)
	}
	if w.inline {
		w.dst = append(w.dst, ' ')
	} else {
		w.line(depth)
	}
	w.dst = append(w.dst, ']')
}

func (w *writer) empty(text string, depth int) {
	w.dst = append(w.dst, text[0])
	switch {
	case w.inline:
		w.dst = append(w.dst, ' ')
	case w.hollow:
		if text == "[]" {
			w.dst = append(w.dst, '\n')
		}
		w.line(depth)
	}
	w.dst = append(w.dst, text[1])
}

// A member is a name and its value, as nodes.
type member struct {
	name, value int32
}

func (w *writer) object(i int32, depth int) {
	n := &w.d.nodes[i]
	if i+1 == n.next {
		if w.lists {
			w.dst = append(w.dst, "[]"...)
			return
		}
		w.empty("{}", depth)
		return
	}
	if w.order == unordered && w.repeats == keepAll && !w.lists {
		// Nothing moves: no list of the members is needed.
		w.dst = append(w.dst, '{')
		w.dst = append(w.dst, w.pad...)
		for c := i + 1; c < n.next; {
			v := w.d.nodes[c].next
			w.member(member{c, v}, c == i+1, depth)
			c = w.d.nodes[v].next
		}
		w.line(depth)
		w.dst = append(w.dst, w.pad...)
		w.dst = append(w.dst, '}')
		return
	}
	from := len(w.room)
	defer func() { w.room = w.room[:from] }()
	all := w.arranged(i, depth)
	if w.lists && w.isList(all) {
		w.dst = append(w.dst, '[')
		for j, m := range all {
			if j > 0 {
				w.dst = append(w.dst, w.comma...)
			}
			w.line(depth + 1)
			w.value(m.value, depth+1)
		}
		w.line(depth)
		w.dst = append(w.dst, ']')
		return
	}
	w.dst = append(w.dst, '{')
	w.dst = append(w.dst, w.pad...)
	for j, m := range all {
		w.member(m, j == 0, depth)
	}
	w.line(depth)
	w.dst = append(w.dst, w.pad...)
	w.dst = append(w.dst, '}')
}

func (w *writer) member(m member, first bool, depth int) {
	if !first {
		w.dst = append(w.dst, w.comma...)
	}
	w.line(depth + 1)
	w.dst = w.spelling.appendString(w.dst, w.d.bytesOf(m.name))
	w.dst = append(w.dst, w.colon...)
	w.value(m.value, depth+1)
}

// isList reports whether the names are 0, 1, 2, ...
func (w *writer) isList(all []member) bool {
	for j, m := range all {
		if string(w.d.bytesOf(m.name)) != `"`+strconv.Itoa(j)+`"` {
			return false
		}
	}
	return true
}
