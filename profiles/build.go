package profiles

import (
	"maps"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// build makes the profile of a checked tree and tells what only the whole can
// show. What is missing or was told already stays zero.
func (s *source) build(root *yaml.Node) *Profile {
	secret, signature, delivery := get(root, "secret"), get(root, "signature"), get(root, "delivery")
	p := &Profile{
		Name: s.text(root, "name"),
		Secret: Secret{
			Encoding: Encoding(or(s.text(secret, "encoding"), string(Raw))),
			Strip:    s.text(secret, "strip"),
			Active:   1,
			NoneFail: s.text(secret, "none") == "failed",
			Where:    s.text(secret, "where"),
		},
		Signature: Signature{
			Algorithm: Algorithm(or(s.text(signature, "algorithm"), string(HMACSHA256))),
			Encoding:  Encoding(or(s.text(signature, "encoding"), string(Hex))),
			Separator: or(s.text(signature, "separator"), ","),
		},
		Delivery: Delivery{
			MaxBody:       DefaultMaxBody,
			HTTPSOnly:     s.truth(get(delivery, "url"), "https_only"),
			RefusePrivate: s.truth(get(delivery, "url"), "refuse_private"),
		},
		Promises:  Promises{Dedupe: s.text(get(root, "promises"), "dedupe"), Order: s.text(get(root, "promises"), "order")},
		Reconcile: s.text(root, "reconcile"),
	}
	p.Title = or(s.text(root, "title"), p.Name)
	if s.text(secret, "active") == "2" {
		p.Secret.Active = 2
	}
	p.Signature.Content, _ = parseContent(s.text(signature, "content"))
	if t := get(signature, "tolerance"); t != nil {
		p.Signature.Tolerance = &Tolerance{Past: s.duration(t, "past"), Future: s.duration(t, "future")}
	}
	if n := get(signature, "separator"); n != nil && control(n.Value) {
		s.fault(n, "", "signature.separator may hold no control character")
	}
	s.buildHeaders(p, root)
	s.buildEvent(p, get(root, "event"))
	s.buildDelivery(p, delivery)
	s.buildRetry(p, get(root, "retry"))
	s.buildProse(p, root)
	s.buildEvents(p, root)
	return p
}

// buildEvent reads where things are in a body.
func (s *source) buildEvent(p *Profile, n *yaml.Node) {
	p.Event = Event{
		ID: s.text(n, "id"), Type: s.text(n, "type"),
		Object: s.text(n, "object"), Updated: s.text(n, "updated"),
	}
	p.Event.NewID, _ = parseNewID(or(s.text(n, "new_id"), "{uuid}"))
}

// buildDelivery reads the limits and the rules.
func (s *source) buildDelivery(p *Profile, n *yaml.Node) {
	if limit := get(n, "timeout"); limit != nil && limit.Kind == yaml.MappingNode {
		p.Delivery.Limits = Limits{Connect: s.duration(limit, "connect"), Read: s.duration(limit, "read")}
	} else {
		p.Delivery.Limits.Total = s.duration(n, "timeout")
	}
	if size, err := ParseSize(s.text(n, "max_body")); err == nil {
		p.Delivery.MaxBody = size
	}
	s.buildRules(p, get(n, "rules"))
}

// mostWaits and longest bound a schedule, so that its sums stay in range.
const (
	mostWaits = 1000
	longest   = 100 * 365 * 24 * time.Hour
)

// buildRetry reads the schedule.
func (s *source) buildRetry(p *Profile, n *yaml.Node) {
	waits := get(n, "waits")
	var total time.Duration
	for _, item := range items(waits) {
		d, err := ParseDuration(s.value(item))
		if err != nil {
			continue
		}
		if len(p.Retry.Waits) == mostWaits {
			s.fault(item, "", "retry.waits has more than %d waits", mostWaits)
			break
		}
		if d > longest-total {
			s.fault(item, "", "the waits up to this one add up to more than 100 years")
			break
		}
		total += d
		p.Retry.Waits = append(p.Retry.Waits, d)
	}
	p.Retry.FromStart = s.text(n, "from") == "start"
	p.Retry.Jitter, _ = parsePercent(s.text(n, "jitter"))
	if after := get(n, "retry_after"); after != nil {
		p.Retry.RetryAfter = &RetryAfter{AtMost: s.duration(after, "at_most")}
		for _, item := range items(get(after, "on")) {
			if status, ok := parseStatus(s.value(item)); ok {
				p.Retry.RetryAfter.On = append(p.Retry.RetryAfter.On, status)
			}
		}
	}
	p.Retry.Ceiling = s.duration(n, "ceiling")
	exhausted := get(n, "exhausted")
	p.Retry.Exhausted = Exhausted{Effects: s.effects(get(exhausted, "effects")), Assumed: s.text(exhausted, "assumed")}
	p.Retry.Shape = get(n, "exact") != nil && !s.truth(n, "exact")
}

// buildProse reads what is for people.
func (s *source) buildProse(p *Profile, root *yaml.Node) {
	for _, doc := range items(get(root, "docs")) {
		p.Docs = append(p.Docs, Doc{Says: s.text(doc, "says"), URL: s.text(doc, "url")})
	}
	for key, value := range pairs(get(root, "say")) {
		if p.Say == nil {
			p.Say = map[Effect]string{}
		}
		p.Say[Effect(key.Value)] = s.value(value)
	}
	for _, note := range items(get(root, "assumed")) {
		p.Assumed = append(p.Assumed, Note{Field: s.text(note, "field"), Note: s.text(note, "note")})
	}
	for _, item := range items(get(root, "not_emulated")) {
		p.NotEmulated = append(p.NotEmulated, s.value(item))
	}
}

// checkNotes tells fields of assumptions that are not the path of a key.
func (s *source) checkNotes(root *yaml.Node) {
	notes := items(get(root, "assumed"))
	if len(notes) == 0 {
		return
	}
	paths := map[string]bool{}
	formPaths(fileForm(), "", paths)
	filePaths(root, "", paths)
	sorted := slices.Sorted(maps.Keys(paths))
	for _, note := range notes {
		if field := s.text(note, "field"); field != "" && !paths[field] && !s.full() {
			s.fault(get(note, "field"), Near(field, sorted), "%s is not the path of a key", quote(field))
		}
	}
}

// buildEvents reads the samples, and which of them bracket a replay.
func (s *source) buildEvents(p *Profile, root *yaml.Node) {
	replay, events := get(root, "replay"), get(root, "events")
	if replay != nil {
		p.Replay = &Replay{Started: s.text(replay, "started"), Completed: s.text(replay, "completed")}
	}
	var types []string
	for key, value := range pairs(events) {
		if control(key.Value) {
			s.fault(key, "", "the name of an event may hold no control character")
		}
		body := strings.TrimSuffix(s.value(value), "\n")
		bracket := p.Replay != nil && (key.Value == p.Replay.Started || key.Value == p.Replay.Completed)
		p.Samples = append(p.Samples, Sample{Type: key.Value, Body: parseSample(body, bracket)})
		types = append(types, key.Value)
	}
	for _, name := range []string{"started", "completed"} {
		if n := get(replay, name); n != nil && n.Value != "" && keyOf(events, n.Value) == nil {
			s.fault(n, Near(n.Value, types), "%s is not in events", quote(n.Value))
		}
	}
}

// formPaths adds the paths of all keys that a form has.
func formPaths(f *form, path string, all map[string]bool) {
	for _, k := range f.keys {
		all[join(path, k.name)] = true
		formPaths(k.form, join(path, k.name), all)
	}
	if f.or != nil {
		formPaths(f.or, path, all)
	}
}

// filePaths adds the paths of all keys that a file has.
func filePaths(n *yaml.Node, path string, all map[string]bool) {
	for key, value := range pairs(n) {
		all[join(path, key.Value)] = true
		filePaths(value, join(path, key.Value), all)
	}
}
