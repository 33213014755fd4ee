package send

import (
	"context"
	"errors"
	"sync"
	"time"
)

// A bursting is a Burst that runs.
type bursting struct {
	*Burst
	ctx    context.Context // of attempts
	going  context.Context // done once nothing more is to begin
	halt   context.CancelCauseFunc
	target *target
	start  time.Time
	kept   *Links

	places   chan struct{}  // one for each attempt in flight
	work     chan *delivery // to a worker that has none
	underWay sync.WaitGroup // deliveries
	workers  sync.WaitGroup

	// of the goroutine that begins deliveries
	due     time.Duration            // arrival of the next event, since the start
	blocked time.Duration            // until when an event waited for a place
	delayed bool                     // the next event did
	late    int                      // first attempts that were
	last    map[string]chan struct{} // by type, closed when the last event has ended

	done sync.Mutex // around calls of Done

	mu      sync.Mutex
	summary Summary
	begun   int
	waiting map[*delivery]context.CancelFunc
	stopped chan struct{} // closed when the webhook is stopped
}

// give hands a delivery that has a place to a worker, a new one where all are
// busy.
func (r *bursting) give(d *delivery) {
	select {
	case r.work <- d:
	default:
		r.workers.Go(func() { r.worker(d) })
	}
}

// worker makes attempts until the burst is over.
func (r *bursting) worker(d *delivery) {
	for ok := true; ok; d, ok = <-r.work {
		r.advance(d)
	}
}

// advance makes the attempts of a delivery up to one that is followed by a
// wait, and gives the place back.
func (r *bursting) advance(d *delivery) {
	waits := r.attempts(d)
	if !waits {
		r.finish(d)
	}
	<-r.places
	if waits {
		r.wait(d)
	}
}

// attempts makes attempts. It reports whether the next one has to be waited for.
func (r *bursting) attempts(d *delivery) (waits bool) {
	for {
		if len(d.attempts) == 0 {
			d.offset = time.Since(r.start)
		}
		if !d.step(r.ctx, r.target, d.due) {
			return false
		}
		a := &d.attempts[len(d.attempts)-1]
		if a.Next == nil {
			return false
		}
		d.due = a.next()
		if !r.Whole {
			a.forget()
		}
		switch {
		case r.going.Err() != nil:
			return false
		case r.Sender.Wait != nil:
			return true
		case !r.goesOn(d):
			return false
		}
	}
}

// wait waits, with no place taken, until the next attempt of a delivery is due,
// then for a place.
func (r *bursting) wait(d *delivery) {
	ctx, cancel := context.WithCancel(r.going)
	r.mu.Lock()
	r.waiting[d] = cancel
	if r.summary.StoppedBy.reaches(d.offset + d.due) {
		cancel()
	}
	r.mu.Unlock()
	go func() {
		passed := d.wait(ctx, d.attempts[len(d.attempts)-1].Next.Wait, d.due)
		r.mu.Lock()
		delete(r.waiting, d)
		r.mu.Unlock()
		cancel()
		if passed {
			d.due = d.now(d.due)
		}
		if !r.goesOn(d) {
			r.finish(d)
			return
		}
		select {
		case r.places <- struct{}{}:
			r.give(d)
		case <-r.going.Done():
			r.finish(d)
		}
	}()
}

// goesOn reports whether the next attempt of a delivery is made; if not, it
// notes why.
func (r *bursting) goesOn(d *delivery) bool {
	switch {
	case r.going.Err() != nil:
		return false
	case r.stops(d.offset + d.due):
		d.cause = ByStopped
		return false
	case d.pastCeiling(d.due):
		d.cause = ByCeiling
		return false
	}
	return true
}

// finish counts a delivery that has ended.
func (r *bursting) finish(d *delivery) {
	defer r.underWay.Done()
	if d.ended != nil {
		defer close(d.ended)
	}
	result := Delivery{Message: d.message, Attempts: d.attempts, Ending: d.end()}
	if r.Duplicate && result.Ending.State == StateDelivered && r.going.Err() == nil {
		again := r.Sender.Duplicate(r.ctx, d.message, d.attempts[len(d.attempts)-1])
		result.Duplicate = &again
		result.Ending.Err = again.local()
	}
	r.mu.Lock()
	r.stop(d, result.Ending)
	r.summary.add(result)
	r.mu.Unlock()
	if r.Done == nil {
		return
	}
	r.done.Lock()
	defer r.done.Unlock()
	if err := r.Done(result); err != nil {
		r.halt(doneError{err})
	}
}

// stop notes the effect that stops the webhook, if the delivery had one, and
// wakes what waits for a later attempt. The lock is held.
func (r *bursting) stop(d *delivery, e Ending) {
	at := later(d.offset, e.Elapsed)
	for _, effect := range e.Effects {
		if !effect.Stops() || r.summary.StoppedBy.reaches(at) {
			continue
		}
		if r.summary.StoppedBy == nil {
			close(r.stopped)
		}
		r.summary.StoppedBy = &Stop{Effect: effect, Event: d.message.Number + 1, At: at, Assumed: e.Assumed}
		for other, cancel := range r.waiting {
			if r.summary.StoppedBy.reaches(other.offset + other.due) {
				cancel()
			}
		}
	}
}

// stops reports whether the webhook is stopped at that provider time.
func (r *bursting) stops(at time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.summary.StoppedBy.reaches(at)
}

// reaches reports whether the stop holds at that provider time; nil never does.
func (s *Stop) reaches(at time.Duration) bool { return s != nil && s.At <= at }

// A doneError is why Done wants the burst to end.
type doneError struct{ error }

// failed is the error of Done; nil if there was none.
func (r *bursting) failed() error {
	var e doneError
	if errors.As(context.Cause(r.going), &e) {
		return e.error
	}
	return nil
}

// progress is how far the burst has come.
func (r *bursting) progress() Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &r.summary
	p := Progress{Delivered: s.Delivered, Failed: s.Failed}
	p.UnderWay = r.begun - p.Delivered - p.Failed - s.Interrupted - s.NotSent
	return p
}
