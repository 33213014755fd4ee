package render

import (
	"strconv"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// waitCell says what follows an attempt, or that its verdict is assumed. used
// is the width of the row before it.
func (l ledger) waitCell(a send.Attempt, used int) string {
	s := l.style
	at := max(l.waitAt(), used+gapWidth)
	room := s.width() - at
	if s.wide() {
		room = l.whyAt() - gapWidth - at
	}
	if a.Next == nil {
		switch {
		case a.Verdict.Then == profiles.Retried:
			return s.paint(bad, l.end(a, room))
		case l.assumedInCell(a):
			return s.paint(warn, "assumed")
		}
		return ""
	}
	wait, sum := Duration(a.Next.Wait), l.sum(a)
	if s.narrow() || !s.wide() && columns(wait+sum) > room {
		sum = ""
	}
	return padLeft(wait, min(waitWidth, room-columns(sum))) + sum
}

// sum is where the wait comes from: " = 30 s +4.7 %", " = Retry-After".
func (l ledger) sum(a send.Attempt) string {
	w := a.Next
	switch {
	case w.Source == send.FromRetryAfter && w.Cut:
		return " = Retry-After, cut"
	case w.Source == send.FromRetryAfter:
		return " = Retry-After"
	}
	wait := w.Wait
	if l.profile.Retry.FromStart {
		wait += a.Took
	}
	if w.Base <= 0 || wait == w.Base || l.profile.Retry.Jitter == 0 {
		return ""
	}
	return " = " + Duration(w.Base) + " " + signedPercent(float64(wait-w.Base)/float64(w.Base))
}

// end says why nothing follows a verdict of retry, in so many columns.
func (l ledger) end(a send.Attempt, room int) string {
	all := l.profile.Attempts()
	short, text := "none left", "none left ("+strconv.Itoa(a.Number)+" of "+strconv.Itoa(all)+")"
	if a.Number < all {
		short, text = "ceiling", "past the ceiling"
	}
	if l.style.narrow() || columns(text) > room {
		return short
	}
	return text
}

// assumedInCell reports whether the word assumed stands where the wait would.
func (l ledger) assumedInCell(a send.Attempt) bool {
	return a.Verdict.Rule != nil && a.Verdict.Rule.Assumed != "" &&
		a.Next == nil && a.Verdict.Then != profiles.Retried
}
