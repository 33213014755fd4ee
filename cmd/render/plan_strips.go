package render

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// longestName bounds the names beside the strips, in columns.
const longestName = 24

// compareStrips draws the attempts of all plans on one scale, which ends with
// the longest of them. A dumb style has none, nor do plans of one attempt.
func compareStrips(p *printer, s Style, plans []Planned) {
	name, total := 0, time.Duration(0)
	for _, plan := range plans {
		name = max(name, columns(s.cutAt(Escape(plan.Profile.Name), longestName)))
		for _, a := range plan.Attempts {
			total = max(total, addTime(a.Due, a.Took))
		}
	}
	if s.Dumb || total <= 0 {
		return
	}
	p.line("")
	lead := name + gapWidth
	width := s.drawing() - drawingEdge - lead
	for _, plan := range plans {
		p.line(padRight(s.cutAt(Escape(plan.Profile.Name), longestName), lead) + s.sharedStrip(plan, total, width))
	}
	const first = "0 s"
	var times row
	times.gap(lead)
	times.add(dim, first)
	times.right(dim, Duration(total), width-len(first))
	p.line(s.line(times))
}

// sharedStrip draws one plan's attempts on a scale of more than its own length;
// it ends where the plan does.
func (s Style) sharedStrip(plan Planned, total time.Duration, width int) string {
	attempts := plan.Attempts
	if len(attempts) == 0 {
		return ""
	}
	if len(attempts) > width {
		attempts = append(slices.Clone(attempts[:width-1]), attempts[len(attempts)-1])
	}
	marks := make([]mark, len(attempts))
	for i, a := range attempts {
		marks[i] = mark{number: a.Number, at: a.Due, took: a.Took}
	}
	at := stripColumns(marks, total, width)
	last := len(at) - 1
	var r row
	for i, column := range at {
		m := marks[i]
		as := strong
		if i == last {
			as = stateRole(plan.Ending.State)
		}
		r.add(as, strconv.Itoa(m.number%10))
		thick := 0
		if share := float64(m.took) / float64(total) * float64(width-1); share >= 1 {
			thick = stripScale(addTime(m.at, m.took), total, width) - column
		}
		room := thick
		if i < last {
			room = at[i+1] - column - 1
			thick = min(thick, room)
		}
		r.add(warn, strings.Repeat(s.thick(), max(0, thick)))
		r.add(dim, strings.Repeat(s.thin(), max(0, room-thick)))
	}
	return s.whole(r)
}
