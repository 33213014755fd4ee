package forecast

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

func builtin(t testing.TB, name string) *profiles.Profile {
	t.Helper()
	e, err := profiles.Builtin().Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return e.Profile
}

func steps(t testing.TB, text string) send.Step {
	t.Helper()
	script, err := send.ParseScript(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return script.Steps[0]
}

// figures are those of a result, and its windows.
type figures struct {
	First, Late, Lost, Pending, Unqueued, Attempts, Off int
	LostFrom, LostTo, Last, LateBy, Backlog, OffAt      time.Duration
	Windows                                             []Window
}

func figuresOf(r Result) figures {
	f := figures{
		r.First, r.Late, r.Lost, r.Pending, r.Unqueued, r.Attempts, r.Off,
		r.LostFrom, r.LostTo, r.Last, r.LateBy, r.Backlog, r.OffAt, slices.Collect(r.Load.Windows()),
	}
	for i := range f.Windows {
		f.Windows[i].NoJitter = 0 // a simulation of its own
	}
	return f
}

// An event of the reference is one delivery with all its attempts.
type event struct {
	arrived, due time.Duration
	attempts     []send.Attempt
}

// refer simulates as plainly as can be: one attempt after another in the order
// of time, each judged by send.Judge and send.Next with the whole history.
func refer(o Outage, p *profiles.Profile, windows []Window) figures {
	o, events, err := o.complete()
	if err != nil {
		panic(err)
	}
	end := o.For - events.Before
	var f figures
	all := make([]event, events.Arrived)
	var queue []int // those that wait, by due
	wait := func(g int) {
		i, _ := slices.BinarySearchFunc(queue, g, func(a, b int) int {
			return cmp.Or(cmp.Compare(all[a].due, all[b].due), cmp.Compare(a, b))
		})
		queue = slices.Insert(queue, i, g)
	}
	for g := range all {
		at := time.Duration(float64(g) / o.Rate / float64(o.Webhooks) * 1e9).Round(time.Microsecond) // the tests have such rates
		at -= events.Before
		all[g] = event{arrived: at, due: at}
		wait(g)
	}
	off := slices.Repeat([]time.Duration{never}, o.Webhooks)
	interval := time.Duration(1e9 / o.Rate / float64(o.Webhooks)).Round(time.Microsecond)
	f.LostFrom, f.OffAt = never, never
	lost := func(e *event, at time.Duration) {
		f.Lost++
		f.LostFrom = min(f.LostFrom, e.arrived)
		f.LostTo = max(f.LostTo, min(e.arrived+interval, end))
		if at > o.Down {
			f.Backlog = max(f.Backlog, at-o.Down)
		}
	}
	served := map[time.Duration]int{}
	imagined := map[string]send.Attempt{}
	for len(queue) > 0 {
		g := queue[0]
		queue = queue[1:]
		e, w := &all[g], g%o.Webhooks
		switch {
		case e.due > off[w] && len(e.attempts) == 0:
			f.Unqueued++
			lost(e, 0)
			continue
		case e.due > off[w]:
			lost(e, off[w])
			continue
		case e.due >= end:
			f.Pending++
			continue
		}
		step := send.Step{Outcome: profiles.Outcome{Status: 200}}
		second := (e.due - o.Down).Truncate(time.Second)
		switch {
		case e.due >= 0 && e.due < o.Down:
			step = o.FailWith
		case e.due >= o.Down && o.Capacity > 0:
			i := second.Seconds()
			if served[second] >= int(math.Floor((i+1)*o.Capacity)-math.Floor(i*o.Capacity)) {
				step = o.OverCapacity
			} else {
				served[second]++
			}
		}
		n := len(e.attempts) + 1
		a, known := imagined[step.Text]
		if !known {
			plan, _ := send.Plan(p, &send.Script{Steps: []send.Step{step}}, send.NoJitter)
			a = plan[0]
			imagined[step.Text] = a
		}
		a.Number, a.Due = n, e.due-e.arrived
		a.Verdict = send.Judge(p, a.Outcome())
		now := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC).Add(e.due + a.Took).Truncate(time.Second)
		if a.Response != nil {
			a.Response = &send.Response{Status: a.Response.Status, Header: step.Headers(now)}
		}
		e.attempts = append(e.attempts, a)
		f.Attempts++
		i, found := slices.BinarySearchFunc(windows, e.due, func(w Window, at time.Duration) int { return cmp.Compare(w.From, at) })
		if !found {
			i--
		}
		windows[i].Attempts++
		if a.Verdict.Then != profiles.Delivered {
			windows[i].Failed++
		}
		d := send.Next(p, e.attempts, send.Seeded(p, o.Seed, g)(n), now)
		done := e.due + a.Took
		if d.Next != nil {
			e.due = done + d.Next.Wait
			wait(g)
			continue
		}
		ending := send.End(p, e.attempts, d.Cause)
		switch {
		case ending.State != send.StateDelivered:
			lost(e, done)
		case n == 1:
			f.First++
		default:
			f.Late++
			if done > f.Last || done == f.Last && done-e.arrived > f.LateBy {
				f.Last, f.LateBy = done, done-e.arrived
			}
			f.Backlog = max(f.Backlog, done-o.Down)
		}
		if slices.ContainsFunc(ending.Effects, profiles.Effect.Stops) && done < end {
			off[w] = min(off[w], done)
		}
	}
	if f.Lost == 0 {
		f.LostFrom = 0
	}
	if f.Pending > 0 {
		f.Backlog = 0
	}
	for _, at := range off {
		if at < never {
			f.Off++
			f.OffAt = min(f.OffAt, at)
		}
	}
	if f.Off == 0 {
		f.OffAt = 0
	}
	f.Windows = windows
	return f
}

func TestTheSimulationIsWhatTheRulesSayAttemptByAttempt(t *testing.T) {
	all := []*profiles.Profile{builtin(t, "kudos"), builtin(t, "clodo"), builtin(t, "kustomer")}
	start := *builtin(t, "kustomer") // counts from the start, has a ceiling, and pauses
	start.Retry.FromStart, start.Retry.Ceiling = true, 40*time.Minute
	all = append(all, &start)
	fails := []string{
		"refused", "timeout", "connect-timeout", "dns", "tls", "410", "429:retry-after=60", "429:retry-after=+90", "429:retry-after=0",
		`429:retry-after="Thu, 01 Jan 2026 01:10:00 GMT"`, "503:retry-after=5", "404", "302", "200", "503:delay=3s",
	}
	beyond := []string{"503", "429:retry-after=7", "timeout", "410", "429:retry-after=0", "404"}
	dice := rand.New(rand.NewPCG(1, 2))
	for i := range 90 {
		o := Outage{
			Down:     time.Duration(1+dice.IntN(150)) * time.Minute,
			FailWith: steps(t, fails[i%len(fails)]), Seed: uint64(i), OverCapacity: steps(t, beyond[dice.IntN(len(beyond))]),
			Webhooks: []int{1, 1, 2, 5}[dice.IntN(4)],
		}
		o.Rate = []float64{0.01, 0.02}[dice.IntN(2)] / float64(o.Webhooks)
		if dice.IntN(2) == 0 {
			o.Capacity = []float64{0.005, 0.015, 0.05, 0.5, 1}[dice.IntN(5)]
		}
		if dice.IntN(3) == 0 {
			o.For = o.Down*2 + 11*time.Second
		}
		f, err := Run(o, all...)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range f.Results {
			windows := slices.Collect(r.Load.Windows())
			for i := range windows {
				windows[i] = Window{From: windows[i].From, To: windows[i].To}
			}
			got, want := figuresOf(r), refer(o, r.Profile, windows)
			if !reflect.DeepEqual(got, want) {
				got.Windows, want.Windows = nil, nil
				t.Fatalf("%d: %s under %s\n got %+v\nwant %+v", i, r.Profile.Name, show(o), got, want)
			}
		}
	}
}

func show(o Outage) string {
	return fmt.Sprintf("down %s for %s rate %v x %d, %s, capacity %v %s", o.Down, o.For, o.Rate, o.Webhooks, o.FailWith.Text, o.Capacity, o.OverCapacity.Text)
}
