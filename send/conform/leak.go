package conform

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A leak is something that a refusal told.
type leak struct {
	what, status string
}

// maxLeaks bounds what is kept of them.
const maxLeaks = 20

// scan looks through a refusal for what it should not tell.
func (r *run) scan(q request, a answer) {
	if a.response == nil || a.accepted() {
		return
	}
	found := r.told(q, a)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.scanned++
	for _, what := range found {
		if len(r.leaks) < maxLeaks {
			r.leaks = append(r.leaks, leak{what: what, status: strconv.Itoa(a.status())})
		}
	}
}

// told is what an answer tells.
func (r *run) told(q request, a answer) []string {
	var text bytes.Buffer
	for _, h := range a.response.Header {
		text.WriteString(h.Name + ": " + h.Value + "\n")
	}
	text.Write(a.response.Body)
	all := text.String()
	sent := string(r.head(q)) + string(q.body)
	var found []string
	for _, k := range r.o.Keys {
		if secret := k.Reveal(); len(secret) >= 4 && strings.Contains(all, secret) && !strings.Contains(sent, secret) {
			found = append(found, "the secret")
		}
		e := q.event
		e.body = q.body
		for _, text := range spellings(r.sign(k, e, q.at)) {
			if strings.Contains(strings.ToLower(all), strings.ToLower(text)) && !strings.Contains(strings.ToLower(sent), strings.ToLower(text)) {
				found = append(found, "the signature that it expected")
				break
			}
		}
	}
	if trace(all) {
		found = append(found, "a stack trace")
	} else if path := filePath(all); path != "" && !strings.Contains(sent, path) {
		found = append(found, "the path of a file, "+clip(path, 80))
	}
	return found
}

// spellings are a digest in hex and in base64, with padding and without.
func spellings(digest string) []string {
	raw, err := hex.DecodeString(digest)
	if err != nil {
		if raw, err = base64.StdEncoding.DecodeString(digest); err != nil {
			return nil
		}
	}
	return []string{hex.EncodeToString(raw), base64.RawStdEncoding.EncodeToString(raw), base64.RawURLEncoding.EncodeToString(raw)}
}

// trace reports whether a text has a stack trace of a common runtime.
func trace(text string) bool {
	for _, mark := range []string{"Traceback (most recent call last)", "panic: ", "Stack trace:", "Caused by: "} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	frames := regexp.MustCompile(`goroutine \d+ \[` +
		`|\bat [^\n"']*[/\\.][\w@.-]*\w:\d+:\d+` + // JavaScript
		`|\bat [\w$.<>]+\([\w$]+\.(java|kt|scala):\d+\)` +
		`|[\w/.-]+\.(rb|php|exs?):\d+:in ` +
		`|File "[^"]+", line \d+` +
		`|#\d+ /[\w/.-]+\.php\(\d+\)` +
		`|\bat [\w.]+\(.*\) in .+:line \d+`)
	return frames.MatchString(text)
}

// filePath is the path of a source file on a server's disk in a text, or "". A
// path in quotes is most often a link of a page.
func filePath(text string) string {
	const folders = `(?:home|usr|var|srv|app|opt|root|Users|workspace|tmp|private)`
	paths := regexp.MustCompile(`(?:^|[^"'=\w.])((?:/` + folders + `/|[A-Za-z]:\\)[\w./\\@+ -]*\.(?:js|mjs|cjs|ts|py|rb|php|go|java|cs|ex|exs|rs|pl)\b|[\w./@-]*node_modules/[\w./@-]+|/(?:home|Users)/[\w.-]+/[\w./-]+|[\w./-]+\.(?:js|mjs|cjs|ts|py|rb|php|go|java|cs|exs?|rs|pl):\d+)`)
	if found := paths.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

func refusals(n int) string {
	if n == 1 {
		return "1 refusal"
	}
	return strconv.Itoa(n) + " refusals"
}

// leaks looks back on all refusals of the run.
func leaks(ctx context.Context, r *run, t *tried) {
	if r.scanned == 0 {
		a := t.send(ctx, "the event with a wrong signature", r.signed(r.event(), now(), r.wrong).within(refuseTime))
		if a.cut {
			return
		}
	}
	t.Asked = "all that was refused in this run"
	t.Sent = append(t.Sent, t.Asked)
	t.Got = append(t.Got, refusals(r.scanned)+" looked through")
	var what, where []string
	for _, l := range r.leaks {
		if !slices.Contains(what, l.what) {
			what = append(what, l.what)
			where = append(where, l.what+" in an answer "+l.status)
		}
	}
	if len(what) == 0 {
		return
	}
	t.Came = list(where)
	t.Got[len(t.Got)-1] += ": " + t.Came
	t.fail("a refusal tells "+list(what), "answer a refusal with a status and nothing else; keep the reason in your own log")
}
