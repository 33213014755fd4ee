package cmd

import (
	"errors"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// reads sets a flag to each text and compares what it then holds; nil: refused.
func reads[T any](t *testing.T, name string, fresh func() *parsed[T], table map[string]any) {
	t.Helper()
	for text, want := range table {
		f := fresh()
		before := f.value
		var _ pflag.Value = f
		err := f.Set(text)
		if want == nil {
			if !errors.Is(err, errBadValue) || err.Error() != "bad value" || f.set || f.text != "" || !reflect.DeepEqual(f.value, before) {
				t.Errorf("%s %q: %v, %+v, set %v; want it refused", name, text, err, f.value, f.set)
			}
			continue
		}
		if err != nil || !f.set || f.String() != text || !reflect.DeepEqual(any(f.value), want) {
			t.Errorf("%s %q: %v, %+v, set %v, text %q; want %+v", name, text, err, f.value, f.set, f.String(), want)
		}
	}
}

func TestASpeedIsAWordOrAFactorAboveZero(t *testing.T) {
	of := func(text string, factor float64) speed { return speed{text, factor} }
	reads(t, "--speed", newSpeed, map[string]any{
		"instant": of("instant", 0), "real": of("real", 1), "60": of("60", 60), "1e3": of("1e3", 1000), "0.5": of("0.5", 0.5), "1": of("1", 1), "+2": of("+2", 2), ".5": of(".5", .5),
		"0.001": of("0.001", 0.001), "0.0009": nil, "1e-300": nil,
		"0": nil, "-0": nil, "-1": nil, "Inf": nil, "+inf": nil, "infinity": nil, "NaN": nil, "nan": nil, "1e999": nil, "0x10": nil, "1p3": nil, "1_000": nil, "": nil, " 1": nil,
		"Real": nil, "fast": nil, "60x": nil, "1,5": nil,
	})
	if got := newSpeed(); got.set || got.value != of("instant", 0) || got.value.real() {
		t.Errorf("the default is %+v", got.value)
	}
	if !of("real", 1).real() || of("1", 1).real() {
		t.Error("only the word real is real")
	}
}

func TestASeedIsExactInJSON(t *testing.T) {
	reads(t, "--seed", newSeed, map[string]any{
		"0": uint64(0), "7": uint64(7), "9007199254740991": uint64(1<<53 - 1), "007": uint64(7),
		"9007199254740992": nil, "18446744073709551615": nil, "18446744073709551616": nil, "-1": nil, "+1": nil, "1.0": nil, "1e3": nil, "x": nil, "": nil, "0x7": nil,
	})
}

func TestADurationHasUnitsAndALeast(t *testing.T) {
	reads(t, "--timeout", func() *parsed[time.Duration] { return newDuration(time.Millisecond) }, map[string]any{
		"1ms": time.Millisecond, "2s": 2 * time.Second, "1m30s": 90 * time.Second, "1d": 24 * time.Hour, "1d12h": 36 * time.Hour, "1.5s": 1500 * time.Millisecond,
		"0": nil, "0s": nil, "999us": nil, "-1s": nil, "5": nil, "s": nil, "": nil, "1 s": nil, "1w": nil, "999999999d": nil,
	})
	reads(t, "--tolerance", func() *parsed[time.Duration] { return newDuration(0) }, map[string]any{
		"0": time.Duration(0), "0s": time.Duration(0), "300s": 5 * time.Minute, "30d": 720 * time.Hour, "-0s": nil, "-1ns": nil,
	})
}

func TestASizeIsInBytesOrBinaryUnits(t *testing.T) {
	reads(t, "--max-body", newSize, map[string]any{
		"4096": int64(4096), "64KiB": int64(64 << 10), "10MiB": int64(10 << 20), "1": int64(1),
		"": nil, "-1": nil, "10MB": nil, "10 MiB": nil, "1k": nil, "1.5MiB": nil, "99999999999999999999": nil, "9223372036854775807MiB": nil, "x": nil,
	})
}

func TestATimeIsUnixSecondsOrRFC3339(t *testing.T) {
	zone := time.FixedZone("", 2*60*60)
	same := map[string]any{
		"0": time.Unix(0, 0).UTC(), "1700000000": time.Unix(1700000000, 0).UTC(), "253402300799": time.Unix(253402300799, 0).UTC(),
		"1970-01-01T00:00:00Z": time.Unix(0, 0).UTC(), "2026-01-02T03:04:05Z": time.Unix(1767323045, 0).UTC(), "2026-01-02T03:04:05.5Z": time.Unix(1767323045, 500e6).UTC(),
		"-1": nil, "253402300800": nil, "9223372036854775808": nil, "1.5": nil, "1700000000s": nil, "": nil, "x": nil, "2026-01-02": nil, "2026-01-02 03:04:05Z": nil, "2026-13-02T03:04:05Z": nil,
		"1969-12-31T23:59:59Z": nil, "0001-01-01T00:00:00Z": nil, // a signature has no such time
	}
	reads(t, "--first-sent", func() *parsed[time.Time] { return newTime(false) }, same)
	reads(t, "--timestamp", func() *parsed[time.Time] { return newTime(true) }, same)
	if got, err := parseTime("2026-01-02T05:04:05+02:00"); err != nil || !got.Equal(time.Date(2026, 1, 2, 5, 4, 5, 0, zone)) {
		t.Errorf("%v, %v", got, err)
	}
	f := newTime(true)
	before := time.Now()
	if err := f.Set("now"); err != nil || f.value.Before(before) || f.value.After(time.Now()) {
		t.Errorf("now: %v, %v", f.value, err)
	}
	if err := newTime(false).Set("now"); !errors.Is(err, errBadValue) && err == nil {
		t.Errorf("now where it means nothing: %v", err)
	}
}

func TestACountHasItsRange(t *testing.T) {
	reads(t, "--reject-status", func() *parsed[int] { return newCount(200, 999) }, map[string]any{
		"200": 200, "999": 999, "401": 401, "199": nil, "1000": nil, "-200": nil, "": nil, "4e2": nil, "0x191": nil, "401 ": nil, "99999999999999999999": nil,
	})
	for want, f := range map[string]*parsed[int]{
		"a whole number from 1 to 1000": newCount(1, 1000),
		"a whole number from 1 on":      newCount(1, math.MaxInt),
	} {
		if got := f.Type(); got != want {
			t.Errorf("takes %q, want %q", got, want)
		}
	}
}

func TestAWordIsOneOfSome(t *testing.T) {
	fresh := func() *parsed[string] { return newWord("auto", "always", "never") }
	reads(t, "--color", fresh, map[string]any{"auto": "auto", "always": "always", "never": "never", "": nil, "Always": nil, "yes": nil, "alway": nil})
	if got := fresh(); got.value != "auto" || got.set || got.Type() != "auto, always or never" {
		t.Errorf("%+v", got)
	}
}

// A wrong value is refused with what the flag takes, and is not repeated.
func TestAWrongValueIsNotRepeated(t *testing.T) {
	folder(t, nil)
	for name, c := range commands(t) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			switch f.Value.Type() {
			case "string", "stringArray", "a text", "a name", "a path", "one profile":
				return // any text
			}
			word := "--" + f.Name + "=hunter2"
			r := world{}.run(append(words(name), word)...)
			r.want(t, ExitUsage, `^hookctl: error: (-./)?--`+f.Name+` takes .`)
			r.never(t, "hunter2")
		})
	}
}
