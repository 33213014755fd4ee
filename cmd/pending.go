package cmd

import (
	"sync"
	"time"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/send"
)

// pendingAfter is how long an attempt may take before its line says that it is
// under way.
const pendingAfter = 100 * time.Millisecond

// A pendingLine tells what the timeline waits for, until the row comes.
type pendingLine struct {
	speed speed
	limit time.Duration // of one attempt

	mu    sync.Mutex
	line  *render.Pending
	timer *time.Timer
	next  time.Duration // provider time of the attempt under way
}

// due shows when the attempt after a comes. A line that cannot be drawn does not
// matter: the rows are on stdout.
func (p *pendingLine) due(a send.Attempt) {
	if a.Next == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next = a.Due + a.Took + a.Next.Wait
	if f := p.speed.factor; f > 0 {
		at := a.At.Add(a.Took + time.Duration(float64(a.Next.Wait)/f))
		_ = p.line.Due(a.Number+1, p.next, at)
	}
}

// sent shows that an attempt waits for its answer, if it does so for long.
func (p *pendingLine) sent(number int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stop()
	p.timer = time.AfterFunc(pendingAfter, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.timer != nil {
			_ = p.line.Sent(number, p.next, p.limit)
		}
	})
}

// clear takes the line away, before a row or a message is written.
func (p *pendingLine) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stop()
	_ = p.line.Clear()
}

// stop stops the timer; the lock is held.
func (p *pendingLine) stop() {
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
}
