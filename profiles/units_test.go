package profiles

import (
	"testing"
	"time"
)

// text is an error's, or "".
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestDurationIsGosFormAndDays(t *testing.T) {
	const h = time.Hour
	tests := []struct {
		in   string
		want time.Duration
		err  string
	}{
		{"0", 0, ""},
		{"0s", 0, ""},
		{"8s", 8 * time.Second, ""},
		{"1.5s", 1500 * time.Millisecond, ""},
		{".5s", 500 * time.Millisecond, ""},
		{"250ms", 250 * time.Millisecond, ""},
		{"1h30m", 90 * time.Minute, ""},
		{"3d", 72 * h, ""},
		{"1.5d", 36 * h, ""},
		{"1d12h", 36 * h, ""},
		{"12h1d", 36 * h, ""},
		{"106751d", 106751 * 24 * h, ""},
		{"", 0, "a duration is missing"},
		{"8", 0, `"8" has no unit (30s, 5m, 2h, 1d)`},
		{"1h30", 0, `"1h30" has no unit (30s, 5m, 2h, 1d)`},
		{"00", 0, `"00" has no unit (30s, 5m, 2h, 1d)`},
		{"-5s", 0, `"-5s" is negative`},
		{"+5s", 0, `"+5s" is not a duration (30s, 5m, 2h, 1d)`},
		{"soon", 0, `"soon" is not a duration (30s, 5m, 2h, 1d)`},
		{"1.2.3s", 0, `"1.2.3s" is not a duration (30s, 5m, 2h, 1d)`},
		{".s", 0, `".s" is not a duration (30s, 5m, 2h, 1d)`},
		{"8 s", 0, `"8 s" has the unknown unit " s" (ms, s, m, h, d)`},
		{"8sec", 0, `"8sec" has the unknown unit "sec" (ms, s, m, h, d)`},
		{"1D", 0, `"1D" has the unknown unit "D" (ms, s, m, h, d)`},
		{"106752d", 0, `"106752d" is longer than 292 years`},
		{"100000d100000d", 0, `"100000d100000d" is longer than 292 years`},
		{"99999999999999999999s", 0, `"99999999999999999999s" is longer than 292 years`},
		{"99999999999999999999d", 0, `"99999999999999999999d" is longer than 292 years`},
	}
	for _, tt := range tests {
		got, err := ParseDuration(tt.in)
		if got != tt.want || text(err) != tt.err {
			t.Errorf("%q: got %v, %v, want %v, %v", tt.in, got, err, tt.want, tt.err)
		}
	}
}

func TestSizeIsBytesKiBOrMiB(t *testing.T) {
	tests := []struct {
		in   string
		want int64
		err  string
	}{
		{"0", 0, ""},
		{"1048576", 1 << 20, ""},
		{"64KiB", 64 << 10, ""},
		{"10MiB", 10 << 20, ""},
		{"", 0, `"" is not a size (1048576, 64KiB, 1MiB)`},
		{"KiB", 0, `"KiB" is not a size (1048576, 64KiB, 1MiB)`},
		{"1MB", 0, `"1MB" is not a size (1048576, 64KiB, 1MiB)`},
		{"1 MiB", 0, `"1 MiB" is not a size (1048576, 64KiB, 1MiB)`},
		{"1.5MiB", 0, `"1.5MiB" is not a size (1048576, 64KiB, 1MiB)`},
		{"-1", 0, `"-1" is not a size (1048576, 64KiB, 1MiB)`},
		{"+1", 0, `"+1" is not a size (1048576, 64KiB, 1MiB)`},
		{"9223372036854775807", 1<<63 - 1, ""},
		{"9223372036854775808", 0, `"9223372036854775808" is too large a size`},
		{"8796093022208MiB", 0, `"8796093022208MiB" is too large a size`},
	}
	for _, tt := range tests {
		got, err := ParseSize(tt.in)
		if got != tt.want || text(err) != tt.err {
			t.Errorf("%q: got %d, %v, want %d, %v", tt.in, got, err, tt.want, tt.err)
		}
	}
}

func TestPercentageIsBelowAHundred(t *testing.T) {
	tests := []struct {
		in   string
		want float64
		err  string
	}{
		{"0%", 0, ""},
		{"25%", 0.25, ""},
		{"12.5%", 0.125, ""},
		{"99.9%", 0.999, ""},
		{"100%", 0, `"100%" is not below 100%`},
		{"25", 0, `"25" is not a percentage (25%)`},
		{"%", 0, `"%" is not a percentage (25%)`},
		{".%", 0, `".%" is not a percentage (25%)`},
		{"-5%", 0, `"-5%" is not a percentage (25%)`},
		{"1e1%", 0, `"1e1%" is not a percentage (25%)`},
		{"NaN%", 0, `"NaN%" is not a percentage (25%)`},
	}
	for _, tt := range tests {
		got, err := parsePercent(tt.in)
		if got != tt.want || text(err) != tt.err {
			t.Errorf("%q: got %v, %v, want %v, %v", tt.in, got, err, tt.want, tt.err)
		}
	}
}

func TestNearIsWhatMayHaveBeenMeant(t *testing.T) {
	tests := []struct {
		name       string
		candidates []string
		want       string
	}{
		{"timeuot", []string{"timeout", "max_body", "rules"}, "timeout"},
		{"kudoz", []string{"clodo", "kudos", "kustomer"}, "kudos"},
		{"Kudos", []string{"clodo", "kudos", "kustomer"}, "kudos"},
		{"retryafter", []string{"retry-after", "delay"}, "retry-after"},
		{"timestampms", []string{"timestamp", "timestamp_ms"}, "timestamp_ms"},
		{"payment.succeded", []string{"payment.succeeded", "payment.failed"}, "payment.succeeded"},
		{"stripe", []string{"clodo", "kudos", "kustomer"}, ""},
		{"kudos", []string{"kudos"}, ""},
		{"", []string{"a"}, ""},
		{"x", nil, ""},
		{"on", []string{"id", "an"}, "an"},
		{"größe", []string{"grösse"}, "grösse"},
	}
	for _, tt := range tests {
		if got := Near(tt.name, tt.candidates); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
