package render

import (
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// A Planned is what a provider would do: attempts and ending as send.Plan gives
// them.
type Planned struct {
	Profile  *profiles.Profile
	Attempts []send.Attempt
	Ending   send.Ending
}

// PlanBare draws schedules as they are if every attempt fails, one below the
// other: what jitter allows, and each attempt's range to scale.
func PlanBare(w io.Writer, s Style, plans ...Planned) error {
	p := printer{w: w}
	for i, plan := range plans {
		if i > 0 {
			p.line("")
		}
		newSchedule(s, plan).draw(&p)
	}
	return p.err
}

// A schedule is the table of a plan without a script.
type schedule struct {
	style  Style
	plan   Planned
	slots  []slot
	before int  // width of the column of waits
	clock  int  // width of the columns of times
	ranges bool // with the columns earliest and latest
	canvas int  // columns of the drawing; 0: none
}

// A slot is when an attempt comes.
type slot struct {
	number                    int
	wait                      string // with ±, not its twin
	nominal, earliest, latest time.Duration
}

const (
	waitHead    = "wait before"
	leastDrawn  = 16 // columns; a drawing below that shows nothing
	drawingGap  = 3
	drawingEdge = 1 // columns free at the right
)

func newSchedule(s Style, plan Planned) schedule {
	sc := schedule{style: s, plan: plan, ranges: true, before: len(waitHead), clock: timeWidth}
	var before send.Wait
	earliest, latest := time.Duration(0), time.Duration(0)
	for i, a := range plan.Attempts {
		sl := slot{number: a.Number, wait: "-", nominal: a.Due}
		if i > 0 {
			earliest, latest = addTime(earliest, before.Min), addTime(latest, before.Max)
			sl.wait = sc.waitText(before)
		}
		sl.earliest, sl.latest = earliest, latest
		sc.slots = append(sc.slots, sl)
		sc.before = max(sc.before, columns(sl.wait))
		for _, d := range []time.Duration{sl.nominal, sl.latest} {
			sc.clock = max(sc.clock, len(Duration(d)))
		}
		if a.Next != nil {
			before = *a.Next
		}
	}
	if s.Dumb || len(sc.slots) < 2 || latest <= 0 {
		return sc
	}
	sc.ranges = !s.narrow()
	sc.canvas = s.drawing() - drawingEdge - drawingGap - sc.tableWidth()
	if sc.canvas < leastDrawn {
		sc.canvas, sc.ranges = 0, true
	}
	return sc
}

// waitText is a wait and its jitter: "30 s ±25 %".
func (sc schedule) waitText(w send.Wait) string {
	text := Duration(w.Base)
	if j := sc.plan.Profile.Retry.Jitter; j > 0 && w.Min != w.Max {
		text += " ±" + share(j)
	}
	return text
}

// share is a part of one in percent, without a decimal that is zero: "25 %".
func share(f float64) string {
	return strconv.FormatFloat(math.Round(f*1000)/10, 'f', -1, 64) + " %"
}

func (sc schedule) numberWidth() int {
	return max(2, len(strconv.Itoa(len(sc.slots))))
}

func (sc schedule) tableWidth() int {
	times := 1
	if sc.ranges {
		times = 3
	}
	return sc.numberWidth() + gapWidth + sc.before + times*(gapWidth+sc.clock)
}

func (sc schedule) draw(p *printer) {
	s, profile := sc.style, sc.plan.Profile
	p.line(s.paint(strong, Escape(profile.Title)) + ", if every attempt fails")
	p.line("")
	p.line(s.line(sc.head()))
	for i := range sc.slots {
		p.line(s.line(sc.row(i)))
	}
	if note := countsFrom(profile, len(sc.slots)); note != "" {
		p.line("")
		p.line(s.wrap(note, ""))
	}
	p.line("")
	p.line(sc.result())
}

func (sc schedule) head() row {
	var h row
	h.right(dim, "#", sc.numberWidth())
	h.gap(gapWidth)
	h.left(dim, waitHead, sc.before)
	names := []string{"nominal"}
	if sc.ranges {
		names = append(names, "earliest", "latest")
	}
	for _, name := range names {
		h.right(dim, name, gapWidth+sc.clock)
	}
	if sc.canvas > 0 {
		const first = "0 s"
		last := Duration(sc.slots[len(sc.slots)-1].latest)
		h.gap(drawingGap)
		h.add(dim, first)
		h.right(dim, last, sc.canvas-len(first))
	}
	return h
}

func (sc schedule) row(i int) row {
	sl := sc.slots[i]
	var r row
	r.right(plain, strconv.Itoa(sl.number), sc.numberWidth())
	r.gap(gapWidth)
	as := plain
	if sl.wait == "-" {
		as = dim
	}
	// The twin of ± has two columns: what follows it moves by one.
	wait := sc.style.twins(sl.wait)
	r.add(as, wait)
	times := []time.Duration{sl.nominal}
	if sc.ranges {
		times = append(times, sl.earliest, sl.latest)
	}
	end := sc.numberWidth() + gapWidth + sc.before + columns(wait) - columns(sl.wait)
	for _, d := range times {
		end += gapWidth + sc.clock
		r.right(plain, Duration(d), end-r.used)
	}
	if sc.canvas > 0 {
		r.gap(drawingGap)
		sc.drawRange(&r, i)
	}
	return r
}

// drawRange draws when an attempt may come: a thick line, and its number at the
// nominal time.
func (sc schedule) drawRange(r *row, i int) {
	sl, total := sc.slots[i], sc.slots[len(sc.slots)-1].latest
	from := stripScale(sl.earliest, total, sc.canvas)
	at := stripScale(sl.nominal, total, sc.canvas)
	to := stripScale(sl.latest, total, sc.canvas)
	thick := sc.style.thick()
	as := strong
	if i == len(sc.slots)-1 {
		as = bad
	}
	r.gap(from)
	r.add(warn, strings.Repeat(thick, at-from))
	r.add(as, strconv.Itoa(sl.number%10))
	r.add(warn, strings.Repeat(thick, to-at))
}

// countsFrom says from where waits count and what time-outs add, for a schedule
// of n attempts; "" for one.
func countsFrom(p *profiles.Profile, n int) string {
	if n < 2 {
		return ""
	}
	if p.Retry.FromStart {
		return "Waits count from the start of the attempt before, but no attempt begins before that one has ended."
	}
	limits := p.Delivery.Limits
	upTo := ""
	if limits.Total == 0 {
		upTo = "up to "
	}
	one := limits.Longest()
	all := time.Duration(math.MaxInt64)
	if one <= all/time.Duration(n) {
		all = one * time.Duration(n)
	}
	return "Waits count from the end of the attempt before: one that times out adds " + upTo + Duration(one) +
		", " + inWords(n) + " add " + upTo + Duration(all) + "."
}

// inWords is a number in words up to twelve.
func inWords(n int) string {
	words := []string{"none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
	if n >= 0 && n < len(words) {
		return words[n]
	}
	return Number(n)
}

// result is the result line of a schedule that is used up.
func (sc schedule) result() string {
	s, n := sc.style, len(sc.slots)
	text := s.paint(strongBad, "failed") + ": attempt " + strconv.Itoa(n) + " of " +
		strconv.Itoa(max(n, sc.plan.Profile.Attempts()))
	if n > 1 {
		last := sc.slots[n-1]
		text += ", after " + span2(last.earliest, last.latest)
	}
	return text + Result{Ending: sc.plan.Ending}.tail()
}

// span2 is a range of times, or the one time where both are shown alike.
func span2(from, to time.Duration) string {
	a, b := Duration(from), Duration(to)
	if a == b {
		return a
	}
	return a + " to " + b
}
