package listen

import (
	"bytes"
	"crypto/sha256"
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
	maxKey     = 128      // bytes of an id that are kept; a longer one is hashed
	maxUpdated = 64       // bytes of a time of update that are kept
)

// history is what a Receiver remembers of earlier requests. Its zero value is
// ready for use.
type history struct {
	mu      sync.Mutex
	last    int // number of the last request
	ids     bounded[*event]
	objects bounded[state]
	seed    maphash.Seed
	bodies  []*event // those that keep their body, oldest first
	size    int      // bytes of those bodies
	steps   int      // script steps taken by requests without an id
}

// An event is what is kept of an id.
type event struct {
	first int // number of the first request
	count int // requests
	steps int // script steps taken
	last  struct {
		number   int
		outcome  profiles.Outcome
		answered bool
	}
	length int
	body   []byte // of the first; nil once dropped, then sum holds
	sum    uint64 // of the dropped body, with the history's seed
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
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last++
	q.Number = h.last
	if q.Profile == nil || !counts {
		return nil
	}
	return h.note(q, keep)
}

// note notes a request that counts; keep says that its body may be kept.
func (h *history) note(q *Request, keep bool) *event {
	h.older(q)
	if q.Event.ID == "" {
		return nil
	}
	key := memoryKey(q.Profile.Name, q.Event.ID)
	e, known := h.ids.get(key)
	if known {
		e.count++
		h.compare(q, e)
	} else {
		e = &event{first: q.Number, count: 1, length: len(q.Body)}
		if old, dropped := h.ids.put(key, e); dropped {
			h.dropBody(old)
		}
		h.keepBody(e, q.Body, keep)
	}
	e.last.number, e.last.outcome, e.last.answered = q.Number, profiles.Outcome{}, false
	return e
}

// compare says what a request with a known id is.
func (h *history) compare(q *Request, e *event) {
	q.Of = e.first
	q.Before = &Earlier{Number: e.last.number, Status: e.last.outcome.Status}
	same, at := h.same(e, q.Body)
	switch {
	case !same:
		q.Seen, q.DiffersAt = Conflict, at
	case q.Event.Attempt > 1:
		q.Seen, q.Attempt = Retry, q.Event.Attempt
	case e.last.answered && send.Judge(q.Profile, e.last.outcome).Then == profiles.Retried:
		q.Seen, q.Attempt = Retry, e.count
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
	key := memoryKey(q.Profile.Name, object)
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

// keepBody keeps the body for comparing, or else a sum of it, and drops the
// oldest ones beyond the bound.
func (h *history) keepBody(e *event, body []byte, keep bool) {
	if h.seed == (maphash.Seed{}) {
		h.seed = maphash.MakeSeed()
	}
	if !keep || cap(body) > maxBodies {
		e.sum = maphash.Bytes(h.seed, body)
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
			old.sum = maphash.Bytes(h.seed, old.body)
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
		return len(body) == e.length && maphash.Bytes(h.seed, body) == e.sum, 0
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

// memoryKey is the key of an id or object under a profile, of bounded size.
func memoryKey(profile, id string) string {
	if len(id) > maxKey {
		sum := sha256.Sum256([]byte(id))
		return profile + "\x00\x00" + string(sum[:])
	}
	return profile + "\x00" + id
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
