package render

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

func TestColumnsStandWhereTheContractDrawsThem(t *testing.T) {
	tests := []struct {
		width                 int
		took                  bool
		verdict, wait, reason int
	}{
		{60, true, 40, 49, 0},
		{80, true, 47, 56, 0},
		{120, true, 47, 58, 84},
		{80, false, 40, 49, 0},
	}
	for _, name := range []string{"kudos", "clodo", "kustomer"} {
		p := builtin(t, name)
		for _, test := range tests {
			l := newLedger(Style{Width: test.width}, p, shape{took: test.took, waits: true, limit: p.Delivery.Limits.Longest()})
			if l.verdictAt() != test.verdict || l.waitAt() != test.wait || test.reason > 0 && l.whyAt() != test.reason {
				t.Errorf("%s at %d: verdicts at %d, waits at %d, reasons at %d; want %+v",
					name, test.width, l.verdictAt(), l.waitAt(), l.whyAt(), test)
			}
		}
	}
}

func TestHeadOfTheWaitsSaysTheSpeed(t *testing.T) {
	p := builtin(t, "kudos")
	for speed, want := range map[string]string{
		"instant": "next wait (skipped)",
		"real":    "next wait",
		"":        "next wait",
		"60":      "next wait (60 times faster)",
	} {
		head := newLedger(Style{Width: 80}, p, shape{took: true, waits: true, speed: speed}).head()
		if !strings.HasSuffix(head, "verdict  "+want) {
			t.Errorf("speed %q: %q", speed, head)
		}
	}
	if head := newLedger(Style{Width: 60}, p, shape{waits: true, speed: "instant"}).head(); !strings.HasSuffix(head, "  next wait") {
		t.Errorf("narrow: %q", head)
	}
}

// custom is a profile with one rule and a schedule.
func custom(on string, waits int) *profiles.Profile {
	return &profiles.Profile{
		Title:    "Custom",
		Delivery: profiles.Delivery{Rules: []profiles.Rule{{On: []profiles.Item{{Text: on}}}}},
		Retry:    profiles.Retry{Waits: make([]time.Duration, waits), Jitter: 0.1},
	}
}

func TestColumnIsAsWideAsTheProfileNeeds(t *testing.T) {
	tests := []struct {
		name string
		p    *profiles.Profile
		sh   shape
		want string
	}{
		{"short items", custom("5xx", 1), shape{took: true}, " #       time  answer      took  rule -> verdict"},
		{"long items", custom("connect-timeout", 1), shape{took: true}, " #       time  answer      took             rule -> verdict"},
		{"long limit", custom("5xx", 1), shape{took: true, limit: 2 * time.Minute}, " #       time  answer         took  rule -> verdict"},
		{"very long limit", custom("5xx", 1), shape{took: true, limit: time.Hour}, " #       time  answer          took  rule -> verdict"},
		{"many attempts", custom("5xx", 99), shape{}, "  #       time  answer     rule -> verdict"},
		{"a rule that needs strict", custom("blocked-address", 1), shape{}, " #       time  answer     rule -> verdict"},
		{"with strict", custom("blocked-address", 1), shape{strict: true}, " #       time  answer                rule -> verdict"},
	}
	for _, test := range tests {
		if got := newLedger(Style{Width: 80}, test.p, test.sh).head(); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

func TestRowsOfOddAttemptsStayInColumn(t *testing.T) {
	rule := &profiles.Rule{}
	assumed := &profiles.Rule{Assumed: "what it does"}
	p := custom("5xx", 2)
	verdict := func(then profiles.Verdict, item string, rule *profiles.Rule) send.Verdict {
		return send.Verdict{Then: then, Item: item, Rule: rule}
	}
	tests := []struct {
		name string
		a    send.Attempt
		want string
	}{
		{
			"an item wider than its column",
			send.Attempt{Number: 1, Failure: &send.Failure{Kind: profiles.BlockedAddress}, Verdict: verdict(profiles.Failed, "blocked-address", rule)},
			" 1        0 s  blocked          blocked-address -> failed",
		},
		{
			"no request",
			send.Attempt{Number: 1, Failure: &send.Failure{Kind: profiles.NoSecret}, Verdict: verdict(profiles.Failed, "any", rule)},
			" 1        0 s  no-secret          any -> failed",
		},
		{
			"the ceiling",
			send.Attempt{Number: 2, Took: 1, Response: &send.Response{Status: 503}, Verdict: verdict(profiles.Retried, "5xx", rule)},
			" 2        0 s  503        <1 ms   5xx -> retry    past the ceiling",
		},
		{
			"none left",
			send.Attempt{Number: 3, Took: 1, Response: &send.Response{Status: 503}, Verdict: verdict(profiles.Retried, "5xx", rule)},
			" 3        0 s  503        <1 ms   5xx -> retry    none left (3 of 3)",
		},
		{
			"assumed, and delivered",
			send.Attempt{Number: 1, Took: 1, Response: &send.Response{Status: 101}, Verdict: verdict(profiles.Delivered, "101", assumed)},
			" 1        0 s  101        <1 ms   101 -> delivered  assumed",
		},
		{
			"a wait without a schedule",
			send.Attempt{
				Number: 1, Took: 1, Response: &send.Response{Status: 503}, Verdict: verdict(profiles.Retried, "5xx", rule),
				Next: &send.Wait{Source: send.FromSchedule},
			},
			" 1        0 s  503        <1 ms   5xx -> retry          0 s",
		},
		{
			"a sum that does not fit",
			send.Attempt{
				Number: 1, Took: 1, Response: &send.Response{Status: 503}, Verdict: verdict(profiles.Retried, "5xx", rule),
				Next: &send.Wait{Wait: 23*time.Hour + 59*time.Minute, Base: 23*time.Hour + 58*time.Minute, Source: send.FromSchedule},
			},
			" 1        0 s  503        <1 ms   5xx -> retry    23 h 59 m = 23 h 58 m +0.1 %",
		},
	}
	l := newLedger(Style{Width: 80}, p, shape{took: true, waits: true})
	for _, test := range tests {
		if got := l.row(strconv.Itoa(test.a.Number), test.a); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
	wide := newLedger(Style{Width: 80}, custom("connect-timeout", 2), shape{took: true, waits: true})
	last := tests[len(tests)-1].a
	if got := wide.row("1", last); columns(got) > 80 || strings.Contains(got, "=") {
		t.Errorf("the sum does not fit, yet got\n%s", got)
	}
}

func TestJitterIsThatOfTheSlotWhereWaitsCountFromTheStart(t *testing.T) {
	p := custom("5xx", 2)
	p.Retry.FromStart = true
	a := send.Attempt{Took: 3 * time.Second, Next: &send.Wait{Wait: 30 * time.Second, Base: 30 * time.Second, Source: send.FromSchedule}}
	l := newLedger(Style{Width: 80}, p, shape{waits: true})
	if got := l.sum(a); got != " = 30 s +10.0 %" {
		t.Errorf("got %q", got)
	}
	p.Retry.Jitter = 0
	if got := l.sum(a); got != "" {
		t.Errorf("without jitter got %q", got)
	}
}

func TestTheLastOfAThousandWaitsFits(t *testing.T) {
	p := *builtin(t, "kudos")
	p.Retry.Waits = make([]time.Duration, 1000)
	last := send.Attempt{
		Number: 1001, Due: 20*time.Hour + 50*time.Minute, Took: 999 * time.Millisecond, Request: &send.Request{},
		Failure: &send.Failure{Kind: profiles.ReadTimeout}, Verdict: send.Judge(&p, profiles.Outcome{Failure: profiles.ReadTimeout}),
	}
	for width, want := range map[int]string{60: "none left", 80: "none left", 81: "none left", 82: "none left (1001 of 1001)", 120: "none left (1001 of 1001)"} {
		row := newLedger(Style{Width: width}, &p, shape{took: true, waits: true, limit: p.Delivery.Limits.Longest()}).row("1001", last)
		cell := row[strings.Index(row, "none left"):]
		if cell, _, _ = strings.Cut(cell, "  "); cell != want || columns(row) > width {
			t.Errorf("at %d: %d columns, %q; want %q", width, columns(row), row, want)
		}
	}
}
