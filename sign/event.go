package sign

import (
	"strconv"

	"github.com/hookctl/hookctl/profiles"
)

// An Event is what a request says of itself.
type Event struct {
	ID, Type string
	Attempt  int    // from its header; 0 if it has none
	Object   string // the profile's event.object, or ""
	Updated  string // the profile's event.updated, or ""
}

// ReadEvent reads the event's id, type and the rest from the headers where the
// profile sends them there, else from the first MiB of the body, with warnings
// where they disagree. It judges nothing.
func ReadEvent(p *profiles.Profile, r Received) (Event, []string) {
	var q Parts
	var room [2]string
	q.parseOnce(p, r, room[:0])
	return q.event, q.warnings
}

// Searched is how much of a body is searched for the event's id, its type and the
// rest, in bytes.
const Searched = 1 << 20

// readEvent fills in what the headers left open.
func (q *Parts) readEvent(l *plan, r Received) {
	p, body := l.profile, r.Body[:min(len(r.Body), Searched)]
	var fields [maxPaths]Field
	findAll(body, l.wants[:l.paths], fields[:])
	q.event.ID = q.fromBody(p, slotID, body, fields[0])
	q.event.Type = q.fromBody(p, slotType, body, fields[1])
	q.event.Attempt = q.attempt()
	q.event.Object, _ = fields[2].text(body)
	q.event.Updated, _ = fields[3].text(body)
}

// fromBody is the placeholder's value from the headers, or else from the field,
// with a warning where they differ.
func (q *Parts) fromBody(p *profiles.Profile, slot int, body []byte, f Field) string {
	value := q.values[slot]
	if value != "" && f.Kind == '"' && same(body[f.Start:f.End], value) {
		return value
	}
	text, ok := f.text(body)
	switch {
	case !ok || text == "" || text == value:
	case value == "":
		q.values[slot] = text
	default:
		q.disagree(slot, value, q.header(p, slot), text, "the body")
	}
	return q.values[slot]
}

// header names the first of the profile's headers that carries the value.
func (q *Parts) header(p *profiles.Profile, slot int) string {
	for h := range p.AllHeaders() {
		for _, part := range h.Value.Parts {
			if slotOf(part.Name) == slot {
				return h.Name
			}
		}
	}
	return "the headers"
}

// attempt is the number of the attempt, from 1; 0 if no header tells.
func (q *Parts) attempt() int {
	text, more := q.values[slotAttempt], 0
	if text == "" {
		text, more = q.values[slotRetry], 1
	}
	if !canonical(text) || len(text) > 9 {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n + more
}

func (q *Parts) warn(text string) { q.warnings = append(q.warnings, text) }

// disagree warns that a value is not the same in two places.
func (q *Parts) disagree(slot int, a, inA, b, inB string) {
	q.warn("the " + slotWord(slot) + ` is "` + brief(a) + `" in ` + inA + ` and "` + brief(b) + `" in ` + inB)
}

// brief bounds a text from outside, in bytes.
func brief(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return s[:most] + "…"
}

// Recognise returns those of the profiles that the headers fit: the ones whose
// signature header is there; if none is, the ones with another of their
// headers that hold a placeholder.
func Recognise(all []*profiles.Profile, header []Header) []*profiles.Profile {
	var signed, other []*profiles.Profile
	for _, p := range all {
		if s := SignatureHeader(p); s.Name != "" {
			if _, lines := Lookup(header, s.Name); lines > 0 {
				signed = append(signed, p)
			}
		}
		if hasOther(p, header) {
			other = append(other, p)
		}
	}
	if len(signed) > 0 {
		return signed
	}
	return other
}

func hasOther(p *profiles.Profile, header []Header) bool {
	for h := range p.AllHeaders() {
		if h.Value.Constant() {
			continue
		}
		if _, lines := Lookup(header, h.Name); lines > 0 {
			return true
		}
	}
	return false
}
