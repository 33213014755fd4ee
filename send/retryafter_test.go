package send

import (
	"strings"
	"testing"
	"time"
)

func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"120", "0", strings.Repeat("9", 30), "+5", "-5", "1.5", "", "60, 120", "Wed, 21 Oct 2015 07:28:00 GMT", "Friday, 02-Jan-26 10:05:03 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"} {
		f.Add(s)
	}
	now := time.Unix(1767348183, 0)
	f.Fuzz(func(t *testing.T, value string) {
		wait, date, ok := parseRetryAfter(value, now)
		if wait < 0 {
			t.Errorf("%q: %s", value, wait)
		}
		if plain := strings.Trim(value, " \t"); digits(plain) != (ok && !date) {
			t.Errorf("%q: ok %v, date %v", value, ok, date)
		}
		if !ok && wait != 0 {
			t.Errorf("%q is ignored, yet waits %s", value, wait)
		}
	})
}
