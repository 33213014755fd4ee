package send

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// events gives n messages with ids evt_0, evt_1 and so on.
func events(n int, types ...string) iter.Seq2[Message, error] {
	if len(types) == 0 {
		types = []string{"payment.succeeded"}
	}
	return func(yield func(Message, error) bool) {
		for k := range n {
			id := "evt_" + strconv.Itoa(k)
			typ := types[k%len(types)]
			m := Message{ID: id, Type: typ, Body: []byte(`{"event_id":"` + id + `","event_type":"` + typ + `"}`), Number: k}
			if !yield(m, nil) {
				return
			}
		}
	}
}

// An endpoint answers requests as its test says: by the event's number and which
// request of the event it is, both from 0.
type endpoint struct {
	mu   sync.Mutex
	seen map[string]int
	list []string // ids as they came
	at   []time.Duration
	from time.Time
}

func (e *endpoint) handle(answer func(event, n int, w http.ResponseWriter)) http.HandlerFunc {
	e.seen, e.from = make(map[string]int), time.Now()
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		id := r.Header.Get("X-Kudos-Event-Id")
		if id == "" {
			id = r.Header.Get("Event-Id")
		}
		k, _ := strconv.Atoi(id[len("evt_"):])
		e.mu.Lock()
		n := e.seen[id]
		e.seen[id]++
		e.list = append(e.list, id)
		e.at = append(e.at, time.Since(e.from))
		e.mu.Unlock()
		answer(k, n, w)
	}
}

// onPipes runs a burst in a bubble against an endpoint.
func onPipes(t *testing.T, b *Burst, answer func(event, n int, w http.ResponseWriter)) (*endpoint, Summary, error) {
	t.Helper()
	p := newPipes()
	e := &endpoint{}
	server := &http.Server{Handler: e.handle(answer)}
	go server.Serve(p)
	defer server.Close()
	b.Sender.Dial = p.Dial
	s, err := b.Run(t.Context())
	return e, s, err
}

// sums fails where a summary does not add up.
func checkSums(t *testing.T, s Summary) {
	t.Helper()
	if all := s.Delivered + s.Failed + s.NotSent + s.Interrupted; all != s.Deliveries {
		t.Errorf("%d deliveries, %d of them counted: %+v", s.Deliveries, all, counts(s))
	}
	answers := 0
	for _, n := range s.Answers {
		answers += n
	}
	if answers != s.Attempts {
		t.Errorf("%d attempts, %d answers", s.Attempts, answers)
	}
	failed := s.Stopped
	for _, n := range s.FailedAt {
		failed += n
	}
	if failed != s.Failed {
		t.Errorf("%d failed, %d of them told", s.Failed, failed)
	}
}

// counts are a summary's numbers, for comparing.
func counts(s Summary) string {
	return fmt.Sprintf("%d delivered (%d at first), %d failed (%d stopped), %d not sent, %d interrupted, %d attempts, %d late",
		s.Delivered, s.FirstTry, s.Failed, s.Stopped, s.NotSent, s.Interrupted, s.Attempts, s.LateStarts)
}

func TestEveryEventOfABurstIsDelivered(t *testing.T) {
	e := &endpoint{}
	server := testServer(t, e.handle(func(event, n int, w http.ResponseWriter) {
		if event%5 == 0 && n == 0 {
			w.WriteHeader(503)
		}
	}))
	var numbers []int
	b := &Burst{Sender: sender(t, "kudos", server), Messages: events(50), Events: 50, Concurrency: 8, KeepAlive: true,
		Done: func(d Delivery) error {
			numbers = append(numbers, d.Message.Number)
			if last := d.Attempts[len(d.Attempts)-1]; last.Request == nil || last.Response == nil {
				t.Errorf("event %d: the last attempt is not whole: %+v", d.Message.Number, last)
			}
			return nil
		}}
	s, err := b.Run(t.Context())
	if got, want := counts(s), "50 delivered (40 at first), 0 failed (0 stopped), 0 not sent, 0 interrupted, 60 attempts, 0 late"; got != want || err != nil {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	checkSums(t, s)
	slices.Sort(numbers)
	for k := range 50 {
		if len(e.seen) != 50 || e.seen["evt_"+strconv.Itoa(k)] == 0 || numbers[k] != k {
			t.Fatalf("event %d: %d requests; told %v", k, e.seen["evt_"+strconv.Itoa(k)], numbers)
		}
	}
	if n := s.ByType["payment.succeeded"]; n != (TypeCount{Delivered: 50}) {
		t.Errorf("by type: %+v", s.ByType)
	}
	if s.Latency.Count() != 60 || s.Limit != 8*time.Second {
		t.Errorf("%d latencies of the limit %v", s.Latency.Count(), s.Limit)
	}
}

// testServer serves a handler on loopback and returns its URL.
func testServer(t *testing.T, h http.Handler) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: h}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return "http://" + l.Addr().String() + "/"
}

func TestAPauseStopsTheRestOfABurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &Burst{Sender: sender(t, "kudos", "http://localhost/"), Messages: events(20), Events: 20}
		e, s, err := onPipes(t, b, func(event, _ int, w http.ResponseWriter) {
			if event == 4 {
				w.WriteHeader(410)
			}
		})
		if got, want := counts(s), "4 delivered (4 at first), 1 failed (0 stopped), 15 not sent, 0 interrupted, 5 attempts, 0 late"; got != want || err != nil {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
		checkSums(t, s)
		if want := (Stop{Effect: profiles.PauseSubscription, Event: 5}); s.StoppedBy == nil || *s.StoppedBy != want {
			t.Errorf("stopped by %+v, want %+v", s.StoppedBy, want)
		}
		if len(e.list) != 5 || !slices.Contains(s.Effects, profiles.PauseSubscription) {
			t.Errorf("%d requests, effects %v", len(e.list), s.Effects)
		}
	})
}

// A pause reaches what is under way: those that wait for a later attempt.
func TestAPauseEndsTheDeliveriesUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sender(t, "kudos", "http://localhost/")
		s.Wait, s.Real, s.NoJitter = RealWait, true, true
		// Ten events, one a second. The third is paused at its second attempt, at
		// 2 s + 30 s; those before have had their second attempt by then.
		var states []string
		b := &Burst{Sender: s, Messages: events(10), Events: 10, Concurrency: 20, Rate: 1, Done: func(d Delivery) error {
			states = append(states, fmt.Sprintf("%d %s %s %d", d.Message.Number, d.Ending.State, d.Ending.Cause, len(d.Attempts)))
			return nil
		}}
		start := time.Now()
		_, sum, err := onPipes(t, b, func(event, n int, w http.ResponseWriter) {
			if event == 2 && n == 1 {
				w.WriteHeader(410)
				return
			}
			w.WriteHeader(503)
		})
		slices.Sort(states)
		want := []string{"0 failed stopped 2", "1 failed stopped 2", "2 failed rule 2"}
		for k := 3; k < 10; k++ {
			want = append(want, fmt.Sprintf("%d failed stopped 1", k))
		}
		if !slices.Equal(states, want) || err != nil {
			t.Errorf("%q, %v; want %q", states, err, want)
		}
		checkSums(t, sum)
		if sum.Stopped != 9 || !slices.Contains(sum.Notes, assumedNote(stopAssumption)) {
			t.Errorf("%d stopped, notes %q", sum.Stopped, sum.Notes)
		}
		if took := time.Since(start); took != 32*time.Second {
			t.Errorf("ended after %v, want the time of the pause, 32 s", took)
		}
	})
}

func TestAnEndpointThatFailsEverythingIsDisabledAfterAWholeSchedule(t *testing.T) {
	for _, speed := range []string{"instant", "real"} {
		synctest.Test(t, func(t *testing.T) {
			sender := sender(t, "kustomer", "http://localhost/")
			sender.Header = nil
			if speed == "real" {
				sender.Wait, sender.Real = RealWait, true
			}
			b := &Burst{Sender: sender, Messages: events(20), Events: 20, Concurrency: 20}
			p := newPipes()
			server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				w.WriteHeader(500)
			})}
			go server.Serve(p)
			defer server.Close()
			sender.Dial = p.Dial
			s, err := b.Run(t.Context())
			checkSums(t, s)
			whole := s.Failed - s.Stopped // had all of their eight attempts
			if err != nil || s.Failed != 20 || whole < 1 || s.NotSent != 0 || s.StoppedBy == nil || s.StoppedBy.Effect != profiles.DisableWebhook {
				t.Fatalf("%s: %s, %v, %+v", speed, counts(s), err, s.StoppedBy)
			}
			earliest := longest // of the last attempts, had all been made
			for k := range 20 {
				attempts, _ := Plan(sender.Profile, &Script{Steps: []Step{{Outcome: profiles.Outcome{Status: 500}, Times: 1}}}, Seeded(sender.Profile, sender.Seed, k))
				earliest = min(earliest, attempts[len(attempts)-1].Due)
			}
			if s.StoppedBy.At != earliest {
				t.Errorf("%s: stopped at %v, want %v", speed, s.StoppedBy.At, earliest)
			}
			if speed == "real" && (whole != 1 || s.Attempts != 8+19*7) {
				t.Errorf("real: %d whole, %d attempts; want 1 and %d", whole, s.Attempts, 8+19*7)
			}
		})
	}
}

func TestAnInterruptedBurstCountsWhatWasUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := sender(t, "kudos", "http://localhost/")
		s.Wait, s.Real = RealWait, true
		p := newPipes()
		e := &endpoint{}
		server := &http.Server{Handler: e.handle(func(event, _ int, w http.ResponseWriter) {
			switch {
			case event < 3:
			case event < 6:
				w.WriteHeader(503) // and waits
			default:
				time.Sleep(5 * time.Second)
			}
		})}
		go server.Serve(p)
		defer server.Close()
		s.Dial = p.Dial
		time.AfterFunc(time.Second, cancel)
		b := &Burst{Sender: s, Messages: events(100), Events: 100, Concurrency: 4}
		sum, err := b.Run(ctx)
		if got, want := counts(sum), "3 delivered (3 at first), 0 failed (0 stopped), 90 not sent, 7 interrupted, 6 attempts, 0 late"; got != want || err != nil {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
		checkSums(t, sum)
		if p := b.Progress(); p != (Progress{Delivered: 3}) {
			t.Errorf("progress %+v", p)
		}
		time.Sleep(10 * time.Second) // the handlers end
	})
}

func TestABurstEndsWithTheErrorOfDoneOrOfItsMessages(t *testing.T) {
	full := errors.New("no space left")
	url := testServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body) }))
	calls := 0
	b := &Burst{Sender: sender(t, "kudos", url), Messages: events(1000), Events: 1000, Concurrency: 4, Done: func(Delivery) error {
		if calls++; calls == 3 {
			return full
		}
		return nil // also for those that were in flight
	}}
	s, err := b.Run(t.Context())
	if !errors.Is(err, full) || calls != 1000-s.NotSent || s.NotSent < 900 {
		t.Errorf("Done: %v after %d calls, %s", err, calls, counts(s))
	}
	checkSums(t, s)
	broken := func(yield func(Message, error) bool) {
		for m := range events(2) {
			yield(m, nil)
		}
		yield(Message{}, full)
	}
	b = &Burst{Sender: sender(t, "kudos", url), Messages: broken, Events: 5}
	s, err = b.Run(t.Context())
	if !errors.Is(err, full) || s.Delivered != 2 || s.NotSent != 3 {
		t.Errorf("Messages: %v, %s", err, counts(s))
	}
	b = &Burst{Sender: &Sender{Profile: builtin(t, "kudos"), URL: url}, Messages: events(2), Events: 2}
	var none *NoSecretError
	if _, err = b.Run(t.Context()); !errors.As(err, &none) {
		t.Errorf("without a key: %v", err)
	}
}

func TestADuplicateOfEachEventIsJudged(t *testing.T) {
	e := &endpoint{}
	url := testServer(t, e.handle(func(event, n int, w http.ResponseWriter) {
		if event == 1 && n == 1 {
			w.WriteHeader(409)
		}
	}))
	b := &Burst{Sender: sender(t, "kudos", url), Messages: events(3), Events: 3, Duplicate: true}
	s, err := b.Run(t.Context())
	if got, want := counts(s), "2 delivered (2 at first), 1 failed (0 stopped), 0 not sent, 0 interrupted, 6 attempts, 0 late"; got != want || err != nil {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	checkSums(t, s)
	if s.Duplicates != 3 || s.FailedAt[profiles.Outcome{Status: 409}] != 1 {
		t.Errorf("%d duplicates, failed at %v", s.Duplicates, s.FailedAt)
	}
}
