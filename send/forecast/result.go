package forecast

import (
	"slices"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// A Result is what the outage does under one profile. Each event that arrives is
// one of First, Late, Lost and Pending.
type Result struct {
	Profile *profiles.Profile

	First   int // delivered at the first attempt
	Late    int // delivered at a later one
	Lost    int // never delivered, and never will be
	Pending int // still waiting when the last event arrives

	// The events that are lost arrive from LostFrom on and before LostTo. Of the
	// events of that time InWindow arrive; where they are more than Lost, some
	// are delivered.
	LostFrom, LostTo time.Duration
	InWindow         int

	Last, LateBy time.Duration // the latest of the late deliveries, and how late it is
	Backlog      time.Duration // from the end of the outage until nothing waits; with a Pending: not known

	Attempts      int
	Load          *Load
	PeakDown      float64 // attempts a second, in the outage
	PeakAfter     float64 // and after it
	PeakAfterBare float64 // PeakAfter, were there no jitter

	Off      int           // how many webhooks are turned off
	OffAt    time.Duration // when the first of them is
	Unqueued int           // of the lost: those that arrive while their webhook is off

	Effects []profiles.Effect // what outlives the deliveries that ended so
	Assumed string            // the Effects rest on this assumption
	Notes   []string          // what is assumed, cut or ignored
}

// result simulates with jitter and without.
func (s *simulation) result() Result {
	p := s.profile
	t := s.run(true)
	r := Result{
		Profile: p, First: t.first, Late: t.late, Lost: t.lost, Pending: t.pending, Attempts: t.attempts, Unqueued: t.unqueued,
		Last: t.last, LateBy: t.lateBy, Load: &Load{grid: s.grid, all: t.all, failed: t.failed, regular: t.all},
	}
	if t.lost > 0 {
		r.LostFrom, r.LostTo = s.events.at(t.lostFrom), min(s.events.at(t.lostTo+1), s.end)
		r.InWindow = t.lostTo + 1 - t.lostFrom
	}
	if t.pending == 0 {
		r.Backlog = max(0, t.resolved-s.down)
	}
	r.OffAt = never
	for _, at := range s.off {
		if at < never {
			r.Off++
			r.OffAt = min(r.OffAt, at)
		}
	}
	if r.Off == 0 {
		r.OffAt = 0
	}
	s.outlives(&r, t)
	r.PeakDown, r.PeakAfter = r.Load.peak(t.all, inIt), r.Load.peak(t.all, afterIt)
	if p.Retry.Jitter > 0 {
		r.Load.regular = s.run(false).all
	}
	r.PeakAfterBare = r.Load.peak(r.Load.regular, afterIt)
	return r
}

// outlives fills in the effects of the deliveries that ended, and the notes.
func (s *simulation) outlives(r *Result, t *tally) {
	for i, kind := range []*send.Repeated{s.fails, s.beyond} {
		if kind == s.beyond && s.outage.Capacity == 0 {
			break
		}
		v := kind.Attempt.Verdict
		if t.ended[i] {
			e := ending(kind, final(v.Then))
			for _, effect := range e.Effects {
				if !slices.Contains(r.Effects, effect) {
					r.Effects = append(r.Effects, effect)
				}
			}
			if e.Assumed != "" {
				r.Assumed = e.Assumed
				r.Notes = addNote(r.Notes, assumed+e.Assumed)
			}
		}
		for _, note := range kind.Attempt.Notes {
			r.Notes = addNote(r.Notes, note)
		}
		if v.Rule != nil && v.Rule.Warn != "" {
			r.Notes = addNote(r.Notes, v.Rule.Warn)
		}
	}
	if t.stopped {
		r.Notes = addNote(r.Notes, assumed+send.End(s.profile, nil, send.ByStopped).Assumed)
	}
	if s.profile.Retry.Shape {
		r.Notes = addNote(r.Notes, "only the shape of the schedule is published")
	}
}

// assumed begins a note that completes "the documentation does not say".
const assumed = "assumed: "

// final is why a delivery ends whose attempts all have that verdict.
func final(v profiles.Verdict) send.Cause {
	if v == profiles.Retried {
		return send.ByExhausted
	}
	return send.ByRule
}

func addNote(notes []string, note string) []string {
	if slices.Contains(notes, note) {
		return notes
	}
	return append(notes, note)
}
