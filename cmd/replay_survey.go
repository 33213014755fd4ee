package cmd

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hookctl/hookctl/listen/record"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// A survey is what a record holds for a replay.
type survey struct {
	events int
	first  recorded        // of those that are sent
	types  map[string]bool // of events, two at most
	from   time.Time       // when the first was recorded, and when the last
	to     time.Time
	out    map[string]int  // left out, by why
	masked map[string]bool // headers, at most 20
}

// A replaying is replay at work.
type replaying struct {
	*sending
	app   *app
	o     *replayOptions
	tape  *tape
	named bool // the profile was named, not taken from the record
	found survey
	kept  map[string]bool // headers that an export does not write
}

// survey reads the record for the first time: whose webhooks it holds, how many
// are chosen, and what is left out, which it says.
func (r *replaying) survey(conf *config) error {
	var err error
	if name := r.app.profileName(r.o.profile, conf); name != "" {
		r.named = true
		r.profile, err = r.app.profileNamed(name)
	} else {
		r.profile, err = r.recordedProfile()
	}
	if err != nil {
		return err
	}
	if r.o.bracket && r.profile.Replay == nil {
		return misuse("--burst: %s does not say how a replay begins and ends (no replay section in its profile)", r.profile.Title)
	}
	r.found = survey{types: map[string]bool{}, out: map[string]int{}, masked: map[string]bool{}}
	var torn string
	for one, err := range r.chosen(func(why string) { r.found.out[why]++ }, func(first error, n int) { torn = tornText(r.tape.path, first, n) }) {
		if err != nil {
			return err
		}
		r.found.add(one)
		if err := r.app.ctx.Err(); err != nil {
			return errInterrupted
		}
	}
	if torn != "" {
		r.app.note(r.sending, torn)
	}
	if text := leftOut(r.found.out); text != "" && r.found.events > 0 {
		r.app.note(r.sending, "left out: "+text)
	}
	if len(r.found.masked) > 0 && r.o.recorded {
		r.app.note(r.sending, "left out, since the record masks them: "+oneLine(strings.Join(slices.Sorted(maps.Keys(r.found.masked)), ", ")))
	}
	if r.found.events == 0 {
		return r.nothing()
	}
	return nil
}

// nothing is the fault of a record without a webhook that can be sent again, or
// of flags that choose none.
func (r *replaying) nothing() error {
	text := oneLine(r.tape.path) + " holds nothing to replay"
	if out := leftOut(r.found.out); out != "" {
		return misuse("%s: %s", text, out)
	}
	if f := r.o.filter; !f.takes(recorded{}) {
		text += " that the flags choose"
		if len(f.types) == 1 {
			if near := profiles.Near(f.types[0], r.recordedTypes()); near != "" {
				text += "; did you mean " + oneLine(near) + "?"
			}
		}
	}
	return misuse("%s", text)
}

// recordedTypes are event types of the record, 100 at most.
func (r *replaying) recordedTypes() []string {
	types := map[string]bool{}
	for one, err := range r.tape.all(func(error, int) {}) {
		if err != nil || len(types) == 100 {
			break
		}
		types[one.event.Type] = true
	}
	return slices.Sorted(maps.Keys(types))
}

// add counts a webhook that is chosen.
func (f *survey) add(r recorded) {
	if f.events++; f.events == 1 {
		f.first = r
	}
	if len(f.types) < 2 {
		f.types[r.event.Type] = true
	}
	if at := r.at; !at.IsZero() {
		if f.from.IsZero() || at.Before(f.from) {
			f.from = at
		}
		if at.After(f.to) {
			f.to = at
		}
	}
	for _, h := range r.header {
		if h.Value == record.Masked && len(f.masked) < 20 {
			f.masked[h.Name] = true
		}
	}
}

// recordedProfile is the profile of the webhooks in the record, where there is
// one.
func (r *replaying) recordedProfile() (*profiles.Profile, error) {
	if raw := r.tape.raw; raw != nil {
		return r.app.fittingProfile(raw.header, r.line)
	}
	names := map[string]bool{}
	empty, some := true, false
	var torn string
	for one, err := range r.tape.all(func(first error, n int) { torn = tornText(r.tape.path, first, n) }) {
		empty = false
		switch {
		case err != nil:
			return nil, err
		case r.app.ctx.Err() != nil:
			return nil, errInterrupted
		case one.profile == "":
			continue
		}
		some = true
		if r.o.filter.takes(one) && len(names) < 20 {
			names[one.profile] = true
		}
	}
	sorted := slices.Sorted(maps.Keys(names))
	switch {
	case len(sorted) == 1:
		return r.app.profileNamed(sorted[0])
	case empty && torn != "":
		r.app.note(r.sending, torn)
		return nil, r.nothing()
	case empty, some && len(sorted) == 0:
		return nil, r.nothing()
	case len(sorted) == 0:
		return nil, misuse("%s does not say whose webhooks it holds", oneLine(r.tape.path)).
			with("name the profile:", r.line.with("-p", "NAME").String())
	}
	return nil, misuse("%s holds webhooks of %s", oneLine(r.tape.path), oneLine(list(sorted))).
		with("choose one:", r.line.with("-p", sorted[0]).String())
}

// chosen are the webhooks that are sent, in the order of the record. out gets
// why one of those that the flags choose is left out.
func (r *replaying) chosen(out func(why string), lost func(first error, lines int)) func(yield func(recorded, error) bool) {
	return func(yield func(recorded, error) bool) {
		for one, err := range r.tape.all(lost) {
			if err != nil {
				yield(one, err)
				return
			}
			r.identify(&one)
			if !r.o.filter.takes(one) {
				continue
			}
			if why := r.unusable(one); why != "" {
				out(why)
				continue
			}
			if !yield(one, nil) {
				return
			}
		}
	}
}

// identify reads the id and the type of a webhook that the record has none of.
func (r *replaying) identify(one *recorded) {
	if one.profile == "" && (r.named || r.tape.raw != nil) {
		one.profile = r.profile.Name
	}
	if one.event.ID == "" && one.profile == r.profile.Name {
		one.event, _ = sign.ReadEvent(r.profile, sign.Received{Header: one.header, Body: one.body})
	}
}

// unusable is why a webhook cannot be sent again; "" if it can.
func (r *replaying) unusable(one recorded) string {
	switch {
	case one.profile == "":
		return "of no known provider"
	case one.profile != r.profile.Name:
		return "of another provider"
	case one.method != http.MethodPost:
		return "not sent with POST"
	case one.body == nil:
		return "recorded without its body"
	case r.o.recorded && one.header == nil:
		return "recorded without its headers"
	case !r.o.recorded && one.event.ID == "" && needs(r.profile, "id"):
		return "without an event id"
	case !r.o.recorded && one.event.Type == "" && needs(r.profile, "type"):
		return "without an event type"
	case !r.o.recorded && hasControl(one.event.ID+one.event.Type), r.o.recorded && slices.ContainsFunc(one.header, func(h sign.Header) bool { return hasControl(h.Value) }):
		return "with a control character for a header"
	}
	return ""
}

// hasControl reports whether a text has a character that no header may have.
func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f })
}

// tornText tells of lines that could not be read.
func tornText(path string, first error, n int) string {
	if n == 0 {
		return ""
	}
	text := count(n, "line") + " of " + oneLine(path) + " skipped: torn, or no document of hookctl"
	if first != nil {
		text += " (" + oneLine(first.Error()) + ")"
	}
	return text
}

// leftOut lists why webhooks are left out, and how many.
func leftOut(why map[string]int) string {
	var parts []string
	for _, w := range slices.Sorted(maps.Keys(why)) {
		parts = append(parts, count(why[w], "webhook")+" "+w)
	}
	return strings.Join(parts, ", ")
}
