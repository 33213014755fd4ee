package listen

import (
	"slices"
	"sync"
)

// mostWaiting is how many requests may wait to be reported for one before them:
// then they pass it.
const mostWaiting = 128

// turns are the requests whose answers are going out, in the order in which they
// are reported. A sender that waited for an answer before it sent the next
// request sees them in the order of its requests, however they came and however
// long the first was explained. Its zero value is ready for use.
type turns struct {
	mu      sync.Mutex
	waiting []*exchange
}

// A turn is where an exchange is on its way to be reported.
type turn int

const (
	noTurn turn = iota
	taken       // the answer goes out, or is explained
	passed      // too many waited for it
	ready
)

// take takes the turn of an exchange. It comes before the bytes with which the
// sender has the whole answer.
func (t *turns) take(x *exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if x.turn == noTurn {
		x.turn = taken
		t.waiting = append(t.waiting, x)
	}
}

// ready says that an exchange may be reported.
func (t *turns) ready(x *exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if x.turn == passed {
		t.waiting = slices.Insert(t.waiting, 0, x)
	}
	x.turn = ready
}

// next is the exchange that is to be reported now; nil: none is.
func (t *turns) next() *exchange {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.waiting) > 0 {
		x := t.waiting[0]
		if x.turn != ready {
			if len(t.waiting) <= mostWaiting {
				return nil
			}
			x.turn = passed
		}
		t.waiting = slices.Delete(t.waiting, 0, 1)
		if x.turn == ready {
			return x
		}
	}
	return nil
}
