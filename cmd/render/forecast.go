package render

import (
	"io"
	"math"
	"strconv"
	"time"

	"github.com/hookctl/hookctl/send/forecast"
)

// Forecast draws what an outage does: a table to compare, one sentence a
// provider about what to do, and the loads on one scale.
func Forecast(w io.Writer, s Style, f *forecast.Forecast) error {
	d := &forecastDrawing{printer: printer{w: w}, style: s, f: f, end: f.Outage.For - f.Events.Before, unit: unitOf(f)}
	d.line(s.wrap(d.head(), ""))
	d.tables()
	d.sentences()
	d.plots()
	return d.err
}

// A forecastDrawing is a forecast as it is drawn.
type forecastDrawing struct {
	printer
	style Style
	f     *forecast.Forecast
	end   time.Duration // of what is simulated
	unit  unit
}

// A unit is what rates are given in: the shortest in which one of them reaches 1.
type unit struct {
	seconds   float64
	each, per string // "a second", "/s"
}

// units are those of rates, the shortest first.
func units() []unit {
	return []unit{{1, "a second", "/s"}, {60, "a minute", "/min"}, {3600, "an hour", "/h"}}
}

func unitOf(f *forecast.Forecast) unit {
	most := 0.0
	for _, r := range f.Results {
		most = max(most, r.PeakDown, r.PeakAfter)
	}
	all := units()
	for _, u := range all {
		if most*u.seconds >= 1 {
			return u
		}
	}
	return all[len(all)-1]
}

// rate is a number of attempts a second in the unit: "225/s", "1.5/min".
func (u unit) rate(perSecond float64) string { return decimal(perSecond*u.seconds) + u.per }

// decimal writes a number: a whole one from 10 on, else with one decimal that is
// not zero.
func decimal(v float64) string {
	if v = math.Round(v*10) / 10; v < 10 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return Number(int(math.Round(v)))
}

// quantity is a number as the user gave it, and what is counted: "0.01 events".
func quantity(v float64, thing string) string {
	if v == math.Trunc(v) && v < math.MaxInt32 {
		return count(int(v), thing)
	}
	form := byte('f')
	if v < 1e-6 {
		form = 'g' // 1e-300, without its 300 digits
	}
	return strconv.FormatFloat(v, form, -1, 64) + " " + thing + "s"
}

// head says what happens.
func (d *forecastDrawing) head() string {
	o, events := d.f.Outage, d.f.Events
	text := "Down for " + Duration(o.Down) + " (" + Escape(o.FailWith.Text) + "), "
	if o.Capacity > 0 {
		text += "then " + quantity(o.Capacity, "request") + " a second can be answered (the others: " + Escape(o.OverCapacity.Text) + "); "
	}
	each := ""
	if o.Webhooks > 1 {
		text += count(o.Webhooks, "webhook") + " with "
		each = " each"
	}
	return text + quantity(o.Rate, "event") + " a second" + each + " from " + Duration(events.Before) + " before to " +
		Duration(d.end-o.Down) + " after: " + count(events.Arrived, "event") + ", " + Number(events.InDown) + " of them in the outage."
}

// The widths of the table: of the labels, and the least of a provider's column,
// which is that of the largest number.
const (
	forecastLabel  = 20
	forecastColumn = len("100,000,000")
)

// A figure is a line of the table.
type figure struct {
	label string
	value func(r forecast.Result) (role, string)
}

// tables are the figures of the providers side by side, so many as have room.
func (d *forecastDrawing) tables() {
	figures := d.figures()
	for rest := d.f.Results; len(rest) > 0; {
		var widths []int
		used := forecastLabel
		for _, r := range rest[:min(len(rest), mostBlocks)] {
			width := max(forecastColumn, columns(d.title(r)))
			if used += gapWidth + width; used > d.style.width() && len(widths) > 0 {
				break
			}
			widths = append(widths, width)
		}
		d.line("")
		var head row
		head.gap(forecastLabel)
		for i, width := range widths {
			head.right(strong, d.title(rest[i]), gapWidth+width)
		}
		d.line(d.style.line(head))
		for _, f := range figures {
			var r row
			r.left(plain, f.label, forecastLabel)
			for i, width := range widths {
				as, text := f.value(rest[i])
				r.right(as, text, gapWidth+width)
			}
			d.line(d.style.line(r))
		}
		rest = rest[len(widths):]
	}
}

// title is a provider's name in prose, cut to a column.
func (d *forecastDrawing) title(r forecast.Result) string {
	return d.style.cutAt(Escape(r.Profile.Title), longestName)
}

// figures are the lines of the table; what happens under no provider has none.
func (d *forecastDrawing) figures() []figure {
	number := func(n int) (role, string) { return plain, Number(n) }
	when := func(is bool, text string) (role, string) {
		if !is {
			return dim, "-"
		}
		return plain, text
	}
	peak := func(perSecond float64) (role, string) { return plain, d.unit.rate(perSecond) }
	pending, off := false, false
	for _, r := range d.f.Results {
		pending, off = pending || r.Pending > 0, off || r.Off > 0
	}
	all := []figure{
		{"at the first attempt", func(r forecast.Result) (role, string) { return number(r.First) }},
		{"late", func(r forecast.Result) (role, string) { return number(r.Late) }},
		{"lost", func(r forecast.Result) (role, string) {
			if r.Lost > 0 {
				return strongBad, Number(r.Lost)
			}
			return number(r.Lost)
		}},
		{"  lost from", func(r forecast.Result) (role, string) { return when(r.Lost > 0, Duration(r.LostFrom)) }},
		{"  lost to", func(r forecast.Result) (role, string) { return when(r.Lost > 0, d.until(r)) }},
	}
	if pending {
		all = append(all, figure{"waiting at the end", func(r forecast.Result) (role, string) {
			if r.Pending > 0 {
				return warn, Number(r.Pending)
			}
			return number(r.Pending)
		}})
	}
	if off {
		all = append(all, figure{"webhook off from", func(r forecast.Result) (role, string) {
			if r.Off > 0 {
				return strongBad, Duration(r.OffAt)
			}
			return dim, "-"
		}})
	}
	return append(all, []figure{
		{"last late delivery", func(r forecast.Result) (role, string) { return when(r.Late > 0, Duration(r.Last)) }},
		{"  and how late", func(r forecast.Result) (role, string) { return when(r.Late > 0, Duration(r.LateBy)) }},
		{"backlog gone after", func(r forecast.Result) (role, string) { return when(r.Pending == 0, Duration(r.Backlog)) }},
		{"attempts", func(r forecast.Result) (role, string) { return number(r.Attempts) }},
		{"peak in the outage", func(r forecast.Result) (role, string) { return peak(r.PeakDown) }},
		{"peak after it", func(r forecast.Result) (role, string) { return peak(r.PeakAfter) }},
		{"  without jitter", func(r forecast.Result) (role, string) { return peak(r.PeakAfterBare) }},
	}...)
}

// until is the end of the window of what is lost.
func (d *forecastDrawing) until(r forecast.Result) string {
	if r.LostTo >= d.end {
		return "the end"
	}
	return Duration(r.LostTo)
}
