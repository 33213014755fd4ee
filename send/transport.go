package send

import (
	"net"
	"sync"
)

// A wire is the connection of a link. It reads only after the first write, since
// net/http takes a banner that comes before for the answer to another request;
// and it leaves it to reading to say how the connection ended, since a receiver
// may have answered before it stopped to read.
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
