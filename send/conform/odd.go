package conform

import (
	"context"
	"slices"
)

// crashed reports whether the receiver failed on the request: it closed the
// connection, said what is not HTTP, or answered 5xx.
func (a answer) crashed() bool {
	return a.failure != nil && !a.timedOut() || a.status() >= 500
}

// refused reports whether the answer is a refusal, if only as this receiver
// refuses: one that throws on a wrong signature answers 500, or nothing.
func (r *run) refused(a answer) bool {
	return a.refusedWell() || slices.Contains(r.oddly, a.String())
}

// whyOdd says why it matters how a request is answered that should be refused
// and is not, though nobody gets in by it.
func (a answer) whyOdd() string {
	switch {
	case a.timedOut():
		return "a refusal needs no work: while the receiver is busy with such requests, events wait"
	case a.crashed():
		return "the handler fails on such a request in place of refusing it: what it throws is not caught, and may end the process"
	case a.status() >= 200 && a.status() < 300:
		return "a 2xx says that the event was taken, whatever the page says"
	}
	return "a status is a command to the sender: one that is no refusal may be retried, or switch the webhook off"
}

// fixOdd is what to change about such an answer.
func (a answer) fixOdd() string {
	if a.crashed() {
		return "catch what the check of the signature throws, and answer 401, or 400 or 403"
	}
	return "answer 401, or 400 or 403, before anything else is done with the request"
}

// oddly fails the check for refusals that are none. What says what kind of event
// they were the answers to.
func (t *tried) oddly(what string, odd []said) {
	if len(odd) == 0 {
		t.asForged()
		return
	}
	first := odd[0].answer
	alike := names(odd, func(a answer) bool { return a.String() == first.String() })
	t.failFor(first.whyOdd(), what+" "+first.met()+", not refused: "+list(alike), first.fixOdd())
}

// asForged settles a check whose requests were answered oddly, but as those of
// forged were.
func (t *tried) asForged() {
	if t.blamed && t.State == Pass {
		t.inconclusive("a wrong signature is not refused with 400, 401 or 403, nor are these", "first see forged")
	}
}

// alive fails the check if the receiver does not take the next event.
func (t *tried) alive(ctx context.Context) {
	if t.stopped {
		return
	}
	if a := t.also(ctx); !a.accepted() && !a.cut {
		t.failFor("one such request, and no event after it is taken", "after these requests an event is no longer accepted: "+a.String(),
			"no request may end the process or leave it in a bad state")
	}
}
