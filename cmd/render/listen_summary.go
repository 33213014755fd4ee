package render

import (
	"cmp"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// A Tally counts requests for a summary. Its zero value is ready for use; its
// size does not grow with the number of requests. It is not safe for concurrent
// use.
type Tally struct {
	Verify  bool          // signatures are judged
	Elapsed time.Duration // from the ready line to the end
	Garbage int           // connections that spoke no HTTP that can be read

	// Connections that ended before they spoke TLS.
	PlainHTTP int // answered 400
	Distrust  int // the sender does not trust the certificate
	NoTLS     int // others

	requests   int
	verified   int
	unknown    int
	refused    map[string]int // by kind of explanation, else by reason
	dropped    int            // explanations
	answers    map[int]int    // by status; 0: not answered
	ids        int
	retries    int
	duplicates int
	conflicts  int
	older      int
	known      int // answered for a known id
	unrecorded int
	slowest    time.Duration
	slowestOf  *profiles.Profile
}

// Add counts one request.
func (t *Tally) Add(r *listen.Request) {
	if t.answers == nil {
		t.answers, t.refused = map[int]int{}, map[string]int{}
	}
	t.requests++
	if r.Unexplained {
		t.dropped++
	}
	if r.Unrecorded != nil {
		t.unrecorded++
	}
	t.answers[r.Answer.Status]++
	if r.Answer.Status != 0 && r.Took >= t.slowest {
		t.slowest, t.slowestOf = r.Took, r.Profile
	}
	switch {
	case t.Verify && r.Profile == nil && refusedFor(r) == string(sign.UnknownProfile):
		t.unknown++
		return
	case t.Verify && (r.Result == nil || !r.Result.Verified):
		t.refused[refusedFor(r)]++
		return
	case r.Profile == nil:
		t.unknown++
		return
	}
	t.verified++
	t.addEvent(r)
}

// addEvent counts what the event id says.
func (t *Tally) addEvent(r *listen.Request) {
	switch r.Seen {
	case listen.New:
		if r.Event.ID != "" {
			t.ids++
		}
	case listen.Retry:
		t.retries++
	case listen.Duplicate:
		t.duplicates++
	case listen.Conflict:
		t.conflicts++
	}
	if r.OlderThan != nil {
		t.older++
	}
	if r.Answer == (listen.Answer{Status: http.StatusOK, By: listen.ByDedupe}) {
		t.known++
	}
}

// refusedFor is the reason of a refusal, in a word or a few: what explains it
// where that is known.
func refusedFor(r *listen.Request) string {
	switch {
	case r.Explanation != nil:
		return string(r.Explanation.Kind)
	case r.Result != nil && r.Result.Reason != "":
		return string(r.Result.Reason)
	case r.Answer.By == listen.ByLimit && r.Answer.Status == http.StatusRequestEntityTooLarge:
		return "body too large"
	case r.Answer.By == listen.ByLimit && (r.Answer.Status == http.StatusRequestTimeout || r.Answer.Status == 0):
		return "body not whole"
	case r.Answer.By == listen.ByLimit && r.Answer.Status == http.StatusRequestHeaderFieldsTooLarge:
		return "head too large"
	case r.Answer.By == listen.ByLimit:
		return "too much at once"
	case r.Profile == nil:
		return string(sign.UnknownProfile)
	}
	return "not read"
}

// Summary draws what a Tally counted.
func Summary(w io.Writer, s Style, t Tally) error {
	p := printer{w: w}
	p.line(count(t.requests, "request") + " in " + Duration(t.Elapsed))
	type entry struct {
		as    role
		label string
		n     int
		text  string
	}
	var entries []entry
	switch {
	case t.requests == 0:
	case t.Verify:
		entries = append(entries, entry{good, "verified", t.verified, t.events()})
	case t.verified > 0:
		entries = append(entries, entry{plain, "received", t.verified, t.events()})
	}
	refused := 0
	for _, n := range t.refused {
		refused += n
	}
	if refused > 0 {
		entries = append(entries, entry{bad, "refused", refused, reasons(t.refused)})
	}
	if t.dropped > 0 {
		entries = append(entries, entry{warn, "dropped", t.dropped, "of the explanations; at most 4 are made at once"})
	}
	if t.unknown > 0 {
		entries = append(entries, entry{warn, "unknown", t.unknown, "no profile fits, or several do"})
	}
	if t.requests > 0 {
		entries = append(entries, entry{plain, "answered", t.requests - t.answers[0], t.answered()})
	}
	if t.unrecorded > 0 {
		entries = append(entries, entry{bad, "not kept", t.unrecorded, "in the record; answered 503"})
	}
	if t.Garbage > 0 {
		entries = append(entries, entry{warn, "garbage", t.Garbage, "no HTTP that can be read; answered 400, 417 or 501"})
	}
	if t.PlainHTTP > 0 {
		entries = append(entries, entry{warn, "plain", t.PlainHTTP, "http on the https port, answered 400; the URL begins with https://"})
	}
	if t.Distrust > 0 {
		entries = append(entries, entry{warn, "distrust", t.Distrust, "ended in the TLS handshake: the sender does not trust the certificate"})
	}
	if t.NoTLS > 0 {
		entries = append(entries, entry{warn, "no TLS", t.NoTLS, "ended in the TLS handshake"})
	}
	width := 3
	for _, e := range entries {
		width = max(width, len(Number(e.n)))
	}
	for _, e := range entries {
		var r row
		r.gap(2)
		r.left(e.as, e.label, verdictColumn)
		r.gap(2)
		r.right(plain, Number(e.n), width)
		lead := s.whole(r)
		switch {
		case e.text == "":
		case s.Terminal:
			lead = s.hang(lead+"  ", e.text)
		default:
			lead += "  " + e.text
		}
		p.line(lead)
	}
	return p.err
}

// events says what the ids said: "3 ids; 1 retry, 1 duplicate".
func (t *Tally) events() string {
	var parts []string
	add := func(n int, one, more string) {
		switch {
		case n == 1:
			parts = append(parts, "1 "+one)
		case n > 1:
			parts = append(parts, Number(n)+" "+more)
		}
	}
	add(t.retries, "retry", "retries")
	add(t.duplicates, "duplicate", "duplicates")
	add(t.conflicts, "same id with another body", "same ids with other bodies")
	add(t.older, "older state", "older states")
	add(t.known, "known id not passed on", "known ids not passed on")
	text := strings.Join(parts, ", ")
	switch {
	case t.ids == 0:
		return text
	case text == "":
		return count(t.ids, "id")
	}
	return count(t.ids, "id") + "; " + text
}

// reasons lists why requests were refused, the most frequent first; one reason
// alone needs no number.
func reasons(of map[string]int) string {
	names := slices.SortedFunc(maps.Keys(of), func(a, b string) int {
		return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a, b))
	})
	if len(names) == 1 {
		return Escape(names[0])
	}
	for i, name := range names {
		names[i] = Escape(name) + ": " + Number(of[name])
	}
	return strings.Join(names, ", ")
}

// answered lists the answers by status, and the slowest beside what the
// provider of that request waits.
func (t *Tally) answered() string {
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(t.answers)) {
		if status != 0 {
			parts = append(parts, strconv.Itoa(status)+": "+Number(t.answers[status]))
		}
	}
	text := strings.Join(parts, ", ")
	if len(parts) > 0 {
		text += "; the slowest in " + Duration(t.slowest)
		if p := t.slowestOf; p != nil {
			text += ", " + Escape(p.Title) + " waits " + Duration(p.Delivery.Limits.ForAnswer())
		}
	}
	if n := t.answers[0]; n > 0 {
		text = strings.TrimPrefix(text+"; "+Number(n)+" not answered", "; ")
	}
	return text
}
