package send

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"math"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// maxDirect is how much of a request is written before the answer is read, in
// bytes. The system takes as much whether the receiver reads or not.
const maxDirect = 4 << 10

// errHead ends an answer whose header, with those of the 1xx before it, does not
// end.
var errHead = errors.New("the answer's header is longer than 1 MiB")

// A link is a connection over which HTTP/1.1 is spoken, for one exchange at a
// time: what net/http's Transport does in two goroutines beside, with nothing
// added, followed or decompressed.
type link struct {
	*HeadConn
	socket  net.Conn // below TLS
	tried   []string // the addresses that were dialled
	trusted error    // why the certificate would not do without the Sender's TLS

	from *bufio.Reader
	left int    // how much of the answer's header may still be read, in bytes
	used bool   // an exchange was made
	out  []byte // room for a request

	timer *time.Timer // cuts when the time limit has passed
	leave func() bool // ends the watch over the context

	writing  sync.WaitGroup
	sent     atomic.Bool // the request was written, body and all
	writeErr error       // to be read after Close

	mu    sync.Mutex
	cause error // why it was cut
}

// newLink is a link over conn, to be closed. It is cut when ctx is done.
func newLink(ctx context.Context, conn net.Conn, tried []string) *link {
	l := &link{HeadConn: AnswerHeads(conn), socket: conn, tried: tried}
	if secure, ok := conn.(*tls.Conn); ok {
		l.socket = secure.NetConn()
	}
	l.from = bufio.NewReader(l)
	l.leave = context.AfterFunc(ctx, func() { l.cut(context.Cause(ctx)) })
	return l
}

// limit cuts the link after d, unless it is stopped before.
func (l *link) limit(d time.Duration) {
	if l.timer == nil {
		l.timer = time.AfterFunc(d, func() { l.cut(errLimit) })
		return
	}
	l.timer.Reset(d)
}

// cut closes the connection, for the first cause that is given. It does not wait
// for what is under way.
func (l *link) cut(cause error) {
	l.mu.Lock()
	if l.cause == nil {
		l.cause = cause
	}
	l.mu.Unlock()
	l.socket.Close()
}

// why is why the link was cut; nil: it was not.
func (l *link) why() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cause
}

// roundTrip sends a request and waits for the header of its answer. 1xx are
// skipped, but for 101.
func (l *link) roundTrip(r *Request, body []byte) (*http.Response, error) {
	if l.used {
		l.Reset()
	}
	l.used, l.left = true, maxHead
	l.write(r, body)
	for {
		answer, err := http.ReadResponse(l.from, nil)
		switch {
		case err != nil && l.left <= 0:
			return nil, errHead
		case err != nil:
			return nil, err
		case answer.StatusCode < 100 || answer.StatusCode > 199 || answer.StatusCode == http.StatusSwitchingProtocols:
			l.left = math.MaxInt
			return answer, nil
		}
	}
}

// write writes a request: what comes after its beginning beside the reading, since
// the receiver may answer before it has taken all. An error is kept, for reading
// tells how the connection ended.
func (l *link) write(r *Request, body []byte) {
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
		l.put(body[n:])
		l.sent.Store(l.writeErr == nil)
	})
}

// put writes, unless that has failed before.
func (l *link) put(p []byte) {
	if l.writeErr == nil {
		_, l.writeErr = l.HeadConn.Write(p)
	}
}

// Read reads from the connection, of a header no more than is left.
func (l *link) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errHead
	}
	n, err := l.HeadConn.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

// begun reports whether anything of an answer came.
func (l *link) begun() bool {
	head, _, _ := l.received()
	return len(head) > 0
}

// usable reports whether another exchange can be made.
func (l *link) usable() bool {
	return l.sent.Load() && l.from.Buffered() == 0 && l.why() == nil
}

// Close closes the connection. Nothing of the link is at work after it.
func (l *link) Close() {
	l.leave()
	if l.timer != nil {
		l.timer.Stop()
	}
	_ = l.HeadConn.Close()
	l.writing.Wait()
}

// links are connections that wait for the next first attempt. nil keeps none.
type links struct {
	mu   sync.Mutex
	idle []*link
	most int // how many wait at a time
}

// take is the link that was used last and on which nothing came since, or nil.
func (k *links) take() *link {
	for l := k.last(); l != nil; l = k.last() {
		if quiet(l.socket) {
			return l
		}
		l.Close()
	}
	return nil
}

// last is the link that was used last, or nil.
func (k *links) last() *link {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	n := len(k.idle) - 1
	if n < 0 {
		return nil
	}
	l := k.idle[n]
	k.idle[n], k.idle = nil, k.idle[:n]
	return l
}

// put keeps a link, if it can.
func (k *links) put(l *link) bool {
	if k == nil {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.idle) >= k.most {
		return false
	}
	k.idle = append(k.idle, l)
	return true
}

// close closes the links that wait.
func (k *links) close() {
	for l := k.last(); l != nil; l = k.last() {
		l.Close()
	}
}
