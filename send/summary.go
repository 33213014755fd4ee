package send

import (
	"maps"
	"slices"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// The bounds of what a Summary keeps.
const (
	maxTypes = 1000 // event types; of what is beyond, only the sums are kept
	maxNotes = 20
)

// A Summary is how a burst went. Its size does not grow with the number of
// events. Deliveries are Delivered + Failed + NotSent + Interrupted; Attempts
// are the sum of Answers.
type Summary struct {
	Deliveries  int // all, also those not sent
	Delivered   int
	FirstTry    int // delivered at the first attempt
	Failed      int
	NotSent     int // the webhook was stopped before, or the burst was
	Interrupted int // under way when the burst was interrupted
	Duplicates  int // sent once more after success

	Attempts int                      // with those of the duplicates
	Answers  map[profiles.Outcome]int // what they ended with
	FailedAt map[profiles.Outcome]int // the last answers of failed deliveries, but for the stopped ones
	Stopped  int                      // failed under way, since another event stopped the webhook
	ByType   map[string]TypeCount

	Latency Histogram     // of the attempts that were answered, or ended by the time limit
	Limit   time.Duration // of one attempt; of a pair, both
	Limited int           // attempts ended by it

	Effects    []profiles.Effect // of all deliveries, each once
	StoppedBy  *Stop             // what stopped the webhook; nil: nothing did
	LateStarts int               // first attempts that the bound on concurrency delayed
	Elapsed    time.Duration     // of this machine, from the first event to the last answer
	Notes      []string          // of the endings, each once; the first 20

	// Certificate says what the provider makes of a certificate that only the
	// Sender's TLS accepts; "" if there was none.
	Certificate string

	Replay *Replayed // nil: not a replay
}

// A Replayed compares the deliveries of a replay with what the record says of
// them.
type Replayed struct {
	Duplicates   int `json:"duplicates"` // delivered, though the id was sent before
	Fixed        int `json:"fixed"`      // delivered, and not then
	NewlyFailing int `json:"newly_failing"`
	StillFailing int `json:"still_failing"`
}

// A TypeCount counts the deliveries of an event type.
type TypeCount struct {
	Delivered int `json:"delivered"`
	Failed    int `json:"failed"`
}

// A Stop is the end of a webhook: no event is sent after it.
type Stop struct {
	Effect profiles.Effect
	Event  int           // which event caused it, from 1
	At     time.Duration // provider time since the burst began

	Assumed string // the rule, or the end of the schedule, rests on this assumption
}

// add counts a delivery that has ended.
func (s *Summary) add(d Delivery) {
	if s.Answers == nil {
		s.Answers, s.FailedAt = map[profiles.Outcome]int{}, map[profiles.Outcome]int{}
		s.ByType = map[string]TypeCount{}
	}
	for _, a := range d.Attempts {
		s.attempt(a)
	}
	if d.Duplicate != nil {
		s.Duplicates++
		s.attempt(*d.Duplicate)
	}
	s.state(d)
	for _, e := range d.Ending.Effects {
		if !slices.Contains(s.Effects, e) {
			s.Effects = append(s.Effects, e)
		}
	}
	if s.Certificate == "" {
		s.Certificate = d.Ending.Certificate
	}
	for _, n := range d.Ending.Notes {
		s.note(n)
	}
}

// attempt counts an attempt. One that was cut short by the user is none.
func (s *Summary) attempt(a Attempt) {
	o := a.Outcome()
	if o.Failure == profiles.Interrupted {
		return
	}
	s.Attempts++
	s.Answers[o]++
	limited := o.Failure == profiles.ReadTimeout || o.Failure == profiles.ConnectTimeout
	if limited {
		s.Limited++
	}
	if limited || a.Response != nil {
		s.Latency.Add(a.Took)
	}
}

// state counts how a delivery ended.
func (s *Summary) state(d Delivery) {
	count, known := s.ByType[d.Message.Type]
	switch {
	case d.unsent():
		s.NotSent++
		return
	case d.interrupted():
		s.Interrupted++
		return
	case d.Delivered():
		s.Delivered++
		count.Delivered++
		if len(d.Attempts) == 1 {
			s.FirstTry++
		}
	default:
		s.Failed++
		count.Failed++
		switch {
		case d.Ending.Cause == ByStopped:
			s.Stopped++
		case d.Duplicate != nil:
			s.FailedAt[d.Duplicate.Outcome()]++
		case len(d.Attempts) > 0:
			s.FailedAt[d.Attempts[len(d.Attempts)-1].Outcome()]++
		}
	}
	if known || len(s.ByType) < maxTypes {
		s.ByType[d.Message.Type] = count
	}
}

// unsent reports whether nothing of the message was sent, since it could not be.
func (d Delivery) unsent() bool {
	return d.Ending.Err != nil && !slices.ContainsFunc(d.Attempts, func(a Attempt) bool { return a.local() == nil })
}

// interrupted reports whether the delivery, or its duplicate, was cut short.
func (d Delivery) interrupted() bool {
	return d.Ending.State == StateInterrupted || d.Duplicate != nil && d.Duplicate.Outcome().Failure == profiles.Interrupted
}

// note keeps a note, once.
func (s *Summary) note(text string) {
	if len(s.Notes) < maxNotes {
		s.Notes = addNote(s.Notes, text)
	}
}

// Merge adds the summary of a burst that ran after this one. Of two stops the
// first stays.
func (s *Summary) Merge(o Summary) {
	s.Deliveries += o.Deliveries
	s.Delivered += o.Delivered
	s.FirstTry += o.FirstTry
	s.Failed += o.Failed
	s.NotSent += o.NotSent
	s.Interrupted += o.Interrupted
	s.Duplicates += o.Duplicates
	s.Attempts += o.Attempts
	s.Answers = sums(s.Answers, o.Answers)
	s.FailedAt = sums(s.FailedAt, o.FailedAt)
	s.Stopped += o.Stopped
	types := maps.Clone(s.ByType)
	if types == nil {
		types = map[string]TypeCount{}
	}
	for name, n := range o.ByType {
		types[name] = TypeCount{types[name].Delivered + n.Delivered, types[name].Failed + n.Failed}
	}
	s.ByType = types
	s.Latency.Merge(&o.Latency)
	s.Limit, s.Limited = max(s.Limit, o.Limit), s.Limited+o.Limited
	for _, e := range o.Effects {
		if !slices.Contains(s.Effects, e) {
			s.Effects = append(s.Effects, e)
		}
	}
	if s.StoppedBy == nil {
		s.StoppedBy = o.StoppedBy
	}
	s.LateStarts += o.LateStarts
	s.Elapsed += o.Elapsed
	for _, n := range o.Notes {
		s.note(n)
	}
	if s.Certificate == "" {
		s.Certificate = o.Certificate
	}
}

// sums adds two counts.
func sums(a, b map[profiles.Outcome]int) map[profiles.Outcome]int {
	all := map[profiles.Outcome]int{}
	for o, n := range a {
		all[o] += n
	}
	for o, n := range b {
		all[o] += n
	}
	return all
}
