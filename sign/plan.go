package sign

import (
	"slices"

	"github.com/hookctl/hookctl/profiles"
)

// A plan is what a profile says of reading requests, taken apart.
type plan struct {
	profile   *profiles.Profile
	signed    profiles.Header // the one with {signature}; the zero Header if there is none
	separator string          // of its items
	items     []item          // the one with the most constant text first
	others    []other         // in the profile's order
	width     int             // of a signature, in bytes
	time      int             // the slot of the time that is judged
	timed     bool            // there must be a time
	wants     [maxPaths]want  // what is read of the body
	paths     int             // how many those are
}

// An other is a header with a placeholder, but not with {signature}.
type other struct {
	name  string
	value item
	signs bool // the signed text, or the judgement of the age, needs it
}

// A planRoom is room for what a plan has of most profiles.
type planRoom struct {
	parts  [8]profiles.Part
	ends   [4]int
	items  [4]item
	others [8]other
}

// planOf makes a plan, which takes its room.
func planOf(p *profiles.Profile, room *planRoom) plan {
	l := plan{profile: p, signed: SignatureHeader(p), separator: separator(p), width: digestWidth(p)}
	l.time, l.timed = timeSlot(p, l.signed)
	parts, ends := splitItems(l.signed.Value, l.separator, room.parts[:0], room.ends[:0])
	l.items, l.others = room.items[:0], room.others[:0]
	start := 0
	for _, end := range ends {
		it := item(parts[start:end])
		start = end
		at := len(l.items)
		for at > 0 && l.items[at-1].literal() < it.literal() {
			at--
		}
		l.items = slices.Insert(l.items, at, it)
	}
	for _, list := range [2][]profiles.Header{p.Headers, p.RetryHeaders} {
		for i := range list {
			if v := list[i].Value; !v.Constant() && !v.Has(nameSignature) {
				l.others = append(l.others, other{list[i].Name, v.Parts, l.signs(v)})
			}
		}
	}
	for i, path := range [maxPaths]string{p.Event.ID, p.Event.Type, p.Event.Object, p.Event.Updated} {
		if path != "" {
			l.wants[l.paths].place = i
			l.wants[l.paths].next(path)
			l.paths++
		}
	}
	return l
}

// signs reports whether the signed text, or the judgement of the age, takes a
// value from a header of that form: one that is not in the signature header.
func (l *plan) signs(t profiles.Template) bool {
	for _, part := range t.Parts {
		if part.Name == "" || l.signed.Value.Has(part.Name) {
			continue
		}
		if l.profile.Signature.Content.Has(part.Name) {
			return true
		}
		if slot, ok := slotOf(part.Name); ok && l.timed && slot == l.time {
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
