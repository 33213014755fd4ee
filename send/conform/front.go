package conform

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/hookctl/hookctl/sign"
)

// redirect sends to the exact URL, and to the one with the other end.
func redirect(ctx context.Context, r *run, t *tried) {
	t.Asked = "the event to the exact URL, and to the one with the final slash toggled"
	exact := t.send(ctx, "to the exact URL", r.genuine(r.event()))
	other := r.genuine(r.event())
	other.target = toggled(r.url)
	if !exact.redirected() {
		if a := t.send(ctx, "to "+other.target, other); a.redirected() || a.accepted() {
			t.note("%s answers %s", other.target, a)
		}
		if exact.cut || exact.accepted() {
			return
		}
		t.inconclusive("the event was not accepted: "+exact.String(), "see the other checks")
		return
	}
	r.redirected(t, exact)
}

// redirected fails the check for an answer that points elsewhere.
func (r *run) redirected(t *tried, a answer) {
	t.Came = a.String()
	to, _ := a.response.Get("Location")
	fix := "give senders the final URL; 307 and 308 are not followed by most senders"
	if s := a.status(); s >= 301 && s <= 303 {
		fix = "give senders the final URL; 301, 302 and 303 turn a POST into a GET without a body, where they are followed at all"
	}
	if to != "" {
		fix += ": it points to " + clip(to, 200)
	}
	t.fail("the URL answers with a redirect", fix)
}

// toggled is the request target with a final slash, or without.
func toggled(u *url.URL) string {
	path := u.EscapedPath()
	switch {
	case path == "/" || path == "":
		path = "//"
	case strings.HasSuffix(path, "/"):
		path = strings.TrimSuffix(path, "/")
	default:
		path += "/"
	}
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return path
}

// wall asks whether the verifier is reached at all.
func wall(ctx context.Context, r *run, t *tried) {
	t.Asked = "the event, the same with a wrong signature, and a GET"
	good := t.send(ctx, "the event, rightly signed", r.genuine(r.event()))
	wrong := t.send(ctx, "with a wrong signature", r.signed(r.event(), now(), r.wrong))
	get := t.send(ctx, "a GET", request{method: http.MethodGet, header: r.plainHeader()})
	if good.accepted() || good.cut {
		return
	}
	t.Came = inWords([]said{{"the event", good}, {"the wrong signature", wrong}, {"the GET", get}})
	what := wallOf(good)
	if what == "" || good.String() != wrong.String() {
		return // something else explains it, or explain says that nothing does
	}
	t.fail("the verifier is never reached: "+what, "let this path through without a login, CSRF token or protection page: the signature is its protection")
}

// plainHeader are the lines of a request that is no event.
func (r *run) plainHeader() []sign.Header {
	q := r.genuine(r.event())
	for _, h := range r.p.Headers {
		q = q.withHeader(h.Name)
	}
	return q.header
}

// wallOf is what stands before the verifier, by its answer to a genuine event;
// "" if that is not a sign of a wall.
func wallOf(a answer) string {
	if a.response == nil {
		return ""
	}
	body := bytes.ToLower(a.response.Body)
	realm, login := a.response.Get("WWW-Authenticate")
	to, _ := a.response.Get("Location")
	csrf := a.status() == 419 || bytes.Contains(body, []byte("csrf")) || bytes.Contains(body, []byte("xsrf")) || bytes.Contains(body, []byte("authenticity token"))
	switch {
	case a.redirected():
		return "it redirects to " + clip(to, 200)
	case csrf && a.status() >= 400:
		return "a CSRF protection answers " + a.String()
	case login:
		return "a login answers " + a.String() + " with WWW-Authenticate: " + clip(realm, 100)
	case a.html() && a.status() < 300:
		return "a page of HTML is answered to everything"
	case a.html() && (a.status() == 401 || a.status() == 403 || a.status() == 422):
		return "a page for people is answered: " + a.String()
	case a.status() == http.StatusProxyAuthRequired:
		return "a proxy wants a login"
	}
	return ""
}

// elsewhere reports whether a redirect leads to another place than the same
// path under another spelling: a login, not a slash, www or https.
func (r *run) elsewhere(a answer) bool {
	to, ok := a.response.Get("Location")
	u, err := r.url.Parse(to)
	if !ok || err != nil {
		return false
	}
	trim := func(p string) string { return strings.TrimRight(strings.ToLower(p), "/") }
	if trim(u.Path) == trim(r.url.Path) {
		return false
	}
	lower := strings.ToLower(u.Path + "?" + u.RawQuery + u.Host)
	for _, word := range []string{"login", "log-in", "signin", "sign-in", "sign_in", "auth", "sso", "session", "account", "saml", "oauth"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	s := a.status()
	return s == http.StatusFound || s == http.StatusSeeOther
}
