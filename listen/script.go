package listen

import (
	"net/http"
	"strconv"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// notHTTP is the answer of the outcome protocol.
const notHTTP = "this is not HTTP\r\n\r\n"

// play answers as a step of the script says.
func (x *exchange) play(step send.Step) {
	if step.Outcome.Failure == profiles.ReadTimeout || !x.delay(step.Delay) {
		x.silent()
		return
	}
	none := Answer{By: ByScript}
	switch step.Outcome.Failure {
	case "":
		x.answer(step)
	case profiles.Reset:
		if x.decide(none, profiles.Reset) {
			x.cut(true, "")
		}
	case profiles.Protocol:
		if x.decide(none, profiles.Protocol) {
			x.cut(false, notHTTP)
		}
	default: // closed, and what no receiver can play
		if x.decide(none, profiles.Closed) {
			x.cut(false, "")
		}
	}
}

// delay waits before an answer. It reports false if the sender did not wait so
// long.
func (x *exchange) delay(d time.Duration) bool {
	if d <= 0 {
		return true
	}
	if x.r.Shortcuts != nil {
		return !x.r.Shortcuts.Delay(x.req.RemoteAddr, d)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-x.req.Context().Done():
		return false
	}
}

// silent gives no answer: it waits until the sender leaves, or the server
// stops.
func (x *exchange) silent() {
	if !x.decide(Answer{By: ByScript}, profiles.ReadTimeout) {
		return
	}
	if x.r.Shortcuts == nil || !x.r.Shortcuts.Timeout(x.req.RemoteAddr) {
		select {
		case <-x.req.Context().Done():
		case <-x.conn.stopping():
		}
	}
	x.cut(false, "")
}

// answer gives the step's status, headers and body.
func (x *exchange) answer(step send.Step) {
	if !x.decide(Answer{Status: step.Outcome.Status, By: ByScript}, "") {
		return
	}
	h := x.w.Header()
	h["Content-Length"] = []string{strconv.Itoa(len(step.Body))}
	h["Content-Type"] = nil // nothing is guessed
	for _, l := range step.Headers(x.r.now()) {
		name := spelled(l.Name)
		h[name] = append(h[name], l.Value)
	}
	x.w.WriteHeader(step.Outcome.Status)
	if len(step.Body) > 0 {
		x.request.SentBody = step.Body[:min(len(step.Body), shownBody)]
		_ = x.control().SetWriteDeadline(time.Now().Add(forwardTime))
		last := len(step.Body) - 1
		_, _ = x.w.Write(step.Body[:last]) // the client may have left; a 204 has no body
		x.whole()
		_, _ = x.w.Write(step.Body[last:])
	}
}

// spelled is the name under which net/http is told of a header: as given, but
// for those that it must know about.
func spelled(name string) string {
	switch c := http.CanonicalHeaderKey(name); c {
	case "Connection", "Content-Length", "Date", "Trailer", "Transfer-Encoding":
		return c
	}
	return name
}
