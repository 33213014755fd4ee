package send

import (
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// A Repeated is an outcome that comes at attempt after attempt, judged once. A
// simulation of many deliveries asks it in place of [Judge] and [Next]; all
// three decide by the same functions.
type Repeated struct {
	Profile *profiles.Profile
	Attempt Attempt // as [Plan] imagines it: its outcome, what it takes, its verdict

	start time.Time
	asked *Wait // what its Retry-After asks for; nil: the schedule holds
	dated bool  // asked counts down to an instant
}

// Repeat imagines the step under the profile. start is the instant from which
// [Repeated.Next] counts the first attempts; zero: the start of 2026. The notes
// of its Attempt say which Retry-After is cut or ignored, and what is assumed.
func Repeat(p *profiles.Profile, step Step, start time.Time) *Repeated {
	if start.IsZero() {
		start = planStart()
	}
	r := &Repeated{Profile: p, Attempt: imagined(p.Delivery.Limits, step), start: start}
	a := &r.Attempt
	if a.Response != nil {
		a.Response.Header = step.Headers(start)
	}
	a.Verdict = Judge(p, a.Outcome())
	a.Notes = unheard(p, *a)
	if a.Verdict.Then == profiles.Retried {
		r.asked, a.Notes = asked(p, *a, start)
		if value, ok := retryAfter(*a); ok && r.asked != nil && value == step.RetryAfter {
			_, r.dated, _ = parseRetryAfter(value, start)
		}
		if assumed := a.Verdict.Rule.Assumed; assumed != "" {
			a.Notes = append(a.Notes, assumedNote(assumed))
		}
	}
	return r
}

// Drawn reports whether chance has a part in the wait after attempt n.
func (r *Repeated) Drawn(n int) bool {
	return r.asked == nil && r.Profile.Retry.Jitter > 0 && ended(r.Profile, n, r.Attempt.Verdict.Then) == ""
}

// Next is the wait after attempt n, from its end, with the cause "", or why
// nothing follows it. first is when the first attempt began, since the start;
// due is when this one began, since the first; u is in [0,1).
func (r *Repeated) Next(n int, first, due time.Duration, u float64) (time.Duration, Cause) {
	p, took := r.Profile, r.Attempt.Took
	if cause := ended(p, n, r.Attempt.Verdict.Then); cause != "" {
		return 0, cause
	}
	end := later(due, took)
	var wait time.Duration
	switch {
	case r.dated:
		w, _ := asked(p, r.Attempt, r.start.Add(later(first, end)).Truncate(time.Second))
		wait = w.Wait
	case r.asked != nil:
		wait = r.asked.Wait
	default:
		wait = scheduled(p, n, took, u)
	}
	if pastCeiling(p, end, wait) {
		return 0, ByCeiling
	}
	return wait, ""
}
