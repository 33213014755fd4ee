package forecast

import (
	"math"
	"time"
)

// limited counts the events that arrive in the outage and after it, where only
// so many requests can be answered in each second after it: one bears on
// another, so they are taken in the order of time.
func (s *simulation) limited(t *tally) {
	next, up := s.events.until(0), s.events.until(s.down)
	c := newCalendar(s.down, s.end)
	for g := next; g < up; g++ {
		if n, due := s.untilUp(t, g); n > 0 {
			c.add(waitingFor(g, n, due))
		}
	}
	next = up
	for i := range c.seconds() {
		until := min(s.down+time.Duration(i+1)*time.Second, s.end)
		left := s.allowed(i)
		c.open(i)
		for {
			w, ok := c.first()
			if at := s.events.at(next); next < s.events.n && at < until && (!ok || waitingFor(next, 1, at).before(w)) {
				w, ok = waitingFor(next, 1, at), true
				next++
			} else if ok {
				c.take()
			}
			if !ok {
				break
			}
			left = s.served(t, c, w, left)
		}
	}
	c.open(c.seconds())
	for w, ok := c.first(); ok; w, ok = c.first() {
		c.take()
		s.gone(t, int(w.event), int(w.number), w.due)
	}
}

// allowed is how many requests can be answered in second i after the outage.
func (s *simulation) allowed(i int) int {
	c := s.outage.Capacity
	if c >= MaxEvents {
		return math.MaxInt
	}
	return int(math.Floor(float64(i+1)*c) - math.Floor(float64(i)*c))
}

// served makes an attempt of which so many more can be answered, and returns how
// many can be answered after it.
func (s *simulation) served(t *tally, c *calendar, w waiting, left int) int {
	g, n := int(w.event), int(w.number)
	if s.gone(t, g, n, w.due) {
		return left
	}
	if left > 0 {
		t.attempt(w.due, false)
		t.delivered(n, s.events.at(g), w.due)
		return left - 1
	}
	due, cause := s.fail(t, s.beyond, g, n, w.due)
	switch {
	case cause == "":
		c.add(waitingFor(g, n+1, due))
	case s.off != nil && stops(s.beyond, cause):
		if at := w.due + s.beyond.Attempt.Took; at < s.end {
			off := &s.off[g%s.outage.Webhooks]
			*off = min(*off, at)
		}
	}
	return left
}
