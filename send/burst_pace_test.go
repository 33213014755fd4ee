package send

import (
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestTheRateIsOpenLoop(t *testing.T) {
	for _, test := range []struct {
		concurrency, late int
		starts            []time.Duration
	}{
		// Two answers a second, four arrivals: from the third on all are late.
		{2, 6, []time.Duration{0, 250, 1000, 1250, 2000, 2250, 3000, 3250}},
		{8, 0, []time.Duration{0, 250, 500, 750, 1000, 1250, 1500, 1750}},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := &Burst{Sender: sender(t, "kudos", "http://localhost/"), Messages: events(8), Events: 8, Concurrency: test.concurrency, Rate: 4}
			e, s, err := onPipes(t, b, func(int, int, http.ResponseWriter) { time.Sleep(time.Second) })
			for i, at := range test.starts {
				if e.at[i] != at*time.Millisecond {
					t.Errorf("%d at a time: event %d began at %v, want %v", test.concurrency, i, e.at[i], at*time.Millisecond)
				}
			}
			if err != nil || s.LateStarts != test.late || s.Delivered != 8 {
				t.Errorf("%d at a time: %s, %v; want %d late", test.concurrency, counts(s), err, test.late)
			}
		})
	}
}

func TestADeliveryThatWaitsTakesNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sender(t, "kudos", "http://localhost/")
		s.Wait, s.Real, s.NoJitter = RealWait, true, true
		b := &Burst{Sender: s, Messages: events(10), Events: 10, Concurrency: 1}
		e, sum, err := onPipes(t, b, func(_, n int, w http.ResponseWriter) {
			if n == 0 {
				w.WriteHeader(503)
			}
		})
		if err != nil || sum.Delivered != 10 || sum.Attempts != 20 {
			t.Fatalf("%s, %v", counts(sum), err)
		}
		for i, at := range e.at {
			if want := time.Duration(i/10) * 30 * time.Second; at != want {
				t.Errorf("request %d at %v, want %v", i, at, want)
			}
		}
	})
}

func TestOrderIsKeptInsideATypeWhereItIsAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sender(t, "kudos", "http://localhost/")
		s.Wait, s.Real, s.NoJitter = RealWait, true, true
		b := &Burst{Sender: s, Messages: events(6, "a", "b"), Events: 6, Concurrency: 6, InOrder: true}
		e, sum, err := onPipes(t, b, func(event, n int, w http.ResponseWriter) {
			if event == 2 && n == 0 {
				w.WriteHeader(503)
			}
		})
		want := []string{"evt_2", "evt_2", "evt_4"} // of type a, after the first
		var got []string
		for _, id := range e.list {
			if id == "evt_2" || id == "evt_4" {
				got = append(got, id)
			}
		}
		if err != nil || sum.Delivered != 6 || !slices.Equal(got, want) {
			t.Errorf("%s, %v: %v, want %v", counts(sum), err, got, want)
		}
	})
}
