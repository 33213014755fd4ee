package forecast

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// A simulation is an outage under one profile.
type simulation struct {
	profile *profiles.Profile
	outage  Outage
	events  stream
	down    time.Duration // the end of the outage
	end     time.Duration // the end of what is simulated
	grid    grid
	workers int

	fails, beyond *send.Repeated // how a request ends in the outage, and beyond the capacity
	draws         send.Draws
	jitter        bool
	off           []time.Duration // from when each webhook is off; nil: none ever is
}

// never is later than everything.
const never = time.Duration(math.MaxInt64)

func newSimulation(p *profiles.Profile, o Outage, before time.Duration) *simulation {
	s := &simulation{
		profile: p, outage: o, events: newStream(o, before), down: o.Down, end: o.For - before, workers: runtime.GOMAXPROCS(0),
		fails: send.Repeat(p, o.FailWith, time.Time{}), beyond: send.Repeat(p, o.OverCapacity, time.Time{}),
		draws: send.NewDraws(p, o.Seed),
	}
	s.grid = newGrid(before, s.down, s.end)
	return s
}

// run simulates every event, with jitter or without.
func (s *simulation) run(jitter bool) *tally {
	s.jitter = jitter
	s.off = s.turnedOff()
	t := newTally(&s.grid)
	s.steady(t, beforeIt)
	if s.outage.Capacity > 0 {
		s.limited(t)
		return t
	}
	first, last := s.events.until(0), s.events.until(s.down)
	for _, part := range s.parallel(first, last, s.outageOf) {
		t.add(part)
	}
	s.steady(t, afterIt)
	s.unqueued(t, last)
	return t
}

// parallel divides the numbers from first up to last among workers. What they
// count does not depend on who counts it.
func (s *simulation) parallel(first, last int, count func(t *tally, from, to int)) []*tally {
	const share = 4096
	var next atomic.Int64
	next.Store(int64(first))
	tallies := make([]*tally, max(1, min(s.workers, (last-first)/share)))
	var all sync.WaitGroup
	for i := range tallies {
		tallies[i] = newTally(&s.grid)
		all.Go(func() {
			for {
				from := int(next.Add(share)) - share
				if from >= last {
					return
				}
				count(tallies[i], from, min(from+share, last))
			}
		})
	}
	all.Wait()
	return tallies
}

// outageOf counts some events that arrive in the outage, where every request
// after it is answered: no event bears on another, but by the webhook's end.
func (s *simulation) outageOf(t *tally, from, to int) {
	for g := from; g < to; g++ {
		s.untilUp(t, g)
	}
}

// untilUp makes the attempts of an event that arrives in the outage. Where a
// capacity holds it returns the number and the time of the first attempt after
// it; else, and where there is none, 0.
func (s *simulation) untilUp(t *tally, g int) (int, time.Duration) {
	arrived := s.events.at(g)
	due := arrived
	for n := 1; ; n++ {
		if s.outage.Capacity > 0 && due >= s.down {
			return n, due
		}
		if s.gone(t, g, n, due) {
			return 0, 0
		}
		if due >= s.down {
			t.attempt(due, false)
			t.delivered(n, arrived, due)
			return 0, 0
		}
		var cause send.Cause
		if due, cause = s.fail(t, s.fails, g, n, due); cause != "" {
			return 0, 0
		}
	}
}

// gone counts an event whose nth attempt is due when its webhook is off, or after
// what is simulated, and reports whether it is such a one.
func (s *simulation) gone(t *tally, g, n int, due time.Duration) bool {
	switch {
	case s.off != nil && due > s.off[g%s.outage.Webhooks]:
		t.lose(g)
		if n == 1 {
			t.unqueued++
		} else {
			t.stopped = true // with the event that turned it off
		}
		return true
	case due >= s.end:
		t.pending++
		return true
	}
	return false
}

// fail makes the nth attempt of an event, which ends as r says, and returns when
// the next one is due; with a cause there is none.
func (s *simulation) fail(t *tally, r *send.Repeated, g, n int, due time.Duration) (time.Duration, send.Cause) {
	arrived := s.events.at(g)
	next, cause := s.follow(r, g, n, arrived, due)
	delivered := r.Attempt.Verdict.Then == profiles.Delivered
	t.attempt(due, !delivered)
	switch {
	case cause == "":
		return next, ""
	case delivered:
		t.delivered(n, arrived, due+r.Attempt.Took)
	default:
		t.lose(g)
		t.resolved = max(t.resolved, due+r.Attempt.Took)
	}
	if cause != send.ByCeiling {
		t.ended[kindOf(r == s.beyond)] = true
	}
	return 0, cause
}

// kindOf is where a tally keeps what ended beyond the capacity, or in the outage.
func kindOf(beyond bool) int {
	if beyond {
		return 1
	}
	return 0
}

// follow is when the attempt after the nth is due, or why there is none.
func (s *simulation) follow(r *send.Repeated, g, n int, arrived, due time.Duration) (time.Duration, send.Cause) {
	u := send.NoJitter(n)
	if s.jitter && r.Drawn(n) {
		u = s.draws.At(g, n)
	}
	wait, cause := r.Next(n, arrived, due-arrived, u)
	end := due + r.Attempt.Took
	if wait > never-end {
		return never, cause
	}
	return end + wait, cause
}

// steady counts the events that arrive in a part of the time in which every
// request is answered.
func (s *simulation) steady(t *tally, part int) {
	p := s.grid[part]
	for i := p.first; i < p.first+p.n; i++ {
		from, to := s.grid.span(i)
		n := s.events.until(to) - s.events.until(from)
		t.all[i] += n
		t.attempts += n
		t.first += n
	}
}

// unqueued takes back the events from the given one on that arrive when their
// webhook is off.
func (s *simulation) unqueued(t *tally, from int) {
	if !slices.ContainsFunc(s.off, func(at time.Duration) bool { return at < never }) {
		return
	}
	for g := from; g < s.events.n; g++ {
		if at := s.events.at(g); at > s.off[g%s.outage.Webhooks] {
			t.all[s.grid.index(at)]--
			t.attempts--
			t.first--
			t.unqueued++
			t.lose(g)
		}
	}
}
