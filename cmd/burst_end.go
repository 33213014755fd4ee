package cmd

import (
	"errors"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// done looks at a delivery that has ended.
func (b *burst) done(d send.Delivery, keys []*sign.Key) error {
	if d.Ending.Err != nil && len(d.Attempts) == 0 {
		return d.Ending.Err
	}
	for _, a := range d.Attempts {
		b.assumed.add(a)
	}
	if b.ended != nil {
		b.ended(d)
	}
	one := b.delivery(d, keys)
	switch {
	case d.Ending.State == send.StateFailed && d.Ending.Cause != send.ByStopped && b.failed == nil:
		b.failed = one
	case d.Delivered() && b.warned == "":
		if r := d.Attempts[len(d.Attempts)-1].Verdict.Rule; r != nil {
			b.warned = r.Warn
		}
	}
	var err error
	if b.o.out.json {
		err = send.WriteDocument(b.app.out, one.document())
	}
	if err = one.recorded(err); err != nil {
		return err
	}
	return d.Ending.Err
}

// delivery is one delivery of the burst as send makes it.
func (b *burst) delivery(d send.Delivery, keys []*sign.Key) *delivery {
	own := *b.sending
	own.message, own.notes = d.Message, nil // what holds for all of them is in the summary
	return &delivery{
		sending: &own, app: b.app, inner: b.inner, keys: keys, secret: b.secret, of: b.head.Of,
		attempts: d.Attempts, ending: d.Ending, repeat: d.Duplicate,
	}
}

// finish draws the summary and says what follows from it. failed is why the burst
// ended early, or nil; it comes last, after what was done until then.
func (b *burst) finish(sums []send.Summary, failed error) error {
	st := b.app.outStyle()
	var err error
	switch {
	case b.o.out.json:
	case b.o.out.quiet:
		err = render.BurstResult(b.app.out, st, b.head, b.sum)
	default:
		err = render.BurstSummary(b.app.out, st, b.head, b.sum)
	}
	if err != nil {
		return err
	}
	b.aftermath()
	if failed == nil {
		b.hint(sums)
	}
	if b.o.out.json {
		b.sum.Notes = append(b.notes, b.sum.Notes...)
		if err := send.WriteDocument(b.app.out, b.sum); err != nil {
			return err
		}
	}
	var local *send.LocalError
	switch {
	case errors.As(failed, &local):
		return localFault(local, "lower --concurrency or --rate; ")
	case failed != nil:
		return failed
	case b.app.ctx.Err() != nil:
		return errInterrupted
	case b.sum.Delivered != b.sum.Deliveries:
		return errNo
	}
	return nil
}

// answered reports whether any request got a status.
func (b *burst) answered() bool {
	for o := range b.sum.Answers {
		if o.Status != 0 {
			return true
		}
	}
	return false
}

// aftermath says on stderr what follows from the burst: warnings and notes.
func (b *burst) aftermath() {
	if by := b.sum.StoppedBy; by != nil {
		b.notes = append(b.notes, render.StoppedText(*by)) // the summary says so
	}
	if b.warned != "" {
		b.app.say(render.Warning, b.warned, "")
	}
	if refusals := b.inner.refusals(); refusals != "" {
		b.app.note(b.sending, refusals)
	}
	if b.sum.Failed > 0 {
		if text := send.Aftermath(b.profile, send.Ending{State: send.StateFailed, Effects: b.sum.Effects}); text != "" {
			b.app.note(b.sending, text)
		}
	}
	if b.profile.Retry.Shape && b.sum.Attempts > b.sum.Deliveries {
		b.app.say(render.Note, shapeNote, "")
	}
	if text := b.assumed.text(); text != "" {
		b.app.say(render.Note, text+"; see:", programName+" profiles show "+b.profile.Name)
	}
	if c := b.sum.Certificate; c != "" {
		b.app.note(b.sending, oneLine(c))
	}
	if b.o.out.verbose {
		for _, n := range b.sum.Notes {
			if n != shapeNote { // said in any case
				b.app.say(render.Note, oneLine(n), "")
			}
		}
	}
}

// hint gives the one hint.
func (b *burst) hint(sums []send.Summary) {
	if b.failed == nil {
		return
	}
	b.failed.told = b.inner.refusals() != ""
	last := b.failed.attempts[len(b.failed.attempts)-1]
	h := b.failed.endHint(last)
	if last.Outcome().Failure == profiles.Refused && b.answered() {
		h = hint{text: hostPort(b.url) + " did not listen all the time: it started late, or went away"}
	}
	if len(sums) == 2 && b.failed.refused() {
		for i, other := range []int{1, 0} {
			if sums[i].Failed == 0 && sums[other].Delivered == 0 {
				h = rotationHint(i+1, other+1)
			}
		}
	}
	if h.text != "" { // at most one a run
		b.app.say(render.Hint, h.text, h.command)
	}
}
