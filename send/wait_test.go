package send

import (
	"testing"
	"time"
)

func TestSleepOfTheMachineCountsInRealTimeAlone(t *testing.T) {
	const s = time.Second
	for _, tt := range []struct {
		awake, byWall time.Duration
		isReal        bool
		want          time.Duration
	}{
		{2 * s, time.Hour, true, time.Hour},
		{2 * s, time.Hour, false, 2 * s},
		{2 * s, 3*s + 1, true, 3*s + 1},
		{2 * s, 3 * s, true, 2 * s},
		{2 * s, -time.Hour, true, 2 * s}, // the clock was set back
	} {
		if got := passed(tt.awake, tt.byWall, tt.isReal); got != tt.want {
			t.Errorf("%s awake, %s by the wall, real %v: %s, want %s", tt.awake, tt.byWall, tt.isReal, got, tt.want)
		}
	}
	start := time.Now().Round(0).Add(-time.Hour) // without the clock that stands still
	for _, isReal := range []bool{true, false} {
		if got := (&Sender{Real: isReal}).since(start); got < time.Hour {
			t.Errorf("real %v: an hour ago is %s", isReal, got)
		}
	}
}
