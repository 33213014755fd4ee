package send

import (
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// Judge is what the provider makes of an outcome: the first rule that matches
// decides. A profile whose rules do not cover the outcome lets it fail, with no
// Rule; a parsed profile covers all.
func Judge(p *profiles.Profile, o profiles.Outcome) Verdict {
	for i := range p.Delivery.Rules {
		r := &p.Delivery.Rules[i]
		for _, item := range r.On {
			if item.Matches(o) {
				return Verdict{
					Then:   r.Then,
					Item:   item.Text,
					Rule:   r,
					Reason: strings.ReplaceAll(r.Because, "{answer}", o.String()),
				}
			}
		}
	}
	return Verdict{Then: profiles.Failed}
}

// settle fills in what follows from the outcome of the last of the attempts:
// its verdict, the next wait and the notes. It returns why nothing follows, or
// "" where an attempt does. Deliver and Plan both go through it. The jitter is
// asked only where it may count.
func settle(p *profiles.Profile, attempts []Attempt, jitter Jitter, now time.Time) Cause {
	a := &attempts[len(attempts)-1]
	if a.Failure != nil && a.Failure.Kind == profiles.Interrupted {
		a.Verdict, a.Next = Verdict{}, nil
		return ByInterrupted
	}
	a.Verdict = Judge(p, a.Outcome())
	u := 0.0
	if a.Verdict.Then == profiles.Retried {
		u = jitter(len(attempts))
	}
	d := Next(p, attempts, u, now)
	a.Next = d.Next
	a.Notes = append(a.Notes, d.Notes...)
	switch {
	case d.Next != nil && d.Next.Source == FromRetryAfter:
		a.Verdict.Reason = "Retry-After on " + strconv.Itoa(a.Response.Status) + " is obeyed"
	case d.Cause == ByExhausted:
		a.Verdict.Reason = "the schedule is used up"
	case d.Cause == ByCeiling:
		a.Verdict.Reason = "the ceiling comes first"
	}
	if a.Verdict.Then == profiles.Retried && a.Verdict.Rule.Assumed != "" {
		a.Notes = append(a.Notes, assumedNote(a.Verdict.Rule.Assumed))
	}
	return d.Cause
}
