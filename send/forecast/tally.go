package forecast

import "time"

// A tally counts what becomes of events.
type tally struct {
	grid        *grid
	all, failed []int // attempts, and those that fail, by window

	first, late, lost, pending int
	attempts                   int
	unqueued                   int // of the lost: those that arrive while their webhook is off

	lostFrom, lostTo int // the first and the last event that is lost
	last, lateBy     time.Duration
	resolved         time.Duration // when the last event was resolved that had failed
	ended            [2]bool       // a delivery ended by its verdicts: in the outage, beyond the capacity
	stopped          bool          // one under way ended with its webhook
}

func newTally(g *grid) *tally {
	return &tally{grid: g, all: make([]int, g.len()), failed: make([]int, g.len()), lostFrom: -1, lostTo: -1}
}

// attempt counts an attempt that begins at an instant.
func (t *tally) attempt(at time.Duration, fails bool) {
	i := t.grid.index(at)
	t.attempts++
	t.all[i]++
	if fails {
		t.failed[i]++
	}
}

// delivered counts an event that is delivered at its nth attempt.
func (t *tally) delivered(n int, arrived, at time.Duration) {
	if n == 1 {
		t.first++
		return
	}
	t.late++
	t.resolved = max(t.resolved, at)
	t.delivery(at, at-arrived)
}

// delivery keeps the latest delivery; of several the one that is latest for its
// event.
func (t *tally) delivery(at, late time.Duration) {
	if at > t.last || at == t.last && late > t.lateBy {
		t.last, t.lateBy = at, late
	}
}

// lose counts an event that is lost.
func (t *tally) lose(g int) {
	t.lost++
	if t.lostFrom < 0 || g < t.lostFrom {
		t.lostFrom = g
	}
	t.lostTo = max(t.lostTo, g)
}

// add adds what another tally counted.
func (t *tally) add(o *tally) {
	for i := range o.all {
		t.all[i] += o.all[i]
		t.failed[i] += o.failed[i]
	}
	t.first += o.first
	t.late += o.late
	t.pending += o.pending
	t.attempts += o.attempts
	t.unqueued += o.unqueued
	if o.lost > 0 {
		lost := t.lost + o.lost
		t.lose(o.lostFrom)
		t.lose(o.lostTo)
		t.lost = lost
	}
	t.resolved = max(t.resolved, o.resolved)
	t.delivery(o.last, o.lateBy)
	t.ended[0] = t.ended[0] || o.ended[0]
	t.ended[1] = t.ended[1] || o.ended[1]
	t.stopped = t.stopped || o.stopped
}
