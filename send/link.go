package send

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"math"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxDirect is how much of a request is written before the answer is read, in
	// bytes. The system takes as much whether the receiver reads or not.
	maxDirect = 4 << 10

	// piece is how much of what is left of it is written at a time by a link with
	// patience.
	piece = 32 << 10

	// lagTime is how long the end of a request may lag behind that of its answer.
	lagTime = 50 * time.Millisecond
)

// errHead ends an answer whose header, with those of the 1xx before it, does not
// end.
var errHead = errors.New("the answer's header is longer than 1 MiB")

// A Link is a connection to an endpoint over which HTTP/1.1 is spoken, for one
// exchange at a time: what net/http's Transport does in two goroutines beside,
// with nothing added, followed or decompressed. After [Link.Send] the answer's
// body is read, as far as it is wanted; then the link goes to [Links.Keep] or is
// closed. All of that is for one goroutine at a time.
type Link struct {
	conn    *HeadConn
	socket  net.Conn // below TLS
	tried   []string // the addresses that were dialled
	trusted error    // why the certificate would not do without the Sender's TLS

	from   *bufio.Reader
	left   int64          // how much of the answer's header may still be read, in bytes
	out    []byte         // room for a request
	asked  http.Request   // says by its method whether a body is to come
	answer *http.Response // the last one; nil: there is none
	used   bool           // an exchange was made before this one

	patience time.Duration // without progress; 0: the time limit is for all until the answer
	timer    *time.Timer   // cuts when the time limit has passed
	leave    func() bool   // ends the watch over the context

	writing  sync.WaitGroup
	sent     atomic.Bool // the request was written, body and all
	writeErr error       // to be read after Close

	mu    sync.Mutex
	cause error // why it was cut
}

// NewLink is a link over a connection, which it closes. tried are the addresses
// that were dialled for it. A request that is not written, or an answer that does
// not come, for as long as patience cuts the link.
func NewLink(conn net.Conn, tried []string, patience time.Duration) *Link {
	l := &Link{conn: answerHeads(conn), socket: conn, tried: tried, patience: patience}
	if secure, ok := conn.(*tls.Conn); ok {
		l.socket = secure.NetConn()
	}
	l.from = bufio.NewReader((*answerReader)(l))
	return l
}

// limit cuts the link after d.
func (l *Link) limit(d time.Duration) {
	if l.timer == nil {
		l.timer = time.AfterFunc(d, func() { l.cut(errLimit) })
		return
	}
	l.timer.Reset(d)
}

// extend cuts the link after d, unless its time limit has passed before.
func (l *Link) extend(d time.Duration) {
	if !l.timer.Reset(d) {
		l.cut(errLimit)
	}
}

// Progress gives a link its time anew: for the reader of an answer's body, with
// each part of it.
func (l *Link) Progress() { l.extend(l.patience) }

// cut closes the connection, for the first cause that is given. It does not wait
// for what is under way.
func (l *Link) cut(cause error) {
	l.mu.Lock()
	if l.cause == nil {
		l.cause = cause
	}
	l.mu.Unlock()
	l.socket.Close()
}

// why is why the link was cut; nil: it was not.
func (l *Link) why() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cause
}

// StoodStill reports whether the link was cut for want of progress.
func (l *Link) StoodStill() bool { return errors.Is(l.why(), errLimit) }

// Send sends a request and waits for the header of its answer. 1xx are skipped,
// but for 101. When ctx is done before the exchange is over, the link is cut. The
// answer's body is not to be closed; for an error see [Link.NoAnswer].
func (l *Link) Send(ctx context.Context, r *Request, body []byte) (*http.Response, error) {
	if l.used = l.answer != nil; l.used {
		l.conn.reset()
	}
	if l.patience > 0 {
		l.limit(l.patience)
	}
	l.answer, l.left, l.asked.Method = nil, maxHead, r.Method
	l.leave = context.AfterFunc(ctx, func() { l.cut(context.Cause(ctx)) })
	l.write(r, body)
	for {
		answer, err := http.ReadResponse(l.from, &l.asked)
		switch {
		case err != nil && l.left <= 0:
			return nil, errHead
		case err != nil:
			return nil, err
		case answer.StatusCode < 100 || answer.StatusCode > 199 || answer.StatusCode == http.StatusSwitchingProtocols:
			l.answer, l.left = answer, math.MaxInt64
			if l.patience > 0 {
				l.Progress()
			}
			return answer, nil
		}
	}
}

// write writes a request: what comes after its beginning beside the reading, since
// the receiver may answer before it has taken all. An error is kept, for reading
// tells how the connection ended.
func (l *Link) write(r *Request, body []byte) {
	l.sent.Store(false)
	l.out = r.appendTo(l.out[:0])
	n := min(max(0, maxDirect-len(l.out)), len(body))
	l.out = append(l.out, body[:n]...)
	l.writeErr = nil
	l.put(l.out)
	if n == len(body) {
		l.sent.Store(l.writeErr == nil)
		return
	}
	l.writing.Go(func() {
		l.writeRest(body[n:])
		l.sent.Store(l.writeErr == nil)
	})
}

// writeRest writes the rest of a body; each piece is progress.
func (l *Link) writeRest(rest []byte) {
	for l.patience > 0 && len(rest) > piece && l.writeErr == nil {
		l.put(rest[:piece])
		l.Progress()
		rest = rest[piece:]
	}
	l.put(rest)
}

// put writes, unless that has failed before.
func (l *Link) put(p []byte) {
	if l.writeErr == nil {
		_, l.writeErr = l.conn.Write(p)
	}
}

// An answerReader reads from the connection of a link, of an answer's header no
// more than is left.
type answerReader Link

func (l *answerReader) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errHead
	}
	n, err := l.conn.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}

// Head is the header of the answer as it stood on the wire, first line and blank
// line included. It is valid until the next exchange.
func (l *Link) Head() []byte { return l.conn.Head() }

// Whole reports whether all that is left of the answer's body has been received.
func (l *Link) Whole() bool {
	return l.answer.Body == http.NoBody || l.answer.ContentLength >= 0 && int64(l.from.Buffered()) >= l.answer.ContentLength
}

// Room is n bytes of memory, the caller's until the exchange is over.
func (l *Link) Room(n int) []byte {
	l.out = slices.Grow(l.out[:0], n)
	return l.out[:n]
}

// begun reports whether anything of an answer came.
func (l *Link) begun() bool {
	head, _, _ := l.conn.received()
	return len(head) > 0
}

// Stale reports whether an exchange failed since the other side has ended the
// connection after the one before: it gave no byte of an answer. The request can
// be sent once more over a new one.
func (l *Link) Stale() bool { return l.used && l.why() == nil && !l.begun() }

// rest ends an exchange whose answer was read to its end. It reports whether
// another can be made.
func (l *Link) rest() bool {
	if !l.sent.Load() { // the answer may be quicker than the goroutine that wrote
		late := time.AfterFunc(lagTime, func() { l.cut(errLimit) })
		l.writing.Wait()
		late.Stop()
	}
	return l.leave() && l.timer.Stop() && l.why() == nil && l.sent.Load() && !l.answer.Close && l.from.Buffered() == 0
}

// Close closes the connection. Nothing of the link is at work after it.
func (l *Link) Close() {
	if l.leave != nil {
		l.leave()
	}
	_ = l.conn.Close()
	l.writing.Wait()
	if l.timer != nil {
		l.timer.Stop()
	}
}
