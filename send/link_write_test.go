package send

import (
	"errors"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A late connection hands all writes but the first to rest.
type late struct {
	net.Conn
	writes atomic.Int32
	rest   func() error
}

func (c *late) Write(p []byte) (int, error) {
	if c.writes.Add(1) == 1 {
		return c.Conn.Write(p)
	}
	return 0, c.rest()
}

// answeredEarly is a link over c whose request is answered after its beginning.
func answeredEarly(t *testing.T, c *late) *Link {
	t.Helper()
	here, there := net.Pipe()
	c.Conn = here
	t.Cleanup(func() { there.Close() })
	go func() {
		_, _ = io.ReadFull(there, make([]byte, maxDirect))
		_, _ = io.WriteString(there, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
	}()
	l := NewLink(c, nil, time.Minute)
	body := make([]byte, 2*maxDirect)
	a, err := l.Send(t.Context(), NewRequest("POST", "/", "h.test", nil, body), body)
	if err != nil || a.StatusCode != 200 {
		t.Fatalf("answered %+v, %v", a, err)
	}
	return l
}

func TestALinkThatCouldNotSendAllIsNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kept := &Links{Most: 1}
		kept.Keep(answeredEarly(t, &late{rest: func() error { return errors.New("no more") }}))
		if l := kept.last(); l != nil {
			l.Close()
			t.Error("it is kept")
		}
	})
}

func TestNothingOfALinkIsAtWorkAfterItsClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var over atomic.Bool
		l := answeredEarly(t, &late{rest: func() error {
			time.Sleep(time.Second)
			over.Store(true)
			return net.ErrClosed
		}})
		l.Close()
		if !over.Load() {
			t.Error("a write is still under way")
		}
	})
}
