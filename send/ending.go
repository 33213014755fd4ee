package send

import (
	"slices"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// stopAssumption completes "the documentation does not say ...".
const stopAssumption = "whether deliveries under way stop with the webhook"

// End is how a delivery ended, given its attempts, each settled, and why
// nothing followed the last one. Deliver and Plan both end through it.
//
// The effects are those of the rule that decided, or of the end of the
// schedule; a ceiling, a stop and an interruption have none. Notes say what is
// assumed; what production would do is for the caller to add.
func End(p *profiles.Profile, attempts []Attempt, cause Cause) Ending {
	e := Ending{State: StateFailed, Cause: cause}
	var last Attempt
	if len(attempts) > 0 {
		last = attempts[len(attempts)-1]
		e.Elapsed = later(last.Due, last.Took)
	}
	assumed := ""
	switch cause {
	case ByRule:
		if last.Verdict.Then == profiles.Delivered {
			e.State = StateDelivered
		}
		if r := last.Verdict.Rule; r != nil {
			e.Effects, assumed = slices.Clone(r.Effects), r.Assumed
		}
	case ByExhausted:
		e.Effects, assumed = slices.Clone(p.Retry.Exhausted.Effects), p.Retry.Exhausted.Assumed
	case ByCeiling:
		e.Elapsed = p.Retry.Ceiling
	case ByStopped:
		e.Assumed = stopAssumption
	case ByInterrupted:
		e.State = StateInterrupted
	}
	if len(e.Effects) > 0 {
		e.Assumed = assumed
	}
	e.Notes = endNotes(p, attempts, cause)
	return e
}

// endNotes are the assumptions that a delivery rests on, each once: of the
// rules that decided, of its end, of the schedule, of the profile.
func endNotes(p *profiles.Profile, attempts []Attempt, cause Cause) []string {
	notes := make([]string, 0, len(p.Assumed)+2)
	for i := range attempts {
		if r := attempts[i].Verdict.Rule; r != nil && r.Assumed != "" {
			notes = addNote(notes, assumedNote(r.Assumed))
		}
	}
	if cause == ByExhausted && p.Retry.Exhausted.Assumed != "" {
		notes = addNote(notes, assumedNote(p.Retry.Exhausted.Assumed))
	}
	if cause == ByStopped {
		notes = addNote(notes, assumedNote(stopAssumption))
	}
	if p.Retry.Shape {
		notes = addNote(notes, "only the shape of the schedule is published")
	}
	for _, n := range p.Assumed {
		notes = addNote(notes, "assumed: "+n.Field+": the documentation does not say "+n.Note)
	}
	return notes
}

// assumedNote is the note on the assumption of a rule.
func assumedNote(text string) string { return "assumed: " + text }

// addNote appends a note that is not yet there.
func addNote(notes []string, note string) []string {
	if slices.Contains(notes, note) {
		return notes
	}
	return append(notes, note)
}

// Aftermath says what a failed delivery leaves behind, in the profile's words:
// what its effects mean and how to undo them, then how lost events are found
// again. It is "" for a delivery that did not fail and for a profile that says
// nothing.
func Aftermath(p *profiles.Profile, e Ending) string {
	if e.State != StateFailed {
		return ""
	}
	var says []string
	for _, effect := range e.Effects {
		if text := p.Say[effect]; text != "" {
			says = addNote(says, text)
		}
	}
	if p.Reconcile != "" {
		says = addNote(says, p.Reconcile)
	}
	return strings.Join(says, "; ")
}

// later adds two lengths of time and stays at the longest there is.
func later(a, b time.Duration) time.Duration {
	if b > 0 && a > longest-b {
		return longest
	}
	return a + b
}

// longest is the longest time that a Duration holds.
const longest = time.Duration(1<<63 - 1)
