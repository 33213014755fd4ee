package send

import (
	"bytes"
	"net"
	"slices"
	"strings"
	"sync"

	"github.com/hookctl/hookctl/sign"
)

// maxHead is how many bytes of heads a HeadConn keeps at a time. It is what is
// read of the head of an answer before it is given up.
const maxHead = 1 << 20

// A HeadConn keeps the bytes of the heads of the messages that are read from a
// connection, for the order and spelling that net/http does not keep. It
// changes nothing of what is read. Its methods are safe for concurrent use.
//
// A server wraps each accepted connection with [RequestHeads] (outside
// tls.NewListener, so that it sees plain text), hands it to its handlers with
// http.Server.ConnContext, and calls Head exactly once in each request. A [Link]
// has one for the heads of answers.
type HeadConn struct {
	net.Conn
	answers bool // heads of answers are read, else of requests

	mu    sync.Mutex
	parse framer
	queue [][]byte // requests: heads not yet taken; empty: one that was not kept
	taken []byte   // requests: the head taken last
	kept  int      // bytes in queue
	final []byte   // answers: the head of the last answer that is not 1xx
	end   error    // what the last Read failed with
}

// RequestHeads keeps the heads of the requests that a server reads from c, also
// those of a connection that is kept alive and of pipelined requests: it follows
// Content-Length and chunks from one head to the next. At most 1 MiB of heads
// that were not taken yet is held; what would be more is not kept.
func RequestHeads(c net.Conn) *HeadConn { return &HeadConn{Conn: c} }

// answerHeads keeps the head of the answer that a client reads from c, that of
// 1xx answers left out (but for 101), up to 1 MiB. On a connection that is used
// again, call reset before each request but the first.
func answerHeads(c net.Conn) *HeadConn { return &HeadConn{Conn: c, answers: true} }

// Read reads from the connection.
func (c *HeadConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	if n > 0 {
		c.feed(p[:n])
	}
	if err != nil {
		c.end = err
	}
	return n, err
}

// NetConn is the connection below, as for a tls.Conn.
func (c *HeadConn) NetConn() net.Conn { return c.Conn }

// CloseWrite closes the writing side, where the connection can.
func (c *HeadConn) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return nil
}

// Head is the head of one message, first line to blank line included; nil if it
// was not kept. With RequestHeads it is that of the oldest request whose head
// was not asked for yet, which is the request being handled if each handler asks
// once, and the bytes are valid until it is asked again; with answerHeads that of
// the answer, however often it is asked for, until reset.
func (c *HeadConn) Head() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answers {
		return c.final
	}
	if len(c.queue) == 0 {
		return nil
	}
	head := c.queue[0]
	c.queue = append(c.queue[:0], c.queue[1:]...)
	c.kept -= len(head)
	if len(head) == 0 {
		return nil
	}
	c.parse.spare, c.taken = c.taken, head
	return head
}

// Between reports whether all that was read ends where a message ends, its body
// included. It is for RequestHeads.
func (c *HeadConn) Between() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.parse.state == inHead && !c.parse.begun && !c.parse.lost
}

// Unfinished is what was read of a head that is not whole yet, up to most bytes.
func (c *HeadConn) Unfinished(most int) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Clone(c.parse.head[:min(most, len(c.parse.head))])
}

// reset makes ready for the answer to the next request on a connection that is
// used again. It is for answerHeads.
func (c *HeadConn) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.parse = framer{spare: c.final}
	c.final, c.end = nil, nil
}

// received is what was read of an answer's head, whether that is all of it, and
// what the last Read failed with.
func (c *HeadConn) received() (head []byte, complete bool, end error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.final != nil {
		return c.final, true, c.end
	}
	return bytes.Clone(c.parse.head), false, c.end
}

// feed follows the bytes that were read.
func (c *HeadConn) feed(p []byte) {
	for len(p) > 0 && !c.parse.lost {
		var head []byte
		p, head = c.parse.next(p, maxHead-c.kept)
		if head == nil {
			continue
		}
		if c.answers {
			if status := headStatus(head); status < 100 || status > 199 || status == 101 {
				c.final, c.parse.lost = head, true
			}
			continue
		}
		c.queue = append(c.queue, head)
		c.kept += len(head)
		c.parse.body(head)
	}
}

// headStatus is the status in an answer's first line; 0 if there is none.
func headStatus(head []byte) int {
	_, rest, _ := bytes.Cut(head, []byte(" "))
	rest = bytes.TrimLeft(rest, " ")
	if len(rest) < 3 {
		return 0
	}
	n := 0
	for _, d := range rest[:3] {
		if d < '0' || d > '9' {
			return 0
		}
		n = n*10 + int(d-'0')
	}
	return n
}

// ParseHead splits the head of an HTTP/1.x message: its first line and its
// header lines, in order and as spelled. Blanks around values are dropped, a
// folded line is joined to the one before with one blank, and a line without a
// colon is left out.
func ParseHead(head []byte) (first string, header []sign.Header) {
	return AppendHead(nil, string(head))
}

// AppendHead is a ParseHead that appends the header lines to a slice, which may
// have room for them.
func AppendHead(header []sign.Header, text string) (first string, _ []sign.Header) {
	first, text = cutLine(text)
	header = slices.Grow(header, strings.Count(text, "\n"))
	for text != "" {
		var line string
		line, text = cutLine(text)
		if line == "" {
			break
		}
		if line[0] == ' ' || line[0] == '\t' {
			if n := len(header); n > 0 {
				header[n-1].Value = strings.Trim(header[n-1].Value+" "+strings.Trim(line, " \t"), " \t")
			}
			continue
		}
		if colon := strings.IndexByte(line, ':'); colon >= 0 {
			header = append(header, sign.Header{Name: line[:colon], Value: trimmed(line[colon+1:])})
		}
	}
	return first, header
}

// cutLine is the first line of a text, without its end, and what follows it.
func cutLine(text string) (line, rest string) {
	end := strings.IndexByte(text, '\n')
	if end < 0 {
		return strings.TrimSuffix(text, "\r"), ""
	}
	line, rest = text[:end], text[end+1:]
	if end > 0 && line[end-1] == '\r' {
		line = line[:end-1]
	}
	return line, rest
}

// trimmed is a value without the blanks around it.
func trimmed(s string) string {
	for s != "" && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	for s != "" && (s[len(s)-1] == ' ' || s[len(s)-1] == '\t') {
		s = s[:len(s)-1]
	}
	return s
}
