package send

import (
	"sync"
	"time"
)

// Shortcuts are where a receiver in this process finds the attempt that made a
// connection, to spare both the waiting. The zero value is ready; it serves any
// number of Senders and receivers at once. An attempt is known before its
// request is written, and until its answer's header was read.
type Shortcuts struct {
	mu sync.Mutex
	by map[string]*shortcut // by the sender's address
}

// A shortcut is one attempt, seen from the receiver.
type shortcut struct {
	limit time.Duration // of the answer
	link  *Link
	delay time.Duration // counted so far
	ended bool          // as a time-out
}

// Timeout ends the attempt behind the connection from remote (host:port, as in
// http.Request.RemoteAddr) as a read-timeout, at once. It reports false if there
// is none.
func (s *Shortcuts) Timeout(remote string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.by[remote]
	if c == nil {
		return false
	}
	c.end()
	return true
}

// Delay counts d as time that the attempt behind the connection from remote
// took. It reports true if that is at or past the attempt's limit, which then
// has ended as by Timeout; else the receiver should answer at once. Without such
// an attempt it reports false; see Known.
func (s *Shortcuts) Delay(remote string, d time.Duration) (ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.by[remote]
	if c == nil {
		return false
	}
	c.delay = later(c.delay, max(0, d))
	if c.delay >= c.limit {
		c.end()
	}
	return c.ended
}

// Known reports whether the connection from remote belongs to an attempt, so
// that a delay can be counted in place of waiting.
func (s *Shortcuts) Known(remote string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.by[remote] != nil
}

// end ends the attempt as a time-out.
func (c *shortcut) end() {
	c.ended = true
	c.link.cut(errShortcut)
}

// register makes the attempt on a connection known by its own address. s may be
// nil.
func (s *Shortcuts) register(l *Link, limit time.Duration) *shortcut {
	if s == nil {
		return nil
	}
	c := &shortcut{limit: limit, link: l}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by == nil {
		s.by = make(map[string]*shortcut)
	}
	s.by[l.socket.LocalAddr().String()] = c
	return c
}

// finish takes the attempt off the list and tells what the receiver did.
func (s *Shortcuts) finish(l *Link, c *shortcut) (delay time.Duration, ended bool) {
	if s == nil {
		return 0, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if local := l.socket.LocalAddr().String(); s.by[local] == c {
		delete(s.by, local)
	}
	return c.delay, c.ended
}
