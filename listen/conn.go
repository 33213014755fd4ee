package listen

import (
	"bytes"
	"crypto/tls"
	"errors"
	"net"
	"sync/atomic"

	"github.com/hookctl/hookctl/send"
)

const (
	maxAnswerHead = 64 << 10 // bytes of an answer's head that are kept
	smallHead     = 4 << 10  // bytes of a head that every connection may send
)

// Why a connection was closed from here.
var (
	errStopped = errors.New("hookctl stopped")
	errNoRoom  = errors.New("hookctl made room for another connection")
	errHeads   = errors.New("hookctl reads too many large heads at once")
)

// connKey finds the conn in a request's context.
type connKey struct{}

// A conn is a connection that a Server accepted. It keeps the heads of requests
// and of answers as they stand on the wire, and sees what net/http answers of
// its own accord. But for Read and close, its methods are for the goroutine that
// serves the connection.
type conn struct {
	*send.HeadConn
	accepted net.Conn  // below TLS
	tls      *tls.Conn // nil: plain HTTP
	heard    *hearing  // below tls
	greeted  bool      // the handshake is over
	running  *running
	remote   string
	blind    bool                  // nobody asks whether the sender is still there
	waits    atomic.Int64          // since when it waits for the sender, of running.now; 0: it does not
	handled  atomic.Bool           // a handler has the request: it answers
	closed   atomic.Pointer[error] // why it was closed from here; nil: it was not
	unread   int                   // bytes of the head that is being read
	refused  bool                  // net/http's own answer went out
	keeping  bool                  // the head of the answer is being written
	head     []byte                // of the answer
}

func newConn(c net.Conn, n *running) *conn {
	own := &conn{accepted: &deadlineConn{Conn: c}, running: n, remote: c.RemoteAddr().String()}
	own.HeadConn = send.RequestHeads(own.accepted)
	if config := n.server.TLS; config != nil {
		own.secure(config)
	}
	own.blind = n.server.Receiver.blind()
	own.waits.Store(n.now())
	return own
}

// Read reads from the connection. Beside a handler net/http reads one byte, to
// see whether the sender leaves: where nobody asks for that it gets none, since
// it costs as much as half the request.
func (c *conn) Read(p []byte) (int, error) {
	if c.tls != nil && !c.greeted {
		if err := c.handshake(); err != nil {
			return 0, err
		}
		c.greeted = true
	}
	if c.blind && len(p) == 1 && c.Between() {
		return 0, nil
	}
	n, err := c.HeadConn.Read(p)
	if w := c.waits.Load(); n > 0 && w != 0 && !c.Between() {
		c.waits.CompareAndSwap(w, c.running.now()) // else serve came between
		if !c.handled.Load() && !c.mayRead(n) {
			c.close(errHeads)
		}
	}
	return n, err
}

// mayRead counts bytes of a head. It reports false if too many of the heads that
// are being read are large, and this is one of them.
func (c *conn) mayRead(n int) bool {
	before := max(c.unread, smallHead)
	c.unread += n
	more := int64(c.unread - before)
	return more <= 0 || c.running.heads.Add(more) <= mostHeads || c.running.server.Receiver.AtOnce > 0
}

// forgetHead gives back what mayRead has counted.
func (c *conn) forgetHead() {
	if c.unread > smallHead {
		c.running.heads.Add(int64(smallHead - c.unread))
	}
	c.unread = 0
}

// close closes the connection at once. It may be called by any goroutine.
func (c *conn) close(why error) {
	c.closed.CompareAndSwap(nil, &why)
	_ = c.accepted.Close()
}

// cause is why the connection was closed from here; nil if it was not.
func (c *conn) cause() error {
	if c == nil {
		return nil
	}
	if why := c.closed.Load(); why != nil {
		return *why
	}
	return nil
}

// rest notes that a request is over: what is written next is net/http's own,
// unless a handler begins.
func (c *conn) rest() {
	c.handled.Store(false)
	c.waits.Store(c.running.now())
}

// begin notes that a handler has the request, and returns its head.
func (c *conn) begin() []byte {
	c.forgetHead()
	c.keeping, c.head = false, c.head[:0]
	return c.Head()
}

// serve notes that the request is there: the sender waits, not the connection.
func (c *conn) serve() { c.waits.Store(0) }

// keepAnswer says that what is written next is the answer.
func (c *conn) keepAnswer() { c.keeping = true }

// answer is the head of the answer.
func (c *conn) answer() []byte { return c.head }

// stopping is closed when the server stops; nil without one.
func (c *conn) stopping() <-chan struct{} {
	if c == nil {
		return nil
	}
	return c.running.stops
}

// stopped reports whether the server stops.
func (c *conn) stopped() bool {
	select {
	case <-c.stopping():
		return true
	default:
		return false
	}
}

// Write writes to the connection. An answer of net/http's own is replaced by
// one without a body.
func (c *conn) Write(p []byte) (int, error) {
	if c.refused || !c.handled.Load() {
		c.refuse(p)
		return len(p), nil
	}
	if c.keeping {
		c.keep(p)
	}
	return c.HeadConn.Write(p)
}

// keep keeps the head of the answer.
func (c *conn) keep(p []byte) {
	from := max(0, len(c.head)-3)
	c.head = append(c.head, p[:min(len(p), maxAnswerHead-len(c.head))]...)
	if end := bytes.Index(c.head[from:], []byte("\r\n\r\n")); end >= 0 {
		c.head, c.keeping = c.head[:from+end+4], false
	}
	c.keeping = c.keeping && len(c.head) < maxAnswerHead
}
