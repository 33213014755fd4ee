package sign

import (
	"slices"

	"github.com/hookctl/hookctl/profiles"
)

// A plan is what a profile says of reading requests, taken apart.
type plan struct {
	profile   *profiles.Profile
	pieces    item           // of all the spans
	signed    string         // the name of the header with {signature}; "" if there is none
	separator string         // of its items
	items     []span         // the one with the most constant text first
	several   bool           // there may be more of them than one
	needs     uint           // a bit for each slot that they must fill
	others    []other        // in the profile's order
	lengths   uint64         // a bit for each length, modulo 64, of the names of all those headers
	content   item           // the signed text
	width     int            // of a signature, in bytes
	time      int            // the slot of the time that is judged
	timed     bool           // there must be a time
	wants     [maxPaths]want // what is read of the body
	paths     int            // how many those are
}

// An other is a header with a placeholder, but not with {signature}.
type other struct {
	name  string
	value span
	signs bool // the signed text, or the judgement of the age, needs it
}

// A planRoom is room for what a plan has of most profiles.
type planRoom struct {
	pieces [16]piece
	items  [4]span
	others [8]other
}

// planOf makes a plan, which takes its room.
func planOf(p *profiles.Profile, room *planRoom) plan {
	signed := SignatureHeader(p)
	l := plan{profile: p, signed: signed.Name, separator: separator(p), width: digestWidth(p)}
	l.time, l.timed = timeSlot(p, signed)
	l.pieces, l.items = splitItems(signed.Value, l.separator, room.pieces[:0], room.items[:0])
	l.several = len(l.items) > 1 || p.Secret.Active > 1
	for i := range l.pieces {
		if slot := l.pieces[i].slot; slot < slots {
			l.needs |= 1 << slot
		}
	}
	slices.SortStableFunc(l.items, func(a, b span) int {
		return l.at(b).literal() - l.at(a).literal()
	})
	l.lengths = 1 << (len(l.signed) % 64)
	l.others = room.others[:0]
	for h := range p.AllHeaders() {
		if v := h.Value; !v.Constant() && !v.Has(nameSignature) {
			from := len(l.pieces)
			l.pieces = appendItem(l.pieces, v)
			l.lengths |= 1 << (len(h.Name) % 64)
			l.others = append(l.others, other{h.Name, span{from, len(l.pieces)}, l.signs(signed.Value, v)})
		}
	}
	from := len(l.pieces)
	l.pieces = appendItem(l.pieces, p.Signature.Content)
	l.content = l.pieces[from:]
	for i, path := range [maxPaths]string{p.Event.ID, p.Event.Type, p.Event.Object, p.Event.Updated} {
		if path != "" {
			l.wants[l.paths] = wantOf(path, i)
			l.paths++
		}
	}
	return l
}

// at is what stands at the span.
func (l *plan) at(s span) item { return l.pieces[s.from:s.to] }

// signs reports whether the signed text, or the judgement of the age, takes a
// value from a header of that form: one that is not in the signature header.
func (l *plan) signs(signed, t profiles.Template) bool {
	for _, part := range t.Parts {
		if part.Name == "" || signed.Has(part.Name) {
			continue
		}
		if l.profile.Signature.Content.Has(part.Name) || l.timed && slotOf(part.Name) == l.time {
			return true
		}
	}
	return false
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

// planFor is the profile's plan, made anew only for another profile than the last.
func (m *material) planFor(p *profiles.Profile) *plan {
	l := m.lastPlan.Load()
	if l == nil || l.profile != p {
		made := planOf(p, new(planRoom))
		l = &made
		m.lastPlan.Store(l)
	}
	return l
}
