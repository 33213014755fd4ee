package cmd

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hookctl/hookctl/profiles"
)

// The annotations of a flag: the group under which it stands in help, and what
// its value is called there.
const (
	groupKey = "group"
	argKey   = "arg"
)

// flags adds flags to a command, group by group, in the order of help.
type flags struct {
	set   *pflag.FlagSet
	group string
}

func flagsOf(c *cobra.Command) *flags {
	c.Flags().SortFlags = false
	return &flags{set: c.Flags()}
}

// in begins a group.
func (f *flags) in(group string) *flags {
	f.group = group
	return f
}

func (f *flags) annotate(name, arg string) {
	f.set.Lookup(name).Annotations = map[string][]string{groupKey: {f.group}, argKey: {arg}}
}

func (f *flags) value(v pflag.Value, name, short, arg, usage string) {
	f.set.VarP(v, name, short, usage)
	f.annotate(name, arg)
}

func (f *flags) text(p *string, name, short, arg, usage string) {
	f.set.StringVarP(p, name, short, "", usage)
	f.annotate(name, arg)
}

func (f *flags) texts(p *[]string, name, short, arg, usage string) {
	f.set.StringArrayVarP(p, name, short, nil, usage)
	f.annotate(name, arg)
}

func (f *flags) yes(p *bool, name, short, usage string) {
	f.set.BoolVarP(p, name, short, false, usage)
	f.annotate(name, "")
}

// A once is a text that is given once at most.
type once struct {
	value *string
	takes string
	again bool // while completing: cobra reads a line twice
}

func (o *once) Set(s string) error {
	if *o.value != "" && !o.again {
		return errBadValue
	}
	*o.value = s
	return nil
}

func (o *once) String() string { return *o.value }
func (o *once) Type() string   { return o.takes }

// profile adds the flag of a command that works with one profile.
func (f *flags) profile(p *string, usage string) {
	f.value(&once{value: p, takes: "one profile"}, "profile", "p", "NAME|FILE", usage)
}

// A parsed is a flag's value that a function reads.
type parsed[T any] struct {
	value T
	set   bool
	text  string
	takes string
	words []string // what completion offers; nil: anything
	read  func(string) (T, error)
}

func (p *parsed[T]) Set(s string) error {
	v, err := p.read(s)
	if err != nil {
		return errBadValue // the text is not repeated
	}
	p.value, p.set, p.text = v, true, s
	return nil
}

func (p *parsed[T]) String() string    { return p.text }
func (p *parsed[T]) Type() string      { return p.takes }
func (p *parsed[T]) choices() []string { return p.words }

var errBadValue = errors.New("bad value")

// newDuration reads a duration of at least a minimum.
func newDuration(least time.Duration) *parsed[time.Duration] {
	return &parsed[time.Duration]{takes: "a duration such as 500ms, 30s, 5m or 1d", read: func(s string) (time.Duration, error) {
		d, err := profiles.ParseDuration(s)
		if d < least {
			return 0, errBadValue
		}
		return d, err
	}}
}

func newSize() *parsed[int64] {
	return &parsed[int64]{takes: "a size such as 4096, 64KiB or 10MiB", read: profiles.ParseSize}
}

// newTime reads unix seconds or RFC 3339; with now also the word now.
func newTime(now bool) *parsed[time.Time] {
	p := &parsed[time.Time]{takes: "unix seconds or RFC 3339, such as 1700000000 or 2026-01-02T03:04:05Z"}
	if now {
		p.takes = "unix seconds, RFC 3339 or now"
	}
	p.read = func(s string) (time.Time, error) {
		if now && s == "now" {
			return time.Now(), nil
		}
		return parseTime(s)
	}
	return p
}

func parseTime(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, s)
	if n, bad := strconv.ParseInt(s, 10, 64); bad == nil {
		t, err = time.Unix(n, 0).UTC(), nil
	}
	if n := t.Unix(); err == nil && (n < 0 || n > 253402300799) { // 1970 to 9999
		err = errBadValue
	}
	return t, err
}

// maxSeed is the largest whole number that every reader of JSON keeps exactly.
const maxSeed = 1<<53 - 1

func newSeed() *parsed[uint64] {
	return &parsed[uint64]{takes: "a whole number from 0 to 9007199254740991", read: func(s string) (uint64, error) {
		n, err := strconv.ParseUint(s, 10, 64)
		if err == nil && n > maxSeed {
			err = errBadValue
		}
		return n, err
	}}
}

func newCount(from, to int) *parsed[int] {
	takes := "a whole number from " + strconv.Itoa(from) + " to " + strconv.Itoa(to)
	if to == math.MaxInt {
		takes = "a whole number from " + strconv.Itoa(from) + " on"
	}
	return &parsed[int]{takes: takes, read: func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err == nil && (n < from || n > to) {
			err = errBadValue
		}
		return n, err
	}}
}

// newWord takes one of some words; the first is the default.
func newWord(words ...string) *parsed[string] {
	return &parsed[string]{value: words[0], takes: profiles.List(words, "or"), words: words,
		read: func(s string) (string, error) {
			if !slices.Contains(words, s) {
				return "", errBadValue
			}
			return s, nil
		}}
}

// speed is --speed: how long the provider's waits take here.
type speed struct {
	text   string  // as given; "instant" by default
	factor float64 // 0: no waiting; 1: real
}

func (s speed) real() bool { return s.text == "real" }

// wait is how long a wait of the provider takes here: as long as can be said at
// most.
func (s speed) wait(d time.Duration) time.Duration {
	scaled := float64(d) / s.factor
	switch {
	case s.factor == 0:
		return 0
	case scaled >= math.MaxInt64:
		return math.MaxInt64
	}
	return time.Duration(scaled)
}

func newSpeed() *parsed[speed] {
	return &parsed[speed]{value: speed{text: "instant"}, takes: "instant, real, or a factor from 0.001 such as 60", words: []string{"instant", "real"}, read: func(s string) (speed, error) {
		switch s {
		case "instant":
			return speed{text: s}, nil
		case "real":
			return speed{text: s, factor: 1}, nil
		}
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || !(f >= 0.001) || math.IsInf(f, 0) || strings.ContainsAny(s, "xXpP_") {
			return speed{}, errBadValue
		}
		return speed{text: s, factor: f}, nil
	}}
}
