package forecast

import (
	"slices"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// ending is how a delivery ends that such an outcome ends for that cause.
func ending(r *send.Repeated, cause send.Cause) send.Ending {
	return send.End(r.Profile, []send.Attempt{r.Attempt}, cause)
}

// stops reports whether the webhook is off after such an end.
func stops(r *send.Repeated, cause send.Cause) bool {
	return slices.ContainsFunc(ending(r, cause).Effects, profiles.Effect.Stops)
}

// turnedOff is from when each webhook is off by what happens in the outage; nil
// where none can be turned off at all. What happens beyond a capacity is found
// as it happens.
func (s *simulation) turnedOff() []time.Duration {
	least := s.soonest()
	later := s.outage.Capacity > 0 && (stops(s.beyond, send.ByRule) || stops(s.beyond, send.ByExhausted))
	if least == never && !later {
		return nil
	}
	off := make([]time.Duration, s.outage.Webhooks)
	s.parallel(0, len(off), func(_ *tally, from, to int) {
		for w := from; w < to; w++ {
			off[w] = s.turnsOff(w, least)
		}
	})
	return off
}

// soonest is how long after an event's arrival its webhook is off at the
// soonest, if every attempt of the event falls into the outage; never, if that
// cannot be.
func (s *simulation) soonest() time.Duration {
	due := time.Duration(0)
	for n := 1; ; n++ {
		if due >= s.down {
			return never
		}
		wait, cause := s.fails.Next(n, 0, due, 0)
		end := due + s.fails.Attempt.Took
		switch {
		case cause != "" && stops(s.fails, cause):
			return end
		case cause != "", wait > never-end:
			return never
		}
		due = end + wait
	}
}

// turnsOff is when a webhook is turned off in the outage. The event that does it
// is not touched by that, since all its attempts come before.
func (s *simulation) turnsOff(webhook int, least time.Duration) time.Duration {
	off := never
	if least == never {
		return off
	}
	n := s.outage.Webhooks
	first, last := s.events.until(0), s.events.until(s.down)
	for g := first + ((webhook-first)%n+n)%n; g < last; g += n {
		arrived := s.events.at(g)
		if arrived+least >= min(off, s.down+s.fails.Attempt.Took) {
			break
		}
		off = min(off, s.endOf(g, arrived))
	}
	if off >= s.end {
		return never
	}
	return off
}

// endOf is when an event turns its webhook off, or never.
func (s *simulation) endOf(g int, arrived time.Duration) time.Duration {
	due := arrived
	for n := 1; due < s.down; n++ {
		next, cause := s.follow(s.fails, g, n, arrived, due)
		switch {
		case cause != "" && stops(s.fails, cause):
			return due + s.fails.Attempt.Took
		case cause != "":
			return never
		}
		due = next
	}
	return never
}
