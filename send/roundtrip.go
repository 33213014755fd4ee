package send

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// After the verdict no more of an answer's body is read than this, and for no
// longer: all providers ignore bodies, but a connection closed at once would
// break the application's pipe.
const (
	maxRead  = 64 << 10
	bodyTime = time.Second
)

// Why an attempt was cut.
var (
	errLimit    = errors.New("the time limit has passed")
	errShortcut = errors.New("the receiver let the time limit pass")
)

// limits are the time limits of one attempt: connect for the connection, then
// read; or, if not a pair, read for both together.
type limits struct {
	connect, read time.Duration
	pair          bool
}

// Limits are the time limits of an attempt: connect passes where no connection
// comes about, answer where it stands and no answer comes.
func (s *Sender) Limits() (connect, answer time.Duration) {
	l := s.limits()
	return l.connect, l.read
}

// limits are the profile's, or what Timeout makes of them.
func (s *Sender) limits() limits {
	own := s.Profile.Delivery.Limits
	l := limits{connect: own.ForConnect(), read: own.ForAnswer(), pair: own.Total == 0 && own.Connect > 0}
	if s.Timeout > 0 {
		l.connect, l.read = min(l.connect, s.Timeout), s.Timeout
	}
	if !l.pair {
		l.connect = l.read
	}
	if l.read <= 0 {
		l.connect, l.read = longest, longest // a profile without limits, made by hand
	}
	return l
}

// longest is the longest that an attempt can take.
func (l limits) longest() time.Duration {
	if l.pair {
		return later(l.connect, l.read)
	}
	return l.read
}

// An exchange is one request and what came of it.
type exchange struct {
	Attempt           // Took, Waited, Request, Response, Failure
	end     time.Time // of the answer's header
	dialled []string
	trusted error // why the certificate would not do without the Sender's TLS
}

// exchange sends one request: on a connection that was kept, if there is one,
// else on a new one. What fails on a kept connection before the first byte of
// an answer is sent again at once on a new one.
func (s *Sender) exchange(ctx context.Context, t *target, header []sign.Header, body []byte, kept *Links) exchange {
	request := NewRequest(http.MethodPost, t.path, t.name, header, body)
	if l := kept.Take(); l != nil {
		if x, stale := s.over(ctx, l, time.Now(), request, body, kept); !stale {
			return x
		}
	}
	start := time.Now()
	l, x := s.connect(ctx, t, start)
	if l == nil {
		return x
	}
	x, _ = s.over(ctx, l, start, request, body, kept)
	return x
}

// connect makes a connection to the target within its time limit. Without one,
// x says why.
func (s *Sender) connect(parent context.Context, t *target, start time.Time) (l *Link, x exchange) {
	limits := s.limits()
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	timer := time.AfterFunc(limits.connect, func() { cancel(errLimit) })
	defer timer.Stop()
	d := &dialling{sender: s, target: t}
	conn, err := d.connect(ctx)
	if err == nil && limits.pair && !timer.Stop() {
		conn.Close()
		err = errLimit
	}
	if err != nil {
		x.Waited, x.Took, x.end, x.dialled = true, s.since(start), time.Now(), d.tried
		x.Failure = d.failure(context.Cause(ctx), err, limits.connect)
		return nil, x
	}
	l = NewLink(conn, d.tried, 0)
	l.trusted = s.distrust(conn, t.host)
	return l, x
}

// over sends a request over l, for an attempt that began at start. stale says
// that it failed on a kept connection before the first byte of an answer. The
// connection is kept where it can be, else closed.
func (s *Sender) over(ctx context.Context, l *Link, start time.Time, request *Request, body []byte, kept *Links) (x exchange, stale bool) {
	limits, whole := s.limits(), false
	defer func() {
		if whole {
			kept.Keep(l)
		} else {
			l.Close()
		}
	}()
	x.Waited, x.Request, x.dialled, x.trusted = true, request, l.tried, l.trusted
	left := limits.read
	if !limits.pair {
		left -= time.Since(start)
	}
	l.limit(left)
	if s.Connected != nil {
		s.Connected()
	}

	short := s.Shortcuts.register(l, limits.read)
	response, err := l.Send(ctx, request, body) //nolint:bodyclose // it ends with the link: answer says why
	x.Took, x.end = s.since(start), time.Now()
	cause := l.why()
	delay, ended := s.Shortcuts.finish(l, short)
	if ended {
		delay, cause = limits.read, errShortcut
	}
	if delay > 0 {
		x.Took, x.Waited = delay, false
	}
	if err != nil || ended {
		x.Failure = l.failure(cause, err, limits.read)
		return x, l.Stale()
	}
	if response.StatusCode < 100 || response.ProtoMajor != 1 { // net/http takes any digits
		x.Failure = &Failure{Kind: profiles.Protocol, Message: `not an HTTP answer: "` + firstLine(l.Head()) + `"`, Tried: l.tried}
		return x, false
	}
	l.extend(bodyTime)
	x.Response, whole = answer(response, l.Head())
	return x, false
}

// answer reads the answer's body, as far as it is read. It does not close it, for
// that would read the rest. whole says that the body was read to its end.
func answer(r *http.Response, head []byte) (a *Response, whole bool) {
	first, header := ParseHead(head)
	proto, rest, _ := strings.Cut(first, " ")
	_, text, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	a = &Response{Status: r.StatusCode, Proto: proto, Text: text, Header: header, Complete: true}
	switch {
	case r.StatusCode == http.StatusSwitchingProtocols:
		return a, false
	case r.ContentLength == 0:
		return a, true
	case r.ContentLength > 0 && r.ContentLength <= maxKept:
		body := make([]byte, r.ContentLength)
		n, err := io.ReadFull(r.Body, body)
		a.Body, a.Complete = body[:n], err == nil
		return a, err == nil
	}
	var kept bytes.Buffer
	if _, err := io.CopyN(&kept, r.Body, maxKept); err != nil {
		whole = errors.Is(err, io.EOF)
		a.Body, a.Complete = kept.Bytes(), whole
		return a, whole
	}
	more, err := io.CopyN(io.Discard, r.Body, maxRead-maxKept)
	whole = errors.Is(err, io.EOF)
	a.Body, a.Complete = kept.Bytes(), more == 0 && whole
	return a, whole
}
