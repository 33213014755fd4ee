package explain

import "bytes"

// The bounds of orders that are tried of names in all objects at once: how many,
// and how many bytes they are together.
const (
	mostOrders     = 5040
	mostOrderBytes = 1 << 20
)

// A shape is what objects with the same names have in common: the order of
// their members.
type shape struct {
	order []int
}

// shapes are those of objects with two names or more, and for each node the
// place of its shape, from 1. orders is how many orders they have together.
func (d *document) shapes() (all []*shape, of []int, orders int) {
	of, orders = make([]int, len(d.nodes)), 1
	places := map[string]int{}
	var room []member
	for i := range d.nodes {
		if d.nodes[i].kind != objectNode {
			continue
		}
		if room = d.appendMembers(room[:0], int32(i)); len(room) < 2 {
			continue
		}
		var key []byte
		for _, m := range room {
			key = append(append(key, d.bytesOf(m.name)...), 0)
		}
		place := places[string(key)]
		if place == 0 {
			all = append(all, &shape{make([]int, len(room))})
			place = len(all)
			places[string(key)] = place
			for n := 2; n <= len(room) && orders <= mostOrders; n++ {
				orders *= n
			}
		}
		of[i] = place
	}
	return all, of, orders
}

// orders are the document with the names of all its objects in every order.
func (s *search) orders(d *document, form bodyForm, yield func(bodyForm) bool) bool {
	all, of, orders := d.shapes()
	if len(all) == 0 || orders > mostOrders || orders*len(d.text) > mostOrderBytes {
		return true
	}
	arrange := func(i int32, _ int) []member {
		if of[i] == 0 {
			return nil
		}
		members := d.appendMembers(nil, i)
		kept := make([]member, len(members))
		for to, from := range all[of[i]-1].order {
			kept[to] = members[from]
		}
		return kept
	}
	return permute(all, func() bool {
		s.buf = d.rearranged(s.buf[:0], arrange)
		form.body = s.buf
		return yield(form)
	})
}

// permute gives each shape each of its orders, and calls do for all of them
// together until it reports false.
func permute(all []*shape, do func() bool) bool {
	if len(all) == 0 {
		return do()
	}
	order := all[0].order
	used := make([]bool, len(order))
	var place func(at int) bool
	place = func(at int) bool {
		if at == len(order) {
			return permute(all[1:], do)
		}
		for i := range order {
			if used[i] {
				continue
			}
			used[i], order[at] = true, i
			if !place(at + 1) {
				return false
			}
			used[i] = false
		}
		return true
	}
	return place(0)
}

// usual are the ways in which most senders write JSON.
func usual() []serialiser {
	var all []serialiser
	for _, s := range serialisers() {
		switch s.name {
		case "JSON.stringify", "Python's json.dumps", "PHP's json_encode", "Python's json.dumps with compact separators":
			s.numbers, s.repeats, s.order, s.lists = asReceived, keepAll, unordered, false
			all = append(all, s)
		}
	}
	return all
}

// reordered are the body as most senders write JSON, with its names in every
// order; and with empty arrays that were empty objects.
func (s *search) reordered(yield func(bodyForm) bool) bool {
	if s.doc == nil {
		return true
	}
	bodies := make([]bodyForm, 0, 8)
	for _, l := range layoutStyles()[:2] {
		bodies = append(bodies, bodyForm{jsonKeyOrder, "names in another order, in another layout", l.write(nil, s.doc)})
	}
	for _, w := range usual() {
		bodies = append(bodies, bodyForm{jsonReserialised, w.name, w.write(nil, s.doc)})
	}
	for i, form := range bodies {
		repeated := false
		for _, before := range bodies[:i] {
			repeated = repeated || bytes.Equal(before.body, form.body)
		}
		if d, ok := parse(form.body); ok && !repeated && !s.orders(d, form, yield) {
			return false
		}
	}
	return s.emptied(yield)
}

// emptied are the body with some of its empty arrays as empty objects, which PHP
// does not tell apart, as most senders write it.
func (s *search) emptied(yield func(bodyForm) bool) bool {
	const most = 3
	var places []int32
	for i := range s.doc.nodes {
		if n := &s.doc.nodes[i]; n.kind == arrayNode && n.next == int32(i)+1 {
			places = append(places, n.start)
		}
	}
	if len(places) > most {
		return true
	}
	for set := 1; set < 1<<len(places); set++ {
		text := bytes.Clone(s.body)
		for j, at := range places {
			if set>>j&1 == 1 {
				end := at + int32(bytes.IndexByte(text[at:], ']'))
				text[at], text[end] = '{', '}'
			}
		}
		d, ok := parse(text)
		if !ok {
			continue
		}
		for _, w := range usual() {
			s.buf = w.write(s.buf[:0], d)
			if !yield(bodyForm{jsonReserialised, w.name, s.buf}) {
				return false
			}
		}
	}
	return true
}

// everyOrder are the body with the names of all its objects in every order.
func (s *search) everyOrder(yield func(bodyForm) bool) bool {
	if s.doc == nil {
		return true
	}
	return s.orders(s.doc, bodyForm{kind: jsonKeyOrder, detail: "names in another order"}, yield)
}
