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
	speed           speed
	connect, answer time.Duration // limits of one attempt

	mu     sync.Mutex
	line   *render.Pending
	timer  *time.Timer
	next   time.Duration // provider time of the attempt under way
	number int           // of it
	sent   bool          // it has a connection
	told   bool          // the line says how far it is
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
	if p.speed.factor > 0 {
		at := a.At.Add(a.Took).Add(p.speed.wait(a.Next.Wait))
		_ = p.line.Due(a.Number+1, p.next, at)
	}
}

// started shows how far an attempt is, if it takes long.
func (p *pendingLine) started(number int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stop()
	p.number, p.sent = number, false
	p.timer = time.AfterFunc(pendingAfter, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.timer != nil {
			p.told = true
			p.tell()
		}
	})
}

// connected notes that the attempt is no longer connecting.
func (p *pendingLine) connected() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent = true
	if p.told {
		p.tell()
	}
}

// tell draws how far the attempt is; the lock is held.
func (p *pendingLine) tell() {
	if p.sent {
		_ = p.line.Sent(p.number, p.next, p.answer)
	} else {
		_ = p.line.Connecting(p.number, p.next, p.connect)
	}
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
	p.told = false
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
}
