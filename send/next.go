package send

import (
	"slices"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// A Decision is what follows an attempt.
type Decision struct {
	Next  *Wait    // nil: nothing follows
	Cause Cause    // why nothing follows; "" with a Next
	Notes []string // a Retry-After that was cut or ignored
}

// Next decides what follows the last of the attempts, whose verdict stands in
// it: the schedule's next wait with jitter (u in [0,1)), a Retry-After that the
// profile obeys, the ceiling, or the end. now is this machine's clock at the
// end of the answer's header, from which a Retry-After that is a date counts.
//
// A wait is the time from the end of the attempt to the start of the next, also
// where the profile counts its waits from the start of the attempt: the time
// that the attempt took is then part of the slot. A Retry-After has no jitter
// and may be shorter than the slot. An attempt due at the ceiling is made, one
// due after it is not.
func Next(p *profiles.Profile, attempts []Attempt, u float64, now time.Time) Decision {
	if len(attempts) == 0 {
		return Decision{Cause: ByRule}
	}
	n, last := len(attempts), attempts[len(attempts)-1]
	if cause := ended(p, n, last.Verdict.Then); cause != "" {
		d := Decision{Cause: cause, Notes: unheard(p, last)}
		if _, ok := retryAfter(last); ok && cause == ByExhausted && len(d.Notes) == 0 {
			d.Notes = []string{"Retry-After ignored: no attempt is left"}
		}
		return d
	}
	wait, notes := asked(p, last, now)
	if wait == nil {
		wait = &Wait{Wait: scheduled(p, n, last.Took, u), Base: p.Retry.Waits[n-1], Source: FromSchedule}
	}
	if pastCeiling(p, later(last.Due, last.Took), wait.Wait) {
		return Decision{Cause: ByCeiling, Notes: notes}
	}
	return Decision{Next: wait, Notes: notes}
}

// ended is why nothing follows attempt n, of that verdict, whatever the times:
// "" where the schedule goes on.
func ended(p *profiles.Profile, n int, then profiles.Verdict) Cause {
	switch {
	case then != profiles.Retried:
		return ByRule
	case n > len(p.Retry.Waits):
		return ByExhausted
	}
	return ""
}

// scheduled is the wait that the schedule gives after attempt n, which took so
// long.
func scheduled(p *profiles.Profile, n int, took time.Duration, u float64) time.Duration {
	wait := jittered(p.Retry.Waits[n-1], p.Retry.Jitter, u)
	if p.Retry.FromStart {
		wait = max(0, wait-took)
	}
	return wait
}

// pastCeiling reports whether an attempt would come after the ceiling that waits
// so long from end, both since the first attempt.
func pastCeiling(p *profiles.Profile, end, wait time.Duration) bool {
	c := p.Retry.Ceiling
	return c > 0 && later(end, wait) > c
}

// asked is the wait that the answer's Retry-After asks for, where the profile
// obeys it; else nil. The notes say what was cut or ignored.
func asked(p *profiles.Profile, last Attempt, now time.Time) (*Wait, []string) {
	value, ok := retryAfter(last)
	if !ok {
		return nil, nil
	}
	if notes := unheard(p, last); notes != nil {
		return nil, notes
	}
	wait, date, ok := parseRetryAfter(value, now)
	if !ok {
		return nil, []string{"Retry-After ignored: " + quoted(value) + " is neither seconds nor a date"}
	}
	var notes []string
	if date {
		notes = append(notes, "Retry-After is a date, counted from this machine's clock; the documentation names only seconds")
	}
	w := &Wait{Source: FromRetryAfter}
	if most := p.Retry.RetryAfter.AtMost; wait > most {
		wait, w.Cut = most, true
		notes = append(notes, "Retry-After cut to "+spell(most))
	}
	w.Wait, w.Base = wait, wait
	return w, notes
}

// unheard is the note on a Retry-After that the profile does not obey on such
// an answer, whatever its value. A delivered answer needs none.
func unheard(p *profiles.Profile, a Attempt) []string {
	if _, ok := retryAfter(a); !ok || a.Verdict.Then == profiles.Delivered {
		return nil
	}
	rule := p.Retry.RetryAfter
	switch {
	case rule == nil || len(rule.On) == 0:
		return []string{"Retry-After ignored: " + p.Title + " does not read it"}
	case !slices.Contains(rule.On, a.Response.Status):
		return []string{"Retry-After ignored: only " + statuses(rule.On) + " asked"}
	}
	return nil
}
