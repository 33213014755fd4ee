package cmd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

// An innerReceiver is the receiver of --respond, in this process.
type innerReceiver struct {
	shortcuts *send.Shortcuts // nil at the real speed
	seen      chan listen.Request
	counted   *refusedCount // of a burst, whose requests are not told apart
	queue     *queue
	ctx       context.Context // of the deliveries; its cause may be why nothing is accepted any more
	stop      context.CancelFunc
	stopped   chan struct{}
}

// innerReceiver starts the receiver of --respond and aims the delivery at it.
// It answers so many requests at a time.
func (a *app) innerReceiver(s *sending, signers [][]*sign.Key, atOnce int) (*innerReceiver, error) {
	if s.script == nil {
		return nil, nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, cannot(err, "cannot listen on 127.0.0.1: %s", oneLine(err.Error()))
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(a.ctx))
	in := &innerReceiver{seen: make(chan listen.Request, 16), stop: stop, stopped: make(chan struct{})}
	deliveries, fail := context.WithCancelCause(a.ctx)
	in.ctx, in.queue = deliveries, &queue{Listener: l, waiting: make(chan struct{}, mostQueued), fail: fail}
	if !s.o.speed.value.real() {
		in.shortcuts = new(send.Shortcuts)
	}
	var all []*sign.Key
	for _, keys := range signers {
		all = append(all, keys...)
	}
	s.url = &url.URL{Scheme: "http", Host: l.Addr().String(), Path: "/"}
	receiver := &listen.Receiver{
		Profiles:  []*profiles.Profile{s.profile},
		Verify:    true,
		Keys:      func(*profiles.Profile) ([]*sign.Key, error) { return all, nil },
		Explain:   explainLive,
		Script:    s.script,
		URL:       s.url.String(),
		MaxBody:   int64(max(10<<20, len(s.message.Body))), // it answers as scripted
		AtOnce:    atOnce,
		Shortcuts: in.shortcuts,
		Seen: func(r listen.Request) {
			select {
			case in.seen <- r:
			default: // nobody asks about so many
			}
		},
	}
	if s.o.burst.many() {
		in.counted = new(refusedCount)
		receiver.Explain, receiver.Seen = nil, in.counted.see
	}
	server := &listen.Server{Receiver: receiver}
	go func() {
		defer close(in.stopped)
		_ = server.Serve(ctx, in.queue) // ends with the command; the queue and the attempts tell of failures
	}()
	return in, nil
}

func (in *innerReceiver) close() {
	in.stop()
	<-in.stopped
	in.queue.fail(nil)
}

// deliveries is the context of what is sent: without an inner receiver that of
// the command.
func (in *innerReceiver) deliveries(command context.Context) context.Context {
	if in == nil {
		return command
	}
	return in.ctx
}

// failed is why the inner receiver accepts nothing any more; nil if it does.
func (in *innerReceiver) failed() error {
	var local *send.LocalError
	if in == nil || !errors.As(context.Cause(in.ctx), &local) {
		return nil
	}
	return local
}

// serve has a sender use the inner receiver.
func (in *innerReceiver) serve(s *send.Sender) {
	if in != nil {
		s.Dial, s.Shortcuts = in.queue.dial, in.shortcuts
	}
}

// refused says that the inner receiver refused an attempt's signature, and what
// explains it; nothing if it did not.
func (in *innerReceiver) refused(a send.Attempt) ([]string, *explain.Explanation) {
	if in == nil || a.Request == nil {
		return nil, nil
	}
	select {
	case r := <-in.seen:
		if r.Result != nil && r.Result.Reason != "" {
			return []string{refusal(*r.Result)}, r.Explanation
		}
	case <-time.After(time.Second): // it never came to the handler
	}
	return nil, nil
}

// A refusedCount counts the signatures that the inner receiver refused.
type refusedCount struct {
	mu    sync.Mutex
	n     int
	first string
}

func (c *refusedCount) see(r listen.Request) {
	if r.Result == nil || r.Result.Reason == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n++; c.n == 1 {
		c.first = refusal(*r.Result)
	}
}

// refusals says how many signatures the inner receiver refused, and why the
// first; "" if it refused none.
func (in *innerReceiver) refusals() string {
	if in == nil || in.counted == nil {
		return ""
	}
	in.counted.mu.Lock()
	defer in.counted.mu.Unlock()
	switch in.counted.n {
	case 0:
		return ""
	case 1:
		return "1 request refused: " + in.counted.first
	}
	return render.Number(in.counted.n) + " requests refused; the first: " + in.counted.first
}

// refusal is why a signature was refused, in one line.
func refusal(r sign.Result) string {
	text := "signature refused: " + string(r.Reason)
	if r.Reason == sign.TooOld {
		text += fmt.Sprintf(" (%s)", strings.TrimSpace(render.Duration(r.Age)))
	}
	return text
}

// explainLive explains with less work than verify does: large bodies that are
// refused one after the other must not take the machine.
func explainLive(in explain.Input) *explain.Explanation {
	in.Budget = explain.Budget{Candidates: 50_000, Bytes: 64 << 20}
	return explain.Explain(in)
}
