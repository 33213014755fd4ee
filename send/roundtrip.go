package send

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
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

// An exchange is one request and what came of it.
type exchange struct {
	Attempt           // Took, Waited, Request, Response, Failure
	end     time.Time // of the answer's header
	dialled []string
	trusted error // why the certificate would not do without the Sender's TLS
}

// exchange sends one request on a new connection.
func (s *Sender) exchange(parent context.Context, t *target, header []sign.Header, body []byte) (x exchange) {
	start := time.Now()
	limits := s.limits()
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	timer := time.AfterFunc(limits.connect, func() { cancel(errLimit) })
	defer timer.Stop()
	x.Waited = true

	d := &dialling{sender: s, target: t}
	conn, err := d.connect(ctx)
	x.dialled = d.tried
	if err == nil && limits.pair && !timer.Stop() {
		conn.Close()
		err = errLimit
	}
	if err != nil {
		x.Took, x.end = s.since(start), time.Now()
		x.Failure = d.failure(context.Cause(ctx), err, limits.connect)
		return x
	}
	w := newWire(conn)
	defer w.Close()
	if limits.pair {
		timer.Reset(limits.read)
	}
	x.trusted = s.distrust(conn, t.host)

	local := conn.LocalAddr().String()
	short := s.Shortcuts.register(local, limits.read, cancel)
	transport := newTransport(w)
	defer transport.CloseIdleConnections()
	var sent sentHead
	request := t.request(header, body)
	response, err := transport.RoundTrip(request.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteHeaderField: sent.field,
		WroteRequest:     func(i httptrace.WroteRequestInfo) { sent.done(i.Err) },
	})))
	x.Took, x.end = s.since(start), time.Now()
	timer.Stop()
	cause := context.Cause(ctx)
	delay, ended := s.Shortcuts.finish(local, short)
	if ended {
		delay, cause = limits.read, errShortcut
	}
	if delay > 0 {
		x.Took, x.Waited = delay, false
	}
	lines, whole := sent.noted()
	x.Request = &Request{Method: request.Method, Target: request.URL.RequestURI(), Header: lines}
	if err == nil && ended {
		response.Body.Close()
	}
	if err != nil || ended {
		x.Failure = w.failure(cause, err, whole, limits.read)
		x.Failure.Tried = d.tried
		return x
	}
	if response.StatusCode < 100 { // net/http takes any three digits
		response.Body.Close()
		x.Failure = &Failure{Kind: profiles.Protocol, Message: `not an HTTP answer: "` + firstLine(w.Head()) + `"`, Tried: d.tried}
		return x
	}
	bodyTimer := time.AfterFunc(bodyTime, func() { cancel(errBodyTime) })
	defer bodyTimer.Stop()
	x.Response = answer(response, w.Head())
	return x
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
	for _, h := range header {
		switch {
		case sign.SameName(h.Name, "Host"):
			r.Host = h.Value
		case sign.SameName(h.Name, "Content-Length"):
		default:
			r.Header[h.Name] = append(r.Header[h.Name], h.Value)
		}
	}
	return r
}

// answer reads the answer's body, as far as it is read, and closes it.
func answer(r *http.Response, head []byte) *Response {
	first, header := ParseHead(head)
	proto, rest, _ := strings.Cut(first, " ")
	_, text, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	a := &Response{Status: r.StatusCode, Proto: proto, Text: text, Header: header, Complete: true}
	defer r.Body.Close()
	if r.StatusCode == http.StatusSwitchingProtocols {
		return a
	}
	var kept bytes.Buffer
	if _, err := io.CopyN(&kept, r.Body, maxKept); err != nil {
		a.Body, a.Complete = kept.Bytes(), errors.Is(err, io.EOF)
		return a
	}
	more, err := io.CopyN(io.Discard, r.Body, maxRead-maxKept)
	a.Body, a.Complete = kept.Bytes(), more == 0 && errors.Is(err, io.EOF)
	return a
}
