package render

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// A Result is a delivery's end, for its result line.
type Result struct {
	Profile   *profiles.Profile
	Last      *send.Attempt // nil: there was none
	Ending    send.Ending
	Duplicate *send.Attempt // what became of the same bytes once more; nil: not sent
	Remaining time.Duration // of an interrupted wait: until the next attempt; below 0: not known
}

// assumedMark ends a result line that rests on an assumption.
const assumedMark = " (assumed)"

// ResultLine writes the one line that says how a delivery ended. It is all that
// -q prints, and is never wrapped.
func ResultLine(w io.Writer, s Style, r Result) error {
	return writeString(w, s.result(r)+"\n")
}

// result is the line without its end.
func (s Style) result(r Result) string {
	if r.Ending.State == send.StateInterrupted {
		return s.paint(strongWarn, "interrupted") + ": " + r.interrupted()
	}
	failed := r.Ending.State != send.StateDelivered
	if d := r.Duplicate; d != nil && !failed && d.Verdict.Then != profiles.Delivered {
		return s.paint(strongBad, "failed") + ": " + shortAnswer(d.Outcome()) +
			" at the duplicate; delivered before it: " + r.at()
	}
	text := r.at() + r.tail()
	switch {
	case failed:
		if before, ok := strings.CutSuffix(text, assumedMark); ok {
			text = before + " (" + s.paint(warn, "assumed") + ")"
		}
		return s.paint(strongBad, "failed") + ": " + text
	case r.Last != nil && r.Last.Verdict.Rule != nil && r.Last.Verdict.Rule.Warn != "":
		return s.paint(strongGood, "delivered") + ": " + s.paint(warn, text)
	}
	return s.paint(strongGood, "delivered") + ": " + text
}

// at is "503 at attempt 3 of 6, after 2 m 31 s".
func (r Result) at() string {
	if r.Last == nil {
		return "no attempt was made"
	}
	text := r.attempt()
	if r.Last.Number > 1 || r.Ending.Cause == send.ByCeiling {
		text += ", after " + Duration(r.Ending.Elapsed)
	}
	return text
}

// attempt is "503 at attempt 3 of 6".
func (r Result) attempt() string {
	return shortAnswer(r.Last.Outcome()) + " at " + r.number(r.Last.Number)
}

// number is "attempt 3 of 6".
func (r Result) number(n int) string {
	return "attempt " + strconv.Itoa(n) + " of " + strconv.Itoa(r.Profile.Attempts())
}

// tail is what outlives the delivery, or why it ended.
func (r Result) tail() string {
	e := r.Ending
	switch {
	case e.State == send.StateDelivered:
		if r.Last != nil && notFollowed(r.Last.Outcome()) != "" {
			return "; your handler never saw the event"
		}
		return ""
	case len(e.Effects) > 0:
		text := "; " + effectWords(e.Effects[0])
		if e.Assumed != "" {
			text += assumedMark
		}
		return text
	case e.Cause == send.ByCeiling:
		return "; the ceiling is reached"
	case e.Cause == send.ByStopped:
		return "; stopped with the webhook"
	}
	return ""
}

// interrupted says what the user cut short.
func (r Result) interrupted() string {
	switch {
	case r.Last == nil:
		return "before the first answer"
	case r.Last.Failure != nil && r.Last.Failure.Local != nil:
		return r.number(r.Last.Number) + " was not sent"
	case r.Last.Failure != nil && r.Last.Failure.Kind == profiles.Interrupted:
		return r.number(r.Last.Number) + " had no answer yet"
	case r.Last.Next == nil:
		return r.attempt()
	}
	next := "; attempt " + strconv.Itoa(r.Last.Number+1)
	if r.Remaining < 0 {
		return r.attempt() + next + " was next"
	}
	return r.attempt() + next + " was due in " + Duration(r.Remaining)
}

// effectWords says an effect in words.
func effectWords(e profiles.Effect) string {
	switch e {
	case profiles.PauseSubscription:
		return "the subscription is paused"
	case profiles.DisableWebhook:
		return "the webhook is disabled"
	case profiles.DeleteSubscription:
		return "the subscription is deleted"
	case profiles.NotifyOwner:
		return "the owner is notified"
	case profiles.NotifyAdmins:
		return "the admins are notified"
	}
	return Escape(strings.ReplaceAll(string(e), "-", " "))
}
