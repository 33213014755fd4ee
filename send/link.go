package send

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
	"sync/atomic"

	"github.com/hookctl/hookctl/sign"
)

// errGone says that the connection of a link is not there any more.
var errGone = errors.New("the connection was closed")

// A link is a connection and the transport that speaks HTTP over it, for one
// exchange at a time.
type link struct {
	*wire
	transport *http.Transport
	trace     *httptrace.ClientTrace
	sent      sentHead
	tried     []string    // the addresses that were dialled
	trusted   error       // why the certificate would not do without the Sender's TLS
	used      bool        // an exchange was made
	handed    atomic.Bool // the transport has the connection
}

// newLink is a link over conn: HTTP/1.1, no proxy, nothing decompressed, nothing
// added. It is to be closed; DisableKeepAlives would send Connection: close.
func newLink(conn net.Conn, tried []string) *link {
	l := &link{wire: newWire(conn), tried: tried}
	dial := func(context.Context, string, string) (net.Conn, error) {
		if l.handed.Swap(true) {
			return nil, errGone
		}
		return l.wire, nil
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	l.transport = &http.Transport{
		DialContext:            dial,
		DialTLSContext:         dial,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHead,
		Protocols:              protocols,
	}
	l.trace = &httptrace.ClientTrace{
		WroteHeaderField: l.sent.field,
		WroteRequest:     func(i httptrace.WroteRequestInfo) { l.sent.done(i.Err) },
	}
	return l
}

// roundTrip sends a request and waits for the header of its answer.
func (l *link) roundTrip(ctx context.Context, r *http.Request) (*http.Response, error) {
	if l.used {
		l.Reset()
		l.sent.reset()
	}
	l.used = true
	return l.transport.RoundTrip(r.WithContext(httptrace.WithClientTrace(ctx, l.trace)))
}

// begun reports whether anything of an answer came.
func (l *link) begun() bool {
	head, _, _ := l.received()
	return len(head) > 0
}

// Close closes the connection and ends its transport.
func (l *link) Close() {
	l.transport.CloseIdleConnections()
	_ = l.wire.Close()
}

// links are connections that wait for the next first attempt. nil keeps none.
type links struct {
	mu   sync.Mutex
	idle []*link
	most int // how many wait at a time
}

// take is the link that was used last, or nil.
func (k *links) take() *link {
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
	for l := k.take(); l != nil; l = k.take() {
		l.Close()
	}
}

// A sentHead notes the header lines as they are written.
type sentHead struct {
	mu    sync.Mutex
	lines []sign.Header
	whole bool // the request was written, body and all
}

// reset makes ready for the next request.
func (s *sentHead) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines, s.whole = nil, false
}

// field notes one header with its values.
func (s *sentHead) field(name string, values []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lines == nil {
		s.lines = make([]sign.Header, 0, 8)
	}
	for _, v := range values {
		s.lines = append(s.lines, sign.Header{Name: name, Value: v})
	}
}

// done notes how the writing of the request ended.
func (s *sentHead) done(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.whole = err == nil
}

// noted are the lines so far, and whether all of the request was written.
func (s *sentHead) noted() (lines []sign.Header, whole bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lines[:len(s.lines):len(s.lines)], s.whole
}
