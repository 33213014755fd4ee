package cmd

import (
	"context"
	"iter"
	"time"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

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
	atOnce int                 // attempts in flight
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
	b.limit(listen.FileLimit())
	var err error
	if b.inner, err = b.app.innerReceiver(b.sending, signers, b.atOnce); err != nil {
		return err
	}
	if b.inner != nil {
		defer b.inner.close()
	}
	if err := b.check(signers); err != nil {
		return err
	}
	b.head.Profile, b.head.To, b.head.Of, b.head.Secrets = b.profile, b.to(), len(signers), len(signers[0])
	b.head.Concurrency, b.head.Rate = b.atOnce, b.o.burst.rate.text
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
		var sum send.Summary
		sum, err = b.run(b.inner.deliveries(b.app.ctx), keys)
		b.sum.Merge(sum)
		sums = append(sums, sum)
		if err == nil {
			err = b.inner.failed()
		}
		if err != nil || b.app.ctx.Err() != nil {
			break
		}
	}
	if left := len(signers) - len(sums); left > 0 {
		b.sum.Deliveries += left * b.head.Events
		b.sum.NotSent += left * b.head.Events
	}
	return b.finish(sums, err)
}

// limit bounds the attempts in flight where the process may open no more than so
// many files. Each takes two: its connection, and the inner receiver's end of it,
// one to another address, or one that waits to be used again.
func (b *burst) limit(files int) {
	const others = 64
	b.atOnce = b.o.burst.atOnce()
	most := max(1, max(files-others, files/4)/2)
	if b.atOnce > most {
		b.app.note(b.sending, render.Number(most)+" at once in place of "+render.Number(b.atOnce)+
			": the process may open "+render.Number(files)+" files (ulimit -n)")
		b.atOnce = most
	}
}

// check finds what keeps the first event from being sent, before anything is
// drawn.
func (b *burst) check(signers [][]*sign.Key) error {
	for _, keys := range signers {
		if err := b.sender(keys, b.app.version()).Check(b.message); err != nil {
			return err
		}
	}
	return nil
}

// run sends all events with some keys.
func (b *burst) run(ctx context.Context, keys []*sign.Key) (send.Summary, error) {
	sender := b.sender(keys, b.app.version())
	b.inner.serve(sender)
	var sum send.Summary
	var failed error
	for _, p := range b.parts() {
		if failed != nil || sum.StoppedBy != nil || ctx.Err() != nil {
			sum.Deliveries += p.events
			sum.NotSent += p.events
			continue
		}
		all := &send.Burst{
			Sender: sender, Messages: p.all, Events: p.events, Concurrency: b.atOnce, Rate: b.o.burst.rate.value,
			KeepAlive: !b.o.burst.noKeepAlive && b.inner == nil, // a script counts each request
			InOrder:   p.inOrder,
			Duplicate: b.o.duplicate, Whole: b.o.out.json || b.record != nil,
			Done: func(d send.Delivery) error { return b.done(d, keys) },
		}
		stop := b.watch(all, sum)
		var part send.Summary
		part, failed = all.Run(ctx)
		stop()
		sum.Merge(part)
	}
	return sum, failed
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
