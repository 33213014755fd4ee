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
	var room planRoom
	l := planOf(p, &room)
	reason := q.parse(&l, r)
	return q, reason
}

// Value is the text of a placeholder of the signed text as the request has it;
// false if it has none.
func (q *Parts) Value(name string) (string, bool) {
	slot, ok := slotOf(name)
	if !ok || q.values[slot] == "" {
		return "", false
	}
	return q.values[slot], true
}

// Content is the signed text of the request without the body, which stands
// between before and after. A value that the request does not have is a
// *profiles.MissingError.
func (q *Parts) Content(p *profiles.Profile) (before, after []byte, err error) {
	buf, cut, err := appendContent(nil, p.Signature.Content, q.append)
	if err != nil {
		return nil, nil, err
	}
	return buf[:cut:cut], buf[cut:], nil
}

func (q *Parts) append(dst []byte, name string) ([]byte, bool) {
	value, ok := q.Value(name)
	return append(dst, value...), ok
}

// parse fills q from an empty one.
func (q *Parts) parse(l *plan, r Received) Reason {
	malformed := q.readSignature(l, r)
	if !q.readOthers(l, r) {
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
		return MissingHeader
	case malformed || q.lacks(l.profile):
		return MalformedHeader
	}
	return ""
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
func (q *Parts) lacks(p *profiles.Profile) bool {
	for _, part := range p.Signature.Content.Parts {
		slot, ok := slotOf(part.Name)
		if !ok || q.values[slot] != "" {
			continue
		}
		if slot != slotURL {
			return true
		}
		q.warn("the address that was called is signed, and none was given")
	}
	return false
}

// readSignature reads the signature header. Nothing is trimmed, the order of
// the items does not matter, unknown items are ignored. It reports whether the
// header is malformed: several lines, no signature, or another value that is
// not there exactly once.
func (q *Parts) readSignature(l *plan, r Received) bool {
	if l.signed.Name == "" {
		return false
	}
	if q.Header, q.Lines = Lookup(r.Header, l.signed.Name); q.Lines == 0 {
		return false
	}
	several := len(l.items) > 1 || l.profile.Secret.Active > 1
	var seen [slots]int
	var found bindings
	for rest, more := q.Header, true; more; {
		text := rest
		if more = several; several {
			text, rest, more = strings.Cut(rest, l.separator)
		}
		found.firstMatch(l.items, text, l.width)
		for _, b := range found.list[:found.n] {
			if b.slot != slotSignature {
				if seen[b.slot]++; seen[b.slot] == 1 {
					q.values[b.slot] = b.value
				}
			} else if b.value != "" {
				if q.Signatures == nil {
					q.Signatures = make([]string, 0, 2)
				}
				q.Signatures = append(q.Signatures, b.value)
			}
		}
	}
	malformed := q.Lines > 1 || len(q.Signatures) == 0
	for _, part := range l.signed.Value.Parts {
		if slot, ok := slotOf(part.Name); ok && (seen[slot] != 1 || q.values[slot] == "") {
			malformed = true
		}
	}
	return malformed
}

// firstMatch inverts the first item that fits the text.
func (b *bindings) firstMatch(items []item, text string, width int) {
	b.n = 0
	for _, it := range items {
		if len(it) > 0 && !strings.HasPrefix(text, it[0].Text) {
			continue
		}
		if b.invert(it, text, width) {
			return
		}
	}
}

// readOthers reads the profile's other headers, as far as the request has them.
// It reports false if one that is signed is there several times or does not
// have the profile's form.
func (q *Parts) readOthers(l *plan, r Received) bool {
	var from [slots]string
	var found bindings
	good := true
	for i := range l.others {
		h := &l.others[i]
		value, lines := Lookup(r.Header, h.name)
		if lines == 0 {
			continue
		}
		ok := found.invert(h.value, value, l.width)
		if (!ok || lines > 1) && h.signs {
			good = false
		}
		if lines > 1 {
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
					first = l.signed.Name
				}
				q.disagree(slot, q.values[slot], first, b.value, h.name)
			}
		}
	}
	return good
}
