package listen

import (
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// A deadlineConn sets the deadlines of its connection only when it must. net/http
// moves that of reading six times for a request, mostly to later, and each move
// costs a timer of the runtime: here a deadline that is too early by now stays,
// and is moved when it has passed.
type deadlineConn struct {
	net.Conn

	mu      sync.Mutex
	wanted  time.Time // the deadline; zero: none
	set     time.Time // that of Conn
	reading bool      // a Read is under way
	writes  bool      // there is a write deadline
}

// NetConn is the connection below, as for a tls.Conn.
func (c *deadlineConn) NetConn() net.Conn { return c.Conn }

// SetReadDeadline is for what is read from now on, and for a Read under way.
func (c *deadlineConn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wanted = t
	if c.reading && earlier(t, c.set) {
		return c.move()
	}
	return nil
}

// SetWriteDeadline is for what is written from now on, and for a Write under way.
func (c *deadlineConn) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.IsZero() && !c.writes {
		return nil
	}
	c.writes = !t.IsZero()
	return c.Conn.SetWriteDeadline(t)
}

// SetDeadline sets both deadlines.
func (c *deadlineConn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// Read reads until the deadline.
func (c *deadlineConn) Read(p []byte) (int, error) {
	if err := c.begin(); err != nil {
		return 0, err
	}
	for {
		n, err := c.Conn.Read(p)
		if !c.end(n, err) {
			return n, err
		}
	}
}

// begin sees that a Read ends in time.
func (c *deadlineConn) begin() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reading = true
	if earlier(c.wanted, c.set) {
		return c.move()
	}
	return nil
}

// end notes how a Read ended. It reports whether that was too early: the deadline
// is right now.
func (c *deadlineConn) end(n int, err error) (early bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	early = n == 0 && errors.Is(err, os.ErrDeadlineExceeded) && earlier(c.set, c.wanted) && c.move() == nil
	c.reading = early
	return early
}

// move sets the deadline of the connection.
func (c *deadlineConn) move() error {
	c.set = c.wanted
	return c.Conn.SetReadDeadline(c.set)
}

// earlier reports whether deadline a comes before b; the zero Time is none.
func earlier(a, b time.Time) bool {
	return !a.IsZero() && (b.IsZero() || a.Before(b))
}
