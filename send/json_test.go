package send

import (
	"encoding/json"
	"testing"
	"time"
)

func TestTimeBetweenInstantsHasNoBound(t *testing.T) {
	at := func(s, ns int64) time.Time { return time.Unix(s, ns) }
	for _, tt := range []struct {
		from, to time.Time
		want     json.Number
	}{
		{at(5, 0), at(5, 0), "0"},
		{at(5, 0), at(7, 100_000_000), "2.1"},
		{at(5, 900_000_000), at(7, 0), "1.1"},
		{at(7, 0), at(5, 900_000_000), "-1.1"},
		{at(5, 100_000_000), at(5, 0), "-0.1"},
		{at(6, 0), at(5, 999_999_999), "-0.000000001"},
		{at(-1, 500_000_000), at(0, 500_000_000), "1"},
		{at(999_999_999_999_999_999, 0), at(1_700_000_000, 0), "-999999998299999999"},
		{at(0, 0), at(20_000_000_000, 0), "20000000000"},
	} {
		if got := Between(tt.from, tt.to); got != tt.want {
			t.Errorf("from %v to %v: %s, want %s", tt.from, tt.to, got, tt.want)
		}
	}
}

func TestSecondsAndTimesBetweenAgree(t *testing.T) {
	start := time.Unix(1_700_000_000, 123_456_789)
	for _, d := range []time.Duration{0, 1, -1, 999_999_999, -999_999_999, time.Second, -time.Second, 1_500_000_000, -1_500_000_000, 1<<62 + 7} {
		if got, want := Between(start, start.Add(d)).String(), Seconds(d).String(); got != want {
			t.Errorf("%d ns: %s, want %s", d, got, want)
		}
	}
}

func TestZeroIsNull(t *testing.T) {
	got, err := json.Marshal([]any{OrNull(""), OrNull("a"), OrNull(0), OrNull(3)})
	if err != nil || string(got) != `[null,"a",null,3]` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestInstantIsUTCWithMilliseconds(t *testing.T) {
	at := time.Date(2026, 1, 2, 11, 3, 4, 5_678_000, time.FixedZone("", 3600))
	if got := instant(at); got != "2026-01-02T10:03:04.005Z" {
		t.Error(got)
	}
}
