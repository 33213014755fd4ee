package cmd

import (
	"context"
	"net"

	"github.com/hookctl/hookctl/send"
)

// mostQueued is how many connections wait for the inner receiver to accept them.
// Every system holds so many; what is beyond that of its own it drops, and the
// sender would try again seconds later.
const mostQueued = 64

// A queue is the inner receiver's listener, and makes the connections to it.
type queue struct {
	net.Listener
	waiting chan struct{} // one for each connection that is not accepted yet
	fail    context.CancelCauseFunc
}

// dial connects once there is room.
func (q *queue) dial(ctx context.Context, _, address string) (net.Conn, error) {
	select {
	case q.waiting <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	c, err := send.Dial(ctx, address, nil)
	if err != nil {
		q.accepted()
	}
	return c, err
}

// Accept accepts a connection. That this machine can accept no more ends what is
// sent, which would else be a time-out.
func (q *queue) Accept() (net.Conn, error) {
	c, err := q.Listener.Accept()
	if err == nil {
		q.accepted()
	} else if f := send.Describe(err, nil); f.Local != nil {
		q.fail(f.Local)
	}
	return c, err
}

// accepted makes room.
func (q *queue) accepted() {
	select {
	case <-q.waiting:
	default: // its sender had left
	}
}
