package send

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// NewID makes an event id of the profile's form, a UUID where it has none.
func NewID(p *profiles.Profile, r *rand.Rand) string {
	if len(p.Event.NewID.Parts) == 0 {
		return uuid(r)
	}
	id, err := p.Event.NewID.Expand(func(name string) (string, bool) { return chance(name, r) })
	if err != nil {
		return uuid(r) // a form that asks for more than chance; a parsed profile has none
	}
	return id
}

// A Bracket is what the events that bracket a replay say of it.
type Bracket struct {
	Since, Until time.Time // {since} and {until}; zero: empty
	Type         string    // {event_type}: the only type that is replayed, or ""
	Count        int       // {count}: how many events were replayed
}

// Sample is a message from the profile's sample of that type; "" is its first.
// An unknown type is an *EventError. With id "" an id is made. A sample that
// brackets a replay speaks of a replay of nothing, at now.
func Sample(p *profiles.Profile, typ, id string, r *rand.Rand, now time.Time) (Message, error) {
	return BracketSample(p, typ, id, r, now, Bracket{Since: now, Until: now})
}

// BracketSample is Sample for an event that brackets a replay.
func BracketSample(p *profiles.Profile, typ, id string, r *rand.Rand, now time.Time, b Bracket) (Message, error) {
	sample, ok := findSample(p, typ)
	if !ok {
		e := &EventError{Profile: p.Name, Type: typ}
		for _, s := range p.Samples {
			e.Known = append(e.Known, s.Type)
		}
		e.Near = profiles.Near(typ, e.Known)
		return Message{}, e
	}
	if id == "" {
		id = NewID(p, r)
	}
	quote := func(s string) string { return s }
	if isJSON(sample.Body) {
		quote = func(s string) string { return strings.TrimSuffix(jsonText(s)[1:], `"`) }
	}
	body, err := sample.Body.Expand(func(name string) (string, bool) {
		switch name {
		case "id":
			return quote(id), true
		case "type":
			return quote(sample.Type), true
		case "timestamp":
			return strconv.FormatInt(now.Unix(), 10), true
		case "now":
			return instant(now), true
		case "since":
			return short3339(b.Since), true
		case "until":
			return short3339(b.Until), true
		case "event_type":
			return quote(b.Type), true
		case "count":
			return strconv.Itoa(b.Count), true
		}
		return chance(name, r)
	})
	if err != nil {
		return Message{}, fmt.Errorf("sample %s of %s: %w", sample.Type, p.Name, err)
	}
	return Message{ID: id, Type: sample.Type, Body: []byte(body)}, nil
}

// WithID is the message under another id: in its body the bytes of the JSON
// string at the profile's event id are replaced, and nothing else. It reports
// false where the body should have such a string and has none.
func (m Message) WithID(p *profiles.Profile, id string) (Message, bool) {
	m.ID = id
	if p.Event.ID == "" {
		return m, true // it is in the headers alone
	}
	f, ok := sign.Find(m.Body, p.Event.ID)
	if !ok || f.Kind != '"' {
		return m, false
	}
	m.Body = splice(m.Body, f.Start, f.End, jsonText(id))
	return m, true
}

// isJSON reports whether a sample is JSON once it is filled.
func isJSON(body profiles.Template) bool {
	text, err := body.Expand(func(string) (string, bool) { return "0", true })
	return err == nil && json.Valid([]byte(text))
}

// findSample is the profile's sample of that type; "" is its first.
func findSample(p *profiles.Profile, typ string) (profiles.Sample, bool) {
	for _, s := range p.Samples {
		if typ == "" || s.Type == typ {
			return s, true
		}
	}
	return profiles.Sample{}, false
}

// An EventError says that the profile has no such sample.
type EventError struct {
	Profile, Type string
	Known         []string // the types of its samples, in the file's order
	Near          string   // what may have been meant, or ""
}

// Error names the profile and the type.
func (e *EventError) Error() string {
	if len(e.Known) == 0 {
		return e.Profile + " has no sample events"
	}
	return fmt.Sprintf("%s has no event %q", e.Profile, e.Type)
}

// chance gives the placeholders that are made anew each time: {uuid} and
// {hex:N}, N digits.
func chance(name string, r *rand.Rand) (string, bool) {
	if name == "uuid" {
		return uuid(r), true
	}
	text, ok := strings.CutPrefix(name, "hex:")
	if !ok {
		return "", false
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > profiles.MaxHex {
		return "", false
	}
	return hex.EncodeToString(random(r, (n+1)/2))[:n], true
}

// uuid is a random UUID (RFC 9562, version 4).
func uuid(r *rand.Rand) string {
	b := random(r, 16)
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// random is n random bytes.
func random(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// short3339 is a time as RFC 3339 in UTC, with a fraction only where it has
// one; "" for the zero time.
func short3339(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.999Z07:00")
}
