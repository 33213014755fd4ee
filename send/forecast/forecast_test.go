package forecast

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

func run(t testing.TB, o Outage, names ...string) *Forecast {
	t.Helper()
	var all []*profiles.Profile
	for _, name := range names {
		all = append(all, builtin(t, name))
	}
	f, err := Run(o, all...)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range f.Results {
		if sum := r.First + r.Late + r.Lost + r.Pending; sum != f.Events.Arrived {
			t.Errorf("%s: %d events of %d are accounted for", r.Profile.Name, sum, f.Events.Arrived)
		}
		attempts := 0
		for w := range r.Load.Windows() {
			attempts += w.Attempts
		}
		if attempts != r.Attempts {
			t.Errorf("%s: %d attempts in the windows, %d in all", r.Profile.Name, attempts, r.Attempts)
		}
	}
	return f
}

// What is lost follows from the published schedule alone: an event is lost if
// its last attempt comes before the endpoint is back.
func TestTheLostWindowIsThatOfTheSchedule(t *testing.T) {
	const s, m, h = time.Second, time.Minute, time.Hour
	for _, test := range []struct {
		name   string
		waits  []time.Duration
		jitter float64
	}{
		{"kudos", []time.Duration{30 * s, 2 * m, 10 * m, 30 * m, h}, 0.25},
		{"clodo", []time.Duration{5 * s, 5 * m}, 0},
		{"kustomer", []time.Duration{m, m, 2 * m, 5 * m, 10 * m, 15 * m, 30 * m}, 0.10},
	} {
		total := time.Duration(0)
		for _, w := range test.waits {
			total += w
		}
		move := time.Duration(float64(total) * test.jitter)
		p := *builtin(t, test.name)
		p.Retry.Exhausted.Effects = nil // what is lost because the webhook is off is another matter
		for _, down := range []time.Duration{total - move - m, total + move + m, 3*total + 7*s, 9 * h} {
			const interval = time.Second
			f, err := Run(Outage{Down: down, Rate: 1, Seed: 3}, &p)
			if err != nil {
				t.Fatal(err)
			}
			r := f.Results[0]
			latest, earliest := down-(total-move), down-(total+move) // of what is lost for certain, and at all
			switch {
			case latest <= 0:
				if r.Lost != 0 {
					t.Errorf("%s down for %s: %d lost", test.name, down, r.Lost)
				}
				continue
			case r.LostFrom != 0:
				t.Errorf("%s down for %s: lost from %s on", test.name, down, r.LostFrom)
			case r.LostTo < earliest || r.LostTo > latest+interval:
				t.Errorf("%s down for %s: lost until %s, which is not from %s to %s", test.name, down, r.LostTo, earliest, latest)
			}
			if least, most := int(earliest/interval), int((latest+interval-1)/interval); r.Lost < least || r.Lost > most {
				t.Errorf("%s down for %s: %d lost, which is not from %d to %d", test.name, down, r.Lost, least, most)
			}
			if move == 0 && (r.LostTo != latest || r.Lost != int((latest+interval-1)/interval) || r.InWindow != r.Lost) {
				t.Errorf("%s down for %s: %d lost until %s, want until %s", test.name, down, r.Lost, r.LostTo, latest)
			}
		}
	}
}

func TestTheFiguresWithoutJitterAreExact(t *testing.T) {
	f := run(t, Outage{Down: 40 * time.Minute, Rate: 50}, "clodo")
	if want := (Events{Before: 30 * time.Minute, Arrived: 660_000, InDown: 120_000}); f.Events != want {
		t.Errorf("events %+v, want %+v", f.Events, want)
	}
	got := f.Results[0]
	got.Profile, got.Load = nil, nil
	last := 44*time.Minute + 59*time.Second + 980*time.Millisecond
	want := Result{
		First: 540_000, Late: 15_250, Lost: 104_750, LostTo: 34*time.Minute + 55*time.Second, InWindow: 104_750,
		Last: last, LateBy: 5*time.Minute + 5*time.Second, Backlog: last - 40*time.Minute,
		Attempts: 899_750, PeakDown: 150, PeakAfter: 125, PeakAfterBare: 125,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestTheNumberOfWorkersChangesNothing(t *testing.T) {
	o := Outage{Down: 2 * time.Hour, Rate: 0.1, Webhooks: 40, Seed: 9}
	p := builtin(t, "kustomer")
	o, events, err := o.complete()
	if err != nil {
		t.Fatal(err)
	}
	var first Result
	for i, workers := range []int{1, 2, 7} {
		s := newSimulation(p, o, events.Before)
		s.workers = workers
		r := s.result()
		if i == 0 {
			first = r
		}
		if r.Off != 40 || !reflect.DeepEqual(r, first) {
			t.Errorf("%d workers: %+v\nwith one: %+v", workers, r, first)
		}
	}
}

func TestAWebhookThatIsOffGetsNothingMore(t *testing.T) {
	r := run(t, Outage{Down: time.Minute, Rate: 10, For: 10 * time.Minute, FailWith: steps(t, "410")}, "kudos").Results[0]
	if r.Off != 1 || r.OffAt != 0 || r.Lost != 5000 || r.Unqueued != 4999 || r.Attempts != 1001 || r.LostTo != 500*time.Second ||
		!slices.Equal(r.Effects, []profiles.Effect{profiles.PauseSubscription}) {
		t.Errorf("paused by the first 410: %+v", r)
	}
	r = run(t, Outage{Down: 3 * time.Hour, Rate: 10}, "kustomer").Results[0]
	least, most := 57*time.Minute+36*time.Second, 70*time.Minute+24*time.Second // 64 m +-10 %
	if r.Off != 1 || r.OffAt < least || r.OffAt > most || r.Late != 0 || r.LostFrom != 0 || r.LostTo != 5*time.Hour+30*time.Minute ||
		r.Assumed != "how long it must fail" || !slices.Contains(r.Notes, "assumed: how long it must fail") {
		t.Errorf("disabled: %+v", r)
	}
}

// With webhooks that have an event each, every one is turned off by its own.
func TestEachWebhookEndsOnItsOwn(t *testing.T) {
	o := Outage{Down: 70 * time.Minute, Rate: 1.0 / (250 * 60), Webhooks: 1000, For: 250 * time.Minute, Seed: 2}
	r := run(t, o, "kustomer").Results[0]
	if r.Off == 0 || r.Off != r.Lost || r.Unqueued != 0 || r.Late == 0 {
		t.Errorf("%+v", r)
	}
}

// A webhook that is off only after the last of what is simulated is not off yet.
func TestAnEndAfterTheLastEventIsNotSeen(t *testing.T) {
	p := *builtin(t, "clodo")
	p.Retry.Exhausted.Effects = []profiles.Effect{profiles.DisableWebhook}
	// The third attempt of the first event begins at 345 s and takes 20 s.
	o := Outage{Down: 350 * time.Second, Rate: 1, For: 432 * time.Second, FailWith: steps(t, "timeout")} // to 360 s
	f, err := Run(o, &p)
	if err != nil {
		t.Fatal(err)
	}
	if r := f.Results[0]; r.Off != 0 || r.OffAt != 0 || r.Lost != 5 {
		t.Errorf("%+v", r)
	}
	o.For = 450 * time.Second // to 375 s
	if f, err = Run(o, &p); err != nil {
		t.Fatal(err)
	}
	if r := f.Results[0]; r.Off != 1 || r.OffAt != 365*time.Second || r.Unqueued != 9 {
		t.Errorf("%+v", r)
	}
}

func TestRetryAfterTakesThePlaceOfTheSchedule(t *testing.T) {
	p := builtin(t, "kudos") // it obeys one on 429, without jitter
	r := run(t, Outage{Down: time.Hour, Rate: 1, FailWith: steps(t, "429:retry-after=60")}, "kudos").Results[0]
	if want := 5 * time.Minute; r.LostTo != time.Hour-want || r.LateBy != want {
		t.Errorf("five waits of a minute: lost until %s, late by %s", r.LostTo, r.LateBy)
	}
	cut := send.Repeat(p, steps(t, "429:retry-after=7200"), time.Time{})
	if wait, cause := cut.Next(1, 0, 0, 0); wait != time.Hour || cause != "" {
		t.Errorf("a Retry-After above the cap waits %s, %q", wait, cause)
	}
	ignored := run(t, Outage{Down: time.Minute, Rate: 1, FailWith: steps(t, "503:retry-after=7")}, "kudos").Results[0]
	if want := []string{"Retry-After ignored: only 429 is asked"}; !slices.Equal(ignored.Notes, want) {
		t.Errorf("notes %q, want %q", ignored.Notes, want)
	}
}

func TestTimeOutsTakeTheirTime(t *testing.T) {
	r := run(t, Outage{Down: time.Hour, Rate: 1, FailWith: steps(t, "timeout")}, "clodo").Results[0]
	// Two attempts of 20 s and waits of 5 s and 5 m before the third.
	if want := 5*time.Minute + 45*time.Second; r.LostTo != time.Hour-want || r.LateBy != want {
		t.Errorf("lost until %s, late by %s, want %s", r.LostTo, r.LateBy, want)
	}
}

func TestACapacityIsNeverExceeded(t *testing.T) {
	o := Outage{Down: 10 * time.Minute, Rate: 20, Capacity: 25, Seed: 4}
	limited, free := run(t, o, "kudos").Results[0], run(t, Outage{Down: o.Down, Rate: o.Rate, Seed: 4}, "kudos").Results[0]
	after := 0
	for w := range limited.Load.Windows() {
		if w.From < o.Down {
			continue
		}
		after++
		if served := w.Attempts - w.Failed; served > 25*10 {
			t.Errorf("from %s to %s %d are answered", w.From, w.To, served)
		}
	}
	if after == 0 || limited.Attempts <= free.Attempts || limited.Backlog <= free.Backlog {
		t.Errorf("of %d windows; limited %+v\nfree %+v", after, limited, free)
	}
	o.Capacity = 1e9
	if got := run(t, o, "kudos").Results[0]; !reflect.DeepEqual(figuresOf(got), figuresOf(free)) {
		t.Errorf("a capacity that is never reached changes the forecast: %+v, want %+v", figuresOf(got), figuresOf(free))
	}
}

// A rate at which nothing else ever arrives, and more than can be counted.
func TestExtremeRatesAreCounted(t *testing.T) {
	rare := run(t, Outage{Down: time.Hour, Rate: 1e-300, Capacity: math.MaxFloat64}, "kudos")
	if rare.Events.Arrived != 1 || rare.Results[0].First != 1 {
		t.Errorf("%+v", rare.Events)
	}
	dense := run(t, Outage{Down: time.Microsecond, For: 100 * time.Microsecond, Rate: 1e9}, "clodo")
	if want := (Events{Before: 100 * time.Microsecond / 6, Arrived: 100_000, InDown: 1000}); dense.Events != want {
		t.Errorf("%+v, want %+v", dense.Events, want)
	}
}

func TestWhatCannotBeSimulatedIsRefused(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for text, o := range map[string]Outage{
		"an outage needs a length and a rate above 0":                                       {Down: time.Hour},
		"an outage needs a length and a rate above 0 ":                                      {Rate: 1},
		"36500.1 days are more than can be simulated, 90":                                   {Down: 100 * year, Rate: 1},
		"106752 days are more than can be simulated, 90":                                    {Down: never, Rate: 1},
		"1.32e+16 events are more than can be simulated, 100000000":                         {Down: 40 * time.Minute, Rate: 1e12},
		"2.64e+07 events are more than can be simulated with a capacity, 20000000":          {Down: 40 * time.Minute, Rate: 2000, Capacity: 1},
		"10000001 webhooks are more than can be simulated, 10000000":                        {Down: 40 * time.Minute, Rate: 1e-9, Webhooks: 10_000_001},
		"events arrive from 10 s before the outage for 60 s, and it does not end meanwhile": {Down: time.Minute, For: time.Minute, Rate: 1},
	} {
		_, err := Run(o, builtin(t, "kudos"))
		var limit *LimitError
		if !errors.As(err, &limit) || !strings.HasPrefix(err.Error(), strings.TrimSpace(text)) {
			t.Errorf("%+v: %v, want %s", o, err, text)
		}
	}
}
