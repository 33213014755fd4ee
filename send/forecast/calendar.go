package forecast

import "time"

// A waiting is an attempt that is due.
type waiting struct {
	due           time.Duration
	event, number uint32
}

func waitingFor(g, n int, due time.Duration) waiting { return waiting{due, uint32(g), uint32(n)} }

// before is the order of attempts: by time, then by event.
func (w waiting) before(o waiting) bool {
	if w.due != o.due {
		return w.due < o.due
	}
	return w.event < o.event
}

// A calendar keeps attempts by the second in which they are due, each in 16
// bytes, and those of one second in a heap.
type calendar struct {
	from, to time.Duration
	heads    []uint32 // the first entry of each second; the last is for all that is later
	pages    [][]entry
	used     uint32 // entries of the pages; index 0 is none
	free     uint32 // the first entry that is free again
	now      int    // the second that is open
	heap     []waiting
}

// An entry is an attempt, as its second's list has it.
type entry struct {
	after, event, number, next uint32 // after: nanoseconds since its second began
}

// pageSize is how many entries a page has: memory grows by pages, since a slice
// that grows needs twice its size.
const pageSize = 1 << 16

func newCalendar(from, to time.Duration) *calendar {
	n := int((to - from + time.Second - 1) / time.Second)
	return &calendar{from: from, to: to, heads: make([]uint32, n+1), used: 1, now: -1}
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
	i := c.blank()
	e := c.entry(i)
	*e = entry{event: w.event, number: w.number, next: c.heads[second]}
	if second < c.seconds() {
		e.after = uint32((w.due - c.from) % time.Second)
	}
	c.heads[second] = i
}

// blank is an entry to fill.
func (c *calendar) blank() uint32 {
	if i := c.free; i != 0 {
		c.free = c.entry(i).next
		return i
	}
	if int(c.used/pageSize) == len(c.pages) {
		c.pages = append(c.pages, make([]entry, pageSize))
	}
	c.used++
	return c.used - 1
}

func (c *calendar) entry(i uint32) *entry { return &c.pages[i/pageSize][i%pageSize] }

// open begins a second.
func (c *calendar) open(second int) {
	c.now = second
	start := min(c.from+time.Duration(second)*time.Second, c.to)
	for i := c.heads[second]; i != 0; {
		e := c.entry(i)
		c.push(waiting{start + time.Duration(e.after), e.event, e.number})
		i, e.next, c.free = e.next, c.free, i
	}
	c.heads[second] = 0
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
		if !c.heap[i].before(c.heap[up]) {
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
			if down < last && c.heap[down].before(c.heap[least]) {
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
