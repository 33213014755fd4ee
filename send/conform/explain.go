package conform

import (
	"context"
	"slices"

	"github.com/hookctl/hookctl/profiles"
)

// explainers are the checks that can tell why the first request was not
// accepted.
func explainers() []string {
	return []string{"raw-bytes", "slow-answer", "redirect", "wall", "unknown-event", "tls", "addresses"}
}

// explain finds out why the first request was not accepted. One check fails for
// it, and is then required; the others cannot tell.
func (r *run) explain(ctx context.Context) {
	for _, id := range explainers() {
		t := r.result(id)
		if r.skipped(t) == "" {
			t.Result.State, t.Why = Inconclusive, ""
			t.inconclusive(notAccepted, "first see the check that failed")
			t.Came = r.first.String()
		}
	}
	switch f := r.first.failure; {
	case r.first.timedOut():
		r.blame("slow-answer", "the event is not answered within "+spell(r.first.limit), "answer first, then work: put the event into a queue and answer 2xx at once")
		return
	case f != nil && f.Kind == profiles.TLS:
		r.certificate(ctx)
		return
	case f != nil:
		r.blame("wall", "the event is not answered: "+r.first.String(), "see the receiver's log, and what stands before it")
		return
	case r.first.redirected() && !r.elsewhere(r.first):
		t := r.unblamed("redirect")
		r.redirected(t, r.first)
		r.done(ctx, t)
		return
	}
	layouts := r.attempt(ctx, "raw-bytes")
	if layouts != nil && len(names(layouts.answers, answer.accepted)) > 0 {
		layouts.Level = Required
		return
	}
	if layouts != nil {
		r.reset(layouts)
	}
	if t := r.attempt(ctx, "wall"); t != nil && t.State == Fail {
		return
	}
	finding := "the event is not accepted: " + r.first.String()
	fix := "see the receiver's log: is this its path, and does it take a POST?"
	if s := r.first.status(); s == 401 || s == 403 || s == 400 {
		fix = "compare the secret with the provider's, and see whether the request reaches the check of the signature at all"
	}
	r.blame("wall", finding, fix)
}

// attempt runs one check that may explain; nil if it was not chosen.
func (r *run) attempt(ctx context.Context, id string) *tried {
	if r.skipped(r.result(id)) != "" {
		return nil
	}
	t := r.unblamed(id)
	r.one(ctx, t)
	return t
}

// unblamed is a check's result as if nothing was known of it.
func (r *run) unblamed(id string) *tried {
	t := r.result(id)
	t.Result = Result{Check: t.Check, Level: t.Level, Alone: t.Alone, State: Pass}
	return t
}

// reset says again that a check could not tell.
func (r *run) reset(t *tried) {
	t.inconclusive(notAccepted, "first see the check that failed")
}

// blame fails one check for the first request.
func (r *run) blame(id, finding, fix string) {
	t := r.result(id)
	sent, got := t.Sent, t.Got
	t = r.unblamed(id)
	t.Sent, t.Got = sent, got
	if len(t.Sent) == 0 {
		t.Sent, t.Got = []string{"the event, rightly signed"}, []string{r.first.String()}
	}
	t.Asked, t.Came = "the event, rightly signed", r.first.String()
	t.fail(finding, fix)
	t.Level = Required
	t.Why = t.Check.Why
	if id == "wall" {
		t.Why = "until an event is accepted nothing else can be tried, and the provider delivers nothing"
	}
	if r.o.Only != nil && !slices.ContainsFunc(r.o.Only, t.is) {
		t.Alone = true // it tells why nothing else was tried
	}
}

// done settles a check that explain ran by itself.
func (r *run) done(ctx context.Context, t *tried) {
	t.Asked, t.Sent, t.Got = "the event, rightly signed", []string{"the event, rightly signed"}, []string{r.first.String()}
	t.Level, t.Alone = Required, true
	t.ended(ctx)
}
