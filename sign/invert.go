package sign

import "strings"

// A binding is a placeholder's slot and the text that stood for it.
type binding struct {
	slot  int
	value string
}

// bindings are those of one item: all placeholders of headers at most once.
type bindings struct {
	list [slots + 1]binding
	n    int
}

// invert finds the texts that, put for the item's placeholders, give text. width
// is the length of a signature. It reports false, with no bindings, if there are
// none.
//
// One placeholder takes all that the constant text leaves. Of several, a
// signature takes width bytes and a number its digits, from either end; between
// two of the others the first occurrence of the constant text decides.
// Neighbours that nothing separates cannot be told apart.
func (b *bindings) invert(it item, text string, width int) bool {
	b.n = 0
	if n := len(it); n == 1 && it[0].slot != slotText || n == 2 && it[0].slot == slotText && it[1].slot != slotText { // as most are
		value, ok := strings.CutPrefix(text, it[0].Text) // a placeholder's is empty
		if ok {
			b.bind(it[n-1].slot, value)
		}
		return ok
	}
	n := it.placeholders()
	ok := n <= len(b.list) && b.take(it, text, width, n == 1)
	if !ok {
		b.n = 0
	}
	return ok
}

// take is invert; alone says that the only placeholder takes any text.
func (b *bindings) take(it item, text string, width int, alone bool) bool {
	for fromEnd := false; len(it) > 0; {
		part := it[0]
		if fromEnd {
			part = it[len(it)-1]
		}
		switch n := extent(part, text, width, alone, fromEnd); {
		case n == misfit:
			return false
		case n == open && !fromEnd:
			fromEnd = true
		case n == open && len(it) == 1:
			b.bind(part.slot, text)
			return true
		case n == open:
			// It begins and ends with a placeholder of any length.
			if it[1].slot != slotText {
				return false
			}
			value, rest, found := strings.Cut(text, it[1].Text)
			if !found {
				return false
			}
			b.bind(it[0].slot, value)
			it, text, fromEnd = it[2:], rest, false
		case fromEnd:
			b.bind(part.slot, text[len(text)-n:])
			it, text = it[:len(it)-1], text[:len(text)-n]
		default:
			b.bind(part.slot, text[:n])
			it, text = it[1:], text[n:]
		}
	}
	return text == ""
}

// What extent gives besides a length.
const (
	open   = -1 // not known from the part itself
	misfit = -2 // the text does not have the part there
)

// extent is the length in bytes of a part at the front or the end of the text.
func extent(part piece, text string, width int, alone, fromEnd bool) int {
	switch part.slot {
	case slotText:
		if fromEnd && strings.HasSuffix(text, part.Text) || !fromEnd && strings.HasPrefix(text, part.Text) {
			return len(part.Text)
		}
		return misfit
	case slotSignature, slotTime, slotMillis, slotAttempt, slotRetry:
		if alone {
			return open
		}
	default:
		return open
	}
	if part.slot == slotSignature {
		if len(text) < width {
			return misfit
		}
		return width
	}
	n := 0
	for n < len(text) {
		c := text[n]
		if fromEnd {
			c = text[len(text)-1-n]
		}
		if !isDigit(c) {
			break
		}
		n++
	}
	if n == 0 {
		return misfit
	}
	return n
}

func (b *bindings) bind(slot int, value string) {
	if slot <= slotSignature {
		b.list[b.n] = binding{slot, value}
		b.n++
	}
}

func (it item) placeholders() int {
	n := 0
	for i := range it {
		if it[i].slot != slotText {
			n++
		}
	}
	return n
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
