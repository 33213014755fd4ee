package listen

import (
	"errors"
	"fmt"
	"io"
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
	bodyTime       = 30 * time.Second
	firstRead      = 64 << 10 // what a Content-Length alone is trusted with
)

// A refusal is why a request was not taken: the status of a limit, and the
// failure behind it. A status 400 is a request that is not HTTP.
type refusal struct {
	status  int
	failure *send.Failure
}

// readBody reads the whole body into memory, within the limits of size and
// time. It reads no further than it must.
func (r *Receiver) readBody(control *http.ResponseController, req *http.Request) ([]byte, *refusal) {
	most := r.MaxBody
	if most <= 0 {
		most = defaultMaxBody
	}
	if req.ContentLength > most {
		return nil, &refusal{status: http.StatusRequestEntityTooLarge}
	}
	if req.ContentLength == 0 || req.Body == nil {
		return nil, nil
	}
	// A server without deadlines has its own limits of time.
	_ = control.SetReadDeadline(time.Now().Add(bodyTime))
	body, err := readAll(req.Body, req.ContentLength, most)
	if err != nil {
		return nil, refuse(err, len(body), req.ContentLength)
	}
	_ = control.SetReadDeadline(time.Time{})
	return body, nil
}

// errTooLong says that a body is longer than allowed.
var errTooLong = errors.New("the body is too long")

// readAll reads a body of the given length, or of unknown length (-1), and at
// most one byte more than most. Memory grows with what arrives, not with what
// was announced.
func readAll(body io.Reader, length, most int64) ([]byte, error) {
	room := min(length, firstRead)
	if length < 0 {
		room = 512
	}
	b := make([]byte, 0, min(room, most)+1) // one more, so that the end is seen without growing
	for {
		if len(b) == cap(b) {
			bigger := min(2*int64(cap(b)), most+1)
			if length >= 0 {
				bigger = min(bigger, length+1)
			}
			b = append(make([]byte, 0, bigger), b...)
		}
		n, err := body.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case int64(len(b)) > most:
			return b, errTooLong
		case errors.Is(err, io.EOF):
			return b, nil
		case err != nil:
			return b, err
		}
	}
}

// refuse turns an error of reading a body into the answer that it deserves.
func refuse(err error, got int, length int64) *refusal {
	so := fmt.Sprintf("%d bytes", got)
	if length >= 0 {
		so = fmt.Sprintf("%d of %d bytes", got, length)
	}
	timeout := net.Error(nil)
	switch {
	case errors.Is(err, errTooLong):
		return &refusal{status: http.StatusRequestEntityTooLarge}
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
