package sign_test

import (
	"math"
	"testing"
	"time"

	"github.com/hookctl/hookctl/sign"
)

func TestAgeHasThePrecisionOfTheTimeAndAnEnd(t *testing.T) {
	const seconds, millis = "t={timestamp},v1={signature}", "t={timestamp_ms},v1={signature}"
	const longest, shortest = time.Duration(math.MaxInt64), time.Duration(math.MinInt64)
	for _, c := range []struct {
		form, text string
		now        time.Time
		want       time.Duration
	}{
		{seconds, "1700000000", time.Unix(1700000001, 999e6), time.Second},
		{seconds, "1700000000", time.Unix(1699999999, 1), -time.Second},
		{seconds, "0", time.Unix(-1, 999e6), -time.Second},
		{seconds, "0", time.Unix(-2, 0), -2 * time.Second},
		{seconds, "0", time.Unix(9223372036, 999e6), 9223372036 * time.Second},
		{seconds, "0", time.Unix(9223372037, 0), longest},
		{seconds, "0", time.Unix(-9223372036, 0), -9223372036 * time.Second},
		{seconds, "9223372036", time.Unix(0, 0), -9223372036 * time.Second},
		{seconds, "9223372037", time.Unix(0, 0), shortest},
		{seconds, "1700000000", time.Time{}, shortest},
		{seconds, "1700000000", time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), longest},
		{seconds, "999999999999999999", time.Unix(1700000000, 0), shortest},
		{seconds, "999999999999999999", time.Unix(-9e18, 0), shortest},
		{seconds, "999999999999999999", time.Unix(9e18, 0), longest},
		{millis, "1700000000123", time.Unix(1700000000, 124999999), time.Millisecond},
		{millis, "1700000000123", time.Unix(1700000000, 122999999), -time.Millisecond},
		{millis, "0", time.Unix(0, -1), -time.Millisecond},
		{millis, "0", time.UnixMilli(9223372036854), 9223372036854 * time.Millisecond},
		{millis, "0", time.UnixMilli(9223372036855), longest},
		{millis, "9223372036854", time.UnixMilli(0), -9223372036854 * time.Millisecond},
		{millis, "9223372036855", time.UnixMilli(0), shortest},
		{millis, "999999999999999999", time.Time{}, shortest},
	} {
		p := timed()
		p.Headers[2] = header("X-Signature", c.form)
		r := sign.Received{Header: []sign.Header{{Name: "X-Signature", Value: "t=" + c.text + ",v1=00"}}}
		if got := sign.Verify(p, r, c.now); got.Age != c.want || got.Time.IsZero() {
			t.Errorf("%s with t=%s at %v: %d, want %d", c.form, c.text, c.now, got.Age, c.want)
		}
	}
}
