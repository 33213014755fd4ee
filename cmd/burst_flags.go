package cmd

import (
	"math"

	"github.com/spf13/pflag"

	"github.com/hookctl/hookctl/cmd/render"
)

// burstOptions are the flags of a burst.
type burstOptions struct {
	count, concurrency  *parsed[int]
	rate                *parsed[float64]
	sameID, noKeepAlive bool
}

// maxConcurrency bounds the attempts in flight: each has a connection.
const maxConcurrency = 10_000

func newBurst() burstOptions {
	return burstOptions{count: newCount(1, math.MaxInt), concurrency: newCount(1, maxConcurrency), rate: newRate()}
}

func (o *burstOptions) add(f *flags) {
	f.value(o.count, "count", "", "N", "so many different events")
	o.addPace(f)
	f.yes(&o.sameID, "same-id", "", "the same event each time")
	f.yes(&o.noKeepAlive, "no-keep-alive", "", "a new connection for each request")
}

// addPace adds the flags that say how fast events are sent.
func (o *burstOptions) addPace(f *flags) {
	f.value(o.concurrency, "concurrency", "", "C", "so many at once")
	f.value(o.rate, "rate", "", "R", "so many new ones a second")
}

// many reports whether more than one event is sent.
func (o *burstOptions) many() bool { return o.count.value > 1 }

// atOnce is how many attempts may be in flight.
func (o *burstOptions) atOnce() int { return max(1, o.concurrency.value) }

// check refuses what has no meaning for one event, or for several.
func (o *burstOptions) check(set *pflag.FlagSet) error {
	for _, name := range []string{"concurrency", "rate", "same-id", "no-keep-alive"} {
		if set.Changed(name) && !o.count.set {
			return misuse("--%s is for several events; it needs --count", name)
		}
	}
	if o.many() && set.Changed("id") && !o.sameID {
		return misuse("--id names one event, and --count sends %s; --same-id sends them all under one id", render.Number(o.count.value))
	}
	return nil
}
