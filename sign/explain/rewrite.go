package explain

// replaced appends the text with strings and numbers written anew where change
// gives another text for them. All else stays as it is.
func (d *document) replaced(dst []byte, change func(dst []byte, n *node, token []byte) []byte) []byte {
	done := int32(0)
	for i := range d.nodes {
		n := &d.nodes[i]
		if n.kind != stringNode && n.kind != numberNode {
			continue
		}
		dst = append(dst, d.text[done:n.start]...)
		dst = change(dst, n, d.text[n.start:n.end])
		done = n.end
		if len(dst) > mostWritten {
			return dst
		}
	}
	return append(dst, d.text[done:]...)
}

// respelled appends the text with its strings in another spelling.
func (d *document) respelled(dst []byte, s *spelling) []byte {
	return d.replaced(dst, func(dst []byte, n *node, token []byte) []byte {
		if n.kind == stringNode {
			return s.appendString(dst, token)
		}
		return append(dst, token...)
	})
}

// renumbered appends the text with other number tokens.
func (d *document) renumbered(dst []byte, change func(dst, token []byte) []byte) []byte {
	return d.replaced(dst, func(dst []byte, n *node, token []byte) []byte {
		if n.kind == numberNode {
			return change(dst, token)
		}
		return append(dst, token...)
	})
}

// arrangement gives the members of the object i in another order, or fewer; nil
// is all as they are.
type arrangement func(i int32, depth int) []member

// rearranged appends the text with the members of objects arranged. What stands
// between members stays at its place.
func (d *document) rearranged(dst []byte, arrange arrangement) []byte {
	root := &d.nodes[0]
	dst = append(dst, d.text[:root.start]...)
	dst = d.arrangeValue(dst, 0, 0, arrange)
	return append(dst, d.text[root.end:]...)
}

func (d *document) arrangeValue(dst []byte, i int32, depth int, arrange arrangement) []byte {
	n := &d.nodes[i]
	done := n.start
	switch {
	case n.kind == arrayNode:
		for c := i + 1; c < n.next; c = d.nodes[c].next {
			dst = append(dst, d.text[done:d.nodes[c].start]...)
			dst = d.arrangeValue(dst, c, depth+1, arrange)
			done = d.nodes[c].end
		}
	case n.kind == objectNode && n.next > i+1:
		// The separators in their order, and the members in the new one.
		kept := arrange(i, depth)
		if kept == nil {
			kept = d.appendMembers(nil, i)
		}
		c := i + 1
		last := int32(0)
		for j := range kept {
			value := d.nodes[c].next
			dst = append(dst, d.text[done:d.nodes[c].start]...)
			m := kept[j]
			dst = append(dst, d.text[d.nodes[m.name].start:d.nodes[m.value].start]...)
			dst = d.arrangeValue(dst, m.value, depth+1, arrange)
			done = d.nodes[value].end
			c = d.nodes[value].next
		}
		for c < n.next {
			last = d.nodes[c].next
			done = d.nodes[last].end
			c = d.nodes[last].next
		}
	}
	return append(dst, d.text[done:n.end]...)
}

// ordered arranges every object by an ordering, or only the outermost one.
func (d *document) ordered(o ordering, shallow bool) arrangement {
	w := writer{style: &style{order: o, shallow: shallow}, d: d}
	return w.arranged
}

// without arranges every object without its repeats.
func (d *document) without(r repeating) arrangement {
	w := writer{style: &style{repeats: r}, d: d}
	return w.arranged
}
