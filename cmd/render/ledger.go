package render

import (
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// Widths of a ledger's columns.
const (
	gapWidth      = 2
	timeWidth     = 9 // "18 m 22 s"
	answerWidth   = 9
	leastTook     = 5 // "<1 ms"; a sixth column comes from the gap
	leastRule     = 4 // the word rule
	arrow         = " -> "
	verdictWidth  = 7 // the word verdict
	widestVerdict = 9 // "delivered"
	waitWidth     = 9
	sumWidth      = 15 // " = 30 m -21.2 %"
)

// A ledger is the table of attempts, a row an attempt. Its columns are known
// before the rows: the profile tells the widest values.
type ledger struct {
	style    Style
	profile  *profiles.Profile
	took     bool   // has the column
	waits    bool   // has the column
	waitHead string // "next wait (skipped)"

	number, tookCells, rule int // widths
}

// A shape says which columns a ledger has.
type shape struct {
	took, waits bool
	speed       string        // "instant", "real", a factor, or ""
	limit       time.Duration // the longest that an attempt can take
	strict      bool          // blocked-address can happen
}

// newLedger lays out a ledger for a profile.
func newLedger(s Style, p *profiles.Profile, sh shape) ledger {
	l := ledger{
		style:    s,
		profile:  p,
		took:     sh.took && !s.narrow(),
		waits:    sh.waits,
		waitHead: "next wait",
		number:   max(2, len(strconv.Itoa(p.Attempts()))),
		rule:     ruleWidth(p, sh.strict),
	}
	switch {
	case sh.limit < time.Minute:
		l.tookCells = leastTook
	case sh.limit < 10*time.Minute:
		l.tookCells = len("9 m 59 s")
	default:
		l.tookCells = timeWidth
	}
	switch {
	case s.narrow() || sh.speed == "" || sh.speed == "real":
	case sh.speed == "instant":
		l.waitHead += " (skipped)"
	default:
		l.waitHead += " (" + Escape(sh.speed) + " times faster)"
	}
	return l
}

// ruleWidth is the width of the widest item that can decide.
func ruleWidth(p *profiles.Profile, strict bool) int {
	width := leastRule
	for _, rule := range p.Delivery.Rules {
		for _, item := range rule.On {
			if strict || item.Text != string(profiles.BlockedAddress) {
				width = max(width, columns(Escape(item.Text)))
			}
		}
	}
	return width
}

// verdictAt is the column at which verdicts begin.
func (l ledger) verdictAt() int {
	at := l.number + gapWidth + timeWidth + gapWidth + answerWidth
	if l.took {
		at += gapWidth + l.tookCells
	}
	return at + gapWidth + l.rule + len(arrow)
}

// waitAt is the column at which the cells of the wait begin.
func (l ledger) waitAt() int {
	if l.style.wide() {
		return l.verdictAt() + widestVerdict + gapWidth
	}
	return l.verdictAt() + verdictWidth + gapWidth
}

// whyAt is the column at which the reasons begin, in the wide layout.
func (l ledger) whyAt() int { return l.waitAt() + waitWidth + sumWidth + gapWidth }

// start is a row up to the answer or the time it took.
func (l ledger) start(number, due, answer, took string) string {
	row := padLeft(number, l.number) + blanks(gapWidth) + padLeft(due, timeWidth) +
		blanks(gapWidth) + padRight(answer, answerWidth)
	if l.took {
		row += padLeft(took, gapWidth+l.tookCells)
	}
	return row
}

// head is the table's head, without its line end.
func (l ledger) head() string {
	row := l.start("#", "time", "answer", "took")
	row += padLeft("rule", gapWidth+l.rule) + arrow + "verdict"
	if l.waits {
		row = padRight(row, l.waitAt()) + l.waitHead
		if l.style.wide() {
			row = padTo(row, l.whyAt()) + "why"
		}
	}
	return l.style.paint(dim, row)
}

// row is the line of one attempt, without its line end. number is what stands
// in the first column.
func (l ledger) row(number string, a send.Attempt) string {
	took := Duration(a.Took)
	if a.Request == nil && a.Took == 0 {
		took = ""
	}
	answer := shortAnswer(a.Outcome())
	if a.Verdict.Then == "" {
		return strings.TrimRight(l.start(number, Duration(a.Due), answer, ""), " ")
	}
	row := l.start(number, Duration(a.Due), answer, took)
	item := Escape(a.Verdict.Item)
	row += blanks(max(1, l.verdictAt()-len(arrow)-columns(row)-columns(item)))
	row += l.style.paint(dim, item) + arrow + l.style.verdict(a.Verdict.Then)
	if !l.waits {
		return row
	}
	if cell := l.waitCell(a, columns(row)); cell != "" && number != again {
		row = padTo(row, l.waitAt()) + cell
	}
	if reason := Escape(a.Verdict.Reason); l.style.wide() && reason != "" {
		row = padTo(row, l.whyAt())
		row += l.style.cutAt(reason, l.style.width()-columns(row))
	}
	return row
}

// again stands in the number column of a duplicate, after which nothing follows.
const again = "+"

// padTo pads to column n; where that is reached already, two blanks part.
func padTo(row string, n int) string {
	return row + blanks(max(gapWidth, n-columns(row)))
}

// verdict paints a verdict.
func (s Style) verdict(v profiles.Verdict) string {
	return s.paint(verdictRole(v), Escape(string(v)))
}

func verdictRole(v profiles.Verdict) role {
	switch v {
	case profiles.Delivered:
		return good
	case profiles.Retried:
		return warn
	case profiles.Failed:
		return bad
	}
	return plain
}

// shortAnswer is an outcome in the nine columns of an answer.
func shortAnswer(o profiles.Outcome) string {
	switch o.Failure {
	case profiles.ReadTimeout, profiles.ConnectTimeout:
		return "timeout"
	case profiles.BlockedAddress:
		return "blocked"
	case profiles.Unreachable:
		return "no route"
	}
	return Escape(o.String())
}
