package explain

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"unicode/utf16"
)

// An ordering is an order of names.
type ordering uint8

const (
	unordered     ordering = iota
	byBytes                // of UTF-8
	byUTF16                // of UTF-16
	byLength               // then by bytes
	byFold                 // without case, then by bytes
	backwards              // reversed
	integersFirst          // whole numbers first, ascending; the rest as they are
)

// A repeating says what becomes of names that repeat in one object.
type repeating uint8

const (
	keepAll     repeating = iota
	keepLast              // the last member stays, at its place
	lastAtFirst           // the last value stands at the place of the first
	keepFirst             // the first member stays
)

// arranged are an object's members, without repeats and in order. They are good
// until the writer is used for another object beside it.
func (w *writer) arranged(i int32, depth int) []member {
	from := len(w.room)
	w.room = w.d.appendMembers(w.room, i)
	all := w.room[from:]
	if w.repeats != keepAll && w.d.repeatsIn(i) {
		all = w.d.single(all, w.repeats)
	}
	switch {
	case w.order == unordered || w.shallow && depth > 0:
	case w.order == backwards:
		slices.Reverse(all)
	default:
		slices.SortStableFunc(all, func(a, b member) int { return w.order.compare(w.d.name(a), w.d.name(b)) })
	}
	return all
}

// appendMembers appends the members of the object.
func (d *document) appendMembers(dst []member, i int32) []member {
	for c := i + 1; c < d.nodes[i].next; {
		v := d.nodes[c].next
		dst = append(dst, member{c, v})
		c = d.nodes[v].next
	}
	return dst
}

// name is a member's name, decoded.
func (d *document) name(m member) []byte {
	token := d.bytesOf(m.name)
	if bytes.IndexByte(token, '\\') < 0 {
		return token[1 : len(token)-1]
	}
	return decode(nil, token)
}

// namesakes are, for each member, the places of the first and of the last one
// with the same name.
func (d *document) namesakes(all []member) (first, last []int32) {
	places := make([]int32, len(all))
	for j := range places {
		places[j] = int32(j)
	}
	slices.SortStableFunc(places, func(a, b int32) int { return bytes.Compare(d.name(all[a]), d.name(all[b])) })
	first, last = make([]int32, len(all)), make([]int32, len(all))
	for from := 0; from < len(places); {
		to := from + 1
		for to < len(places) && bytes.Equal(d.name(all[places[from]]), d.name(all[places[to]])) {
			to++
		}
		for _, j := range places[from:to] {
			first[j], last[j] = places[from], places[to-1]
		}
		from = to
	}
	return first, last
}

// single keeps one member of each name.
func (d *document) single(all []member, r repeating) []member {
	first, last := d.namesakes(all)
	var kept []member
	for i, m := range all {
		j := int32(i)
		switch {
		case r == keepLast && last[j] != j, r != keepLast && first[j] != j:
			continue
		case r == lastAtFirst:
			m = member{m.name, all[last[j]].value}
		}
		kept = append(kept, m)
	}
	return kept
}

func (o ordering) compare(a, b []byte) int {
	switch o {
	case byLength:
		return cmp.Or(cmp.Compare(len(a), len(b)), bytes.Compare(a, b))
	case byFold:
		return cmp.Or(slices.CompareFunc(a, b, func(x, y byte) int { return cmp.Compare(lower(x), lower(y)) }), bytes.Compare(a, b))
	case byUTF16:
		if isASCII(a) || isASCII(b) {
			return bytes.Compare(a, b)
		}
		return slices.Compare(utf16.Encode([]rune(string(a))), utf16.Encode([]rune(string(b))))
	case integersFirst:
		x, xs := arrayIndex(a)
		y, ys := arrayIndex(b)
		switch {
		case xs && ys:
			return cmp.Compare(x, y)
		case xs:
			return -1
		case ys:
			return 1
		}
		return 0
	}
	return bytes.Compare(a, b)
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// arrayIndex reads a name that is a whole number below 2^32-1, as JavaScript
// orders them.
func arrayIndex(name []byte) (uint64, bool) {
	if len(name) == 0 || len(name) > 10 || name[0] < '0' || name[0] > '9' || !isDigits(string(name)) {
		return 0, false
	}
	n, err := strconv.ParseUint(string(name), 10, 64)
	return n, err == nil && n < 1<<32-1
}

// repeatsIn reports whether the object has a name twice.
func (d *document) repeatsIn(i int32) bool {
	if !d.looked {
		d.looked = true
		var room []member
		for j := range d.nodes {
			if d.nodes[j].kind != objectNode {
				continue
			}
			room = d.appendMembers(room[:0], int32(j))
			slices.SortFunc(room, func(a, b member) int { return bytes.Compare(d.name(a), d.name(b)) })
			for k := 1; k < len(room); k++ {
				if bytes.Equal(d.name(room[k]), d.name(room[k-1])) {
					d.repeating = append(d.repeating, int32(j))
					break
				}
			}
		}
	}
	_, found := slices.BinarySearch(d.repeating, i)
	return found
}

// hasRepeats reports whether an object of the document has a name twice.
func (d *document) hasRepeats() bool {
	d.repeatsIn(0)
	return len(d.repeating) > 0
}
