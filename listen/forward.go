package listen

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

const (
	// forwardTime is how long an application may make no progress.
	forwardTime = 30 * time.Second

	// appIdleTime is how long a connection to the application is kept without a
	// request: less than servers keep theirs, so that few end as one is sent.
	appIdleTime = 3 * time.Second
)

// Forward passes requests on to an application: method, query, headers and the
// body's bytes, once. Its answer goes back unchanged, as it comes. Nothing is
// added, no redirect is followed, no proxy is used. An application that gives no
// answer, or makes no progress for 30 s, is a 502 with a Failure.
type Forward struct {
	URL string      // a path other than / is used for every request; else the request's own
	All bool        // pass refused requests on as well
	TLS *tls.Config // nil: the system's authorities
}

// errNoProgress ends a dial that stands still.
var errNoProgress = errors.New("no progress for 30 s")

// A forwarder is a Forward ready for use.
type forwarder struct {
	target  *url.URL
	host    string // the value of Host
	basic   string // the value of Authorization, or ""
	address string // to dial
	tls     *tls.Config
	dial    func(ctx context.Context, address string, tried func(address string)) (net.Conn, error)
	kept    send.Links
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
	port, ok := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	switch {
	case !ok || u.Hostname() == "":
		return nil, errors.New("forward to: not an http or https URL")
	case strings.IndexFunc(u.Hostname(), func(r rune) bool { return r <= ' ' || r >= 0x7f }) >= 0:
		return nil, errors.New("forward to: a host that is not ASCII; write it as xn--")
	case u.Port() != "":
		port = u.Port()
	}
	via := &forwarder{target: u, host: send.HostOf(u), basic: send.BasicOf(u), address: net.JoinHostPort(u.Hostname(), port), tls: f.TLS, dial: send.Dial}
	via.kept.Most, via.kept.For = mostAtOnce, appIdleTime
	return via, nil
}

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
	app, answer, failure := via.exchange(x.req.Context(), via.request(&x.request), x.request.Body) //nolint:bodyclose // it ends with the link
	switch {
	case failure != nil:
		x.failed(failure)
	case answer.StatusCode < 200 || answer.StatusCode > 999:
		app.Close()
		x.noAnswer(&send.Failure{Kind: profiles.Protocol, Message: fmt.Sprintf("an answer %d cannot be passed on", answer.StatusCode)})
	case x.pass(app, answer):
		via.kept.Keep(app)
	default:
		app.Close()
	}
}

// exchange sends a request and waits for the header of its answer: over a
// connection that was kept, if there is one that the application has not ended,
// else over a new one. It is sent once. Where a kept connection ends instead of an
// answer, nothing tells whether the application had closed it or has the request
// and failed over it: the sender decides whether to send that again.
func (f *forwarder) exchange(ctx context.Context, r *send.Request, body []byte) (*send.Link, *http.Response, *send.Failure) {
	app := f.kept.Take()
	if app == nil {
		var failure *send.Failure
		if app, failure = f.connect(ctx); failure != nil {
			return nil, nil, failure
		}
	}
	answer, err := app.Send(ctx, r, body)
	if err != nil {
		return nil, nil, unanswered(app, err)
	}
	return app, answer, nil
}

// unanswered says why a request over app has no answer, and closes app.
func unanswered(app *send.Link, err error) *send.Failure {
	late := app.StoodStill()
	f := app.NoAnswer(err)
	if late {
		f.Kind, f.Message = profiles.ReadTimeout, "connected, but no answer within 30 s"
	}
	return f
}

// connect makes a connection to the application.
func (f *forwarder) connect(parent context.Context) (*send.Link, *send.Failure) {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	timer := time.AfterFunc(forwardTime, func() { cancel(errNoProgress) })
	defer timer.Stop()
	var tried []string
	conn, err := f.dial(ctx, f.address, func(address string) { tried = append(tried, address) })
	if err == nil && f.target.Scheme == "https" {
		conn, err = send.Handshake(ctx, conn, f.tls, f.target.Hostname())
	}
	switch {
	case err == nil:
		return send.NewLink(conn, tried, forwardTime), nil
	case errors.Is(context.Cause(ctx), errNoProgress):
		return nil, &send.Failure{Kind: profiles.ConnectTimeout, Message: "no connection within 30 s", Tried: tried}
	}
	return nil, send.Describe(err, tried)
}

// path is what is asked for where a request has the given target, whose raw path
// and query are kept byte for byte.
func (f *forwarder) path(target string) string {
	path, query, asked := strings.Cut(target, "?")
	if _, rest, ok := strings.Cut(path, "://"); ok && !strings.HasPrefix(path, "/") { // the absolute form
		_, path, _ = strings.Cut(rest, "/")
		path = "/" + path
	}
	if own := f.target.EscapedPath(); own != "" && own != "/" {
		path = own
	}
	if q := f.target.RawQuery; q != "" {
		query, asked = strings.TrimSuffix(q+"&"+query, "&"), true
	}
	if asked {
		path += "?" + query
	}
	return path
}

// close closes the connections to the application that are not in use.
func (v *via) close() {
	if v.forwarder != nil {
		v.kept.Close()
	}
}
