package listen

import (
	"net/http"

	"github.com/hookctl/hookctl/profiles"
)

// record has the decided request recorded. If that fails the answer is 503, so
// that the sender comes again: it reports false.
func (r *Receiver) record(q *Request) bool {
	if r.Record == nil {
		return true
	}
	q.Took = r.now().Sub(q.At)
	if q.Unrecorded = r.Record(*q); q.Unrecorded == nil {
		return true
	}
	q.Answer = Answer{Status: http.StatusServiceUnavailable, By: ByLimit}
	return false
}

// Resume numbers the requests to come from last+1 on. It is for before the
// Receiver serves.
func (r *Receiver) Resume(last int) { r.history.last = last }

// Restore notes a request of an earlier run, such as a record has: what comes
// with its id is a retry or duplicate of it, and with Dedupe the id is known if
// the answer was a 2xx. Of q it needs Number, At, Profile, Event, Body, BodyRead,
// Result and Answer. One that would not count today is passed over: it was
// refused, or Verify is set and it was not judged. Requests come in the order of
// their record, before the Receiver serves.
func (r *Receiver) Restore(q Request) {
	judged := q.Result != nil && q.Result.Verified || q.Result == nil && !r.Verify
	if q.Profile == nil || q.Event.ID == "" || !q.BodyRead || !judged {
		return
	}
	r.history.restore(q, !r.Brief)
	now := r.now()
	if q.At.After(now) { // a clock was set
		q.At = now
	}
	if s := q.Answer.Status; s < 200 || s > 299 || now.Sub(q.At) >= r.Dedupe {
		return
	}
	r.handled.settle(sumOf(q.Profile.Name, q.Event.ID), q.At, r.Dedupe, true)
}

// Known is how many ids are known for Dedupe.
func (r *Receiver) Known() int {
	r.handled.mu.Lock()
	defer r.handled.mu.Unlock()
	return len(r.handled.known)
}

// restore notes a request that has its number.
func (h *history) restore(q Request, keep bool) {
	h.once.Do(h.seed)
	h.mu.Lock()
	defer h.mu.Unlock()
	e := h.note(&q, keep, h.sum(q.Body))
	if e.last.answered = q.Answer.Status != 0; e.last.answered {
		e.last.outcome = profiles.Outcome{Status: q.Answer.Status}
	}
}
