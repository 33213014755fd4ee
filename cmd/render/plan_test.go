package render

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// bare is the plan of a profile without a script.
func bare(p *profiles.Profile) Planned {
	plan := Planned{Profile: p, Ending: send.Ending{
		State: send.StateFailed, Cause: send.ByExhausted, Effects: p.Retry.Exhausted.Effects, Assumed: p.Retry.Exhausted.Assumed,
	}}
	due := time.Duration(0)
	for i := range p.Attempts() {
		a := send.Attempt{Number: i + 1, Due: due, Verdict: send.Verdict{Then: profiles.Retried}}
		if i < len(p.Retry.Waits) {
			w := p.Retry.Waits[i]
			part := time.Duration(float64(w) * p.Retry.Jitter)
			a.Next = &send.Wait{Wait: w, Base: w, Min: w - part, Max: w + part, Source: send.FromSchedule}
			due += w
		}
		plan.Attempts = append(plan.Attempts, a)
	}
	plan.Ending.Elapsed = due
	return plan
}

// scripted is the plan of a profile whose endpoint answers so, with jitter in
// percent.
func scripted(p *profiles.Profile, jitter []float64, statuses ...int) Planned {
	var answers []answer
	for i, status := range statuses {
		a := answer{status: status}
		if i < len(jitter) {
			a.jitter = jitter[i]
		}
		answers = append(answers, a)
		if judge(p, profiles.Outcome{Status: status}).Then != profiles.Retried || i == len(p.Retry.Waits) {
			break
		}
	}
	plan := Planned{Profile: p}
	plan.Attempts, plan.Ending = deliver(p, kustomerHeaders, answers...)
	return plan
}

func threePlans(t *testing.T) []Planned {
	statuses := []int{503, 503, 503, 503, 503, 200}
	return []Planned{
		scripted(builtin(t, "clodo"), nil, statuses...),
		scripted(builtin(t, "kudos"), []float64{4.7, -12.1, 8.3, -21.2, 3.0}, statuses...),
		scripted(builtin(t, "kustomer"), []float64{-1.8, -6.2, 0.1, 6.6, -8.8}, statuses...),
	}
}

func drawBare(t *testing.T, s Style, plans ...Planned) string {
	t.Helper()
	var b bytes.Buffer
	if err := PlanBare(&b, s, plans...); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func drawCompared(t *testing.T, s Style, plans []Planned) string {
	t.Helper()
	var b bytes.Buffer
	if err := PlanCompare(&b, s, plans); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSchedulesLookLikeTheirPictures(t *testing.T) {
	for _, test := range []struct {
		name, profile string
		style         Style
	}{
		{"plan-bare-kudos-60", "kudos", Style{Width: 60}},
		{"plan-bare-kudos-80", "kudos", Style{Width: 80}},
		{"plan-bare-kudos-120", "kudos", Style{Width: 120}},
		{"plan-bare-kudos-80-ascii", "kudos", Style{Width: 80, ASCII: true}},
		{"plan-bare-kudos-60-dumb", "kudos", Style{Width: 60, Dumb: true}},
		{"plan-bare-clodo-80", "clodo", Style{Width: 80}},
		{"plan-bare-kustomer-80", "kustomer", Style{Width: 80}},
	} {
		t.Run(test.name, func(t *testing.T) {
			golden(t, test.name, []byte(drawBare(t, test.style, bare(builtin(t, test.profile)))))
		})
	}
}

func TestScheduleIsWhatAPlanComputes(t *testing.T) {
	for _, name := range []string{"clodo", "kudos", "kustomer"} {
		p := builtin(t, name)
		attempts, ending := send.Plan(p, nil, nil)
		golden(t, "plan-bare-"+name+"-80", []byte(drawBare(t, Style{Width: 80}, Planned{p, attempts, ending})))
	}
}

func TestComparisonsLookLikeTheirPictures(t *testing.T) {
	for _, test := range []struct {
		name  string
		style Style
	}{
		{"plan-compare-60", Style{Width: 60}},
		{"plan-compare-80", Style{Width: 80}},
		{"plan-compare-120", Style{Width: 120}},
		{"plan-compare-80-ascii", Style{Width: 80, ASCII: true}},
		{"plan-compare-80-dumb", Style{Width: 80, Dumb: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			golden(t, test.name, []byte(drawCompared(t, test.style, threePlans(t))))
		})
	}
}

func TestPlansInEveryStyleSayTheSame(t *testing.T) {
	for _, test := range []struct {
		name string
		draw func(s Style) string
	}{
		{"bare", func(s Style) string { return drawBare(t, s, bare(builtin(t, "kudos")), bare(builtin(t, "clodo"))) }},
		{"compared", func(s Style) string { return drawCompared(t, s, threePlans(t)) }},
	} {
		for _, width := range []int{60, 80, 120} {
			want := test.draw(Style{Width: width})
			if line := firstWide(want, width, "failed: ", "delivered: "); line != "" {
				t.Errorf("%s at %d: a line is wider: %q", test.name, width, line)
			}
			coloured := test.draw(Style{Width: width, Color: true})
			if stripped(coloured) != want || coloured == want {
				t.Errorf("%s at %d: the colours do not only add:\n%s", test.name, width, coloured)
			}
			dumb := test.draw(Style{Width: width, Dumb: true})
			if strings.ContainsAny(dumb, "─━") {
				t.Errorf("%s at %d: a drawing on a dumb terminal:\n%s", test.name, width, dumb)
			}
		}
		want := asciiTwins(test.draw(Style{Width: 80}))
		if got := test.draw(Style{Width: 80, ASCII: true}); got != want {
			t.Errorf("%s: ASCII differs in more than the twins:\n%s\nwant\n%s", test.name, got, want)
		}
	}
}

func TestPlansHaveColoursByMeaning(t *testing.T) {
	s := Style{Width: 120, Color: true}
	got := drawBare(t, s, bare(builtin(t, "kudos"))) + drawCompared(t, s, threePlans(t))
	for _, want := range []string{
		s.paint(strong, "Kudos CRM") + ", if", s.paint(strongBad, "failed") + ": attempt", s.paint(warn, "━━") + s.paint(strong, "4") + s.paint(warn, "━"),
		s.paint(bad, "6") + s.paint(warn, "━━━━━━━━━━━━━"), s.paint(strong, "Kustomer"), s.paint(dim, "5xx") + " -> " + s.paint(warn, "retry"),
		s.paint(good, "delivered"), s.paint(bad, "failed") + "        6 of 6", s.paint(strong, "2") + s.paint(dim, "────") + s.paint(bad, "3"), s.paint(good, "6") + "\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// schedule60 has 60 waits, the longer ones of days.
func schedule60() *profiles.Profile {
	p := &profiles.Profile{Name: "slow", Title: "Slow", Retry: profiles.Retry{Jitter: 0.125}}
	for i := range 60 {
		p.Retry.Waits = append(p.Retry.Waits, time.Duration(i*i)*time.Hour)
	}
	p.Delivery.Limits.Total = 10 * time.Second
	return p
}

func TestSchedulesHoldForAnyProfile(t *testing.T) {
	once := &profiles.Profile{Name: "once", Title: "Once"}
	start := &profiles.Profile{Name: "start", Title: "Start", Retry: profiles.Retry{Waits: []time.Duration{time.Second}, FromStart: true}}
	atOnce := &profiles.Profile{Name: "now", Title: "Now", Retry: profiles.Retry{Waits: []time.Duration{0, 0}}}
	ceiling := bare(start)
	ceiling.Ending = send.Ending{State: send.StateFailed, Cause: send.ByCeiling}
	for _, test := range []struct {
		name string
		plan Planned
		want string
	}{
		{"one attempt", bare(once), "Once, if every attempt fails\n\n #  wait before    nominal   earliest     latest\n" +
			" 1  -                  0 s        0 s        0 s\n\nfailed: attempt 1 of 1\n"},
		{"from the start, and a ceiling", ceiling, "Start, if every attempt fails\n\n #  wait before    nominal   earliest     latest   0 s                      1 s\n" +
			" 1  -                  0 s        0 s        0 s   1\n 2  1 s                1 s        1 s        1 s                              2\n\n" +
			"Waits count from the start of the attempt before, but no attempt begins before\nthat one has ended.\n\n" +
			"failed: attempt 2 of 2, after 1 s; the ceiling is reached\n"},
		{"waits of nothing", bare(atOnce), "Now, if every attempt fails\n\n #  wait before    nominal   earliest     latest\n" +
			" 1  -                  0 s        0 s        0 s\n 2  0 s                0 s        0 s        0 s\n 3  0 s                0 s        0 s        0 s\n\n" +
			"Waits count from the end of the attempt before: one that times out adds up to\n0 s, three add up to 0 s.\n\nfailed: attempt 3 of 3, after 0 s\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := drawBare(t, Style{Width: 80}, test.plan); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestLongSchedulesKeepTheirColumns(t *testing.T) {
	plan := bare(schedule60())
	for _, width := range []int{60, 80, 120} {
		text := drawBare(t, Style{Width: width}, plan)
		if line := firstWide(text, width, "failed: "); line != "" {
			t.Errorf("at %d a line is wider: %q", width, line)
		}
		if drawn := strings.Contains(text, "━"); drawn != (width != 80) {
			t.Errorf("at %d, where 80 has no room: drawn %v", width, drawn)
		}
		lines := strings.Split(text, "\n")[2:]
		end := strings.Index(lines[0], "nominal") + len("nominal")
		for _, line := range lines[1:62] {
			runes := []rune(line)
			if len(runes) < end || runes[end-1] == ' ' || len(runes) > end && runes[end] != ' ' {
				t.Errorf("at %d no time ends at column %d: %q", width, end, line)
			}
		}
	}
}

func TestManyProvidersStandInBlocksOfThree(t *testing.T) {
	plans := append(threePlans(t), scripted(builtin(t, "kudos"), nil, 429, 410))
	got := drawCompared(t, Style{Width: 80}, plans)
	golden(t, "plan-compare-four-80", []byte(got))
}

func TestBlocksThatDoNotFitGoBelow(t *testing.T) {
	long := scripted(schedule60Rules(), nil, slices.Repeat([]int{503}, 61)...)
	for _, width := range []int{80, 110} {
		got := drawCompared(t, Style{Width: width}, []Planned{long, long, long})
		if line := firstWide(got, width); line != "" {
			t.Errorf("at %d a line is wider: %q", width, line)
		}
		if !strings.Contains(got, "…  A provider") {
			t.Errorf("at %d the titles run together:\n%s", width, got)
		}
		if n := strings.Count(got, "#  answer"); n != 2 {
			t.Errorf("at %d there are %d tables, want 2:\n%s", width, n, got)
		}
	}
}

func TestStripsShowTimeOuts(t *testing.T) {
	p := builtin(t, "clodo")
	late := answer{failure: &send.Failure{Kind: profiles.ReadTimeout}, took: 20 * time.Second}
	plan := Planned{Profile: p}
	plan.Attempts, plan.Ending = deliver(p, kustomerHeaders, late, late, late)
	other := scripted(builtin(t, "kudos"), nil, 200)
	got := drawCompared(t, Style{Width: 80}, []Planned{plan, other})
	want := "clodo  1━━━━2━━━━─────────────────────────────────────────────────────────3━━━━\n" +
		"kudos  1\n" +
		"       0 s                                                              6 m 5 s\n"
	if !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant at its end\n%s", got, want)
	}
}

// schedule60Rules is schedule60 with a rule of a long item.
func schedule60Rules() *profiles.Profile {
	p := schedule60()
	p.Title = "A provider whose title is longer than any table can be wide"
	p.Delivery.Rules = []profiles.Rule{{On: []profiles.Item{{Text: "connect-timeout", Any: true}}, Then: profiles.Retried}}
	return p
}

func TestProfilesTextInPlansIsEscaped(t *testing.T) {
	const evil = "a\x1b[2J\n\u202e\x9b\xff"
	p := schedule60Rules()
	p.Title, p.Name, p.Delivery.Rules[0].On[0].Text = evil, evil, evil
	p.Retry.Exhausted.Effects = []profiles.Effect{evil}
	for _, width := range []int{60, 80, 120} {
		s := Style{Width: width}
		got := drawBare(t, s, bare(p)) + drawCompared(t, s, []Planned{scripted(p, nil, 503, 503), scripted(p, nil, 503)})
		if bad := firstControl(got); bad != "" {
			t.Errorf("at %d %s reaches the terminal:\n%q", width, bad, got)
		}
	}
}

func TestPlansReturnTheWritersError(t *testing.T) {
	if err := PlanBare(failing{}, Style{}, bare(schedule60())); !errors.Is(err, errFull) {
		t.Errorf("bare: got %v, want %v", err, errFull)
	}
	if err := PlanCompare(failing{}, Style{}, threePlans(t)); !errors.Is(err, errFull) {
		t.Errorf("compared: got %v, want %v", err, errFull)
	}
}

func TestNineProvidersStandInBlocksOfThree(t *testing.T) {
	var plans []Planned
	for _, e := range everyBuiltin(t) {
		plans = append(plans, scripted(e.Profile, nil, 503, 503, 503, 503, 503, 200))
	}
	for _, test := range []struct {
		name  string
		style Style
	}{
		{"plan-compare-nine-80", Style{Width: 80}}, {"plan-compare-nine-120", Style{Width: 120}},
	} {
		got := drawCompared(t, test.style, plans)
		golden(t, test.name, []byte(got))
		if line := firstWide(got, test.style.Width); line != "" {
			t.Errorf("at %d a line is wider: %q", test.style.Width, line)
		}
		if n := strings.Count(got, "\n #  answer "); n != 3 {
			t.Errorf("%d blocks, want 3:\n%s", n, got)
		}
	}
}
