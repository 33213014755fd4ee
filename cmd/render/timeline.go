package render

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign/explain"
)

// A Timeline draws one delivery as it happens: [Timeline.Head], then
// [Timeline.Attempt] for each, then [Timeline.End] or [Timeline.Interrupted].
// Each of them writes whole lines in one write.
type Timeline struct {
	out       io.Writer
	style     Style
	head      Head
	ledger    ledger
	scene     scene
	marks     []mark
	last      *send.Attempt
	duplicate *send.Attempt
}

// NewTimeline is a timeline that has drawn nothing yet.
func NewTimeline(w io.Writer, s Style, h Head) *Timeline {
	return &Timeline{
		out:   w,
		style: s,
		head:  h,
		ledger: newLedger(s, h.Profile, shape{
			took:   !h.Planned,
			waits:  true,
			speed:  h.Speed,
			limit:  h.limit(),
			strict: h.Strict,
		}),
	}
}

// Head writes who sends what to whom, and the head of the table.
func (t *Timeline) Head() error {
	return t.write(t.head.lines(t.style) + "\n" + t.ledger.head())
}

// Attempt writes the row of an attempt and its details: with -v the wire, else
// what is new or differs from the attempt before. Each note is prose for one
// more line with an asterisk.
func (t *Timeline) Attempt(a send.Attempt, notes ...string) error {
	t.last = &a
	t.marks = append(t.marks, mark{number: a.Number, at: a.Due, took: a.Took, role: strong})
	return t.attempt(strconv.Itoa(a.Number), a, notes)
}

// Duplicate writes the row of the same bytes sent once more after success; it
// stands before the end and has a plus in place of a number.
func (t *Timeline) Duplicate(a send.Attempt, notes ...string) error {
	t.duplicate = &a
	return t.attempt(again, a, append([]string{"the same bytes once more, as after a lost answer"}, notes...))
}

// Explanation writes why the signature of the attempt before was refused, below
// what was written of it: how sure that is, and what to change; with -v all that
// is known. Nil writes nothing.
func (t *Timeline) Explanation(e *explain.Explanation) error {
	if e == nil {
		return nil
	}
	indent := len(detailIndent) + len(markDecided)
	lines := t.style.explanation(indent, e)
	if t.style.Verbose {
		lines = t.style.explained(indent, e, bySender, 0)
	}
	return t.write(strings.Join(lines, "\n"))
}

func (t *Timeline) attempt(number string, a send.Attempt, notes []string) error {
	lines := []string{t.ledger.row(number, a)}
	if t.style.Verbose {
		lines = append(lines, t.wire(a, notes)...)
	} else {
		lines = append(lines, t.details(a, notes)...)
	}
	return t.write(strings.Join(lines, "\n"))
}

// End writes the strip, where there was more than one attempt, and the result
// line.
func (t *Timeline) End(e send.Ending) error { return t.end(e, -1) }

// Interrupted writes the end of a delivery that the user stopped, with the time
// that was left until the next attempt was due.
func (t *Timeline) Interrupted(remaining time.Duration) error {
	return t.end(send.Ending{State: send.StateInterrupted, Cause: send.ByInterrupted}, max(0, remaining))
}

func (t *Timeline) end(e send.Ending, remaining time.Duration) error {
	return t.write(t.strip(e) + "\n" + t.style.result(Result{
		Profile:   t.head.Profile,
		Last:      t.last,
		Ending:    e,
		Duplicate: t.duplicate,
		Remaining: remaining,
	}))
}

// strip is the blank line and the two lines of the drawing, or nothing.
func (t *Timeline) strip(e send.Ending) string {
	if len(t.marks) < 2 || t.style.Dumb {
		return ""
	}
	marks := append([]mark(nil), t.marks...)
	end := &marks[len(marks)-1]
	end.role = stateRole(e.State)
	columns := t.style.drawing() - len(detailIndent) - 1
	line, times := t.style.strip(marks, addTime(end.at, end.took), columns)
	return "\n" + detailIndent + line + "\n" + detailIndent + times + "\n"
}

func stateRole(s send.State) role {
	switch s {
	case send.StateDelivered:
		return good
	case send.StateFailed:
		return bad
	}
	return warn
}

// addTime adds two lengths of time; the sum stays at the longest there is.
func addTime(a, b time.Duration) time.Duration {
	if sum := a + b; b < 0 || sum >= a {
		return sum
	}
	return 1<<63 - 1
}

// write writes lines and the end of the last one.
func (t *Timeline) write(text string) error { return writeString(t.out, text+"\n") }

// Plan draws a planned delivery, from head to result line.
func Plan(w io.Writer, s Style, h Head, attempts []send.Attempt, e send.Ending) error {
	h.Planned = true
	t := NewTimeline(w, s, h)
	if err := t.Head(); err != nil {
		return err
	}
	for _, a := range attempts {
		if err := t.Attempt(a); err != nil {
			return err
		}
	}
	return t.End(e)
}
