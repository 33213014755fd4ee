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

// Why an attempt was cancelled.
var (
	errLimit    = errors.New("the time limit has passed")
	errShortcut = errors.New("the receiver let the time limit pass")
	errBodyTime = errors.New("the time for the body has passed")
)

// limits are the time limits of one attempt: connect for the connection, then
// read; or, if not a pair, read for both together.
type limits struct {
	connect, read time.Duration
	pair          bool
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
func (s *Sender) exchange(parent context.Context, t *target, header []sign.Header, body []byte, kept *links) exchange {
	request := t.request(header, body)
	if l := kept.take(); l != nil {
		x, stale := s.over(parent, l, t, request, kept)
		if !stale {
			return x
		}
		request = t.request(header, body)
	}
	x, _ := s.over(parent, nil, t, request, kept)
	return x
}

// over sends a request over l, or over a new connection where l is nil. stale
// says that it failed on l before the first byte of an answer. The connection
// is kept where it can be, else closed.
func (s *Sender) over(parent context.Context, l *link, t *target, request *http.Request, kept *links) (x exchange, stale bool) {
	start := time.Now()
	limits := s.limits()
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	timer := time.AfterFunc(limits.connect, func() { cancel(errLimit) })
	defer timer.Stop()
	x.Waited = true

	reused := l != nil
	if !reused {
		d := &dialling{sender: s, target: t}
		conn, err := d.connect(ctx)
		if err == nil && limits.pair && !timer.Stop() {
			conn.Close()
			err = errLimit
		}
		if err != nil {
			x.Took, x.end, x.dialled = s.since(start), time.Now(), d.tried
			x.Failure = d.failure(context.Cause(ctx), err, limits.connect)
			return x, false
		}
		l = newLink(conn, d.tried)
		l.trusted = s.distrust(conn, t.host)
	}
	whole := false
	defer func() {
		if !whole || !kept.put(l) {
			l.Close()
		}
	}()
	x.dialled, x.trusted = l.tried, l.trusted
	if limits.pair {
		timer.Reset(limits.read)
	}

	short := s.Shortcuts.register(l, limits.read, cancel)
	response, err := l.roundTrip(ctx, request)
	x.Took, x.end = s.since(start), time.Now()
	timer.Stop()
	cause := context.Cause(ctx)
	delay, ended := s.Shortcuts.finish(l, short)
	if ended {
		delay, cause = limits.read, errShortcut
	}
	if delay > 0 {
		x.Took, x.Waited = delay, false
	}
	lines, sent := l.sent.noted()
	x.Request = &Request{Method: request.Method, Target: request.URL.RequestURI(), Header: lines}
	if err == nil && ended {
		response.Body.Close()
	}
	if err != nil || ended {
		x.Failure = l.failure(cause, err, sent, limits.read)
		x.Failure.Tried = l.tried
		return x, reused && cause == nil && !l.begun()
	}
	if response.StatusCode < 100 || response.ProtoMajor != 1 { // net/http takes any digits
		response.Body.Close()
		x.Failure = &Failure{Kind: profiles.Protocol, Message: `not an HTTP answer: "` + firstLine(l.Head()) + `"`, Tried: l.tried}
		return x, false
	}
	if response.ContentLength != 0 {
		bodyTimer := time.AfterFunc(bodyTime, func() { cancel(errBodyTime) })
		defer bodyTimer.Stop()
	}
	x.Response, whole = answer(response, l.Head())
	whole = whole && !response.Close
	return x, false
}

// request makes the request of the header lines. Host, User-Agent and
// Content-Length are net/http's to write.
func (t *target) request(header []sign.Header, body []byte) *http.Request {
	r := &http.Request{
		Method:        http.MethodPost,
		URL:           t.url,
		Host:          t.url.Host,
		Header:        http.Header{"User-Agent": nil},
		Body:          http.NoBody,
		ContentLength: int64(len(body)),
	}
	if len(body) > 0 {
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	values := make([]string, 0, len(header)) // of all headers, which mostly have one
	for _, h := range header {
		switch {
		case sign.SameName(h.Name, "Host"):
			r.Host = h.Value
		case sign.SameName(h.Name, "Content-Length"):
		case len(r.Header[h.Name]) > 0:
			r.Header[h.Name] = append(r.Header[h.Name], h.Value)
		default:
			n := len(values)
			values = append(values, h.Value)
			r.Header[h.Name] = values[n : n+1 : n+1]
		}
	}
	return r
}

// answer reads the answer's body, as far as it is read, and closes it. whole
// says that the body was read to its end.
func answer(r *http.Response, head []byte) (a *Response, whole bool) {
	first, header := ParseHead(head)
	proto, rest, _ := strings.Cut(first, " ")
	_, text, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	a = &Response{Status: r.StatusCode, Proto: proto, Text: text, Header: header, Complete: true}
	defer r.Body.Close()
	switch {
	case r.StatusCode == http.StatusSwitchingProtocols:
		return a, false
	case r.ContentLength == 0:
		return a, true
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
