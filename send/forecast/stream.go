package forecast

import "time"

// A stream is the events of all webhooks: event g belongs to webhook g modulo
// their number, so that each has an even stream of its own.
type stream struct {
	perSecond float64
	before    time.Duration
	n         int
}

func newStream(o Outage, before time.Duration) stream {
	s := stream{perSecond: o.Rate * float64(o.Webhooks), before: before}
	s.n = MaxEvents + 1
	s.n = s.until(o.For - before)
	return s
}

// at is when event g arrives.
func (s stream) at(g int) time.Duration {
	return time.Duration(min(float64(g)*1e9/s.perSecond, 1<<62)) - s.before
}

// until is the number of events that arrive before t.
func (s stream) until(t time.Duration) int {
	if t <= -s.before {
		return 0
	}
	g := int(min(float64(t+s.before)/1e9*s.perSecond, float64(s.n)))
	for g > 0 && s.at(g-1) >= t {
		g--
	}
	for g < s.n && s.at(g) < t {
		g++
	}
	return g
}
