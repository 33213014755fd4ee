package render

import (
	"slices"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send/forecast"
)

// sentences say what each provider loses, and what to do.
func (d *forecastDrawing) sentences() {
	width := 0
	for _, r := range d.f.Results {
		width = max(width, columns(d.title(r)))
	}
	d.line("")
	for _, r := range d.f.Results {
		lead := d.style.paint(strong, d.title(r)) + blanks(width+gapWidth-columns(d.title(r)))
		d.line(d.style.hang(lead, d.sentence(r)))
	}
}

// sentence is what one provider loses, what becomes of the webhook, and what to
// do about it.
func (d *forecastDrawing) sentence(r forecast.Result) string {
	text := "nothing lost"
	switch {
	case r.Lost > 0:
		text = "lost: " + d.lost(r)
	case r.Pending > 0:
		text = "nothing lost so far; " + count(r.Pending, "event") + " still " + verb(r.Pending, "waits", "wait") + " at the end"
	}
	if r.Off > 0 {
		text += "; " + d.turnedOff(r)
	} else if e := r.Profile.Retry.Exhausted; slices.ContainsFunc(e.Effects, profiles.Effect.Stops) {
		text += "; " + d.webhooks() + " on, as no event failed all " + Number(r.Profile.Attempts()) + " attempts" + unsaid(e.Assumed)
	}
	if words := r.Aftermath(); words != "" {
		text += "; " + words
	}
	return Escape(text)
}

// lost is which events are lost: all of a time, or some.
func (d *forecastDrawing) lost(r forecast.Result) string {
	text := "the events"
	if r.InWindow > r.Lost {
		text = Number(r.Lost) + " of the " + count(r.InWindow, "event")
	}
	switch {
	case r.LostTo >= d.end:
		return text + " from " + Duration(r.LostFrom) + " on"
	case r.LostFrom == 0:
		return text + " of the first " + Duration(r.LostTo)
	}
	return text + " from " + Duration(r.LostFrom) + " to " + Duration(r.LostTo)
}

// turnedOff is from when the webhook is off, and what comes then.
func (d *forecastDrawing) turnedOff(r forecast.Result) string {
	text := effectWords(r.Effects[slices.IndexFunc(r.Effects, profiles.Effect.Stops)])
	if n := d.f.Outage.Webhooks; n > 1 {
		text += " for " + Number(r.Off) + " of " + Number(n) + " webhooks, the first"
	}
	text += " at " + Duration(r.OffAt) + unsaid(r.Assumed)
	if r.Unqueued > 0 {
		text += ", and " + count(r.Unqueued, "event") + " after that " + verb(r.Unqueued, "is", "are") + " not queued"
	}
	return text
}

func (d *forecastDrawing) webhooks() string {
	if d.f.Outage.Webhooks > 1 {
		return "all webhooks stay"
	}
	return "the webhook stays"
}

// unsaid marks what rests on an assumption.
func unsaid(assumed string) string {
	if assumed == "" {
		return ""
	}
	return " (assumed: the documentation does not say " + assumed + ")"
}

// verb is a verb for so many.
func verb(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}
