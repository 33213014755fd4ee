package render

import (
	"errors"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// notes draws what was noticed about a request, under its row.
func (l *Listen) notes(p *printer, r listen.Request) {
	l.seen(p, r)
	if o := r.OlderThan; o != nil {
		own, newer := updates(o.Updated, o.Newer, r.At.Location())
		l.note(p, warn, "older than #"+strconv.Itoa(o.Number), ": updated "+own+", not "+newer)
	}
	for _, text := range r.Warnings {
		l.note(p, warn, "warning", ": "+Escape(text))
	}
	l.refusal(p, r)
	l.deduped(p, r)
	l.failure(p, r)
}

// note draws one note; its first words have a role.
func (l *Listen) note(p *printer, as role, words, rest string) {
	lines := wrapAt(words+rest, "  ", l.style.width()-listenNote)
	lines = strings.ReplaceAll(lines, "\n", "\n"+blanks(listenNote))
	if after, ok := strings.CutPrefix(lines, words); ok {
		lines = l.style.paint(as, words) + after
	}
	p.line(blanks(listenNote) + lines)
}

// seen says what the event id says.
func (l *Listen) seen(p *printer, r listen.Request) {
	if r.Before == nil {
		return
	}
	before := "#" + strconv.Itoa(r.Before.Number)
	switch r.Seen {
	case listen.Retry:
		words := "another attempt"
		if r.Attempt > 0 {
			words = "attempt " + strconv.Itoa(r.Attempt)
		}
		l.note(p, warn, words, " of "+Escape(r.Event.ID)+": "+before+wasAnswered(r.Before.Status))
	case listen.Duplicate:
		l.note(p, warn, "duplicate", " of "+before+": same id, same body")
	case listen.Conflict:
		at := ""
		if r.DiffersAt > 0 {
			at = " at byte " + Number(r.DiffersAt)
		}
		l.note(p, strongBad, "same id, other body", ": differs from #"+strconv.Itoa(r.Of)+at+"; no provider does this")
	}
}

func wasAnswered(status int) string {
	switch {
	case status == 0:
		return " was not answered"
	case status >= 200 && status <= 299:
		return " was answered " + strconv.Itoa(status) + "; that answer was lost"
	}
	return " was answered " + strconv.Itoa(status)
}

// refusal says why a request was refused, and under the reason what explains it,
// in the same gutter; with Verbose all of that.
func (l *Listen) refusal(p *printer, r listen.Request) {
	reason := sign.Reason("")
	switch {
	case r.Result != nil && !r.Result.Verified:
		reason = r.Result.Reason
	case r.Result == nil && r.Profile == nil && l.verify && r.Answer.By == listen.ByReject:
		reason = sign.UnknownProfile
	}
	if reason != "" {
		p.line(l.style.gutter(listenNote, plain, "reason", Escape(string(reason))))
	}
	if reason == sign.UnknownProfile {
		l.unknown(p, r)
	}
	if r.Explanation == nil {
		return
	}
	lines := l.style.explanation(listenNote, r.Explanation)
	if l.style.Verbose {
		lines = l.style.explained(listenNote, r.Explanation, bySender, 0)
	}
	for _, line := range lines {
		p.line(line)
	}
}

// deduped says that a request went no further, for its id is known.
func (l *Listen) deduped(p *printer, r listen.Request) {
	switch {
	case r.Answer.By != listen.ByDedupe:
	case r.Answer.Status == http.StatusOK:
		l.note(p, dim, "known id", ": answered 200 at once, not passed on")
	case r.Answer.Status == 0:
		l.note(p, bad, "the sender left", " while another request with this id was answered")
	default:
		l.note(p, bad, "not passed on", ": another request with this id is not answered yet; answered "+strconv.Itoa(r.Answer.Status))
	}
}

// failure says why an application did not answer, or why a request was not
// taken.
func (l *Listen) failure(p *printer, r listen.Request) {
	answered := "; answered " + strconv.Itoa(r.Answer.Status)
	if r.Answer.Status == 0 {
		answered = "; not answered"
	}
	switch {
	case r.Unrecorded != nil:
		l.note(p, bad, "not recorded", ": "+unrecorded(r.Unrecorded)+answered)
	case r.Answer.By == listen.ByDedupe: // said
	case r.Failure != nil && r.Answer.By == listen.ByForward:
		l.note(p, bad, "forward failed", ": "+failureText(r.Failure)+answered)
	case r.Failure != nil && r.Failure.Kind == profiles.Closed:
		l.note(p, bad, "the body ended early", answered)
	case r.Failure != nil && r.Failure.Kind == profiles.ReadTimeout:
		l.note(p, bad, "the body did not come in time", answered)
	case r.Failure != nil:
		l.note(p, bad, "not read", ": "+failureText(r.Failure)+answered)
	case r.Answer.By == listen.ByLimit && r.Answer.Status == http.StatusRequestEntityTooLarge:
		l.note(p, bad, "the body is too large", answered)
	case r.Answer.By == listen.ByLimit && r.Answer.Status == http.StatusRequestHeaderFieldsTooLarge:
		l.note(p, bad, "the head is too large", answered)
	case r.Answer.By == listen.ByLimit && r.Answer.Status == http.StatusServiceUnavailable:
		l.note(p, bad, "too much at once", answered)
	case r.Answer.By == listen.ByLimit:
		l.note(p, bad, "not taken", answered)
	}
}

// unrecorded is why a request could not be recorded, without the file's name.
func unrecorded(err error) string {
	var e *fs.PathError
	if errors.As(err, &e) {
		err = e.Err
	}
	return Escape(err.Error())
}

// updates writes two times of an object: the time of day alone where that tells
// them apart, in the zone of the rows; what is no RFC 3339 time as it is.
func updates(own, newer string, zone *time.Location) (string, string) {
	a, errA := time.Parse(time.RFC3339Nano, own)
	b, errB := time.Parse(time.RFC3339Nano, newer)
	if errA != nil || errB != nil {
		return Escape(own), Escape(newer)
	}
	a, b = a.In(zone), b.In(zone)
	for _, layout := range []string{time.TimeOnly, "15:04:05.000", time.RFC3339Nano} {
		x, y := a.Format(layout), b.Format(layout)
		sameDay := a.Format(time.DateOnly) == b.Format(time.DateOnly)
		if x != y && (sameDay || layout == time.RFC3339Nano) {
			return x, y
		}
	}
	return Escape(own), Escape(newer)
}
