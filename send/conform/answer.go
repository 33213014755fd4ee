package conform

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// refuseTime is how long a refusal may take: it needs no work.
const refuseTime = 5 * time.Second

// status is the answer's status; 0: there was none.
func (a answer) status() int {
	if a.response == nil {
		return 0
	}
	return a.response.Status
}

// accepted reports whether the event was taken: 2xx, and no page for people.
func (a answer) accepted() bool {
	return a.status() >= 200 && a.status() < 300 && !a.html()
}

// refusedWell reports whether the answer is a refusal by every profile's rules.
func (a answer) refusedWell() bool {
	switch a.status() {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden:
		return true
	}
	return false
}

// redirected reports whether the answer is a 3xx.
func (a answer) redirected() bool { return a.status() >= 300 && a.status() < 400 }

// timedOut reports whether the limit passed.
func (a answer) timedOut() bool {
	return a.failure != nil && (a.failure.Kind == profiles.ReadTimeout || a.failure.Kind == profiles.ConnectTimeout)
}

// outcome is the answer as rules judge it.
func (a answer) outcome() profiles.Outcome {
	if a.failure != nil {
		return profiles.Outcome{Failure: a.failure.Kind}
	}
	return profiles.Outcome{Status: a.status()}
}

// html reports whether the answer is a page.
func (a answer) html() bool {
	if a.response == nil {
		return false
	}
	kind, _ := a.response.Get("Content-Type")
	if strings.HasPrefix(strings.ToLower(strings.TrimSpace(kind)), "text/html") {
		return true
	}
	start := bytes.ToLower(bytes.TrimLeft(a.response.Body[:min(len(a.response.Body), 256)], "\ufeff \t\r\n"))
	return bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html"))
}

// String is the answer in a few words: "200", "302 to /login", "no answer
// within 8 s". What came from outside is in it as it came.
func (a answer) String() string {
	switch {
	case a.cut:
		return "cut short"
	case a.timedOut():
		return "no answer within " + spell(a.limit)
	case a.failure != nil:
		return ended(a.failure.Kind) + messageOf(a)
	case a.response == nil:
		return "not sent"
	}
	text := strconv.Itoa(a.status())
	if to, ok := a.response.Get("Location"); ok && a.redirected() {
		text += " to " + clip(to, 200)
	}
	if a.html() {
		text += " and a page of HTML"
	}
	return text
}

// ended says how an exchange without an answer ended.
func ended(kind profiles.Failure) string {
	switch kind {
	case profiles.Reset:
		return "connection reset"
	case profiles.Closed:
		return "connection closed without an answer"
	case profiles.Protocol:
		return "an answer that is not HTTP"
	case profiles.Refused:
		return "connection refused"
	case profiles.TLS:
		return "TLS failed"
	}
	return string(kind)
}

// messageOf is the detail of a failure that its kind does not tell.
func messageOf(a answer) string {
	if a.failure.Kind == profiles.TLS && a.failure.Message != "" {
		return ": " + a.failure.Message
	}
	return ""
}

// spell is a whole or fractional number of seconds, or of smaller units.
func spell(d time.Duration) string {
	switch {
	case d >= time.Second && d%time.Second == 0:
		return strconv.Itoa(int(d/time.Second)) + " s"
	case d >= time.Second:
		return strconv.FormatFloat(d.Truncate(100*time.Millisecond).Seconds(), 'f', -1, 64) + " s"
	case d >= time.Millisecond:
		return strconv.Itoa(int(d/time.Millisecond)) + " ms"
	}
	return "less than 1 ms"
}

// size is a number of bytes: "100 KiB", "1.1 MiB", "102,500 bytes".
func size(n int64) string {
	switch {
	case n >= 1<<20 && n*10%(1<<20) < 1<<17:
		return strings.TrimSuffix(strconv.FormatFloat(float64(n)/(1<<20), 'f', 1, 64), ".0") + " MiB"
	case n >= 1<<10 && n%(1<<10) == 0:
		return strconv.FormatInt(n>>10, 10) + " KiB"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}

// clip is a text of at most n bytes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// list writes words as prose: "a, b and c".
func list(words []string) string {
	return profiles.List(words, "and")
}

// A said is an answer and the name of its request.
type said struct {
	name string
	answer
}

// inWords groups answers: "200 for a e g, 401 for b c". All alike are one word;
// the largest group of many is "the others".
func inWords(all []said) string {
	type group struct {
		answer string
		names  []string
	}
	var groups []*group
	for _, s := range all {
		text := s.String()
		i := slices.IndexFunc(groups, func(g *group) bool { return g.answer == text })
		if i < 0 {
			i = len(groups)
			groups = append(groups, &group{answer: text})
		}
		groups[i].names = append(groups[i].names, s.name)
	}
	switch {
	case len(groups) == 0:
		return "nothing"
	case len(groups) == 1 && len(all) == 1:
		return groups[0].answer
	case len(groups) == 1 && len(all) == 2:
		return groups[0].answer + " for both"
	case len(groups) == 1:
		return groups[0].answer + " for all " + strconv.Itoa(len(all))
	}
	largest := slices.MaxFunc(groups, func(a, b *group) int { return len(a.names) - len(b.names) })
	var parts []string
	for _, g := range groups {
		if g != largest || len(g.names) < 4 {
			parts = append(parts, g.answer+" for "+list(g.names))
		}
	}
	if len(largest.names) >= 4 {
		parts = append(parts, largest.answer+" for the others")
	}
	return strings.Join(parts, ", ")
}

// met is the answer as the end of a sentence: "is answered 401", "gets no
// answer within 8 s".
func (a answer) met() string {
	switch {
	case a.timedOut():
		return "gets no answer within " + spell(a.limit)
	case a.failure != nil:
		return "ends in " + a.String()
	}
	return "is answered " + a.String()
}
