package render

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// Widths of a burst's columns.
const (
	burstLabel  = 11 // "interrupted", "  protocol"
	burstNumber = 5  // at least
	burstShare  = 9  // "  100.0 %"
	burstOrder  = 15 // where the words on order begin
)

// A burstDrawing is a summary being drawn.
type burstDrawing struct {
	printer
	style  Style
	burst  Burst
	sum    send.Summary
	number int // width
}

// BurstSummary draws how a burst went, by event, by answer and by time, and its
// result line.
func BurstSummary(w io.Writer, s Style, b Burst, sum send.Summary) error {
	d := &burstDrawing{printer: printer{w: w}, style: s, burst: b, sum: sum}
	d.number = max(burstNumber, len(Number(sum.Deliveries)), len(Number(sum.Attempts)))
	for _, q := range quantiles() {
		d.number = max(d.number, len(q.label)+len(Duration(sum.Latency.Quantile(q.share)))-burstLabel)
	}
	d.events()
	d.answers()
	d.latency()
	if r := sum.Replay; r != nil {
		first := sum.Delivered - r.Duplicates
		d.line(padRight("replay", burstOrder) + Number(first) + verb(first, " first delivery, ", " first deliveries, ") + count(r.Duplicates, "duplicate"))
		d.line(s.hang(blanks(burstOrder), Number(r.Fixed)+" fixed, "+Number(r.NewlyFailing)+" newly failing, "+Number(r.StillFailing)+" still failing"))
		d.line("")
	}
	if b.Profile.Promises.Order == "type" && !b.Ordered {
		d.line(s.hang(padRight("order", burstOrder), "not kept inside an event type; "+Escape(b.Profile.Title)+" keeps it"))
		d.line("")
	}
	d.line(s.burstResult(b, sum))
	return d.err
}

// row writes a row: what is counted, how much, its share of all, and words. A
// share below 0 is none.
func (d *burstDrawing) row(as role, label, number string, share float64, text string) {
	var r row
	r.add(as, label)
	r.right(plain, number, burstLabel+gapWidth+d.number-r.used)
	if share >= 0 {
		r.right(plain, percent(share), burstShare)
	}
	if text == "" {
		d.line(d.style.whole(r))
		return
	}
	lead := padRight(d.style.whole(r), burstLabel+gapWidth+d.number+burstShare+gapWidth)
	d.line(d.style.hang(lead, text))
}

// events are the rows of what became of the events.
func (d *burstDrawing) events() {
	s := d.sum
	share := func(n int) float64 { return float64(n) / float64(max(1, s.Deliveries)) }
	text := ""
	if s.Delivered > 0 {
		text = Number(s.FirstTry) + " at the first attempt, " + Number(s.Delivered-s.FirstTry) + " later"
	}
	d.row(good, "delivered", Number(s.Delivered), share(s.Delivered), text)
	d.row(bad, "failed", Number(s.Failed), share(s.Failed), failedAt(s))
	if s.Interrupted > 0 {
		d.row(warn, "interrupted", Number(s.Interrupted), share(s.Interrupted), "under way")
	}
	text = ""
	if s.NotSent > 0 && s.StoppedBy != nil {
		text = StoppedText(*s.StoppedBy)
	}
	d.row(plain, "not sent", Number(s.NotSent), share(s.NotSent), text)
	d.line("")
}

// StoppedText says what stopped the webhook: "the subscription was paused by
// event 88".
func StoppedText(s send.Stop) string {
	return strings.Replace(effectWords(s.Effect), " is ", " was ", 1) + " by event " + Number(s.Event)
}

// failedAt lists what failed deliveries ended with, the most frequent first.
func failedAt(s send.Summary) string {
	of := map[string]int{}
	for o, n := range s.FailedAt {
		of[shortAnswer(o)] += n
	}
	if s.Stopped > 0 {
		of["stopped with the webhook"] = s.Stopped
	}
	names := slices.SortedFunc(maps.Keys(of), func(a, b string) int {
		return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a, b))
	})
	for i, name := range names {
		names[i] = name + " (" + Number(of[name]) + ")"
	}
	return strings.Join(names, ", ")
}

// answers are the rows of what the attempts ended with.
func (d *burstDrawing) answers() {
	s := d.sum
	text := perSecond(s.Deliveries-s.NotSent, s.Elapsed) + " events a second for " + Duration(s.Elapsed)
	if s.LateStarts > 0 {
		text += "; " + Number(s.LateStarts) + " started late"
	}
	if s.Duplicates > 0 {
		text += "; with " + count(s.Duplicates, "duplicate")
	}
	d.row(plain, "attempts", Number(s.Attempts), -1, text)
	type answer struct{ label, rule string }
	of := map[answer]int{}
	var order []answer
	for _, o := range slices.SortedFunc(maps.Keys(s.Answers), byOutcome) {
		v := send.Judge(d.burst.Profile, o)
		a := answer{"  " + shortAnswer(o), Escape(v.Item) + arrow + string(v.Then)}
		if of[a] == 0 {
			order = append(order, a)
		}
		of[a] += s.Answers[o]
	}
	for _, a := range order {
		d.row(plain, a.label, Number(of[a]), float64(of[a])/float64(s.Attempts), a.rule)
	}
	d.line("")
}

// byOutcome puts statuses before failures.
func byOutcome(a, b profiles.Outcome) int {
	failed := func(o profiles.Outcome) int {
		if o.Failure != "" {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(failed(a), failed(b)), cmp.Compare(a.Status, b.Status), cmp.Compare(a.Failure, b.Failure))
}

// A quantile is a row of the latency.
type quantile struct {
	label string
	share float64
}

// quantiles are the rows of the latency.
func quantiles() []quantile {
	return []quantile{{"  p50", 0.5}, {"  p95", 0.95}, {"  p99", 0.99}, {"  max", 1}}
}

// latency are the rows of how long answers took, as a share of the limit.
func (d *burstDrawing) latency() {
	s := d.sum
	if s.Latency.Count() == 0 {
		return
	}
	head := padRight("latency", burstLabel+gapWidth+d.number+gapWidth) + "of the " + Duration(s.Limit) + " limit"
	d.line(d.style.paint(dim, head))
	for _, q := range quantiles() {
		took := s.Latency.Quantile(q.share)
		text := ""
		if q.share == 1 && s.Limited > 0 {
			text = count(s.Limited, "attempt") + " ended by the limit"
		}
		d.row(plain, q.label, Duration(took), float64(took)/float64(max(1, s.Limit)), text)
	}
	d.line("")
}
