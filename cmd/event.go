package cmd

import (
	"cmp"
	"iter"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// sendMessage makes the event: a sample of the profile with its changes, or the
// body that was given. Of a burst it is the first.
func (a *app) sendMessage(s *sending) error {
	o := s.o
	if !o.hasData {
		m, added, err := s.sample(o.id, dice(s.seed))
		if err != nil {
			return err
		}
		for _, path := range added {
			a.note(s, "--set: "+oneLine(path)+" is a new field; the sample has none there")
		}
		s.message = m
		return nil
	}
	if len(o.set) > 0 {
		return misuse("--set changes a sample; with -d, change the body itself")
	}
	body, err := a.readData(o.data)
	if err != nil {
		return err
	}
	id, typ, notes := identity(s.profile, body, o.id, o.event)
	own := o.burst.many() && !o.burst.sameID // each event has an id of its own
	switch {
	case own:
		if _, ok := (send.Message{Body: body}).WithID(s.profile, ""); !ok {
			return misuse("--count gives each event its own id, and the body has no text at %s", s.profile.Event.ID).
				with("send them all under one id:", s.line.with("--same-id", "").String())
		}
		id = cmp.Or(id, send.NewID(s.profile, dice(s.seed)))
	case id == "" && needs(s.profile, "id"):
		id = send.NewID(s.profile, dice(s.seed))
		notes = append(notes, "the event id "+oneLine(id)+" is made up: the body has none; --id gives one")
	}
	for _, n := range notes {
		a.note(s, n)
	}
	s.message = send.Message{ID: id, Type: typ, Body: body}
	return nil
}

// sample is an event of the profile's sample with its changes, and the paths of
// --set that were not there. Without an id it has one by chance.
func (s *sending) sample(id string, chance *rand.Rand) (m send.Message, added []string, err error) {
	if m, err = send.Sample(s.profile, s.o.event, id, chance, time.Now()); err != nil {
		return m, nil, err
	}
	for _, assignment := range s.o.set {
		path, _, _ := strings.Cut(assignment, "=")
		if path = strings.TrimSuffix(path, ":"); !found(m.Body, path) {
			added = append(added, path)
		}
		if m.Body, err = send.Set(s.profile, m.Body, assignment); err != nil {
			return m, nil, misuse("--set: %s", oneLine(err.Error()))
		}
	}
	if typ, ok := sign.FindString(m.Body, s.profile.Event.Type); ok && s.profile.Event.Type != "" {
		m.Type = typ // --set may have changed it
	}
	return m, added, nil
}

// events gives the events of a burst, each with an id of its own unless they
// are all to have one.
func (s *sending) events() iter.Seq2[send.Message, error] {
	return func(yield func(send.Message, error) bool) {
		chance := dice(s.seed)
		for k := range s.o.burst.count.value {
			m, err := s.message, error(nil)
			switch {
			case s.o.burst.sameID:
			case s.o.hasData:
				m, _ = m.WithID(s.profile, send.NewID(s.profile, chance))
			default:
				m, _, err = s.sample("", chance)
			}
			if m.Number = k; !yield(m, err) {
				return
			}
		}
	}
}

// found reports whether a body has a value at a path.
func found(body []byte, path string) bool {
	_, ok := sign.Find(body, path)
	return ok
}

// identity finds the event's id and type: a flag goes into the headers, what the
// body says stays in the body, and a note tells of a difference.
func identity(p *profiles.Profile, body []byte, id, typ string) (string, string, []string) {
	var notes []string
	head := body[:min(len(body), sign.Searched)]
	pick := func(what, path, flag string) string {
		var inBody string
		if path != "" {
			inBody, _ = sign.FindString(head, path)
		}
		if flag == "" {
			return inBody
		}
		if inBody != "" && inBody != flag {
			notes = append(notes, "the "+what+" is "+oneLine(flag)+" in the headers and "+oneLine(inBody)+" in the body, which stays as it is")
		}
		return flag
	}
	id = pick("event id", p.Event.ID, id)
	typ = pick("event type", p.Event.Type, typ)
	return id, typ, notes
}

// needs reports whether the signed text or a header of the profile holds the
// placeholder.
func needs(p *profiles.Profile, placeholder string) bool {
	if p.Signature.Content.Has(placeholder) {
		return true
	}
	for h := range p.AllHeaders() {
		if h.Value.Has(placeholder) {
			return true
		}
	}
	return false
}
