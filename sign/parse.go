package sign

import (
	"strings"

	"github.com/hookctl/hookctl/profiles"
)

// Parts are what a request says of its signature.
type Parts struct {
	Lines        int      // how often the signature header is there
	Header       string   // the value of its first line
	Signatures   []string // the texts that stand for {signature}, in order
	Time         string   // the text of the time as received, "" if there is none
	Milliseconds bool     // the time counts milliseconds, not seconds

	event    Event
	warnings []string
	values   [slots]string // of the other placeholders; "": none
}

// Parse takes the headers of a request apart. The reason is MissingHeader,
// MalformedHeader or "". What could be read is there with each of them.
func Parse(p *profiles.Profile, r Received) (Parts, Reason) {
	var q Parts
	signatures, reason := q.parseOnce(p, r, nil)
	q.Signatures = signatures
	return q, reason
}

// Value is the text of a placeholder of the signed text as the request has it;
// false if it has none.
func (q *Parts) Value(name string) (string, bool) {
	slot := slotOf(name)
	if slot >= slots || q.values[slot] == "" {
		return "", false
	}
	return q.values[slot], true
}

// Content is the signed text of the request without the body, which stands
// between before and after. A value that the request does not have is a
// *profiles.MissingError.
func (q *Parts) Content(p *profiles.Profile) (before, after []byte, err error) {
	buf, cut, err := appendContent(nil, appendItem(nil, p.Signature.Content), q.append)
	if err != nil {
		return nil, nil, err
	}
	return buf[:cut:cut], buf[cut:], nil
}

func (q *Parts) append(dst []byte, slot int) ([]byte, bool) {
	if slot >= slots {
		return dst, false
	}
	return append(dst, q.values[slot]...), q.values[slot] != ""
}

// parseOnce is parse by a plan that is made for it.
func (q *Parts) parseOnce(p *profiles.Profile, r Received, room []string) (signatures []string, reason Reason) {
	var pieces planRoom
	l := planOf(p, &pieces)
	return q.parse(&l, r, room)
}

// parse fills q from an empty one, but for its signatures: they are added to
// room, which need not be on the heap.
func (q *Parts) parse(l *plan, r Received, room []string) (signatures []string, reason Reason) {
	var few [8]lines
	signed, others := l.collect(r.Header, few[:0])
	q.Header, q.Lines = signed.first, signed.n
	signatures, malformed := q.readSignature(l, room)
	if !q.readOthers(l, others) {
		malformed = true
	}
	q.Time, q.Milliseconds = q.values[l.time], l.time == slotMillis
	if l.timed && !canonical(q.Time) {
		malformed = true
	}
	q.readEvent(l, r)
	q.values[slotURL] = r.URL
	switch {
	case q.Lines == 0:
		return signatures, MissingHeader
	case malformed || q.lacks(l):
		return signatures, MalformedHeader
	}
	return signatures, ""
}

// canonical reports whether the text is a number as a sender writes it: digits
// only, no leading zero.
func canonical(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != "" && (s[0] != '0' || len(s) == 1)
}

// lacks reports whether the signed text needs what no header and no body gives.
// An address that was not given is no fault of the headers.
func (q *Parts) lacks(l *plan) bool {
	for i := range l.content {
		slot := l.content[i].slot
		if slot >= slots || q.values[slot] != "" {
			continue
		}
		if slot != slotURL {
			return true
		}
		q.warn("the address that was called is signed, and none was given")
	}
	return false
}

// lines are those of one header.
type lines struct {
	first string // the value of the first
	n     int    // how many there are
}

// collect finds the lines of the header with {signature} and of the others, all
// in one pass. They take their place in room.
func (l *plan) collect(header []Header, room []lines) (signed lines, others []lines) {
	others = append(room, make([]lines, len(l.others))...)
	for i := range header {
		h := &header[i]
		if l.lengths>>(len(h.Name)%64)&1 == 0 {
			continue
		}
		if l.signed != "" && SameName(h.Name, l.signed) {
			signed.add(h.Value)
		}
		for j := range others {
			if SameName(h.Name, l.others[j].name) {
				others[j].add(h.Value)
			}
		}
	}
	return signed, others
}

func (l *lines) add(value string) {
	if l.n == 0 {
		l.first = value
	}
	l.n++
}

// readSignature reads the signature header and adds its signatures to dst.
// Nothing is trimmed, the order of the items does not matter, unknown items are
// ignored. The header is malformed if there are several lines, no signature, or
// another value that is not there exactly once.
func (q *Parts) readSignature(l *plan, dst []string) (signatures []string, malformed bool) {
	if q.Lines == 0 {
		return dst, false
	}
	malformed = q.Lines > 1
	var seen uint // a bit for each slot
	var found bindings
	for rest, more := q.Header, true; more; {
		text := rest
		if more = l.several; more {
			text, rest, more = strings.Cut(rest, l.separator)
		}
		found.firstMatch(l, text)
		for _, b := range found.list[:found.n] {
			bit := uint(1) << b.slot
			switch {
			case b.slot == slotSignature:
				if b.value != "" {
					dst = append(dst, b.value)
				}
			case b.value == "" || seen&bit != 0:
				malformed = true
			default:
				q.values[b.slot] = b.value
			}
			seen |= bit
		}
	}
	seen &^= 1 << slotSignature
	return dst, malformed || len(dst) == 0 || seen != l.needs
}

// firstMatch inverts the first item that fits the text.
func (b *bindings) firstMatch(l *plan, text string) {
	for _, s := range l.items {
		if b.invert(l.at(s), text, l.width) {
			return
		}
	}
}

// readOthers reads the profile's other headers, as far as the request has them.
// It reports false if one that is signed is there several times or does not
// have the profile's form.
func (q *Parts) readOthers(l *plan, others []lines) bool {
	var from [slots]string
	var found bindings
	good := true
	for i := range others {
		h, got := &l.others[i], &others[i]
		if got.n == 0 {
			continue
		}
		ok := found.invert(l.at(h.value), got.first, l.width)
		if (!ok || got.n > 1) && h.signs {
			good = false
		}
		if got.n > 1 {
			q.warn("the header " + h.name + " is there several times")
		}
		for _, b := range found.list[:found.n] {
			slot := b.slot
			if b.value == "" {
				continue
			}
			if q.values[slot] == "" {
				q.values[slot], from[slot] = b.value, h.name
			} else if b.value != q.values[slot] {
				first := from[slot]
				if first == "" {
					first = l.signed
				}
				q.disagree(slot, q.values[slot], first, b.value, h.name)
			}
		}
	}
	return good
}
