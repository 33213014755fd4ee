package send

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// answered are attempts of which the last was answered with the status and the
// header lines and judged by the profile; the others are only counted.
func answered(p *profiles.Profile, n, status int, retryAfter ...string) []Attempt {
	attempts := make([]Attempt, n)
	r := &Response{Status: status}
	for _, v := range retryAfter {
		r.Header = append(r.Header, sign.Header{Name: "Retry-After", Value: v})
	}
	attempts[n-1] = Attempt{Number: n, Response: r}
	attempts[n-1].Verdict = Judge(p, attempts[n-1].Outcome())
	return attempts
}

func TestTheSchedulesAreThoseOfTheProviders(t *testing.T) {
	const m = time.Minute
	tests := []struct {
		name   string
		waits  []time.Duration
		jitter float64
	}{
		{"kudos", []time.Duration{30 * time.Second, 2 * m, 10 * m, 30 * m, 60 * m}, 0.25},
		{"clodo", []time.Duration{5 * time.Second, 5 * m}, 0},
		{"kustomer", []time.Duration{m, m, 2 * m, 5 * m, 10 * m, 15 * m, 30 * m}, 0.10},
	}
	for _, tt := range tests {
		p := builtin(t, tt.name)
		for _, u := range []float64{0, 0.5, 1} {
			for i, slot := range tt.waits {
				want := Decision{Next: &Wait{
					Wait:   slot + time.Duration(float64(slot)*tt.jitter*(2*u-1)),
					Base:   slot,
					Source: FromSchedule,
				}}
				if got := Next(p, answered(p, i+1, 503), u, time.Time{}); !reflect.DeepEqual(got, want) {
					t.Errorf("%s, u %v, after attempt %d: %+v, want %+v", tt.name, u, i+1, got.Next, want.Next)
				}
			}
			want := Decision{Cause: ByExhausted}
			if got := Next(p, answered(p, len(tt.waits)+1, 503), u, time.Time{}); !reflect.DeepEqual(got, want) {
				t.Errorf("%s at the end: %+v, want %+v", tt.name, got, want)
			}
		}
	}
}

func TestOnlyARetryIsFollowed(t *testing.T) {
	for name, status := range map[string]int{"kudos": 404, "clodo": 429, "kustomer": 301} {
		p := builtin(t, name)
		want := Decision{Cause: ByRule}
		for _, n := range []int{1, 2} {
			if got := Next(p, answered(p, n, status), 0.5, time.Time{}); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %d: %+v, want %+v", name, status, got, want)
			}
		}
	}
	if got := Next(builtin(t, "kudos"), nil, 0.5, time.Time{}); got.Next != nil || got.Cause != ByRule {
		t.Errorf("no attempts: %+v", got)
	}
}

func TestRetryAfterReplacesTheWait(t *testing.T) {
	const (
		noDate = "Retry-After is a date, counted from this machine's clock; the documentation names only seconds"
		cut    = "Retry-After cut to 1 h"
	)
	now := time.Date(2026, 1, 2, 10, 3, 3, 500e6, time.UTC)
	obeyed := func(d time.Duration, notes ...string) Decision {
		return Decision{Next: &Wait{Wait: d, Base: d, Source: FromRetryAfter}, Notes: notes}
	}
	capped := func(notes ...string) Decision {
		return Decision{Next: &Wait{Wait: time.Hour, Base: time.Hour, Source: FromRetryAfter, Cut: true}, Notes: notes}
	}
	ignored := func(value string) Decision {
		return Decision{
			Next:  &Wait{Wait: 150 * time.Second, Base: 2 * time.Minute, Source: FromSchedule},
			Notes: []string{"Retry-After ignored: " + value + " is neither seconds nor a date"},
		}
	}
	tests := []struct {
		values []string
		want   Decision
	}{
		{[]string{"120"}, obeyed(120 * time.Second)},
		{[]string{"0"}, obeyed(0)},
		{[]string{"007"}, obeyed(7 * time.Second)},
		{[]string{" 7\t"}, obeyed(7 * time.Second)},
		{[]string{"3600"}, obeyed(time.Hour)},
		{[]string{"3601"}, capped(cut)},
		{[]string{"9223372037"}, capped(cut)},
		{[]string{strings.Repeat("9", 400)}, capped(cut)},
		{[]string{"Fri, 02 Jan 2026 10:05:03 GMT"}, obeyed(119500*time.Millisecond, noDate)},
		{[]string{"Friday, 02-Jan-26 10:05:03 GMT"}, obeyed(119500*time.Millisecond, noDate)},
		{[]string{"Fri Jan  2 10:05:03 2026"}, obeyed(119500*time.Millisecond, noDate)},
		{[]string{"Wed, 21 Oct 2015 07:28:00 GMT"}, obeyed(0, noDate)},
		{[]string{"Fri, 31 Dec 9999 23:59:59 GMT"}, capped(noDate, cut)},
		{[]string{"5", "70"}, obeyed(5 * time.Second)},
		{[]string{"soon", "70"}, ignored(`"soon"`)},
		{[]string{"+5"}, ignored(`"+5"`)},
		{[]string{"-5"}, ignored(`"-5"`)},
		{[]string{"1.5"}, ignored(`"1.5"`)},
		{[]string{""}, ignored(`""`)},
		{[]string{"60, 120"}, ignored(`"60, 120"`)},
		{[]string{"0x10"}, ignored(`"0x10"`)},
		{[]string{"\u0661\u0662"}, ignored("\"\u0661\u0662\"")},
		{[]string{"\x1b[2J\u202e"}, ignored(`"\x1b[2J\u202e"`)},
		{[]string{strings.Repeat("a", 41)}, ignored(`"` + strings.Repeat("a", 40) + `"...`)},
	}
	p := builtin(t, "kudos")
	for _, tt := range tests {
		if got := Next(p, answered(p, 2, 429, tt.values...), 1, now); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%q: %+v %q, want %+v %q", tt.values, got.Next, got.Notes, tt.want.Next, tt.want.Notes)
		}
	}
}

func TestARetryAfterThatIsNotObeyedIsNoted(t *testing.T) {
	several := *builtin(t, "kudos")
	several.Retry.RetryAfter = &profiles.RetryAfter{On: []int{429, 502, 503}, AtMost: time.Hour}
	two := several
	two.Retry.RetryAfter = &profiles.RetryAfter{On: []int{429, 503}, AtMost: time.Hour}
	tests := []struct {
		p      *profiles.Profile
		n      int
		status int
		want   []string
	}{
		{builtin(t, "kudos"), 1, 503, []string{"Retry-After ignored: only 429 is asked"}},
		{builtin(t, "kudos"), 1, 408, []string{"Retry-After ignored: only 429 is asked"}},
		{builtin(t, "kudos"), 1, 404, []string{"Retry-After ignored: only 429 is asked"}},
		{builtin(t, "kudos"), 6, 503, []string{"Retry-After ignored: only 429 is asked"}},
		{builtin(t, "kudos"), 6, 429, []string{"Retry-After ignored: no attempt is left"}},
		{builtin(t, "kudos"), 1, 200, nil},
		{&two, 1, 500, []string{"Retry-After ignored: only 429 and 503 are asked"}},
		{&several, 1, 500, []string{"Retry-After ignored: only 429, 502 and 503 are asked"}},
		{builtin(t, "clodo"), 1, 429, []string{"Retry-After ignored: Clodo does not read it"}},
		{builtin(t, "clodo"), 1, 503, []string{"Retry-After ignored: Clodo does not read it"}},
		{builtin(t, "kustomer"), 1, 429, []string{"Retry-After ignored: Kustomer does not read it"}},
		{builtin(t, "kustomer"), 8, 429, []string{"Retry-After ignored: Kustomer does not read it"}},
		{builtin(t, "kustomer"), 1, 301, nil},
	}
	for _, tt := range tests {
		got := Next(tt.p, answered(tt.p, tt.n, tt.status, "1"), 0.5, time.Time{})
		if !reflect.DeepEqual(got.Notes, tt.want) {
			t.Errorf("%s, %d at attempt %d: %q, want %q", tt.p.Name, tt.status, tt.n, got.Notes, tt.want)
		}
		if got.Next != nil && got.Next.Source != FromSchedule {
			t.Errorf("%s, %d at attempt %d: it was obeyed", tt.p.Name, tt.status, tt.n)
		}
	}
}

func TestAWaitFromTheStartEndsAfterTheAttempt(t *testing.T) {
	p := *builtin(t, "kudos")
	p.Retry.FromStart = true
	tests := []struct{ took, want time.Duration }{
		{0, 30 * time.Second},
		{8 * time.Second, 22 * time.Second},
		{30 * time.Second, 0},
		{31 * time.Second, 0},
	}
	for _, tt := range tests {
		attempts := answered(&p, 1, 503)
		attempts[0].Took = tt.took
		want := Decision{Next: &Wait{Wait: tt.want, Base: 30 * time.Second, Source: FromSchedule}}
		if got := Next(&p, attempts, 0.5, time.Time{}); !reflect.DeepEqual(got, want) {
			t.Errorf("took %s: %+v, want %+v", tt.took, got.Next, want.Next)
		}
	}
}

func TestNothingIsScheduledAfterTheCeiling(t *testing.T) {
	p := builtin(t, "clodo")
	tests := []struct {
		name      string
		due, took time.Duration
		want      Cause
	}{
		{"worst case of the schedule", 30 * time.Second, 25 * time.Second, ""},
		{"due at the ceiling", 54 * time.Minute, time.Minute, ""},
		{"due after it", 54 * time.Minute, time.Minute + 1, ByCeiling},
		{"already past it", 2 * time.Hour, 0, ByCeiling},
		{"past all time", longest, longest, ByCeiling},
	}
	for _, tt := range tests {
		attempts := answered(p, 2, 503)
		attempts[1].Due, attempts[1].Took = tt.due, tt.took
		got := Next(p, attempts, 0.5, time.Time{})
		if got.Cause != tt.want || (got.Next == nil) != (tt.want != "") {
			t.Errorf("%s: %+v, want cause %q", tt.name, got, tt.want)
		}
	}
}

func TestJitterStaysInItsBounds(t *testing.T) {
	tests := []struct {
		slot time.Duration
		j, u float64
		want time.Duration
	}{
		{time.Minute, 0.25, 0, 45 * time.Second},
		{time.Minute, 0.25, 0.5, time.Minute},
		{time.Minute, 0.25, 0.75, 67500 * time.Millisecond},
		{time.Minute, 0.25, 1, 75 * time.Second},
		{time.Minute, 0.25, 2, 75 * time.Second},
		{time.Minute, 0.25, -1, 45 * time.Second},
		{time.Minute, 0.25, math.NaN(), 45 * time.Second},
		{time.Minute, 0, 0.1, time.Minute},
		{time.Minute, 3, 0, 0},
		{0, 1, 1, 0},
		{longest, 1, 1, longest},
		{longest, 1, 0, 0},
	}
	for _, tt := range tests {
		if got := jittered(tt.slot, tt.j, tt.u); got != tt.want {
			t.Errorf("%s +-%v at %v: %s, want %s", tt.slot, tt.j, tt.u, got, tt.want)
		}
	}
}

func TestSeededJitterDependsOnEachOfItsParts(t *testing.T) {
	p, other := &profiles.Profile{Name: "a"}, &profiles.Profile{Name: "b"}
	base := Seeded(p, 7, 0)
	if base(1) != Seeded(&profiles.Profile{Name: "a", Title: "A"}, 7, 0)(1) {
		t.Error("the same profile name, seed, delivery and attempt give another jitter")
	}
	seen := map[float64]string{}
	for name, u := range map[string]float64{
		"base": base(1), "attempt": base(2), "delivery": Seeded(p, 7, 1)(1),
		"seed": Seeded(p, 8, 0)(1), "profile": Seeded(other, 7, 0)(1),
	} {
		if before, ok := seen[u]; ok {
			t.Errorf("%s and %s give the same jitter", name, before)
		}
		seen[u] = name
	}
}

func TestSeededJitterIsUniform(t *testing.T) {
	const n = 20000
	var tenths [10]int
	u := Seeded(&profiles.Profile{Name: "a"}, 1, 2)
	for i := range n {
		v := u(i + 1)
		if v < 0 || v >= 1 {
			t.Fatalf("u(%d) = %v is not in [0,1)", i+1, v)
		}
		tenths[int(10*v)]++
	}
	for i, c := range tenths {
		if c < n/10-200 || c > n/10+200 {
			t.Errorf("%d of %d fall into tenth %d", c, n, i)
		}
	}
}

func FuzzNext(f *testing.F) {
	f.Add("120", 429, uint8(1), 0.3, int64(30e9), 0.25, int64(3600e9), int64(0), int64(1e9), int64(0), false)
	f.Add("Wed, 21 Oct 2015 07:28:00 GMT", 429, uint8(0), 0.9, int64(1<<62), 1.0, int64(1), int64(1<<62), int64(1<<62), int64(1e18), true)
	f.Add("99999999999999999999", 503, uint8(2), -1.0, int64(0), 0.0, int64(0), int64(5), int64(5), int64(10), true)
	f.Fuzz(func(t *testing.T, header string, status int, before uint8, u float64, slot int64, j float64, most, due, took, ceiling int64, fromStart bool) {
		if slot < 0 || most < 0 || due < 0 || took < 0 || ceiling < 0 || !(j >= 0 && j <= 1) {
			return
		}
		p := &profiles.Profile{Title: "A"}
		p.Delivery.Rules = []profiles.Rule{{On: []profiles.Item{{Any: true}}, Then: profiles.Retried}}
		p.Retry = profiles.Retry{
			Waits:      []time.Duration{time.Duration(slot), time.Duration(slot)},
			FromStart:  fromStart,
			Jitter:     j,
			RetryAfter: &profiles.RetryAfter{On: []int{429}, AtMost: time.Duration(most)},
			Ceiling:    time.Duration(ceiling),
		}
		attempts := answered(p, int(before%3)+1, status, header)
		last := &attempts[len(attempts)-1]
		last.Due, last.Took = time.Duration(due), time.Duration(took)
		d := Next(p, attempts, u, time.Unix(1767348183, 0))
		if (d.Next == nil) == (d.Cause == "") {
			t.Fatalf("%+v: either a wait or a cause", d)
		}
		if d.Next == nil {
			return
		}
		if d.Next.Wait < 0 || d.Next.Base < 0 {
			t.Errorf("negative: %+v", d.Next)
		}
		switch d.Next.Source {
		case FromRetryAfter:
			if status != 429 || d.Next.Wait > time.Duration(most) || d.Next.Wait != d.Next.Base {
				t.Errorf("status %d, at most %s: %+v", status, time.Duration(most), d.Next)
			}
		case FromSchedule:
			if top := jittered(time.Duration(slot), j, 1); d.Next.Wait > top || d.Next.Base != time.Duration(slot) {
				t.Errorf("above %s: %+v", top, d.Next)
			}
		default:
			t.Errorf("source %q", d.Next.Source)
		}
		if c := time.Duration(ceiling); c > 0 && later(later(last.Due, last.Took), d.Next.Wait) > c {
			t.Errorf("due after the ceiling of %s: %+v", c, d.Next)
		}
	})
}
