package explain

import (
	"strconv"
	"strings"
	"time"
)

// drift is how far the signed time is looked for around the sent one.
const drift = 600

// times tries other texts for the signed time.
func (s *search) times() bool {
	if !s.timed() {
		return false
	}
	for _, r := range s.main() {
		if !r.whole || r.time == "" {
			continue
		}
		stopped := false
		s.moments(r.time, func(kind Kind, at, detail string) bool {
			before, after, ok := s.expand(r, at)
			if !ok {
				return false
			}
			s.tried.Times++
			f := fault{kind: kind, detail: detail}
			for _, k := range s.keys {
				if s.try(r, k, before, s.body, after, &f) {
					stopped = true
					return false
				}
			}
			return !s.spent
		})
		if stopped {
			return true
		}
	}
	return false
}

// moments gives the texts that may have stood for the time, until yield stops
// it.
func (s *search) moments(text string, yield func(kind Kind, at, detail string) bool) {
	for _, end := range [...]string{".0", ".00", ".000", ".000000"} {
		if !yield(timestampFloat, text+end, "as "+quote("{timestamp}"+end)) {
			return
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || len(text) > 16 {
		if at, err := time.Parse(time.RFC3339Nano, strings.Replace(text, " ", "T", 1)); err == nil {
			if yield(timestampNotUnix, strconv.FormatInt(at.Unix(), 10), quote(text)+", whose unix seconds were signed") {
				yield(timestampNotUnix, strconv.FormatInt(at.UnixMilli(), 10), quote(text)+", whose unix milliseconds were signed")
			}
		}
		return
	}
	if len(text) >= 12 {
		for _, at := range [...]int64{n / 1000, n/1000 + 1} {
			if !yield(timestampSecondsOfMS, strconv.FormatInt(at, 10), "") {
				return
			}
		}
	} else if !yield(timestampMSOfSeconds, text+"000", "") {
		return
	}
	for d := int64(1); d <= drift; d++ {
		if !yield(timestampDrift, strconv.FormatInt(n+d, 10), number(int(d))+" s later than") ||
			n >= d && !yield(timestampDrift, strconv.FormatInt(n-d, 10), number(int(d))+" s before") {
			return
		}
	}
	if len(text) < 12 {
		for ms := int64(1); ms < 1000; ms++ {
			if !yield(timestampMSOfSeconds, strconv.FormatInt(n*1000+ms, 10), "") {
				return
			}
		}
	}
}
