package forecast

import (
	"math"
	"slices"
	"testing"
	"time"
)

func TestTheLoadWithoutJitterIsKnown(t *testing.T) {
	r := run(t, Outage{Down: 40 * time.Minute, Rate: 10, Seed: 7}, "kudos").Results[0]
	if r.PeakAfterBare != 40 || r.PeakAfter == 40 {
		t.Errorf("peaks after the outage %v and, without jitter, %v; want one above 40 and 40", r.PeakAfter, r.PeakAfterBare)
	}
	for _, jitter := range []bool{true, false} {
		want, got := 0, 0.0
		for w := range r.Load.Windows() {
			if want += w.NoJitter; jitter {
				want += w.Attempts - w.NoJitter
			}
		}
		for _, v := range r.Load.Columns(73, jitter) {
			got += v * 13200 / 73
		}
		if math.Abs(got-float64(want)) > 0.01 {
			t.Errorf("the columns have %v attempts of %d", got, want)
		}
	}
}

func TestWindowsDivideEachPartEvenly(t *testing.T) {
	g := newGrid(7*time.Second, 25*time.Second, 55*time.Second)
	var got []time.Duration
	for i := range g.len() {
		from, to := g.span(i)
		if g.index(from) != i || g.index(to-1) != i {
			t.Errorf("window %d is from %s to %s, which are in %d and %d", i, from, to, g.index(from), g.index(to-1))
		}
		got = append(got, from)
	}
	const s = time.Second
	if want := []time.Duration{-7 * s, 0, 12500 * time.Millisecond, 25 * s, 35 * s, 45 * s}; !slices.Equal(got, want) {
		t.Errorf("windows begin at %v, want %v", got, want)
	}
}
