package render

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// sends says which headers go with each attempt, and which with a retry.
func (p *prose) sends() {
	p.under("sends")
	signature := sign.SignatureHeader(p.profile).Name
	for _, h := range p.profile.Headers {
		if h.Name != signature {
			p.header(h, "headers.")
		}
	}
	p.under("retries")
	for _, h := range p.profile.RetryHeaders {
		p.header(h, "retry_headers.")
	}
}

func (p *prose) header(h profiles.Header, field string) {
	text := Escape(h.Name) + ": " + inProse(h.Value)
	if shows(h) && p.profile.Promises.Dedupe != "" && field == "headers." {
		text += ", the same on each attempt"
	}
	p.say(text + p.assumed(field+h.Name))
}

// shows reports whether a header is the event's id and nothing else.
func shows(h profiles.Header) bool {
	return len(h.Value.Parts) == 1 && h.Value.Parts[0].Name == "id"
}

// showsID reports whether one of the headers that every attempt has is the
// event's id.
func (p *prose) showsID() bool {
	for _, h := range p.profile.Headers {
		if shows(h) {
			return true
		}
	}
	return false
}

// limit says how long an attempt may take.
func (p *prose) limit() {
	p.under("limit")
	l := p.profile.Delivery.Limits
	if l.Total > 0 {
		p.say(Duration(l.Total) + " for an attempt, from connecting to the answer" + p.assumed("delivery.timeout"))
	} else {
		p.say(Duration(l.Connect) + " to connect, then " + Duration(l.Read) + " for the answer" + p.assumed("delivery.timeout"))
	}
	if n := p.profile.Delivery.MaxBody; n > 0 && n != profiles.DefaultMaxBody {
		p.say("a body of " + size(n) + " at most" + p.assumed("delivery.max_body"))
	}
}

// size is a number of bytes, in the largest unit that needs no fraction.
func size(n int64) string {
	switch {
	case n%(1<<20) == 0:
		return strconv.FormatInt(n>>20, 10) + " MiB"
	case n%(1<<10) == 0:
		return strconv.FormatInt(n>>10, 10) + " KiB"
	}
	return count(int(n), "byte")
}

// schedule says when a delivery is tried again, and how it ends.
func (p *prose) schedule() {
	r := p.profile.Retry
	p.under("waits")
	if len(r.Waits) == 0 {
		p.say("none: there is one attempt" + p.assumed("retry.waits", "retry.from"))
	} else {
		from := "the end of the failed attempt"
		if r.FromStart {
			from = "the start of the failed attempt, but after its end"
		}
		each := "each"
		if len(r.Waits) == 1 {
			each = "counted"
		}
		p.say(waitList(r.Waits) + ", " + each + " from " + from + p.assumed("retry.waits", "retry.from") + "; " +
			p.jitter() + p.assumed("retry.jitter"))
		p.say(p.total() + p.assumed("retry.ceiling"))
	}
	if r.Shape {
		p.say("only the shape of the schedule is published, not its numbers" + p.assumed("retry.exact"))
	}
	if a := r.RetryAfter; a != nil && len(a.On) > 0 {
		var on []string
		for _, status := range a.On {
			on = append(on, strconv.Itoa(status))
		}
		p.say("Retry-After on " + profiles.List(on, "and") + " takes the place of the next wait, " + Duration(a.AtMost) + " at most, without jitter" +
			p.assumed("retry.retry_after"))
	}
	p.exhausted()
}

func (p *prose) jitter() string {
	if p.profile.Retry.Jitter <= 0 {
		return "no jitter"
	}
	return p.style.plusMinus() + share(p.profile.Retry.Jitter) + " of jitter"
}

// total is how long the schedule is: "3 attempts over 5 m 5 s".
func (p *prose) total() string {
	r := p.profile.Retry
	all := allWaits(p.profile)
	text := count(p.profile.Attempts(), "attempt") + " over " + Duration(all)
	if r.Jitter > 0 {
		text += ", " + span2(scaled(all, 1-r.Jitter), scaled(all, 1+r.Jitter)) + " with jitter"
	}
	if r.Ceiling > 0 {
		text += "; none later than " + Duration(r.Ceiling) + " after the first"
	}
	return text
}

// scaled is a length of time times a factor; it stays at the longest there is.
func scaled(d time.Duration, factor float64) time.Duration {
	f := float64(d) * factor
	if f >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(f)
}

// exhausted says what follows the last attempt.
func (p *prose) exhausted() {
	e := p.profile.Retry.Exhausted
	if len(e.Effects) == 0 && e.Assumed == "" {
		return
	}
	var effects []string
	for _, effect := range e.Effects {
		effects = append(effects, effectWords(effect))
	}
	text := profiles.List(effects, "and")
	if text == "" {
		text = "the delivery has failed"
	}
	mark := p.assumed("retry.exhausted")
	if e.Assumed != "" {
		mark = " (assumed)"
	}
	p.say("all used: " + text + mark)
}

// fewWaits is how many equal waits in a row are written one by one.
const fewWaits = 3

// waitList lists waits; many equal ones in a row are counted.
func waitList(waits []time.Duration) string {
	var parts []string
	for i := 0; i < len(waits); {
		n := 1
		for i+n < len(waits) && waits[i+n] == waits[i] {
			n++
		}
		if n > fewWaits {
			parts = append(parts, Number(n)+" times "+Duration(waits[i]))
		} else {
			for range n {
				parts = append(parts, Duration(waits[i]))
			}
		}
		i += n
	}
	return strings.Join(parts, ", ")
}

// events names the samples, and says where things stand in a body.
func (p *prose) events() {
	p.under("events")
	var types []string
	for _, sample := range p.profile.Samples {
		if r := p.profile.Replay; r == nil || sample.Type != r.Started && sample.Type != r.Completed {
			types = append(types, Escape(sample.Type))
		}
	}
	event := p.profile.Event
	var where []string
	for _, path := range []string{event.ID, event.Type} {
		if path != "" {
			where = append(where, Escape(path))
		}
	}
	lead, text := "", ""
	if len(types) > 0 {
		lead = strings.Join(types, ", ")
	}
	switch {
	case len(where) == 0:
		text = "neither id nor type is read from the body"
	case p.names("events"):
		// The members around them are not documented: the sample's are one guess.
		text = profiles.List(where, "and") + " beside the members of the result"
	default:
		text = profiles.List(where, "and") + " in the body"
	}
	if lead != "" {
		text = lead + ": " + text
	}
	p.say(text + p.assumed("events", "event"))
	if event.Object != "" && event.Updated != "" {
		p.say("of two states of " + Escape(event.Object) + " the newer has the later " + Escape(event.Updated))
	}
}
