package listen

import (
	"bytes"
	"hash/maphash"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// The bounds of what a Receiver remembers.
const (
	maxKnown   = 100_000  // ids, and as many objects; the oldest is dropped
	maxBodies  = 16 << 20 // bytes of bodies kept to name the first difference
	maxUpdated = 64       // bytes of a time of update that are kept
)

// history is what a Receiver remembers of earlier requests. Its zero value is
// ready for use.
type history struct {
	once  sync.Once // makes the seeds
	seeds [2]maphash.Seed

	mu      sync.Mutex
	last    int // number of the last request
	ids     bounded[*event]
	objects bounded[state]
	bodies  []*event // those that keep their body, oldest first
	size    int      // bytes of those bodies
	steps   int      // script steps taken by requests without an id
}

// An event is what is kept of an id.
type event struct {
	first int      // number of the first request
	count int      // requests with its body
	steps int      // script steps taken
	last  struct { // of those
		number   int
		outcome  profiles.Outcome
		answered bool
	}
	body []byte    // of the first; nil once dropped, then sum holds
	sum  memoryKey // of the dropped body
}

// A state is the newest known state of an object.
type state struct {
	number  int
	updated string
}

// arrive numbers a request. One that counts is noted, and told what is known of
// its id; others, and those without an id, are nil. keep says that its body may
// be kept.
func (h *history) arrive(q *Request, counts, keep bool) *event {
	h.once.Do(h.seed)
	var sum memoryKey
	if counts && !keep {
		sum = h.sum(q.Body)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last++
	q.Number = h.last
	if q.Profile == nil || !counts {
		return nil
	}
	return h.note(q, keep, sum)
}

// note notes a request that counts. If its body may not be kept, sum stands for
// it.
func (h *history) note(q *Request, keep bool, sum memoryKey) *event {
	h.older(q)
	if q.Event.ID == "" {
		return nil
	}
	key := h.key(q.Profile.Name, q.Event.ID)
	e, known := h.ids.get(key)
	if known {
		h.compare(q, e, keep, sum)
		if q.Seen == Conflict {
			return e
		}
	} else {
		e = &event{first: q.Number, sum: sum}
		if old, dropped := h.ids.put(key, e); dropped {
			h.dropBody(old)
		}
		if keep {
			h.keepBody(e, q.Body)
		}
	}
	e.count++
	e.last.number, e.last.outcome, e.last.answered = q.Number, profiles.Outcome{}, false
	return e
}

// compare says what a request with a known id is.
func (h *history) compare(q *Request, e *event, keep bool, sum memoryKey) {
	q.Of = e.first
	q.Before = &Earlier{Number: e.last.number, Status: e.last.outcome.Status}
	same, at := e.sum == sum, 0
	if keep {
		same, at = h.same(e, q.Body)
	}
	switch {
	case !same:
		q.Seen, q.DiffersAt = Conflict, at
	case q.Event.Attempt > 1:
		q.Seen, q.Attempt = Retry, q.Event.Attempt
	case e.last.answered && send.Judge(q.Profile, e.last.outcome).Then == profiles.Retried:
		q.Seen, q.Attempt = Retry, e.count+1
	default:
		q.Seen = Duplicate
	}
}

// older says whether an earlier request had a newer state of the same object.
func (h *history) older(q *Request) {
	object, updated := q.Event.Object, q.Event.Updated
	if object == "" || updated == "" || len(updated) > maxUpdated {
		return
	}
	key := h.key(q.Profile.Name, object)
	newest, known := h.objects.get(key)
	switch {
	case !known:
		h.objects.put(key, state{q.Number, strings.Clone(updated)})
	case before(updated, newest.updated):
		q.OlderThan = &Older{Number: newest.number, Updated: updated, Newer: newest.updated}
	case before(newest.updated, updated):
		h.objects.put(key, state{q.Number, strings.Clone(updated)})
	}
}

// answered notes the answer to a request, before the answer goes out: the
// sender may come back at once.
func (h *history) answered(e *event, number int, o profiles.Outcome) {
	if e == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if e.last.number == number {
		e.last.outcome, e.last.answered = o, true
	}
}

// step counts a step of the script and returns which one it is, from 1: of the
// event, or of all requests without an id.
func (h *history) step(e *event) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e == nil {
		h.steps++
		return h.steps
	}
	e.steps++
	return e.steps
}

// keepBody keeps the body for comparing, and drops the oldest ones beyond the
// bound.
func (h *history) keepBody(e *event, body []byte) {
	if cap(body) > maxBodies {
		e.sum = h.sum(body)
		return
	}
	if body == nil {
		body = []byte{}
	}
	e.body = body
	h.bodies = append(h.bodies, e)
	h.size += cap(body)
	for h.size > maxBodies || h.bodies[0].body == nil {
		old := h.bodies[0]
		h.bodies[0] = nil
		h.bodies = h.bodies[1:]
		if old.body != nil {
			old.sum = h.sum(old.body)
			h.dropBody(old)
		}
	}
}

// dropBody forgets the body of an event.
func (h *history) dropBody(e *event) {
	h.size -= cap(e.body)
	e.body = nil
}

// same compares a body with the event's first and returns the first byte that
// differs, from 1, or 0 where it is not known.
func (h *history) same(e *event, body []byte) (bool, int) {
	if e.body == nil {
		return h.sum(body) == e.sum, 0
	}
	if bytes.Equal(e.body, body) {
		return true, 0
	}
	n := min(len(e.body), len(body))
	for i := range n {
		if e.body[i] != body[i] {
			return false, i + 1
		}
	}
	return false, n + 1
}

// key is the key of an id or object under a profile.
func (h *history) key(profile, id string) (key memoryKey) {
	var room [128]byte
	text := append(append(append(room[:0], profile...), 0), id...)
	for i := range key {
		key[i] = maphash.Bytes(h.seeds[i], text)
	}
	return key
}

// seed makes the seeds, which nobody outside knows: a sender cannot choose ids
// that are one.
func (h *history) seed() {
	h.seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}
}

// sum stands for a body.
func (h *history) sum(body []byte) memoryKey {
	return memoryKey{maphash.Bytes(h.seeds[0], body), uint64(len(body))}
}

// before reports whether the time of update a lies before b: both RFC 3339, or
// both numbers; else it is not known, and false.
func before(a, b string) bool {
	at, aErr := time.Parse(time.RFC3339Nano, a)
	bt, bErr := time.Parse(time.RFC3339Nano, b)
	if aErr == nil && bErr == nil {
		return at.Before(bt)
	}
	af, aErr := strconv.ParseFloat(a, 64)
	bf, bErr := strconv.ParseFloat(b, 64)
	return aErr == nil && bErr == nil && !math.IsNaN(af) && af < bf
}
