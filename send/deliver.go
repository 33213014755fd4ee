package send

import (
	"context"
	"iter"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// A delivery is one message under way.
type delivery struct {
	sender      *Sender
	message     Message
	begun       bool
	first       time.Time // start of the first attempt
	attempts    []Attempt
	notes       []string // what production would do, or why nothing was sent
	certificate string   // what the provider makes of a certificate that is accepted here alone
	cause       Cause    // why nothing follows
	err         error    // why the message could not be sent
	kept        *Links   // connections for the first attempt; nil: a new one

	// of a burst
	offset time.Duration // of the first attempt, since the burst began
	due    time.Duration // of the next attempt, since the first
	ended  chan struct{} // closed at the end, where somebody waits for it
}

// Deliver delivers the message, attempt by attempt, as the caller ranges. A
// break or a done context stops it. The second function tells how it ended; it
// is valid after the loop. The iterator is for one use, starts no goroutine
// that outlives it, and yields at least one attempt for every delivery that
// ends by itself, also for one without a request.
//
// A break after the last attempt changes nothing: the delivery has ended. What
// Check refuses is not sent: the loop has no attempt then, and the Ending is
// interrupted, with Check's error as its Err. An attempt that this machine could
// not make is the last one: the Ending is interrupted too, its Err a *LocalError.
func (s *Sender) Deliver(ctx context.Context, m Message) (iter.Seq[Attempt], func() Ending) {
	d := s.delivery(m)
	return func(yield func(Attempt) bool) { d.run(ctx, yield) }, d.end
}

// delivery is the delivery of a message, not begun.
func (s *Sender) delivery(m Message) *delivery {
	return &delivery{sender: s, message: m, cause: ByInterrupted}
}

// jitter is the Jitter of the delivery.
func (d *delivery) jitter(n int) float64 {
	if d.sender.NoJitter {
		return NoJitter(n)
	}
	return Seeded(d.sender.Profile, d.sender.Seed, d.message.Number)(n)
}

// run makes attempts until the rules say that nothing follows.
func (d *delivery) run(ctx context.Context, yield func(Attempt) bool) {
	if d.begun {
		return
	}
	d.begun = true
	t, err := d.sender.check()
	if err != nil {
		d.refuse(err)
		return
	}
	for due := time.Duration(0); ctx.Err() == nil; {
		if !d.step(ctx, t, due) {
			return
		}
		a := d.attempts[len(d.attempts)-1]
		if !yield(a) || a.Next == nil {
			return
		}
		due = a.next()
		if !d.wait(ctx, a.Next.Wait, due) {
			return
		}
		if due = d.now(due); d.pastCeiling(due) {
			d.cause = ByCeiling
			return
		}
	}
}

// step makes the attempt that is due then, and settles what follows it. It
// reports false if the message cannot be sent.
func (d *delivery) step(ctx context.Context, t *target, due time.Duration) bool {
	end, err := d.attempt(ctx, t, due)
	if err != nil {
		d.refuse(err)
		return false
	}
	cause := settle(d.sender.Profile, d.attempts, d.jitter, end)
	if cause != "" {
		d.cause = cause
	}
	return true
}

// refuse notes why the message cannot be sent.
func (d *delivery) refuse(err error) {
	d.err, d.notes = err, append(d.notes, err.Error())
}

// attempt makes the next attempt and adds it to the others. It returns this
// machine's clock at the end of the answer's header, or why the message cannot
// be sent.
func (d *delivery) attempt(ctx context.Context, t *target, due time.Duration) (time.Time, error) {
	s, number := d.sender, len(d.attempts)+1
	at := time.Now()
	if number == 1 {
		d.first = at
	}
	lines, err := s.lines(t, d.message, number, at, d.first)
	if err != nil {
		return at, err
	}
	if s.Started != nil {
		s.Started(number)
	}
	var x exchange
	if s.silent() {
		x = unsent(profiles.NoSecret, "no active secret; no request was sent")
	} else {
		x = s.exchange(ctx, t, lines, d.message.Body, d.kept)
		d.kept = nil // later attempts have new connections
	}
	x.Number, x.Due, x.At = number, due, at
	d.attempts = append(d.attempts, x.Attempt)
	if err := x.local(); err != nil {
		d.refuse(err)
	}
	for _, note := range s.production(t, x.dialled) {
		d.notes = addNote(d.notes, note)
	}
	if x.trusted != nil {
		d.certificate = s.distrustNote(x.trusted)
	}
	return x.end, nil
}

// unsent is an exchange without a request.
func unsent(kind profiles.Failure, message string) exchange {
	x := exchange{end: time.Now()}
	x.Waited, x.Failure = true, &Failure{Kind: kind, Message: message}
	return x
}

// end is how the delivery ended: interrupted, unless it ended by itself.
func (d *delivery) end() Ending {
	e := End(d.sender.Profile, d.attempts, d.cause)
	e.Notes = append(e.Notes, d.notes...)
	e.Certificate, e.Err = d.certificate, d.err
	return e
}

// wait waits until the next attempt is due. Where the time is real, what has
// passed since the attempt (its body was read) is part of the wait.
func (d *delivery) wait(ctx context.Context, wait, due time.Duration) bool {
	s := d.sender
	if s.Wait == nil {
		return ctx.Err() == nil
	}
	if s.Real {
		wait = max(0, due-wall(d.first))
	}
	return s.Wait(ctx, wait) == nil && ctx.Err() == nil
}

// now is the provider's time at which an attempt starts: when it was due, or the
// time that has passed where the time is real and the machine slept.
func (d *delivery) now(due time.Duration) time.Duration {
	if !d.sender.Real {
		return due
	}
	return passed(due, wall(d.first), true)
}

// pastCeiling reports whether an attempt at that time would come after the
// profile's ceiling.
func (d *delivery) pastCeiling(due time.Duration) bool {
	c := d.sender.Profile.Retry.Ceiling
	return c > 0 && due > c
}

// Duplicate sends the message once more with the very bytes and headers of the
// given attempt, as a provider does whose answer was lost. The attempt returned
// has the number of the given one, is due at its end, and is judged; nothing
// follows it.
func (s *Sender) Duplicate(ctx context.Context, m Message, a Attempt) Attempt {
	at := time.Now()
	t, err := parseTarget(s.URL)
	var x exchange
	switch {
	case err != nil:
		x = unsent(profiles.Protocol, err.Error())
	case a.Request == nil:
		x = unsent(profiles.Protocol, "there was no request to send again")
	default:
		x = s.exchange(ctx, t, a.Request.Header, m.Body, nil)
	}
	x.Number, x.Due, x.At = a.Number, later(a.Due, a.Took), at
	if x.Failure == nil || x.Failure.Kind != profiles.Interrupted {
		x.Verdict = Judge(s.Profile, x.Outcome())
	}
	return x.Attempt
}
