package listen

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// forwardTime is how long an application may make no progress.
const forwardTime = 30 * time.Second

// Forward passes requests on to an application: method, query, headers and the
// body's bytes. Its answer goes back unchanged, as it comes. Nothing is added,
// no redirect is followed, no proxy is used. An application that gives no
// answer, or makes no progress for 30 s, is a 502 with a Failure.
type Forward struct {
	URL string      // a path other than / is used for every request; else the request's own
	All bool        // pass refused requests on as well
	TLS *tls.Config // nil: the system's authorities
}

// errNoProgress cancels a forward that stands still.
var errNoProgress = errors.New("no progress for 30 s")

// A forwarder is a Forward ready for use.
type forwarder struct {
	target *url.URL
	kept   *http.Transport // connections are used again
	fresh  *http.Transport // a connection for each request: none can turn out to be stale
}

// via is the forwarder of a Receiver, made when it is first needed.
type via struct {
	once sync.Once
	*forwarder
	err error
}

// newForwarder makes a forwarder. The error says what is wrong with the URL.
func newForwarder(f *Forward) (*forwarder, error) {
	u, err := url.Parse(f.URL)
	if err != nil {
		return nil, fmt.Errorf("forward to: %w", err)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, errors.New("forward to: not an http or https URL")
	}
	return &forwarder{target: u, kept: f.transport(mostAtOnce), fresh: f.transport(-1)}, nil
}

// appIdleTime is how long a connection to the application is kept without a
// request: less than servers keep theirs, so that few turn out to be stale.
const appIdleTime = 3 * time.Second

// transport keeps so many connections to the application.
func (f *Forward) transport(idle int) *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		DialContext:            dialApp,
		DialTLSContext:         dialAppTLS(f.TLS),
		Protocols:              protocols,
		DisableCompression:     true,
		MaxIdleConnsPerHost:    idle,
		IdleConnTimeout:        appIdleTime,
		MaxResponseHeaderBytes: 1 << 20,
	}
}

// A passage is one request on its way through the application.
type passage struct {
	ctx       context.Context
	cancel    context.CancelCauseFunc
	timer     *time.Timer
	connected atomic.Bool  // the connection stands, TLS included
	open      atomic.Int32 // bodies that are being sent

	mu     sync.Mutex
	tried  []string       // addresses that were dialled
	app    *send.HeadConn // nil: none yet
	reused bool           // app had requests before
}

// progress gives the application its time anew.
func (p *passage) progress() { p.timer.Reset(forwardTime) }

// stoodStill reports whether the application's time is over.
func (p *passage) stoodStill() bool { return errors.Is(context.Cause(p.ctx), errNoProgress) }

// forward lets the application answer.
func (x *exchange) forward() {
	via := &x.r.via
	via.once.Do(func() { via.forwarder, via.err = newForwarder(x.r.Forward) })
	if via.err != nil {
		x.noAnswer(&send.Failure{Kind: profiles.Protocol, Message: via.err.Error()})
		return
	}
	if x.req.Method == http.MethodConnect {
		x.noAnswer(&send.Failure{Kind: profiles.Protocol, Message: "a CONNECT cannot be passed on"})
		return
	}
	p := &passage{}
	p.ctx, p.cancel = context.WithCancelCause(x.req.Context())
	defer p.cancel(nil)
	p.timer = time.AfterFunc(forwardTime, func() { p.cancel(errNoProgress) })
	defer p.timer.Stop()
	answer, err := via.kept.RoundTrip(via.request(x, p))
	if err != nil && p.stale() {
		answer, err = via.fresh.RoundTrip(via.request(x, p))
	}
	defer func() {
		if p.open.Load() > 0 { // the application answered before it had all
			x.room.pooled = false
		}
	}()
	if err != nil {
		x.failed(p, err)
		return
	}
	defer func() { _ = answer.Body.Close() }()
	if s := answer.StatusCode; s < 200 || s > 999 {
		x.noAnswer(&send.Failure{Kind: profiles.Protocol, Message: fmt.Sprintf("an answer %d cannot be passed on", s)})
		return
	}
	x.pass(p, answer)
}

// request is the request for the application.
func (f *forwarder) request(x *exchange, p *passage) *http.Request {
	trace := &httptrace.ClientTrace{
		GotConn: func(got httptrace.GotConnInfo) {
			p.use(got)
			p.connected.Store(true)
			p.progress()
		},
		WroteRequest: func(httptrace.WroteRequestInfo) { p.progress() },
	}
	out := &http.Request{
		Method: x.req.Method,
		URL:    f.url(x.req.RequestURI),
		Proto:  "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: forwardHeader(x.request.Header, f.target.User),
		Host:   f.target.Host,
		Body:   http.NoBody,
	}
	if n := len(x.request.Body); n > 0 {
		out.ContentLength = int64(n)
		p.open.Add(1)
		out.Body = &progressReader{r: bytes.NewReader(x.request.Body), p: p}
	}
	ctx := context.WithValue(p.ctx, passageKey{}, p)
	return out.WithContext(httptrace.WithClientTrace(ctx, trace))
}

// progressReader is a body that counts as progress when it is read.
type progressReader struct {
	r    *bytes.Reader
	p    *passage
	once sync.Once
}

func (r *progressReader) Close() error {
	r.once.Do(func() { r.p.open.Add(-1) })
	return nil
}

func (r *progressReader) Read(b []byte) (int, error) {
	r.p.progress()
	return r.r.Read(b)
}

// url is where a request with the given target goes. Its raw path and query
// are kept byte for byte.
func (f *forwarder) url(target string) *url.URL {
	path, query, asked := strings.Cut(target, "?")
	if _, rest, ok := strings.Cut(path, "://"); ok && !strings.HasPrefix(path, "/") { // the absolute form
		_, path, ok = strings.Cut(rest, "/")
		if path = "/" + path; !ok {
			path = "/"
		}
	}
	u := &url.URL{Scheme: f.target.Scheme, Host: f.target.Host, RawQuery: query, ForceQuery: asked}
	if own := f.target.EscapedPath(); own != "" && own != "/" {
		path = own
	}
	if q := f.target.RawQuery; q != "" {
		u.RawQuery = strings.TrimSuffix(q+"&"+query, "&")
	}
	if strings.HasPrefix(path, "//") { // as Opaque it would be an authority
		u.RawPath = path
		if plain, err := url.PathUnescape(path); err == nil {
			u.Path = plain
		}
		return u
	}
	u.Opaque = path
	return u
}

// close closes the connections to the application that are not in use.
func (v *via) close() {
	if v.forwarder != nil {
		v.kept.CloseIdleConnections()
	}
}
