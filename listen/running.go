package listen

import (
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

const (
	mostConnections = 1024
	mostHeads       = 8 << 20 // bytes of the heads that are being read, as far as they are large
)

// running is what a Server knows of its connections.
type running struct {
	server *Server
	most   int           // connections
	stops  chan struct{} // closed when the server stops
	clock  atomic.Int64  // counts what happens to connections
	heads  atomic.Int64  // bytes of the heads that are being read, but for the first of each
	wanted atomic.Int32  // connections that look for room: who rests tells them

	mu      sync.Mutex
	stopped bool
	conns   map[*conn]struct{}
	room    sync.Cond // a connection has gone or waits for its sender, or the server stops
	busy    int       // requests being handled
	idle    sync.Cond // busy is 0
}

func newRunning(s *Server) *running {
	n := &running{server: s, most: s.connections, stops: make(chan struct{}), conns: make(map[*conn]struct{})}
	switch {
	case n.most > 0:
	case s.Receiver.AtOnce > 0:
		n.most = s.Receiver.AtOnce
	default:
		n.most = connectionsFor(FileLimit(), s.Receiver.Forward != nil)
	}
	n.idle.L, n.room.L = &n.mu, &n.mu
	return n
}

// connectionsFor is how many connections may stand where a process may open that
// many files: some are for other things, and a forward needs one more.
func connectionsFor(files int, forward bool) int {
	others := 64
	if forward {
		others += mostAtOnce
	}
	return max(1, min(mostConnections, max(files-others, files/4)))
}

// now is a moment, from 1: all that is asked of it is what came first.
func (n *running) now() int64 { return n.clock.Add(1) }

// admit makes room for a connection: at the bound, the one that has waited
// longest for its sender is closed, or one is waited for that its sender closes.
// It reports false if the server stops.
func (n *running) admit(c *conn) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for !n.stopped && len(n.conns) >= n.most {
		n.wanted.Add(1) // before the look, so that none rests unnoticed after it
		longest := n.longest()
		if longest == nil {
			n.room.Wait()
		}
		n.wanted.Add(-1)
		if longest != nil {
			delete(n.conns, longest)
			longest.close(errNoRoom)
		}
	}
	if n.stopped {
		return false
	}
	n.conns[c] = struct{}{}
	return true
}

// longest is the connection that has waited longest for its sender, nil if none
// waits, or the senders keep to the bound.
func (n *running) longest() *conn {
	if n.server.Receiver.AtOnce > 0 {
		return nil
	}
	var longest *conn
	since := int64(0)
	for c := range n.conns {
		if w := c.waits.Load(); w != 0 && (longest == nil || w < since) {
			longest, since = c, w
		}
	}
	return longest
}

// handler serves with r and counts who is at it: a connection that was taken
// from net/http is out of its sight.
func (n *running) handler(r *Receiver) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		c, _ := req.Context().Value(connKey{}).(*conn)
		if !n.enter(c) {
			panic(http.ErrAbortHandler) // it was closed already
		}
		defer n.leave()
		r.serve(w, req, c)
	})
}

// enter counts a request that will be answered. It reports false if its
// connection was closed before.
func (n *running) enter(c *conn) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if c.closed.Load() != nil {
		return false
	}
	c.handled.Store(true)
	n.busy++
	return true
}

func (n *running) leave() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.busy--; n.busy == 0 {
		n.idle.Broadcast()
	}
}

// wait waits until no request is being handled.
func (n *running) wait() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for n.busy > 0 {
		n.idle.Wait()
	}
}

// state follows a connection.
func (n *running) state(c net.Conn, state http.ConnState) {
	own, ok := c.(*conn)
	if !ok {
		return
	}
	switch state {
	case http.StateIdle: // also between pipelined requests
		own.rest()
		if n.wanted.Load() > 0 {
			n.mu.Lock()
			defer n.mu.Unlock()
			n.room.Broadcast()
		}
	case http.StateClosed, http.StateHijacked:
		own.forgetHead()
		n.mu.Lock()
		defer n.mu.Unlock()
		delete(n.conns, own)
		n.room.Broadcast()
	}
}

// stop closes the connections whose request has not begun to be handled;
// net/http would wait for those that have sent half a head.
func (n *running) stop() {
	close(n.stops)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.stopped = true
	for c := range n.conns {
		if !c.handled.Load() {
			c.close(errStopped)
		}
	}
	n.room.Broadcast()
}

// cut closes all connections.
func (n *running) cut() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for c := range n.conns {
		c.close(errStopped)
	}
}
