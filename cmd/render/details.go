package render

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// The marks of detail lines.
const (
	markSent     = "> "
	markReceived = "< "
	markDecided  = "* "
	markBody     = "| "

	detailIndent = "    "
)

// A detail is a line under a row; what names its place, so that it is shown
// again only when it differs.
type detail struct {
	what, line string
}

// A scene is what a timeline has shown of the attempt before.
type scene struct {
	sent   map[string]string // request headers, of the last attempt that was sent
	before map[string]string // all else, of the attempt before
}

// details are the lines under an attempt's row.
func (t *Timeline) details(a send.Attempt, notes []string) []string {
	sent, rest := t.sentDetails(a), t.otherDetails(a)
	var lines []string
	shown := func(d detail, before map[string]string) {
		if before[d.what] != d.line {
			lines = append(lines, t.style.cut(detailIndent+d.line))
		}
	}
	for _, d := range sent {
		shown(d, t.scene.sent)
	}
	for _, d := range rest {
		shown(d, t.scene.before)
	}
	if len(sent) > 0 {
		t.scene.sent = places(sent)
	}
	t.scene.before = places(rest)
	for i, line := range lines {
		lines[i] = t.style.paint(dim, line)
	}
	for _, note := range notes {
		lines = append(lines, t.noteLines(note)...)
	}
	return lines
}

func places(details []detail) map[string]string {
	m := make(map[string]string, len(details))
	for _, d := range details {
		m[d.what] = d.line
	}
	return m
}

// noteLines are prose under a row: it is wrapped, not cut.
func (t *Timeline) noteLines(note string) []string {
	text := detailIndent + markDecided + Escape(note)
	if !t.style.Verbose {
		text = t.style.wrap(text, detailIndent+blanks(len(markDecided)))
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = t.style.paint(dim, line)
	}
	return lines
}

// sentDetails are the request's headers that the profile fills, in its order.
func (t *Timeline) sentDetails(a send.Attempt) []detail {
	if t.head.Planned || a.Request == nil || unsent(a.Failure) {
		return nil
	}
	p := t.head.Profile
	var details []detail
	add := func(headers []profiles.Header) {
		for _, h := range headers {
			if h.Value.Constant() {
				continue
			}
			for i, value := range sign.All(a.Request.Header, h.Name) {
				text := Escape(value)
				if h.Value.Has("signature") {
					text = t.style.shortDigests(value)
				}
				details = append(details, detail{
					what: h.Name + "#" + strconv.Itoa(i),
					line: markSent + Escape(h.Name) + ": " + text,
				})
			}
		}
	}
	add(p.Headers)
	if a.Number > 1 {
		add(p.RetryHeaders)
	}
	return details
}

// otherDetails are what came back and what was decided.
func (t *Timeline) otherDetails(a send.Attempt) []detail {
	var details []detail
	if r := a.Response; r != nil && !t.head.Planned {
		for _, name := range []string{"Retry-After", "Location"} {
			for i, value := range sign.All(r.Header, name) {
				if name == "Location" {
					value = Address(value)
				}
				details = append(details, detail{
					what: name + "#" + strconv.Itoa(i),
					line: markReceived + name + ": " + Escape(value),
				})
			}
		}
		if line := firstLine(r.Body); line != "" && (r.Status < 200 || r.Status > 299) {
			details = append(details, detail{"body", markBody + Escape(line)})
		}
	}
	for _, text := range t.decided(a) {
		details = append(details, detail{"*" + text, markDecided + Escape(text)})
	}
	return details
}

// decided are the lines about the connection and the decision.
func (t *Timeline) decided(a send.Attempt) []string {
	var texts []string
	if f := a.Failure; f != nil && t.failureSaysMore(f) {
		texts = append(texts, failureText(f))
	}
	rule := a.Verdict.Rule
	if rule != nil && rule.Warn != "" && a.Verdict.Reason != "" {
		texts = append(texts, notFollowed(a.Outcome())+a.Verdict.Reason)
	}
	if rule != nil && rule.Assumed != "" && !t.ledger.assumedInCell(a) {
		texts = append(texts, "assumed: "+rule.Assumed)
	}
	for _, note := range a.Notes {
		if strings.HasPrefix(note, "Retry-After") && !(t.cutIsShown(a) && strings.HasPrefix(note, "Retry-After cut")) {
			texts = append(texts, note)
		}
	}
	return texts
}

func notFollowed(o profiles.Outcome) string {
	if o.Status >= 300 && o.Status <= 399 {
		return "not followed: "
	}
	return ""
}

// failureSaysMore reports whether a failure's line adds to its row. A plan made
// no connection: there only a kind that the row shortens has a line.
func (t *Timeline) failureSaysMore(f *send.Failure) bool {
	if f.Kind == profiles.Interrupted {
		return f.Local != nil
	}
	return !t.head.Planned || shortAnswer(profiles.Outcome{Failure: f.Kind}) != string(f.Kind)
}

// cutIsShown reports whether the row says that a Retry-After was cut.
func (t *Timeline) cutIsShown(a send.Attempt) bool {
	return !t.style.narrow() && a.Next != nil && a.Next.Cut
}

// firstLine is the first line of a body, its line end included.
func firstLine(body []byte) string {
	if end := bytes.IndexByte(body, '\n'); end >= 0 {
		body = body[:end+1]
	}
	return string(body)
}

// wire is an attempt as it stood on the wire, and the decision: what -v shows.
func (t *Timeline) wire(a send.Attempt, notes []string) []string {
	var lines []string
	add := func(mark, text string) {
		lines = append(lines, t.style.paint(dim, detailIndent+mark+Escape(text)))
	}
	headers := func(mark string, list []sign.Header) {
		if !t.head.Sensitive {
			list = send.Mask(list, t.head.Masked)
		}
		for _, h := range list {
			add(mark, h.Name+": "+h.Value)
		}
	}
	body := func(body []byte) {
		for len(body) > 0 {
			line := firstLine(body)
			add(markBody, line)
			body = body[len(line):]
		}
	}
	if r := a.Request; r != nil && !t.head.Planned && !unsent(a.Failure) {
		add(markSent, r.Method+" "+r.Target+" HTTP/1.1")
		headers(markSent, r.Header)
		body(t.head.Event.Body)
	}
	if r := a.Response; r != nil && !t.head.Planned {
		add(markReceived, strings.TrimRight(r.Proto+" "+strconv.Itoa(r.Status)+" "+r.Text, " "))
		headers(markReceived, r.Header)
		body(r.Body)
	}
	decided := t.decided(a)
	if reason := a.Verdict.Reason; reason != "" && !t.style.wide() && (a.Verdict.Rule == nil || a.Verdict.Rule.Warn == "") {
		decided = append(decided, reason)
	}
	for _, text := range decided {
		add(markDecided, text)
	}
	for _, note := range notes {
		lines = append(lines, t.noteLines(note)...)
	}
	return lines
}
