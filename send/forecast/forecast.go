// Package forecast simulates an outage of an endpoint under a provider's rules:
// what is delivered late, what is lost, and the load that follows. It uses no
// network, no clock and no chance but the seed's, and decides by the rules of
// package send.
//
// Fill an [Outage] and call [Run].
package forecast

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// An Outage is what happens to the endpoint, and what arrives meanwhile. All
// times of a forecast count from its start.
type Outage struct {
	Down time.Duration // how long every request fails; above 0
	Rate float64       // events a second of each webhook, evenly spread; above 0
	For  time.Duration // how long events arrive; 0: Down and three hours

	// FailWith is how a request of the outage ends; without an outcome: refused.
	FailWith send.Step

	// Capacity is how many requests can be answered in each second after the
	// outage; those beyond, in the order in which they come, end as OverCapacity
	// says (without an outcome: 503). 0: all are answered.
	Capacity     float64
	OverCapacity send.Step

	Webhooks int // how many there are, each with its own events and its own end; 0: 1
	Seed     uint64
}

// The bounds of a forecast.
const (
	MaxEvents   = 100_000_000
	MaxLimited  = 20_000_000 // events, where a capacity holds
	MaxWebhooks = 10_000_000
	MaxFor      = 90 * day
)

// usualAfter is the default of For beyond Down.
const usualAfter = 3 * time.Hour

// The most time before the outage, and the most as a share of For: a sixth.
const (
	mostBefore  = 30 * time.Minute
	shareBefore = 6
)

// Events are those of an outage.
type Events struct {
	Before  time.Duration // how long before the outage the first one arrives
	Arrived int           // how many arrive
	InDown  int           // how many of them in the outage
}

// A LimitError is an outage that is too large or too small to simulate, or one
// that does not end while events arrive.
type LimitError struct {
	Text string
}

// Error says what is out of bounds.
func (e *LimitError) Error() string { return e.Text }

func limit(format string, args ...any) error {
	return &LimitError{fmt.Sprintf(format, args...)}
}

// complete is the outage with its defaults, and its events; a *LimitError where
// it is out of bounds.
func (o Outage) complete() (Outage, Events, error) {
	if o.For == 0 {
		o.For = o.Down + min(usualAfter, math.MaxInt64-max(o.Down, 0))
	}
	if o.Webhooks == 0 {
		o.Webhooks = 1
	}
	if o.FailWith.Outcome == (profiles.Outcome{}) {
		o.FailWith = step(profiles.Outcome{Failure: profiles.Refused})
	}
	if o.OverCapacity.Outcome == (profiles.Outcome{}) {
		o.OverCapacity = step(profiles.Outcome{Status: 503})
	}
	before := min(mostBefore, o.For/shareBefore)
	switch {
	case o.Down <= 0 || !(o.Rate > 0) || !(o.Capacity >= 0) || o.Webhooks < 0:
		return o, Events{}, limit("an outage needs a length and a rate above 0")
	case o.For > MaxFor:
		return o, Events{}, limit("%s are more than can be simulated, %d", days(o.For), MaxFor/day)
	case o.Webhooks > MaxWebhooks:
		return o, Events{}, limit("%d webhooks are more than can be simulated, %d", o.Webhooks, MaxWebhooks)
	case o.Down > o.For-before:
		return o, Events{}, limit("events arrive from %s s before the outage for %s s, and it does not end meanwhile",
			send.Seconds(before), send.Seconds(o.For))
	}
	n := o.Rate * float64(o.Webhooks) * o.For.Seconds()
	if !(n <= MaxEvents) {
		return o, Events{}, limit("%.4g events are more than can be simulated, %d", n, MaxEvents)
	}
	if o.Capacity > 0 && n > MaxLimited {
		return o, Events{}, limit("%.4g events are more than can be simulated with a capacity, %d", n, MaxLimited)
	}
	s := newStream(o, before)
	return o, Events{Before: before, Arrived: s.n, InDown: s.until(o.Down) - s.until(0)}, nil
}

const day = 24 * time.Hour

func days(d time.Duration) string {
	return strconv.FormatFloat(math.Round(d.Hours()/24*10)/10, 'f', -1, 64) + " days"
}

func step(o profiles.Outcome) send.Step {
	return send.Step{Outcome: o, Times: 1, Text: o.String()}
}

// A Forecast is what an outage does under each of some profiles.
type Forecast struct {
	Outage  Outage // with its defaults
	Events  Events
	Results []Result
}

// Run simulates the outage under each of the profiles. It takes about a tenth of
// a microsecond for each attempt that fails, on every processor, and memory that
// does not depend on the number of events, but for a Capacity: then 16 bytes for
// each delivery that waits. The same outage and seed give the same
// forecast. An error is a *LimitError.
func Run(o Outage, all ...*profiles.Profile) (*Forecast, error) {
	o, events, err := o.complete()
	if err != nil {
		return nil, err
	}
	f := &Forecast{Outage: o, Events: events}
	for _, p := range all {
		f.Results = append(f.Results, newSimulation(p, o, events.Before).result())
	}
	return f, nil
}
