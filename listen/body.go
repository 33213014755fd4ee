package listen

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

const (
	defaultMaxBody = 10 << 20
	maxHead        = 64 << 10 // bytes of a request's head
	maxOwnHead     = 1 << 20  // of one from this process
	bodyTime       = 30 * time.Second
	firstRead      = 4 << 10 // what a Content-Length alone is trusted with
	growth         = 8       // how much more than has arrived there may be room for

	// mostMaxBody is what a larger MaxBody means: no sum with it is too large, and
	// on 32 bits no slice.
	mostMaxBody = min(1<<40, math.MaxInt/4)
)

// A refusal is why a request was not taken: the status of a limit, and the
// failure behind it. A status 400 is a request that is not HTTP, 0 one that
// hookctl itself cut.
type refusal struct {
	status  int
	failure *send.Failure
}

// readBody reads the whole body into memory, within the limits of size, time
// and memory. It reads no further than it must.
func (x *exchange) readBody() *refusal {
	req, most := x.req, x.r.mostBody()
	if req.ContentLength > most {
		return &refusal{status: http.StatusRequestEntityTooLarge}
	}
	if req.ContentLength == 0 || req.Body == nil {
		return nil
	}
	late := x.conn == nil || !x.conn.Between() // else all of it is there
	if late {
		// A server without deadlines has its own limits of time.
		_ = x.control().SetReadDeadline(time.Now().Add(bodyTime))
	}
	x.room = room{bodies: &x.r.bodies, most: x.r.bodyRoom(), pooled: x.r.Brief}
	body, err := x.room.readAll(req.Body, req.ContentLength, most)
	if err != nil {
		return x.refusal(err, len(body))
	}
	if late {
		_ = x.control().SetReadDeadline(time.Time{})
	}
	x.request.Body = body
	return nil
}

// mostBody is how many bytes a body may have.
func (r *Receiver) mostBody() int64 {
	if r.MaxBody <= 0 {
		return defaultMaxBody
	}
	return min(r.MaxBody, mostMaxBody)
}

// bodyRoom is how many bytes of bodies there may be at once.
func (r *Receiver) bodyRoom() int64 {
	if r.AtOnce > 0 {
		return math.MaxInt64 - forSmall
	}
	return max(mostBodies, r.mostBody())
}

// mostHead is how many bytes a request's head may have.
func (r *Receiver) mostHead() int {
	if r.AtOnce > 0 {
		return maxOwnHead
	}
	return maxHead
}

// errTooLong says that a body is longer than allowed.
var errTooLong = errors.New("the body is too long")

// readAll reads a body of the given length, or of unknown length (-1), and at
// most one byte more than most. Memory grows with what arrives, not with what
// was announced.
func (room *room) readAll(body io.Reader, length, most int64) ([]byte, error) {
	end := most + 1
	if length >= 0 {
		end = min(length, most)
	}
	b, err := room.grow(nil, min(end, firstRead), end)
	for err == nil {
		if have := int64(len(b)); len(b) == cap(b) {
			want := min(end, growth*have)
			if have >= end { // only the end is to come
				want = have + 1
			}
			if b, err = room.grow(b, want, end); err != nil {
				break
			}
		}
		var n int
		n, err = body.Read(b[len(b):cap(b)])
		if b = b[:len(b)+n]; int64(len(b)) > most {
			return b, errTooLong
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b, err
}

// refusal turns an error of reading a body, of which so many bytes have arrived,
// into the answer that it deserves.
func (x *exchange) refusal(err error, got int) *refusal {
	so := fmt.Sprintf("%d bytes", got)
	if length := x.req.ContentLength; length >= 0 {
		so = fmt.Sprintf("%d of %d bytes", got, length)
	}
	timeout := net.Error(nil)
	why := x.conn.cause()
	switch {
	case errors.Is(err, errTooLong):
		return &refusal{status: http.StatusRequestEntityTooLarge}
	case errors.Is(err, errTooMuch):
		return &refusal{status: http.StatusServiceUnavailable}
	case why != nil:
		return &refusal{0, &send.Failure{Kind: profiles.Closed, Message: fmt.Sprintf("%v before the body was there: %s arrived", why, so)}}
	case errors.As(err, &timeout) && timeout.Timeout():
		return &refusal{http.StatusRequestTimeout, &send.Failure{
			Kind:    profiles.ReadTimeout,
			Message: fmt.Sprintf("the body was not there after %v: %s arrived", bodyTime, so),
		}}
	case ended(err):
		return &refusal{http.StatusRequestTimeout, &send.Failure{
			Kind:    profiles.Closed,
			Message: fmt.Sprintf("the body ended early: %s arrived", so),
		}}
	}
	return &refusal{status: http.StatusBadRequest}
}

// ended reports whether a read failed because the other side left.
func ended(err error) bool {
	op := (*net.OpError)(nil)
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.ErrClosedPipe) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, syscall.ECONNRESET) || errors.As(err, &op)
}
