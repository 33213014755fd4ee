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
	reason := q.parse(p, r)
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
func (q *Parts) parse(p *profiles.Profile, r Received) Reason {
	signed := SignatureHeader(p)
	malformed := q.readSignature(p, signed, r)
	if !q.readOthers(p, signed, r) {
		malformed = true
	}
	slot, wanted := timeSlot(p, signed)
	q.Time, q.Milliseconds = q.values[slot], slot == slotMillis
	if wanted && !canonical(q.Time) {
		malformed = true
	}
	q.readEvent(p, r)
	q.values[slotURL] = r.URL
	switch {
	case q.Lines == 0:
		return MissingHeader
	case malformed || q.lacks(p):
		return MalformedHeader
	}
	return ""
}

// timeSlot is where the time stands that is judged: in the signature header, or
// else in a header of its own. It is wanted if it is signed or has a tolerance.
func timeSlot(p *profiles.Profile, signed profiles.Header) (slot int, wanted bool) {
	switch {
	case signed.Value.Has(nameTime):
		return slotTime, true
	case signed.Value.Has(nameMillis):
		return slotMillis, true
	}
	c := p.Signature.Content
	for _, h := range p.Headers {
		switch {
		case h.Value.Has(nameTime):
			return slotTime, p.Signature.Tolerance != nil || c.Has(nameTime)
		case h.Value.Has(nameMillis):
			return slotMillis, p.Signature.Tolerance != nil || c.Has(nameMillis)
		}
	}
	return slotTime, false
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
func (q *Parts) readSignature(p *profiles.Profile, signed profiles.Header, r Received) bool {
	if signed.Name == "" {
		return false
	}
	if q.Header, q.Lines = Lookup(r.Header, signed.Name); q.Lines == 0 {
		return false
	}
	sep := separator(p)
	var partRoom [8]profiles.Part
	var endRoom [4]int
	parts, ends := splitItems(signed.Value, sep, partRoom[:0], endRoom[:0])
	several := len(ends) > 1 || p.Secret.Active > 1
	var seen [slots]int
	var found bindings
	for rest, more := q.Header, true; more; {
		text := rest
		if more = several; several {
			text, rest, more = strings.Cut(rest, sep)
		}
		found.bestMatch(parts, ends, text, digestWidth(p))
		for _, b := range found.list[:found.n] {
			if b.name == nameSignature {
				if b.value != "" {
					q.Signatures = append(q.Signatures, b.value)
				}
			} else if slot, ok := slotOf(b.name); ok {
				if seen[slot]++; seen[slot] == 1 {
					q.values[slot] = b.value
				}
			}
		}
	}
	malformed := q.Lines > 1 || len(q.Signatures) == 0
	for _, part := range signed.Value.Parts {
		if slot, ok := slotOf(part.Name); ok && (seen[slot] != 1 || q.values[slot] == "") {
			malformed = true
		}
	}
	return malformed
}

// bestMatch inverts the item that fits the text best: the one with the most
// constant text.
func (b *bindings) bestMatch(parts []profiles.Part, ends []int, text string, width int) {
	best, last, most, start := item(nil), item(nil), -1, 0
	b.n = 0
	for _, end := range ends {
		it := item(parts[start:end])
		start = end
		n := it.literal()
		if n <= most || len(it) > 0 && !strings.HasPrefix(text, it[0].Text) {
			continue
		}
		if last = it; b.invert(it, text, width) {
			best, most = it, n
		}
	}
	if most >= 0 && len(last) > 0 && &last[0] != &best[0] {
		b.invert(best, text, width)
	}
}

// readOthers reads the profile's other headers, as far as the request has them.
// It reports false if one that is signed is there several times or does not
// have the profile's form.
func (q *Parts) readOthers(p *profiles.Profile, signed profiles.Header, r Received) bool {
	var from [slots]string
	var found bindings
	good := true
	for h := range p.AllHeaders() {
		if h.Value.Constant() || h.Value.Has(nameSignature) {
			continue
		}
		value, lines := Lookup(r.Header, h.Name)
		if lines == 0 {
			continue
		}
		ok := found.invert(h.Value.Parts, value, digestWidth(p))
		if (!ok || lines > 1) && signs(p, signed, h.Value) {
			good = false
		}
		if lines > 1 {
			q.warn("the header " + h.Name + " is there several times")
		}
		for _, b := range found.list[:found.n] {
			slot, known := slotOf(b.name)
			if !known || b.value == "" {
				continue
			}
			if q.values[slot] == "" {
				q.values[slot], from[slot] = b.value, h.Name
			} else if b.value != q.values[slot] {
				first := from[slot]
				if first == "" {
					first = signed.Name
				}
				q.disagree(slot, q.values[slot], first, b.value, h.Name)
			}
		}
	}
	return good
}

// signs reports whether the signed text, or the judgement of the age, takes a
// value from a header of that form: one that is not in the signature header.
func signs(p *profiles.Profile, signed profiles.Header, t profiles.Template) bool {
	slot, wanted := timeSlot(p, signed)
	for _, part := range t.Parts {
		if part.Name == "" || signed.Value.Has(part.Name) {
			continue
		}
		if p.Signature.Content.Has(part.Name) {
			return true
		}
		if s, ok := slotOf(part.Name); ok && wanted && s == slot {
			return true
		}
	}
	return false
}
