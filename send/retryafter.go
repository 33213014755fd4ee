package send

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// retryAfter is the first Retry-After of the attempt's answer.
func retryAfter(a Attempt) (string, bool) {
	if a.Response == nil {
		return "", false
	}
	return a.Response.Get("Retry-After")
}

// parseRetryAfter reads a Retry-After: digits alone, of any number, are
// seconds; an HTTP-date counts from now and is 0 when past. Nothing else is
// valid (RFC 9110, 10.2.3).
func parseRetryAfter(value string, now time.Time) (wait time.Duration, date, ok bool) {
	value = strings.Trim(value, " \t")
	if digits(value) {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n > int64(longest/time.Second) {
			return longest, false, true
		}
		return time.Duration(n) * time.Second, false, true
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, false, false
	}
	return max(0, at.Sub(now)), true, true
}

// digits reports whether s is digits and nothing else.
func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// statuses lists statuses as the subject of a sentence: "429 is", "429 and 503
// are".
func statuses(list []int) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = strconv.Itoa(s)
	}
	if len(list) == 1 {
		return words[0] + " is"
	}
	return profiles.List(words, "and") + " are"
}

// quoted is a text from outside as a Go string, cut to its first 40 bytes.
func quoted(s string) string {
	if len(s) > 40 {
		return strconv.Quote(s[:40]) + "..."
	}
	return strconv.Quote(s)
}

// spell writes a length of time for a note: "20 s", "1 h 30 m", "0.5 s".
func spell(d time.Duration) string {
	var parts []string
	if h := d / time.Hour; h > 0 {
		parts = append(parts, strconv.Itoa(int(h))+" h")
	}
	if m := d % time.Hour / time.Minute; m > 0 {
		parts = append(parts, strconv.Itoa(int(m))+" m")
	}
	if s := d % time.Minute; s > 0 || len(parts) == 0 {
		parts = append(parts, Seconds(s).String()+" s")
	}
	return strings.Join(parts, " ")
}
