package profiles

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// ParseDuration reads Go's form of a duration plus d for days, "1d12h" or
// "1.5s"; 0 needs no unit. It is never negative. An error says what is wrong
// with the text.
func ParseDuration(s string) (time.Duration, error) {
	if s == "" {
		return 0, fmt.Errorf("a duration is missing")
	}
	if s == "0" {
		return 0, nil
	}
	if s[0] == '-' {
		return 0, fmt.Errorf("%s is negative", quote(s))
	}
	var total time.Duration
	for rest := s; rest != ""; {
		n := strings.IndexFunc(rest, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
		if n < 0 {
			return 0, fmt.Errorf("%s has no unit (30s, 5m, 2h, 1d)", quote(s))
		}
		if n == 0 {
			return 0, fmt.Errorf("%s is not a duration (30s, 5m, 2h, 1d)", quote(s))
		}
		end := strings.IndexFunc(rest[n:], func(r rune) bool { return r == '.' || r >= '0' && r <= '9' })
		if end < 0 {
			end = len(rest) - n
		}
		number, unit := rest[:n], rest[n:n+end]
		rest = rest[n+end:]
		d, err := amount(number, unit)
		if err != nil {
			return 0, fmt.Errorf("%s %w", quote(s), err)
		}
		if d > math.MaxInt64-total {
			return 0, fmt.Errorf("%s %w", quote(s), errTooLong())
		}
		total += d
	}
	return total, nil
}

// amount is a number of units.
func amount(number, unit string) (time.Duration, error) {
	switch unit {
	case "ns", "us", "µs", "μs", "ms", "s", "m", "h":
	case "d":
		hours, err := amount(number, "h")
		if err != nil {
			return 0, err
		}
		if hours > math.MaxInt64/24 {
			return 0, errTooLong()
		}
		return 24 * hours, nil
	default:
		return 0, fmt.Errorf("has the unknown unit %s (ms, s, m, h, d)", quote(unit))
	}
	if strings.Count(number, ".") > 1 || number == "." {
		return 0, fmt.Errorf("is not a duration (30s, 5m, 2h, 1d)")
	}
	d, err := time.ParseDuration(number + unit)
	if err != nil {
		return 0, errTooLong()
	}
	return d, nil
}

func errTooLong() error { return fmt.Errorf("is longer than 292 years") }

// ParseSize reads a size in bytes: a number alone or with KiB or MiB.
func ParseSize(s string) (int64, error) {
	number, unit := s, int64(1)
	if n, ok := strings.CutSuffix(s, "KiB"); ok {
		number, unit = n, 1<<10
	} else if n, ok := strings.CutSuffix(s, "MiB"); ok {
		number, unit = n, 1<<20
	}
	if number == "" || strings.Trim(number, "0123456789") != "" {
		return 0, fmt.Errorf("%s is not a size (1048576, 64KiB, 1MiB)", quote(s))
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n > math.MaxInt64/unit {
		return 0, fmt.Errorf("%s is too large a size", quote(s))
	}
	return n * unit, nil
}

// parsePercent reads "25%" as 0.25: from 0 up to, not including, 100.
func parsePercent(s string) (float64, error) {
	number, ok := strings.CutSuffix(s, "%")
	if !ok || number == "" || strings.Trim(number, "0123456789.") != "" || strings.Count(number, ".") > 1 {
		return 0, fmt.Errorf("%s is not a percentage (25%%)", quote(s))
	}
	f, err := strconv.ParseFloat(number+"e-2", 64)
	if err != nil {
		return 0, fmt.Errorf("%s is not a percentage (25%%)", quote(s))
	}
	if f >= 1 {
		return 0, fmt.Errorf("%s is not below 100%%", quote(s))
	}
	return f, nil
}

// quote quotes text for a message; a long one is cut.
func quote(s string) string {
	const longest = 60
	n := 0
	for i := range s {
		if n++; n > longest {
			return strconv.Quote(s[:i]) + "..."
		}
	}
	return strconv.Quote(s)
}
