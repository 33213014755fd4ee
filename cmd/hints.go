package cmd

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// shapeNote says what a profile's exact: false means.
const shapeNote = "only the shape of the schedule is published"

// assumptions counts the verdicts that rest on an assumption.
type assumptions struct {
	n    int
	what []string
}

// add looks at the verdict of one attempt.
func (s *assumptions) add(a send.Attempt) {
	r := a.Verdict.Rule
	if r == nil || r.Assumed == "" {
		return
	}
	s.n++
	if !slices.Contains(s.what, r.Assumed) {
		s.what = append(s.what, r.Assumed)
	}
}

// text is the note on them; "" if there are none.
func (s *assumptions) text() string {
	if s.n == 0 {
		return ""
	}
	verdicts := "1 verdict is assumed"
	if s.n > 1 {
		verdicts = render.Number(s.n) + " verdicts are assumed"
	}
	return verdicts + ": the documentation does not say " + strings.Join(s.what, ", nor ")
}

// assumedNote is the note on the assumed verdicts of a delivery; "" if there are
// none.
func assumedNote(attempts []send.Attempt) string {
	var s assumptions
	for _, a := range attempts {
		s.add(a)
	}
	return s.text()
}

// rotationHint is what to do where one of two secrets is refused.
func rotationHint(accepted, refused int) hint {
	return hint{text: fmt.Sprintf("the endpoint accepts secret %d and refuses secret %d: until the rotation is over it must accept both", accepted, refused)}
}

// endHint is the one hint about how a delivery ended. A rule's own hint comes
// first if the rule names that very status or failure, last if it names a class.
func (d *delivery) endHint(last send.Attempt) hint {
	o := last.Outcome()
	redirect := o.Status >= 300 && o.Status < 400
	if d.ending.State != send.StateFailed && !redirect {
		return hint{}
	}
	own := hint{}
	if r := last.Verdict.Rule; r != nil {
		own.text = r.Hint
	}
	if own.text != "" && last.Verdict.Item == o.String() {
		return own
	}
	if h := d.knownHint(last, o); h.text != "" {
		return h
	}
	return own
}

// knownHint is what an outcome most often means.
func (d *delivery) knownHint(last send.Attempt, o profiles.Outcome) hint {
	switch {
	case o.Status >= 300 && o.Status < 400:
		return d.redirectHint(last)
	case d.told:
		return hint{} // nothing is left to guess
	case o.Status == 401 && len(d.attempts) > 1 && d.every(o):
		return d.checkHint("401 every time: most often the signature check hashes parsed JSON in place of the raw body")
	case o.Status == 401, o.Status == 403, o.Status == 419:
		return d.checkHint("something in front of the handler, or its signature check")
	case o.Status == 404, o.Status == 405:
		path := (&url.URL{Path: d.url.Path, RawPath: d.url.RawPath}).EscapedPath()
		return hint{text: "no route for POST " + path + "; compare the path with your router's, and its final slash"}
	case o.Status == 413:
		return hint{text: "the body has " + render.Number(len(d.message.Body)) + " bytes; raise the limit of the endpoint or of what stands before it"}
	case o.Status == 429 && d.honours(429):
		if _, ok := last.Response.Get("Retry-After"); !ok {
			return hint{text: "send Retry-After with a 429, else the provider keeps to its own schedule"}
		}
	case o.Failure == profiles.Refused:
		return d.refusedHint()
	case o.Failure == profiles.ReadTimeout:
		return hint{text: "answer first, work later: " + d.profile.Title + " gives up on an answer after " + render.Duration(d.limit(last))}
	case o.Failure == profiles.TLS && last.Failure.TLS == send.NotTLS:
		plain := *d.url
		plain.Scheme = "http"
		return hint{"it speaks http, not https:", d.line.to(plain.String()).String()}
	case o.Failure == profiles.TLS && last.Failure.TLS == send.UnknownAuthority:
		return hint{"trust its authority:", d.line.with("--cacert", "FILE").String()}
	case o.Failure == profiles.TLS && last.Failure.TLS == send.BadCertificate:
		return hint{"to go on with this certificate:", d.line.with("-k", "").String()}
	}
	return hint{}
}

// every reports whether all attempts ended in the same way.
func (d *delivery) every(o profiles.Outcome) bool {
	return !slices.ContainsFunc(d.attempts, func(a send.Attempt) bool { return a.Outcome() != o })
}

// refused reports whether every attempt was answered as a wrong signature is.
func (d *delivery) refused() bool {
	for _, a := range d.attempts {
		if a.Response == nil || a.Response.Status != 401 && a.Response.Status != 403 && a.Response.Status != 400 {
			return false
		}
	}
	return len(d.attempts) > 0
}

// honours reports whether the profile obeys Retry-After on a status.
func (d *delivery) honours(status int) bool {
	r := d.profile.Retry.RetryAfter
	return r != nil && slices.Contains(r.On, status)
}

// checkHint is a hint that ends with the checks that tell whose fault it is.
func (d *delivery) checkHint(text string) hint {
	if d.inner != nil {
		return hint{text: text}
	}
	line := d.line.only(programName+" check", "-p", "--secret-env", "--secret-file", "-k", "--cacert")
	if !line.has("-p") { // a record names it
		line.flags = slices.Insert(line.flags, 0, flagWords{"-p", d.profile.Name})
	}
	return hint{text + "; try:", line.with("--only", "raw-bytes,wall").to(d.url.String()).String()}
}

// redirectHint names where a redirect points.
func (d *delivery) redirectHint(last send.Attempt) hint {
	location, ok := last.Response.Get("Location")
	if !ok || location == "" || d.inner != nil {
		return hint{}
	}
	to, err := d.url.Parse(location)
	if err != nil || to.Host == "" || (to.Scheme != "http" && to.Scheme != "https") {
		return hint{}
	}
	return hint{"send to where it points:", render.Escape(d.line.to(to.String()).String())}
}

// refusedHint says what to start, or how a container reaches its host.
func (d *delivery) refusedHint() hint {
	at := hostPort(d.url)
	if !loopbackHost(d.url.Hostname()) {
		return hint{text: "nothing listens on " + at}
	}
	if d.app.contained() && !developmentTarget(d.url) { // the port of listen is in here
		host := *d.url
		host.Host = "host.docker.internal"
		if p := d.url.Port(); p != "" {
			host.Host += ":" + p
		}
		return hint{"nothing listens on " + at + " in this container; from inside, the host is host.docker.internal:", d.line.to(host.String()).String()}
	}
	line := programName + " listen --verify"
	if port := at[strings.LastIndex(at, ":")+1:]; port != listenPort {
		if _, err := strconv.Atoi(port); err == nil {
			line += " --addr localhost:" + port
		}
	}
	return hint{"nothing listens on " + at + "; start a receiver there:", line}
}

// firstSteps adds to the error of a bare send what to try: it is what a new user
// types first.
func firstSteps(err error) error {
	var f *fault
	if !errors.As(err, &f) {
		return err
	}
	f.source = strings.Split(strings.TrimSpace(text("first-send")), "\n")
	return f.with("what each provider does:", programName+" profiles list")
}
