package cmd

import (
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// sendMessage makes the event: a sample of the profile with its changes, or the
// body that was given.
func (a *app) sendMessage(s *sending) error {
	o := s.o
	if !o.hasData {
		m, err := send.Sample(s.profile, o.event, o.id, dice(s.seed), time.Now())
		if err != nil {
			return err
		}
		for _, assignment := range o.set {
			path, _, _ := strings.Cut(assignment, "=")
			if path = strings.TrimSuffix(path, ":"); !found(m.Body, path) {
				a.note(s, "--set: "+oneLine(path)+" is a new field; the sample has none there")
			}
			if m.Body, err = send.Set(s.profile, m.Body, assignment); err != nil {
				return misuse("--set: %s", oneLine(err.Error()))
			}
		}
		if typ, ok := sign.FindString(m.Body, s.profile.Event.Type); ok && s.profile.Event.Type != "" {
			m.Type = typ // --set may have changed it
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
	if id == "" && needs(s.profile, "id") {
		id = send.NewID(s.profile, dice(s.seed))
		notes = append(notes, "the event id "+oneLine(id)+" is made up: the body has none; --id gives one")
	}
	for _, n := range notes {
		a.note(s, n)
	}
	s.message = send.Message{ID: id, Type: typ, Body: body}
	return nil
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
