package cmd

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/listen/record"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// deliver sends the chosen webhooks again: one as send would, several as a burst.
func (r *replaying) deliver(signers [][]*sign.Key) error {
	r.message = r.messageOf(r.found.first, 0)
	if r.found.events == 1 && !r.o.bracket && !r.o.out.json {
		r.then = r.found.first.then
		return r.app.deliverAll(r.sending, signers)
	}
	c := comparison{profile: r.profile}
	b := &burst{sending: r.sending, app: r.app, ended: c.end, parts: func() []part { return r.parts(&c) }}
	b.sum.Replay = &c.sums
	b.head.Events, b.head.Ordered = r.found.events, true
	if r.o.bracket {
		b.head.Events += 2
	}
	if len(r.found.types) == 1 {
		b.head.Type = r.found.first.event.Type
	}
	return b.deliver(signers)
}

// parts are the webhooks of the record; with --burst in brackets.
func (r *replaying) parts(c *comparison) []part {
	c.begin()
	first := 0
	if r.o.bracket {
		first = 1
	}
	all := []part{{events: r.found.events, all: r.messages(first, c), inOrder: true}}
	if !r.o.bracket {
		return all
	}
	end := r.bracketed(r.profile.Replay.Completed, r.found.events+1)
	return []part{{events: 1, all: r.bracketed(r.profile.Replay.Started, 0)}, all[0], {events: 1, all: end}}
}

// messages are the chosen webhooks as messages, from a number on.
func (r *replaying) messages(number int, c *comparison) iter.Seq2[send.Message, error] {
	return func(yield func(send.Message, error) bool) {
		n := 0
		for one, err := range r.chosen(func(string) {}, func(error, int) {}) {
			if err != nil {
				yield(send.Message{}, err)
				return
			}
			if n == r.found.events { // the rest came since
				return
			}
			c.note(number+n, one)
			if !yield(r.messageOf(one, number+n), nil) {
				return
			}
			n++
		}
	}
}

// bracketed is the one event of that type that begins or ends a replay.
func (r *replaying) bracketed(typ string, number int) iter.Seq2[send.Message, error] {
	return func(yield func(send.Message, error) bool) {
		b := send.Bracket{Since: r.o.since.value, Until: r.o.until.value, Count: r.found.events}
		if b.Since.IsZero() {
			b.Since = r.found.from
		}
		if b.Until.IsZero() {
			b.Until = r.found.to
		}
		if len(r.o.filter.types) == 1 {
			b.Type = r.o.filter.types[0]
		}
		m, err := send.BracketSample(r.profile, typ, "", dice(r.seed+uint64(number)), time.Now(), b)
		m.Number = number
		yield(m, err)
	}
}

// export writes the chosen webhooks for another tool, signed now.
func (r *replaying) export(signers [][]*sign.Key) error {
	r.kept = map[string]bool{}
	e := newExporter(r.o.export.value, r.app.exactly(), r.app.version())
	now := time.Now()
	for _, keys := range signers {
		sender := r.sender(keys, r.app.version())
		for _, p := range r.parts(&comparison{}) {
			for m, err := range p.all {
				if err == nil {
					err = r.exportOne(e, sender, m, now)
				}
				if err != nil {
					return err
				}
				if r.app.ctx.Err() != nil {
					return errInterrupted
				}
			}
		}
	}
	if err := e.end(); err != nil {
		return err
	}
	if len(r.kept) > 0 {
		r.app.say(render.Note, "left out, since they may be secret: "+oneLine(strings.Join(slices.Sorted(maps.Keys(r.kept)), ", "))+
			"; --record-sensitive writes them", "")
	}
	r.app.say(render.Note, r.exportNote(now), "")
	return nil
}

func (r *replaying) exportOne(e exporter, sender *send.Sender, m send.Message, now time.Time) error {
	header, err := sender.Headers(m, now)
	if err != nil {
		return err
	}
	address := *r.url
	address.User = nil // it is in the header
	return e.request(exported{url: address.String(), header: r.shown(header), body: m.Body, at: now, says: m.ID + " " + m.Type})
}

// shown are the headers that an export may hold: not those that are masked where
// a request is written, unless the flags say so.
func (r *replaying) shown(header []sign.Header) []sign.Header {
	if r.o.out.sensitive {
		return header
	}
	return slices.DeleteFunc(send.Mask(header, r.masked), func(h sign.Header) bool {
		hidden := h.Value == record.Masked
		if hidden {
			r.kept[h.Name] = true
		}
		return hidden
	})
}

// exportNote says of when the signatures are.
func (r *replaying) exportNote(now time.Time) string {
	if r.o.recorded {
		return "the headers are those of the record"
	}
	if !r.o.timestamp.value.IsZero() {
		now = r.o.timestamp.value
	}
	text := "signed as of " + now.UTC().Format(time.RFC3339)
	if t := r.profile.Signature.Tolerance; t != nil {
		text += "; a receiver refuses them " + render.Duration(t.Past) + " later"
	}
	return text
}

// recordedHeader is a recorded header as it can be sent again: without what
// belongs to the connection it came over, and without what is masked.
func recordedHeader(h []sign.Header) []sign.Header {
	return slices.DeleteFunc(slices.Clone(h), func(h sign.Header) bool {
		return profiles.IsMessageHeader(h.Name) || h.Value == record.Masked
	})
}

// messageOf is a webhook as a message of the replay.
func (r *replaying) messageOf(one recorded, number int) send.Message {
	m := send.Message{ID: one.event.ID, Type: one.event.Type, Body: one.body, Number: number}
	if r.o.recorded {
		m.Header = recordedHeader(one.header)
	}
	return m
}
