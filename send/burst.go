package send

import (
	"context"
	"iter"
	"sync/atomic"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// A Burst delivers many messages, several at once, as one webhook of the
// provider's. Fill it and call [Burst.Run]. Its fields must not change while it
// runs.
//
// An event's first attempt stands in provider time at the time since the burst
// began, its later attempts at that plus its waits. An effect that stops a
// webhook holds from the end of the attempt that caused it: what is due later is
// not sent. Where waits are skipped, each delivery runs ahead in provider time
// on its own, so that an effect may be found after attempts that were due later
// were made; those stay as they are.
type Burst struct {
	Sender *Sender

	// Messages gives the events in their order, each with its Number. It is read
	// as events begin and never from two goroutines at once. An error ends the
	// burst.
	Messages iter.Seq2[Message, error]

	// Events is how many Messages gives: what did not begin is counted as not
	// sent.
	Events int

	Concurrency int     // attempts in flight at a time, from 1; a delivery that waits takes no place
	Rate        float64 // new events a second, whether the endpoint is slow or not; 0: as places are free
	KeepAlive   bool    // first attempts may use a connection of another delivery again
	InOrder     bool    // an event begins when the one before of its type has ended
	Duplicate   bool    // after success the same bytes are sent once more

	// Done, if set, is called with each delivery that has ended, one at a time.
	// An error ends the burst: attempts in flight are still answered, and Done
	// is told of their deliveries, but nothing else begins.
	Done func(Delivery) error

	// Whole keeps the requests and answers of all attempts until a delivery has
	// ended, for Done. Else an attempt that another follows keeps how it ended
	// alone.
	Whole bool

	running atomic.Pointer[bursting]
}

// A Delivery is a message of a burst, delivered or not.
type Delivery struct {
	Message   Message
	Attempts  []Attempt
	Ending    Ending
	Duplicate *Attempt // the same bytes once more; nil: not sent
}

// Delivered reports whether the message was delivered, and so was the duplicate
// if there was one.
func (d Delivery) Delivered() bool {
	return d.Ending.State == StateDelivered && (d.Duplicate == nil || d.Duplicate.Verdict.Then == profiles.Delivered)
}

// Progress is how far a burst has come.
type Progress struct {
	Delivered, Failed int
	UnderWay          int // begun and not ended, those that wait too
}

// Progress is how far the burst has come. It is safe to call at any time, from
// any goroutine.
func (b *Burst) Progress() Progress {
	r := b.running.Load()
	if r == nil {
		return Progress{}
	}
	return r.progress()
}

// Run delivers until every message was delivered or failed, the webhook is
// stopped, or ctx is done; then waiting ends at once and attempts in flight are
// cut. It returns when nothing is under way any more. The error is what keeps
// the Sender from sending, as Sender.Check tells it, or that of Messages or of
// Done; the Summary tells what was done before it. A Burst is for one run.
func (b *Burst) Run(ctx context.Context) (Summary, error) {
	t, err := b.Sender.check()
	if err != nil {
		return Summary{}, err
	}
	r := &bursting{
		Burst:   b,
		ctx:     ctx,
		target:  t,
		start:   time.Now(),
		places:  make(chan struct{}, max(1, b.Concurrency)),
		work:    make(chan *delivery),
		stopped: make(chan struct{}),
		waiting: make(map[*delivery]context.CancelFunc),
		last:    make(map[string]chan struct{}),
	}
	if b.KeepAlive {
		r.kept = &Links{Most: cap(r.places)}
		defer r.kept.Close()
	}
	r.going, r.halt = context.WithCancelCause(ctx)
	defer r.halt(nil)
	b.running.Store(r)
	err = r.beginAll()
	r.underWay.Wait()
	close(r.work)
	r.workers.Wait()
	if err == nil {
		err = r.failed()
	}
	s := r.summary
	s.Deliveries = max(b.Events, r.begun)
	s.NotSent += s.Deliveries - r.begun
	s.LateStarts, s.Limit = r.late, b.Sender.limits().longest()
	s.Elapsed = b.Sender.since(r.start)
	return s, err
}

// beginAll begins one delivery after the other, until no message is left or
// none may begin.
func (r *bursting) beginAll() error {
	for m, err := range r.Messages {
		if err != nil {
			return err
		}
		if !r.turn(m) || !r.arrival() || !r.place() {
			return nil
		}
		if !r.begin(m) {
			<-r.places
			return nil
		}
	}
	return nil
}

// turn waits, where the order is kept, until the event before of that type has
// ended.
func (r *bursting) turn(m Message) bool {
	before := r.last[m.Type]
	if before == nil {
		return true
	}
	select {
	case <-before:
		return true
	case <-r.going.Done():
		return false
	}
}

// arrival waits until the next event arrives. It reports false if none does any
// more.
func (r *bursting) arrival() bool {
	if r.Rate > 0 {
		due := float64(r.begun) / r.Rate * float64(time.Second)
		r.due = longest
		if due < float64(longest) {
			r.due = time.Duration(due)
		}
	}
	stopped := r.stopped
	for r.going.Err() == nil {
		left := r.due - time.Since(r.start)
		if left <= 0 {
			return true
		}
		if r.stops(r.due) {
			return false
		}
		timer := time.NewTimer(left)
		select {
		case <-timer.C:
		case <-stopped:
			stopped = nil // the time of the stop is looked at once
		case <-r.going.Done():
		}
		timer.Stop()
	}
	return false
}

// place waits for a place among the attempts in flight, and notes whether the
// start comes late for that.
func (r *bursting) place() bool {
	select {
	case r.places <- struct{}{}:
		r.delayed = r.due < r.blocked // it waited behind another
		return true
	default:
	}
	select {
	case r.places <- struct{}{}:
	case <-r.going.Done():
		return false
	}
	r.delayed, r.blocked = true, time.Since(r.start)
	return true
}

// begin begins the delivery of a message, unless the webhook is stopped.
func (r *bursting) begin(m Message) bool {
	if r.going.Err() != nil || r.stops(time.Since(r.start)) {
		return false
	}
	d := r.Sender.delivery(m)
	d.kept = r.kept
	if r.InOrder {
		d.ended = make(chan struct{})
		r.last[m.Type] = d.ended
	}
	if r.Rate > 0 && r.delayed {
		r.late++
	}
	r.mu.Lock()
	r.begun++
	r.mu.Unlock()
	r.underWay.Add(1)
	r.give(d)
	return true
}
