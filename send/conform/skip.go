package conform

import (
	"strings"

	"github.com/hookctl/hookctl/profiles"
)

// skipped says why a check is not run; "" if it is.
func (r *run) skipped(t *tried) string {
	o := r.o
	far := r.far && !named(o.Only, t.Check)
	switch {
	case !t.Alone:
		return "not chosen"
	case named(o.Skip, t.Check):
		return "left out by --skip"
	case t.ID == "idle-close" && !o.Slow:
		return "takes 3 minutes: --slow"
	case t.ID == "body-limit" && far, t.ID == "burst" && far:
		return "the host is not this machine: --only " + t.ID
	case t.ID == "clock" && !limited(r.p):
		return noLimit
	case t.ID == "rotation" && r.p.Secret.Active < 2 && len(o.Keys) < 2:
		return "needs two secrets: one webhook each"
	case t.ID == "tls" && r.url.Scheme != "https":
		return "the URL is http"
	case !r.hasID && (t.ID == "duplicate" || t.ID == "parallel-duplicate" || t.ID == "lost-answer" || t.ID == "over-dedupe"):
		return "events have no id"
	}
	return ""
}

// noLimit is why a check of times is not run.
const noLimit = "signatures have no time limit"

// limited reports whether signatures have a time, and a time limit.
func limited(p *profiles.Profile) bool {
	return p.Signature.Tolerance != nil && (p.Signature.Content.Has("timestamp") || p.Signature.Content.Has("timestamp_ms"))
}

// settle gives each result its last words.
func (r *run) settle() {
	if t := r.result("rotation"); r.p.Secret.Active < 2 {
		const two, one = "while two secrets are active {title} sends two signatures; yours may be the second", "{title} never sends two signatures: in a rotation some deliveries come with one secret, some with the other"
		t.Why, t.Check.Why = strings.ReplaceAll(t.Why, two, one), strings.ReplaceAll(t.Check.Why, two, one)
	}
	for _, t := range r.results {
		t.Why = strings.ReplaceAll(t.Why, "{title}", r.p.Title)
		t.Check.Why = strings.ReplaceAll(t.Check.Why, "{title}", r.p.Title)
	}
}
