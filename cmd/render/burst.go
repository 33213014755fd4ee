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

// A Burst is what was asked of a burst: who sends how much to whom.
type Burst struct {
	Profile     *profiles.Profile
	To          string // the URL, or what stands for it
	Type        string // of the events; "" where they have several
	Events      int
	Of          int // secrets that have a delivery of each event to themselves; 0, 1: there is one delivery
	Secrets     int // how many sign in one header; 2 is said
	Concurrency int
	Rate        string // events a second as given; "": not bounded
	OneID       bool   // all events have one id
	Ordered     bool   // the order inside an event type is kept
	Speed       string // "instant", "real", or the factor as given
	Seed        uint64
}

// BurstHead draws what stands above the summary, before the first event.
func BurstHead(w io.Writer, s Style, b Burst) error {
	first := s.paint(strong, Escape(b.Profile.Title)) + " -> " + Address(b.To)
	items := []string{count(b.Events, "event"), Number(b.Concurrency) + " at once"}
	if b.Type != "" {
		items = append([]string{Escape(b.Type)}, items...)
	}
	if b.Rate != "" {
		items = append(items, Escape(b.Rate)+" a second")
	}
	if b.OneID {
		items = append(items, "one id")
	}
	switch {
	case b.Of > 1:
		items = append(items, strconv.Itoa(b.Of)+" deliveries each")
	case b.Secrets > 1:
		items = append(items, strconv.Itoa(b.Secrets)+" secrets")
	}
	switch b.Speed {
	case "instant":
		items = append(items, "waits skipped")
	case "real":
		items = append(items, "waits real")
	default:
		items = append(items, "waits "+Escape(b.Speed)+" times faster")
	}
	items = append(items, "seed "+strconv.FormatUint(b.Seed, 10))
	return writeString(w, first+"\n"+s.items(items)+"\n")
}

// BurstResult writes the result line of a burst. It is all that -q prints.
func BurstResult(w io.Writer, s Style, b Burst, sum send.Summary) error {
	return writeString(w, s.burstResult(b, sum)+"\n")
}

// burstResult is the line without its end.
func (s Style) burstResult(b Burst, sum send.Summary) string {
	thing := "events"
	if b.Of > 1 {
		thing = "deliveries"
	}
	of := " of " + Number(sum.Deliveries) + " " + thing
	unsent := Number(sum.NotSent) + " were not sent"
	if sum.NotSent == 1 {
		unsent = "1 was not sent"
	}
	switch {
	case sum.Interrupted > 0 || sum.NotSent > 0 && sum.StoppedBy == nil:
		var rest []string
		if sum.Failed > 0 {
			rest = append(rest, Number(sum.Failed)+" failed")
		}
		if sum.Interrupted > 0 {
			rest = append(rest, Number(sum.Interrupted)+" under way")
		}
		if sum.NotSent > 0 {
			rest = append(rest, unsent)
		}
		return s.paint(strongWarn, "interrupted") + ": " + Number(sum.Delivered) + of + " delivered; " + strings.Join(rest, ", ")
	case sum.Delivered == sum.Deliveries:
		return s.paint(strongGood, "delivered") + ": " + Number(sum.Delivered) + of
	}
	text := Number(sum.Failed) + of
	if len(sum.Effects) > 0 {
		effect := sum.Effects[0]
		if sum.StoppedBy != nil {
			effect = sum.StoppedBy.Effect
		}
		text += "; " + effectWords(effect)
		if sum.StoppedBy != nil && sum.StoppedBy.Assumed != "" {
			text += " (" + s.paint(warn, "assumed") + ")"
		}
	}
	if sum.NotSent > 0 {
		text += "; " + unsent
	}
	return s.paint(strongBad, "failed") + ": " + text
}

// ProgressText is the progress line of a burst that runs: how many of its events
// have ended, and how, after some time.
func ProgressText(p send.Progress, of int, after time.Duration) string {
	ended := p.Delivered + p.Failed
	return Number(ended) + " of " + Number(of) + "  " + Number(p.Delivered) + " delivered  " + Number(p.Failed) + " failed  " +
		Number(p.UnderWay) + " under way  " + perSecond(ended, after) + "/s"
}

// perSecond is a rate: whole from ten on, else with one decimal.
func perSecond(n int, in time.Duration) string {
	r := float64(n) / max(in.Seconds(), 0.001)
	if r < 9.95 {
		return strconv.FormatFloat(r, 'f', 1, 64)
	}
	return Number(int(math.Round(r)))
}
