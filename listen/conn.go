package listen

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hookctl/hookctl/send"
)

const (
	maxAnswerHead = 64 << 10               // bytes of an answer's head that are kept
	maxFirstBytes = 4 << 10                // bytes of a connection that are kept for a head that is too large
	lingerTime    = 500 * time.Millisecond // for a client to read why it was refused
)

// connKey finds the conn in a request's context.
type connKey struct{}

// A conn is a connection that a Server accepted. It keeps the heads of requests
// and of answers as they stand on the wire, and sees what net/http answers of
// its own accord. But for Read, its methods are for the goroutine that serves
// the connection.
type conn struct {
	*send.HeadConn
	server  *Server
	running *running
	stop    <-chan struct{} // closed when the server stops
	remote  string
	fresh   bool        // the server waits for the first request
	read    atomic.Bool // something arrived
	first   []byte      // what arrived first, until the first request is handled
	handled bool        // a handler has the request: it answers
	refused bool        // net/http's own answer went out
	keeping bool        // the head of the answer is being written
	head    []byte      // of the answer
}

// Read reads from the connection. net/http never reads twice at a time, and
// begin comes before the next read that belongs to another request.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.HeadConn.Read(p)
	if n > 0 && !c.read.Load() {
		c.first = bytes.Clone(p[:min(n, maxFirstBytes)])
		c.read.Store(true)
	}
	return n, err
}

// active notes that what is written next is net/http's own, unless a handler
// begins.
func (c *conn) active() { c.handled = false }

// begin notes that a handler has the request, and returns its head.
func (c *conn) begin() []byte {
	c.handled, c.keeping, c.head, c.first = true, false, c.head[:0], nil
	return c.Head()
}

// keepAnswer says that what is written next is the answer.
func (c *conn) keepAnswer() { c.keeping = true }

// answer is the head of the answer.
func (c *conn) answer() []byte { return c.head }

// stopping is closed when the server stops; nil without one.
func (c *conn) stopping() <-chan struct{} {
	if c == nil {
		return nil
	}
	return c.stop
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
	if !c.handled {
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

// refuse answers a request that never reached the handler, whose answer by
// net/http is p: a head that is too large, or what is not HTTP.
func (c *conn) refuse(p []byte) {
	if c.refused {
		return
	}
	c.refused = true
	c.running.count(1)
	defer c.running.count(-1)
	status := "400 Bad Request"
	for _, keep := range []string{"417 Expectation Failed", "431 Request Header Fields Too Large", "501 Not Implemented"} {
		if bytes.HasPrefix(p, []byte("HTTP/1.1 "+keep[:3])) {
			status = keep
		}
	}
	answer := "HTTP/1.1 " + status + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
	if !strings.HasPrefix(status, "431") {
		c.countGarbage() // before the client knows, so that no count comes late
		_, _ = c.HeadConn.Write([]byte(answer))
		c.linger()
		return
	}
	q := c.tooLarge()
	r := c.server.Receiver
	if !r.record(&q) {
		answer = strings.Replace(answer, status, "503 Service Unavailable", 1)
	}
	_, _ = c.HeadConn.Write([]byte(answer))
	c.linger()
	_, q.Sent = send.ParseHead([]byte(answer))
	q.Took = r.now().Sub(q.At)
	r.report(q)
}

// linger reads on for a moment: a connection that is closed with unread bytes
// is reset, and the answer is lost.
func (c *conn) linger() {
	if c.CloseWrite() != nil {
		return
	}
	_ = c.SetReadDeadline(time.Now().Add(lingerTime))
	_, _ = io.CopyN(io.Discard, c.NetConn(), 1<<20)
}

// countGarbage tells the server about a request that is not HTTP.
func (c *conn) countGarbage() {
	if c.server.Garbage != nil {
		c.server.Garbage(c.remote)
	}
}

// tooLarge is a request whose head was too large to be read, with what is known
// of it.
func (c *conn) tooLarge() Request {
	r := c.server.Receiver
	q := Request{At: r.now(), Remote: c.remote, Seen: New}
	q.Answer = Answer{Status: http.StatusRequestHeaderFieldsTooLarge, By: ByLimit}
	if whole := bytes.LastIndexByte(c.first, '\n'); whole >= 0 {
		var line string
		line, q.Header = send.ParseHead(c.first[:whole+1])
		q.Method, line, _ = strings.Cut(line, " ")
		q.Target, q.Proto, _ = strings.Cut(line, " ")
	}
	r.judge(&q)
	r.history.arrive(&q, false)
	return q
}

// A listener wraps the connections that it accepts.
type listener struct {
	net.Listener
	server  *Server
	running *running
	stop    <-chan struct{}
}

func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{HeadConn: send.RequestHeads(c), server: l.server, running: l.running, stop: l.stop, remote: c.RemoteAddr().String()}, nil
}
