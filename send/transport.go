package send

import (
	"context"
	"net"
	"net/http"
	"sync"

	"github.com/hookctl/hookctl/sign"
)

// newTransport is a transport for one exchange over conn: HTTP/1.1, no proxy,
// nothing decompressed, nothing added. It is to be closed afterwards;
// DisableKeepAlives would send Connection: close.
func newTransport(conn net.Conn) *http.Transport {
	dial := func(context.Context, string, string) (net.Conn, error) { return conn, nil }
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		DialContext:            dial,
		DialTLSContext:         dial,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHead,
		Protocols:              protocols,
	}
}

// A wire is the connection of one exchange. It reads only after the first
// write, since net/http takes a banner that comes before for the answer to
// another request; and it leaves it to reading to say how the connection ended,
// since a receiver may have answered before it stopped to read.
type wire struct {
	*HeadConn
	wrote    chan struct{} // closed by the first write
	once     sync.Once
	mu       sync.Mutex // held while something is written
	writeErr error
}

func newWire(conn net.Conn) *wire {
	return &wire{HeadConn: AnswerHeads(conn), wrote: make(chan struct{})}
}

// Read reads from the connection, once something was written.
func (w *wire) Read(p []byte) (int, error) {
	<-w.wrote
	return w.HeadConn.Read(p)
}

// Write writes to the connection. An error is kept, not returned.
func (w *wire) Write(p []byte) (int, error) {
	defer w.once.Do(func() { close(w.wrote) })
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.writeErr == nil {
		_, w.writeErr = w.HeadConn.Write(p)
	}
	return len(p), nil
}

// Close closes the connection.
func (w *wire) Close() error {
	w.once.Do(func() { close(w.wrote) })
	return w.HeadConn.Close()
}

// broken is what a write failed with. It waits for one that is under way.
func (w *wire) broken() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.writeErr
}

// A sentHead notes the header lines as they are written.
type sentHead struct {
	mu    sync.Mutex
	lines []sign.Header
	whole bool // the request was written, body and all
}

// field notes one header with its values.
func (s *sentHead) field(name string, values []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
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
