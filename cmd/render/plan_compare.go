package render

import (
	"io"
	"strconv"
)

// mostBlocks is how many providers stand side by side.
const mostBlocks = 3

// PlanCompare draws what several providers would do under one script: side by
// side, a row an attempt and a block a provider, and below them all strips on
// one scale. A narrow style has the blocks below each other.
func PlanCompare(w io.Writer, s Style, plans []Planned) error {
	p := printer{w: w}
	for rest := plans; len(rest) > 0; {
		if len(rest) < len(plans) {
			p.line("")
		}
		n := 1
		if s.narrow() {
			compareBelow(&p, s, rest[0])
		} else {
			c := newComparison(s, rest)
			c.draw(&p)
			n = len(c.blocks)
		}
		rest = rest[n:]
	}
	compareStrips(&p, s, plans)
	return p.err
}

// compareBelow draws one provider's block in the narrow layout.
func compareBelow(p *printer, s Style, plan Planned) {
	l := newLedger(s, plan.Profile, shape{limit: plan.Profile.Delivery.Limits.Longest()})
	p.line(s.paint(strong, Escape(plan.Profile.Title)))
	p.line(l.head())
	r := Result{Profile: plan.Profile, Ending: plan.Ending, Remaining: -1}
	for i, a := range plan.Attempts {
		p.line(l.row(strconv.Itoa(a.Number), a))
		r.Last = &plan.Attempts[i]
	}
	p.line(s.result(r))
}

// A comparison is a table of up to three providers.
type comparison struct {
	style  Style
	blocks []block
	rows   int
	number int // width
	rule   int // width of the rules; 0: they are not shown
}

// A block is one provider's columns.
type block struct {
	plan  Planned
	clock int // width of the times
}

// newComparison takes as many of the plans as fit the width, three at most.
func newComparison(s Style, plans []Planned) comparison {
	c := comparison{style: s, number: 2}
	for _, plan := range plans[:min(len(plans), mostBlocks)] {
		b := block{plan: plan, clock: len(plan.share())}
		rule := 0
		for _, a := range plan.Attempts {
			b.clock = max(b.clock, len(Duration(a.Due)))
			rule = max(rule, columns(Escape(a.Verdict.Item)))
		}
		wider := c
		wider.blocks = append(wider.blocks[:len(wider.blocks):len(wider.blocks)], b)
		wider.rows = max(c.rows, len(plan.Attempts))
		wider.number = max(c.number, len(strconv.Itoa(wider.rows)))
		if s.wide() {
			wider.rule = max(c.rule, rule, usualRule)
		}
		if len(c.blocks) > 0 && wider.width() > s.width() {
			break
		}
		c = wider
	}
	return c
}

// usualRule is the width of the rules where none is wider.
const usualRule = len("connection")

// share is how many of the attempts were made: "3 of 8".
func (plan Planned) share() string {
	return strconv.Itoa(len(plan.Attempts)) + " of " + strconv.Itoa(plan.Profile.Attempts())
}

func (c comparison) width() int {
	w := c.number + gapWidth + answerWidth
	for _, b := range c.blocks {
		w += gapWidth + b.clock + gapWidth + c.verdict()
	}
	return w
}

// verdict is the width of a verdict, with its rule where rules are shown.
func (c comparison) verdict() int {
	if c.rule == 0 {
		return widestVerdict
	}
	return c.rule + len(arrow) + widestVerdict
}

func (c comparison) draw(p *printer) {
	p.line(c.style.line(c.titles()))
	head := c.start(dim, "#", "answer")
	for _, b := range c.blocks {
		head.gap(gapWidth)
		head.right(dim, "time", b.clock)
		head.gap(gapWidth)
		if c.rule > 0 {
			head.right(dim, "rule", c.rule)
			head.add(dim, arrow)
		}
		head.left(dim, "verdict", widestVerdict)
	}
	p.line(c.style.line(head))
	for i := range c.rows {
		p.line(c.style.line(c.row(i)))
	}
	p.line(c.style.line(c.end()))
}

// titles are the providers' names, each above the end of its times.
func (c comparison) titles() row {
	var r row
	end := c.number + gapWidth + answerWidth
	for i, b := range c.blocks {
		end += gapWidth + b.clock
		room := end - r.used
		if i > 0 {
			room -= gapWidth
		}
		title := c.style.cutAt(Escape(b.plan.Profile.Title), room)
		r.right(strong, title, end-r.used)
		end += gapWidth + c.verdict()
	}
	return r
}

// start is the number and the answer of a row.
func (c comparison) start(as role, number, answer string) row {
	var r row
	r.right(as, number, c.number)
	r.gap(gapWidth)
	r.left(as, answer, answerWidth)
	return r
}

func (c comparison) row(i int) row {
	answer := ""
	for _, b := range c.blocks {
		if answer == "" && i < len(b.plan.Attempts) {
			answer = shortAnswer(b.plan.Attempts[i].Outcome())
		}
	}
	r := c.start(plain, strconv.Itoa(i+1), answer)
	for _, b := range c.blocks {
		r.gap(gapWidth)
		if i >= len(b.plan.Attempts) {
			r.right(dim, "-", b.clock)
			r.gap(gapWidth + c.verdict())
			continue
		}
		a := b.plan.Attempts[i]
		r.right(plain, Duration(a.Due), b.clock)
		r.gap(gapWidth)
		if c.rule > 0 {
			r.right(dim, Escape(a.Verdict.Item), c.rule)
			r.add(plain, arrow)
		}
		r.left(verdictRole(a.Verdict.Then), Escape(string(a.Verdict.Then)), widestVerdict)
	}
	return r
}

// end is the row that says how each delivery ended.
func (c comparison) end() row {
	r := c.start(plain, "", "end")
	for _, b := range c.blocks {
		r.gap(gapWidth)
		r.right(plain, b.plan.share(), b.clock)
		r.gap(gapWidth)
		if c.rule > 0 {
			r.gap(c.rule + len(arrow))
		}
		state := b.plan.Ending.State
		r.left(stateRole(state), Escape(string(state)), widestVerdict)
	}
	return r
}
