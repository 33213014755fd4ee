package cmd

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

// A delivery is one delivery of send as it is made, drawn and summed up.
type delivery struct {
	*sending
	app        *app
	inner      *innerReceiver // nil: a real endpoint
	keys       []*sign.Key
	secret, of int // where each secret has a delivery of its own

	timeline *render.Timeline
	pending  *pendingLine
	attempts []send.Attempt
	notes    []string
	hint     hint
	ending   send.Ending
	stopped  time.Time
	repeat   *send.Attempt // --duplicate
	told     bool          // the inner receiver said why it refused
}

// run delivers and draws; it reports whether the event was delivered.
func (d *delivery) run(ctx context.Context) (bool, error) {
	sender := d.sender(d.keys, d.app.version())
	d.inner.serve(sender)
	if err := sender.Check(d.message); err != nil {
		return false, err
	}
	d.timeline = render.NewTimeline(d.app.out, d.style(), d.head())
	d.pending = &pendingLine{speed: d.o.speed.value, line: render.NewPending(io.Discard, d.style(), d.app.errStyle())}
	d.pending.connect, d.pending.answer = sender.Limits()
	if d.live() {
		d.pending.line = render.NewPending(d.app.Stderr, d.style(), d.app.errStyle())
	}
	sender.Started, sender.Connected = d.pending.started, d.pending.connected
	if d.live() {
		if err := d.timeline.Head(); err != nil {
			return false, err
		}
	}
	if err := d.attempt(ctx, sender); err != nil {
		return false, d.recorded(err)
	}
	if d.o.duplicate && d.ending.State == send.StateDelivered && ctx.Err() == nil {
		again := sender.Duplicate(ctx, d.message, d.attempts[len(d.attempts)-1])
		d.repeat = &again
	}
	delivered, err := d.finish()
	if err == nil {
		err = d.local()
	}
	return delivered, err
}

// local is why this machine could not make an attempt, or nil: nothing follows
// from it about the endpoint.
func (d *delivery) local() error {
	if d.repeat != nil && d.repeat.Failure != nil && d.repeat.Failure.Local != nil {
		return d.repeat.Failure.Local
	}
	return d.ending.Err
}

// live reports whether the timeline is drawn as it happens.
func (d *delivery) live() bool { return !d.o.out.json && !d.o.out.quiet }

func (d *delivery) style() render.Style {
	st := d.app.outStyle()
	st.Verbose = d.o.out.verbose
	return st
}

// attempt ranges over the attempts.
func (d *delivery) attempt(ctx context.Context, sender *send.Sender) error {
	all, ended := sender.Deliver(ctx, d.message)
	told := false
	var err error
	for a := range all {
		d.attempts = append(d.attempts, a)
		d.pending.clear()
		refused, why := d.inner.refused(a)
		d.noteRefusal(a, refused, why)
		if d.live() {
			if err = d.timeline.Attempt(a, refused...); err == nil {
				err = d.timeline.Explanation(why)
			}
			if err != nil { // nobody sees what would follow
				break
			}
		}
		if !told && a.Next != nil && timedOut(a) && a.Waited && d.o.timeout.value == 0 {
			d.say("each attempt waits the provider's " + render.Duration(d.limit(a)) + "; --timeout 2s shortens it")
			told = true
		}
		d.pending.due(a)
	}
	d.pending.clear()
	d.stopped = time.Now()
	d.ending = ended()
	return err
}

// noteRefusal keeps for the document why the inner receiver refused an attempt.
func (d *delivery) noteRefusal(a send.Attempt, refused []string, why *explain.Explanation) {
	if len(refused) == 0 {
		return
	}
	d.told = true
	text := fmt.Sprintf("attempt %d: %s", a.Number, refused[0])
	if why != nil {
		text += "; " + string(why.Certainty) + ": " + why.Summary
	}
	d.notes = append(d.notes, text)
}

// limit is the provider's limit that a time-out ran into.
func (d *delivery) limit(a send.Attempt) time.Duration {
	l := d.profile.Delivery.Limits
	if a.Failure.Kind == profiles.ConnectTimeout {
		return l.ForConnect()
	}
	return l.ForAnswer()
}

func timedOut(a send.Attempt) bool {
	return a.Failure != nil && (a.Failure.Kind == profiles.ReadTimeout || a.Failure.Kind == profiles.ConnectTimeout)
}

// say tells a note that the document repeats.
func (d *delivery) say(text string) {
	d.app.say(render.Note, text, "")
	d.notes = append(d.notes, text)
}

// head is what stands above the timeline.
func (d *delivery) head() render.Head {
	return render.Head{
		Profile: d.profile, To: d.to(), Event: d.message, Secrets: len(d.keys), Secret: d.secret, Of: d.of,
		Seed: d.seed, Speed: d.o.speed.value.text,
		Timeout: d.o.timeout.value, Strict: d.o.strict, Sensitive: d.o.out.sensitive, Masked: d.masked,
	}
}

// finish draws the end, the notes and the document, and records the delivery.
func (d *delivery) finish() (bool, error) {
	delivered := d.ending.State == send.StateDelivered
	if d.repeat != nil && d.repeat.Verdict.Then != profiles.Delivered {
		delivered = false
	}
	var err error
	switch {
	case d.o.out.quiet && !d.o.out.json:
		err = render.ResultLine(d.app.out, d.style(), d.result())
	case d.live():
		err = d.end()
	}
	d.aftermath()
	if d.o.out.json {
		err = send.WriteDocument(d.app.out, d.document())
	}
	return delivered, d.recorded(err)
}

// recorded records the delivery, whatever else failed. That it cannot be
// recorded comes first.
func (d *delivery) recorded(err error) error {
	if d.record == nil {
		return err
	}
	t := d.document()
	t.WithBody = true
	if failed := d.record.Timeline(t); failed != nil {
		return cannot(failed, "--record: %s", pathError(failed))
	}
	return err
}

// end draws the repeat, the strip and the result line.
func (d *delivery) end() error {
	if d.repeat != nil {
		refused, why := d.inner.refused(*d.repeat)
		if err := d.timeline.Duplicate(*d.repeat, refused...); err != nil {
			return err
		}
		if err := d.timeline.Explanation(why); err != nil {
			return err
		}
	}
	if left := d.remaining(); left >= 0 {
		return d.timeline.Interrupted(left)
	}
	return d.timeline.End(d.ending)
}

// result is the delivery's end, for -q.
func (d *delivery) result() render.Result {
	r := render.Result{Profile: d.profile, Ending: d.ending, Duplicate: d.repeat, Remaining: d.remaining()}
	if n := len(d.attempts); n > 0 {
		r.Last = &d.attempts[n-1]
	}
	return r
}

// remaining is how long the next attempt was away when the delivery was
// interrupted, in this machine's time; below 0: it was not, or nobody waited.
func (d *delivery) remaining() time.Duration {
	speed := d.o.speed.value
	if d.ending.State != send.StateInterrupted || len(d.attempts) == 0 || speed.factor == 0 {
		return -1
	}
	last := d.attempts[len(d.attempts)-1]
	if last.Next == nil {
		return -1
	}
	due := last.At.Add(last.Took).Add(speed.wait(last.Next.Wait))
	return max(0, due.Sub(d.stopped))
}

// aftermath says on stderr what follows from the end: warnings, notes, and the
// one hint.
func (d *delivery) aftermath() {
	if len(d.attempts) == 0 || d.ending.State == send.StateInterrupted {
		return
	}
	last := d.attempts[len(d.attempts)-1]
	if r := last.Verdict.Rule; r != nil && r.Warn != "" && d.ending.State == send.StateDelivered {
		d.app.say(render.Warning, r.Warn, "")
	}
	if text := send.Aftermath(d.profile, d.ending); text != "" {
		d.say(text)
	}
	if d.profile.Retry.Shape && len(d.attempts) > 1 {
		d.say(shapeNote)
	}
	if text := assumedNote(d.attempts); text != "" {
		d.app.say(render.Note, text+"; see:", programName+" profiles show "+d.profile.Name)
	}
	if c := d.ending.Certificate; c != "" {
		d.app.say(render.Note, oneLine(c), "")
	}
	if d.o.out.verbose {
		for _, n := range d.ending.Notes {
			if n != shapeNote { // said in any case
				d.app.say(render.Note, oneLine(n), "")
			}
		}
	}
	d.hint = d.endHint(last)
}

// document is the delivery as it is written.
func (d *delivery) document() send.Timeline {
	return send.Timeline{
		Profile: d.profile.Name, URL: d.url.String(), Seed: d.seed, Speed: d.o.speed.value.text, Secret: d.secret,
		Event: d.message, Attempts: d.attempts, Ending: d.ending, Duplicate: d.repeat, Sensitive: d.o.out.sensitive, Masked: d.masked,
		Notes: append(append([]string(nil), d.sending.notes...), d.notes...),
	}
}
