package render

import (
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/send/forecast"
)

// The measures of the drawing, in pixels.
const (
	svgWidth  = 860
	svgLeft   = 70
	svgRight  = 20
	svgTop    = 56
	svgPanel  = 150 // from one plot to the next
	svgHeight = 104 // of a plot
	svgPlot   = svgWidth - svgLeft - svgRight
	svgFoot   = 36
)

// svgStyle has its colours for light and for dark pages, each with the contrast
// that text needs. Not every reader of SVG knows variables.
const svgStyle = `<style>
text{font:12px system-ui,sans-serif;fill:#59636e}.title{font-weight:600;fill:#1f2328}
.page{fill:#fff}.shade{fill:#ffebe9}.load{fill:#54aeff}.down{fill:#cf222e}
.axis{fill:none;stroke:#59636e}.bare{fill:none;stroke:#1f2328;stroke-width:1.2;stroke-dasharray:4 3}
@media(prefers-color-scheme:dark){
text{fill:#9198a1}.title{fill:#f0f6fc}
.page{fill:#0d1117}.shade{fill:#3c1618}.load{fill:#1f6feb}.down{fill:#f85149}
.axis{stroke:#9198a1}.bare{stroke:#f0f6fc}
}
</style>
`

// An svgDrawing is a forecast as it is drawn.
type svgDrawing struct {
	strings.Builder
	forecastDrawing
	top float64 // attempts a second at the top of a plot
}

// ForecastSVG draws the loads as one SVG file that needs no other: a plot a
// provider on one scale, the outage shaded, the load without jitter as a dashed
// line. It follows the reader's choice of a light or a dark page.
func ForecastSVG(w io.Writer, f *forecast.Forecast) error {
	d := &svgDrawing{forecastDrawing: forecastDrawing{f: f, end: f.Outage.For - f.Events.Before, unit: unitOf(f)}}
	d.top = d.forecastDrawing.top(svgPlot)
	height := svgTop + svgPanel*len(f.Results) + svgFoot
	d.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">`+"\n", svgWidth, height, svgWidth, height)
	d.add("<title>%s</title>\n", svgText(d.head()))
	d.WriteString(svgStyle)
	d.add(`<rect class="page" width="%d" height="%d"/>`+"\n", svgWidth, height)
	for i, line := range strings.Split(wrapAt(d.head(), "", 110), "\n") {
		d.text(svgLeft, 22+16*i, "start", line)
	}
	d.add(`<clipPath id="outage"><rect x="%.1f" y="0" width="%.1f" height="%d"/></clipPath>`+"\n", d.x(0), d.outage(), height)
	for i, r := range f.Results {
		d.panel(i, r)
	}
	d.instants(svgTop + svgPanel*len(f.Results))
	d.WriteString("</svg>\n")
	return writeString(w, d.String())
}

// add writes a part; its texts are escaped.
func (d *svgDrawing) add(format string, args ...any) { fmt.Fprintf(&d.Builder, format, args...) }

// text writes a text at a place, which is its start or its end.
func (d *svgDrawing) text(x, y int, anchor, text string) {
	d.add(`<text x="%d" y="%d" text-anchor="%s">%s</text>`+"\n", x, y, anchor, svgText(text))
}

// svgText is a text as XML.
func svgText(s string) string { return html.EscapeString(Escape(s)) }

// x is the place of an instant.
func (d *svgDrawing) x(at time.Duration) float64 {
	return svgLeft + svgPlot*float64(at+d.f.Events.Before)/float64(d.f.Outage.For)
}

// outage is the width of the outage, a pixel at least.
func (d *svgDrawing) outage() float64 { return max(1, d.x(d.f.Outage.Down)-d.x(0)) }

// panel draws the load of result i, its part in the outage in another colour.
func (d *svgDrawing) panel(i int, r forecast.Result) {
	y := svgTop + svgPanel*i
	base := y + 24 + svgHeight
	d.add(`<text x="%d" y="%d" class="title">%s</text>`+"\n", svgLeft, y+14, svgText(d.title(r)+": "+d.loss(r)))
	d.add(`<rect class="shade" x="%.1f" y="%d" width="%.1f" height="%d"/>`+"\n", d.x(0), base-svgHeight, d.outage(), svgHeight)
	d.add(`<defs><path id="load%d" d="M%d %dV%sV%dZ"/></defs>`+"\n", i, svgLeft, base, d.steps(base, r, true), base)
	d.add(`<use href="#load%d" class="load"/><use href="#load%[1]d" class="down" clip-path="url(#outage)"/>`+"\n", i)
	if r.Profile.Retry.Jitter > 0 {
		d.add(`<path class="bare" d="M%d %s"/>`+"\n", svgLeft, d.steps(base, r, false))
	}
	d.add(`<path class="axis" d="M%d %dH%d"/>`+"\n", svgLeft, base, svgWidth-svgRight)
	d.text(svgLeft-8, base-svgHeight+10, "end", d.unit.rate(d.top))
	d.text(svgLeft-8, base, "end", "0")
}

// steps are the heights of a load from left to right, without the first letter.
func (d *svgDrawing) steps(base int, r forecast.Result, jitter bool) string {
	var b strings.Builder
	before := ""
	for i, v := range r.Load.Columns(svgPlot, jitter) {
		y := strconv.FormatFloat(float64(base)-svgHeight*min(v/d.top, 1), 'f', 1, 64)
		if y == before {
			continue
		}
		if i > 0 {
			fmt.Fprintf(&b, "H%dV", svgLeft+i)
		}
		b.WriteString(y)
		before = y
	}
	fmt.Fprintf(&b, "H%d", svgWidth-svgRight)
	return b.String()
}

// loss is what a plot's title says beside the provider's name.
func (d *svgDrawing) loss(r forecast.Result) string {
	switch {
	case r.Lost > 0:
		return d.lost(r) + " are lost (" + Number(r.Lost) + ")"
	case r.Pending > 0:
		return Number(r.Pending) + " still wait at the end"
	}
	return "nothing lost"
}

// instants are the times below the plots.
func (d *svgDrawing) instants(y int) {
	d.text(svgLeft, y, "start", Duration(-d.f.Events.Before))
	last := Duration(d.end)
	const letter, gap = 7, 14 // pixels
	used, end := svgLeft+letter*len(Duration(-d.f.Events.Before)), svgWidth-svgRight-letter*len(last)
	for at, step := time.Duration(0), d.step(svgPlot/letter); at < d.end; at += step {
		x, width := int(d.x(at)), letter*len(Duration(at))
		if x >= used+gap && x+width+gap <= end {
			d.text(x, y, "start", Duration(at))
			used = x + width
		}
	}
	d.text(svgWidth-svgRight, y, "end", last)
	d.text(svgLeft, y+18, "start", "attempts "+d.unit.each+"; shaded: the outage; dashed: without jitter")
}
