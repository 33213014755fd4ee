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
			c.add(waiting{due, g, n})
		}
	}
	next = up
	for i := range c.seconds() {
		until := min(s.down+time.Duration(i+1)*time.Second, s.end)
		left := s.allowed(i)
		c.open(i)
		for {
			w, ok := c.first()
			if at := s.events.at(next); next < s.events.n && at < until && (!ok || before(waiting{at, next, 1}, w)) {
				w, ok = waiting{at, next, 1}, true
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
		s.gone(t, w.event, w.number, w.due)
	}
}

// allowed is how many requests can be answered in second i after the outage.
func (s *simulation) allowed(i int) int {
	c := s.outage.Capacity
	return int(min(math.Floor(float64(i+1)*c)-math.Floor(float64(i)*c), MaxEvents*1000))
}

// served makes an attempt of which so many more can be answered, and returns how
// many can be answered after it.
func (s *simulation) served(t *tally, c *calendar, w waiting, left int) int {
	if s.gone(t, w.event, w.number, w.due) {
		return left
	}
	if left > 0 {
		t.attempt(w.due, false)
		t.delivered(w.number, s.events.at(w.event), w.due)
		return left - 1
	}
	due, cause := s.fail(t, s.beyond, w.event, w.number, w.due)
	switch {
	case cause == "":
		c.add(waiting{due, w.event, w.number + 1})
	case s.off != nil && stops(s.beyond, cause):
		if at := w.due + s.beyond.Attempt.Took; at < s.end {
			off := &s.off[w.event%s.outage.Webhooks]
			*off = min(*off, at)
		}
	}
	return left
}

// A waiting is an attempt that is due.
type waiting struct {
	due    time.Duration
	event  int
	number int
}

// before is the order of attempts: by time, then by event.
func before(a, b waiting) bool {
	if a.due != b.due {
		return a.due < b.due
	}
	return a.event < b.event
}

// A calendar keeps attempts by the second in which they are due, each in 16
// bytes, and those of one second in a heap.
type calendar struct {
	from, to time.Duration
	heads    []uint32 // the first entry of each second; the last is for all that is later
	entries  []entry
	free     uint32
	now      int
	heap     []waiting
}

// An entry is an attempt, as its second's list has it; index 0 is none.
type entry struct {
	after, event, number, next uint32 // after: nanoseconds since its second began
}

func newCalendar(from, to time.Duration) *calendar {
	n := int((to - from + time.Second - 1) / time.Second)
	return &calendar{from: from, to: to, heads: make([]uint32, n+1), entries: make([]entry, 1), now: -1}
}

// seconds is how many there are before the end.
func (c *calendar) seconds() int { return len(c.heads) - 1 }

// add notes an attempt; it is not due before the second that is open.
func (c *calendar) add(w waiting) {
	second := c.seconds()
	if w.due < c.to {
		second = int((w.due - c.from) / time.Second)
	}
	if second == c.now {
		c.push(w)
		return
	}
	i := c.free
	if i == 0 {
		i = uint32(len(c.entries))
		c.entries = append(c.entries, entry{})
	} else {
		c.free = c.entries[i].next
	}
	start := c.from + time.Duration(second)*time.Second
	e := entry{event: uint32(w.event), number: uint32(w.number), next: c.heads[second]}
	if second < c.seconds() {
		e.after = uint32(w.due - start)
	}
	c.entries[i], c.heads[second] = e, i
}

// open begins a second.
func (c *calendar) open(second int) {
	c.now = second
	start := max(c.from+time.Duration(second)*time.Second, 0)
	if second == c.seconds() {
		start = c.to
	}
	for i := c.heads[second]; i != 0; {
		e := &c.entries[i]
		c.push(waiting{start + time.Duration(e.after), int(e.event), int(e.number)})
		i, e.next, c.free = e.next, c.free, i
	}
}

// first is the attempt of the open second that comes first.
func (c *calendar) first() (waiting, bool) {
	if len(c.heap) == 0 {
		return waiting{}, false
	}
	return c.heap[0], true
}

func (c *calendar) push(w waiting) {
	c.heap = append(c.heap, w)
	for i := len(c.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if !before(c.heap[i], c.heap[up]) {
			break
		}
		c.heap[i], c.heap[up] = c.heap[up], c.heap[i]
		i = up
	}
}

// take removes the first one.
func (c *calendar) take() {
	last := len(c.heap) - 1
	c.heap[0] = c.heap[last]
	c.heap = c.heap[:last]
	for i := 0; ; {
		least := i
		for _, down := range []int{2*i + 1, 2*i + 2} {
			if down < last && before(c.heap[down], c.heap[least]) {
				least = down
			}
		}
		if least == i {
			return
		}
		c.heap[i], c.heap[least] = c.heap[least], c.heap[i]
		i = least
	}
}
