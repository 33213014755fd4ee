package cmd

import (
	"context"
	"errors"
	"iter"
	"math"
	"time"

	"github.com/spf13/pflag"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// burstOptions are the flags of a burst.
type burstOptions struct {
	count, concurrency  *parsed[int]
	rate                *parsed[float64]
	sameID, noKeepAlive bool
}

// maxConcurrency bounds the attempts in flight: each has a connection.
const maxConcurrency = 10_000

func newBurst() burstOptions {
	return burstOptions{count: newCount(1, math.MaxInt), concurrency: newCount(1, maxConcurrency), rate: newRate()}
}

func (o *burstOptions) add(f *flags) {
	f.value(o.count, "count", "", "N", "so many different events")
	o.addPace(f)
	f.yes(&o.sameID, "same-id", "", "the same event each time")
	f.yes(&o.noKeepAlive, "no-keep-alive", "", "a new connection for each request")
}

// addPace adds the flags that say how fast events are sent.
func (o *burstOptions) addPace(f *flags) {
	f.value(o.concurrency, "concurrency", "", "C", "so many at once")
	f.value(o.rate, "rate", "", "R", "so many new ones a second")
}

// many reports whether more than one event is sent.
func (o *burstOptions) many() bool { return o.count.value > 1 }

// atOnce is how many attempts may be in flight.
func (o *burstOptions) atOnce() int { return max(1, o.concurrency.value) }

// check refuses what has no meaning for one event, or for several.
func (o *burstOptions) check(set *pflag.FlagSet) error {
	for _, name := range []string{"concurrency", "rate", "same-id", "no-keep-alive"} {
		if set.Changed(name) && !o.count.set {
			return misuse("--%s is for several events; it needs --count", name)
		}
	}
	if o.many() && set.Changed("id") && !o.sameID {
		return misuse("--id names one event, and --count sends %s; --same-id sends them all under one id", render.Number(o.count.value))
	}
	return nil
}

// A part is some events of a burst. They begin when those of the part before have
// ended.
type part struct {
	events  int
	all     iter.Seq2[send.Message, error]
	inOrder bool // the order inside an event type is kept
}

// A burst is many deliveries, counted as they end.
type burst struct {
	*sending
	app    *app
	parts  func() []part       // for each secret that has deliveries of its own
	ended  func(send.Delivery) // nil, or gets each delivery that has ended
	inner  *innerReceiver      // nil: a real endpoint
	secret int                 // where each secret has deliveries of its own
	head   render.Burst
	sum    send.Summary

	failed  *delivery // the first
	warned  string    // the warning of a delivered event
	assumed assumptions
}

// deliverMany sends the events that send makes.
func (a *app) deliverMany(s *sending, signers [][]*sign.Key) error {
	n := s.o.burst.count.value
	b := &burst{sending: s, app: a, parts: func() []part { return []part{{events: n, all: s.events()}} }}
	b.head.Type, b.head.Events, b.head.OneID = s.message.Type, n, s.o.burst.sameID
	return b.deliver(signers)
}

// deliver sends a burst with each group of keys in turn, the older secret first,
// and sums them up together.
func (b *burst) deliver(signers [][]*sign.Key) error {
	var err error
	if b.inner, err = b.app.innerReceiver(b.sending, signers); err != nil {
		return err
	}
	if b.inner != nil {
		defer b.inner.close()
	}
	if err := b.check(signers); err != nil {
		return err
	}
	b.head.Profile, b.head.To, b.head.Of, b.head.Secrets = b.profile, b.to(), len(signers), len(signers[0])
	b.head.Concurrency, b.head.Rate = b.o.burst.atOnce(), b.o.burst.rate.text
	b.head.Speed, b.head.Seed = b.o.speed.value.text, b.seed
	if !b.o.out.json && !b.o.out.quiet {
		if err := render.BurstHead(b.app.out, b.app.outStyle(), b.head); err != nil {
			return err
		}
	}
	var sums []send.Summary
	for i, keys := range signers {
		if len(signers) > 1 {
			b.secret = i + 1
		}
		sum, err := b.run(b.app.ctx, keys)
		if err != nil {
			return err
		}
		b.sum.Merge(sum)
		sums = append(sums, sum)
		if b.app.ctx.Err() != nil {
			break
		}
	}
	if left := len(signers) - len(sums); left > 0 {
		b.sum.Deliveries += left * b.head.Events
		b.sum.NotSent += left * b.head.Events
	}
	return b.finish(sums)
}

// check finds what keeps the first event from being sent, before anything is
// drawn.
func (b *burst) check(signers [][]*sign.Key) error {
	for _, keys := range signers {
		if err := b.sender(keys, b.app.version()).Check(b.message); errors.Is(err, send.ErrHTTPSOnly) {
			return misuse("%s delivers to https addresses only (--strict)", b.profile.Title)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// run sends all events with some keys.
func (b *burst) run(ctx context.Context, keys []*sign.Key) (send.Summary, error) {
	sender := b.sender(keys, b.app.version())
	if b.inner != nil && b.inner.shortcuts != nil {
		sender.Shortcuts = b.inner.shortcuts
	}
	var sum send.Summary
	for _, p := range b.parts() {
		if sum.StoppedBy != nil || ctx.Err() != nil {
			sum.Deliveries += p.events
			sum.NotSent += p.events
			continue
		}
		all := &send.Burst{
			Sender: sender, Messages: p.all, Events: p.events, Concurrency: b.o.burst.atOnce(), Rate: b.o.burst.rate.value,
			KeepAlive: !b.o.burst.noKeepAlive && b.inner == nil, // a script counts each request
			InOrder:   p.inOrder,
			Duplicate: b.o.duplicate, Whole: b.o.out.json || b.record != nil,
			Done: func(d send.Delivery) error { return b.done(d, keys) },
		}
		stop := b.watch(all, sum)
		part, err := all.Run(ctx)
		stop()
		sum.Merge(part)
		if err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// progressEvery is how often the progress line is drawn anew.
const progressEvery = 100 * time.Millisecond

// watch draws the progress line until stop is called, where there is a terminal
// to draw it on.
func (b *burst) watch(all *send.Burst, before send.Summary) (stop func()) {
	if b.o.out.json || b.o.out.quiet {
		return func() {}
	}
	line := render.NewPending(b.app.Stderr, b.app.outStyle(), b.app.errStyle())
	if !line.Live() {
		return func() {}
	}
	before.Merge(b.sum)
	start := time.Now()
	ended, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				_ = line.Clear()
				return
			case <-tick.C:
				p := all.Progress()
				p.Delivered, p.Failed = p.Delivered+before.Delivered, p.Failed+before.Failed
				// A line that cannot be drawn does not matter.
				_ = line.Line(render.ProgressText(p, b.head.Events*b.head.Of, before.Elapsed+time.Since(start)))
			}
		}
	}()
	return func() {
		close(ended)
		<-over
	}
}

// done looks at a delivery that has ended.
func (b *burst) done(d send.Delivery, keys []*sign.Key) error {
	if d.Ending.Err != nil {
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
	return one.recorded(err)
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

// finish draws the summary and says what follows from it.
func (b *burst) finish(sums []send.Summary) error {
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
	b.aftermath(sums)
	if b.o.out.json {
		b.sum.Notes = append(b.notes, b.sum.Notes...)
		if err := send.WriteDocument(b.app.out, b.sum); err != nil {
			return err
		}
	}
	switch {
	case b.app.ctx.Err() != nil:
		return errInterrupted
	case b.sum.Delivered != b.sum.Deliveries:
		return errNo
	}
	return nil
}

// aftermath says on stderr what follows from the burst: warnings, notes, and the
// one hint.
func (b *burst) aftermath(sums []send.Summary) {
	if by := b.sum.StoppedBy; by != nil {
		b.notes = append(b.notes, render.StoppedText(*by)) // the summary says so
	}
	if b.warned != "" {
		b.app.say(render.Warning, b.warned, "")
	}
	refusals := b.inner.refusals()
	if refusals != "" {
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
	if b.failed == nil {
		return
	}
	b.failed.told = refusals != ""
	h := b.failed.endHint(b.failed.attempts[len(b.failed.attempts)-1])
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
