package render

import (
	"math"
	"strings"
	"time"
)

// plotRows is the height of a plot, without its axis.
const plotRows = 4

// eighths is how many steps a row has.
const eighths = 8

// A plot is where the loads are drawn: one scale for all.
type plot struct {
	lead     int     // columns before the axis
	width    int     // columns of the axis
	top      float64 // attempts a second at the top
	from, to int     // the outage's columns
}

// plots draws the loads, one below the other. A dumb style has none.
func (d *forecastDrawing) plots() {
	s := d.style
	if s.Dumb {
		return
	}
	// The width of the scale depends on the highest column, and that on the width.
	p := plot{lead: 6}
	for range 2 {
		p.width = s.drawing() - p.lead - drawingEdge
		p.top = d.top(p.width)
		p.lead = max(p.lead, columns(d.unit.rate(p.top))+1)
	}
	p.width = s.drawing() - p.lead - drawingEdge
	p.from = d.column(0, p.width)
	p.to = max(d.column(d.f.Outage.Down, p.width), p.from+1)
	d.line("")
	d.line("attempts " + d.unit.each + "; the thick line is the outage")
	for _, r := range d.f.Results {
		d.line(s.paint(strong, d.title(r)))
		d.bars(p, r.Load.Columns(p.width, true))
	}
	d.line(s.line(d.times(p)))
}

// column is where an instant is drawn.
func (d *forecastDrawing) column(at time.Duration, width int) int {
	return stripScale(at+d.f.Events.Before, d.f.Outage.For, width)
}

// top is a round number that is at least the highest column, in the unit.
func (d *forecastDrawing) top(width int) float64 {
	most := 0.0
	for _, r := range d.f.Results {
		for _, v := range r.Load.Columns(width, true) {
			most = max(most, v)
		}
	}
	return roundUp(most*d.unit.seconds) / d.unit.seconds
}

// roundUp is the least of 1, 2, 3, 4, 5, 6 and 8 times a power of ten that is not
// below v.
func roundUp(v float64) float64 {
	if !(v > 0) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, step := range []float64{1, 2, 3, 4, 5, 6, 8, 10} {
		if step*power >= v*(1-1e-9) {
			return step * power
		}
	}
	return 10 * power
}

// bars draws one load: its rows, then the axis.
func (d *forecastDrawing) bars(p plot, load []float64) {
	s := d.style
	for line := plotRows - 1; line >= 0; line-- {
		var r row
		if line == plotRows-1 {
			r.add(dim, d.unit.rate(p.top))
		}
		r.until(p.lead)
		d.cells(&r, p, func(c int) (role, string) {
			filled := int(math.Round(load[c]/p.top*plotRows*eighths)) - line*eighths
			in := c >= p.from && c < p.to
			switch {
			case filled > 0 && in:
				return bad, bar(filled)
			case filled > 0:
				return plain, bar(filled)
			case in:
				return dim, "░"
			}
			return plain, " "
		})
		d.line(s.line(r))
	}
	var axis row
	axis.right(dim, "0", p.lead-1)
	axis.gap(1)
	d.cells(&axis, p, func(c int) (role, string) {
		if c >= p.from && c < p.to {
			return strongBad, "━"
		}
		return dim, "─"
	})
	d.line(s.line(axis))
}

// cells adds the columns of a plot to a row; those of one role are one span.
func (d *forecastDrawing) cells(r *row, p plot, cell func(c int) (role, string)) {
	var b strings.Builder
	last := plain
	for c := range p.width {
		as, text := cell(c)
		if as != last {
			r.add(last, b.String())
			b.Reset()
			last = as
		}
		b.WriteString(d.style.twins(text))
	}
	r.add(last, b.String())
}

// bar is a cell that is filled by so many eighths.
func bar(filled int) string {
	return string([]rune("▁▂▃▄▅▆▇█")[min(filled, eighths)-1])
}

// times are the instants below the plots: the first and the last always, the
// others where there is room.
func (d *forecastDrawing) times(p plot) row {
	const gap = 2
	var r row
	r.gap(p.lead)
	r.add(dim, Duration(-d.f.Events.Before))
	last := Duration(d.end)
	end := p.lead + p.width - len(last)
	for at, step := time.Duration(0), d.step(p.width); at < d.end; at += step {
		column, text := p.lead+d.column(at, p.width), Duration(at)
		if column >= r.used+gap && column+len(text)+gap <= end {
			r.until(column)
			r.add(dim, text)
		}
	}
	r.until(end)
	r.add(dim, last)
	return r
}

// step is the time between two instants below the plots: the outage's length if
// that makes a fair distance, else a round one.
func (d *forecastDrawing) step(width int) time.Duration {
	const least, most = 10, 30 // columns
	distance := func(t time.Duration) float64 { return float64(t) / float64(d.f.Outage.For) * float64(width) }
	if n := distance(d.f.Outage.Down); n >= least && n <= most {
		return d.f.Outage.Down
	}
	const s, m, h = time.Second, time.Minute, time.Hour
	for _, step := range []time.Duration{s, 2 * s, 5 * s, 10 * s, 15 * s, 30 * s, m, 2 * m, 5 * m, 10 * m, 15 * m, 30 * m, h, 2 * h, 3 * h, 6 * h, 12 * h, day, 2 * day, 5 * day} {
		if distance(step) >= least {
			return step
		}
	}
	return 10 * day
}
