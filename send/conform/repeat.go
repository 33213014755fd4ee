package conform

import (
	"context"
	"strconv"
	"sync"
	"time"
)

// repeatPause is how long after a delivery it is repeated.
const repeatPause = 2 * time.Second

const dedupeFix = "keep the ids of handled events, and answer 2xx to a known one at once"

// duplicate sends the same event four times.
func duplicate(ctx context.Context, r *run, t *tried) {
	t.Asked = "one event four times: as it is, the same bytes " + spell(repeatPause) + " later, signed afresh, and with another X-Request-Id"
	e := r.event()
	first := r.genuine(e)
	trials := []trial{{"the event", first}}
	if t.accept(ctx, trials, "a repeated event", dedupeFix); t.State == Fail {
		return
	}
	if lost := r.result("lost-answer"); r.skipped(lost) == "" && !r.o.Slow {
		r.lose(ctx, lost, briefResets()) // they share the pause
	}
	if r.wait(ctx, repeatPause) != nil {
		return
	}
	trials = []trial{
		{"the same bytes again", first},
		{"signed afresh", r.genuine(e)},
		{"with a new X-Request-Id", r.genuine(e).withHeader("X-Request-Id", r.chance(8))},
	}
	t.accept(ctx, trials, "a repeated event", dedupeFix)
	t.effects(ctx, 1, true, e)
}

// accept sends trials that must be accepted, and fails the check for what is
// not.
func (t *tried) accept(ctx context.Context, trials []trial, what, fix string) {
	all := t.each(ctx, trials)
	for _, s := range all {
		if !s.accepted() {
			t.fail(what+" "+s.met()+" ("+s.name+")", fix)
			return
		}
	}
}

// effects asks the probe how often events had their effect in all. advice says
// that a wrong number is not required to be right.
func (t *tried) effects(ctx context.Context, want int, advice bool, events ...event) {
	if t.State != Pass || ctx.Err() != nil {
		return
	}
	if t.run.o.Probe == nil {
		t.Answers = true
		return
	}
	got, err := t.run.probe(ctx, want, events...)
	switch {
	case err != nil:
		t.inconclusive("the probe cannot tell: "+err.Error(), "the probe prints one whole number: how often the event of HOOKCTL_EVENT_ID had its effect")
		return
	case got == want:
		return
	}
	if got < want && t.ID != "over-dedupe" {
		if n, err := t.run.baseline(ctx); err != nil || n < 1 {
			t.inconclusive("by the probe an event that comes once has no effect either", "see what the probe counts, and over-dedupe")
			return
		}
	}
	t.Came = "the answers were right; the probe says " + strconv.Itoa(got) + ", not " + strconv.Itoa(want)
	finding, fix := "an event has its effect "+times(got), "record the id in the same transaction as the effect, under a unique key"
	switch {
	case got < want && len(events) > 1:
		finding = "of " + strconv.Itoa(want) + " different events " + strconv.Itoa(got) + " had an effect"
		fix = "dedupe on the event's id alone, nothing else"
	case got < want:
		finding = "an event was accepted, but had no effect"
		fix = "answer 2xx only once the event is durable; record its id together with its effect"
	}
	if advice {
		t.advise(finding, fix, "only the probe says so")
		return
	}
	t.fail(finding, fix)
}

func times(n int) string {
	if n == 2 {
		return "twice"
	}
	return strconv.Itoa(n) + " times"
}

// What a probe may wait for: work that follows the answer.
const (
	probePause = 200 * time.Millisecond
	probeTries = 6
)

// probe asks for the effects of events until they are as many as wanted, or
// more, or for a second.
func (r *run) probe(ctx context.Context, want int, events ...event) (int, error) {
	for try := 1; ; try++ {
		sum := 0
		for _, e := range events {
			n, err := r.o.Probe(ctx, e.id)
			if err != nil {
				return 0, err
			}
			sum += n
		}
		if sum >= want || try == probeTries || r.wait(ctx, probePause) != nil {
			return sum, nil //nolint:nilerr // out of time: what was counted counts
		}
	}
}

// baseline is how often an event has its effect that comes once.
func (r *run) baseline(ctx context.Context) (int, error) {
	if r.alone == nil {
		e := r.event()
		if a := r.exchange(ctx, r.genuine(e)); !a.accepted() {
			return 0, nil
		}
		n, err := r.probe(ctx, 1, e)
		if err != nil {
			return 0, err
		}
		r.alone = &n
	}
	return *r.alone, nil
}

// racers is how many connections carry the same event at once.
const racers = 10

// parallel sends the same event on several connections at once.
func parallel(ctx context.Context, r *run, t *tried) {
	t.Asked = "one event on " + strconv.Itoa(racers) + " connections, all last bytes at once"
	e := r.event()
	q := r.genuine(e)
	answers := r.together(ctx, q, racers)
	var all []said
	conflict := false
	for i, a := range answers {
		name := "connection " + strconv.Itoa(i+1)
		t.add(name, q, a)
		all = append(all, said{name, a})
		conflict = conflict || a.status() == 409
	}
	t.Came = inWords(all)
	for _, s := range all {
		if s.refusedWell() {
			t.failFor("a body may come in pieces: who checks what is there so far refuses a genuine event", "a copy whose last byte comes late "+s.met()+": its body was not read whole", "read the body to its end, by its length, before the check")
			break
		}
		if !s.accepted() && !s.cut && s.status() != 409 {
			t.fail("one of several copies at once "+s.met(), "insert the id under a unique key first; who loses the race answers 2xx")
			break
		}
	}
	t.effects(ctx, 1, false, e)
	if conflict {
		t.advise("a copy of an event in work is answered 409", "answer 2xx: a sender may take a 409 as final, or go on trying", "not every sender minds")
	}
}

// together sends one request n times: all but the last byte of each, then all
// last bytes.
func (r *run) together(ctx context.Context, q request, n int) []answer {
	wire := append(r.head(q), q.body...)
	answers := make([]answer, n)
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		ready.Add(1)
		done.Go(func() {
			begun := time.Now()
			l, err := r.open(ctx, "", begun.Add(r.limit))
			if err == nil {
				defer l.close()
				_, err = l.conn.Write(wire[:len(wire)-1])
			}
			ready.Done()
			if err != nil {
				answers[i] = r.failed(ctx, l, err, begun, r.limit)
				return
			}
			<-start
			if _, err = l.conn.Write(wire[len(wire)-1:]); err == nil {
				response, failed := l.answer("", nil)
				answers[i] = answer{response: response, took: time.Since(begun), limit: r.limit}
				err = failed
			}
			if err != nil {
				answers[i] = r.failed(ctx, l, err, begun, r.limit)
			}
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
	return answers
}

// A lostTry is a delivery whose answer was not waited for.
type lostTry struct {
	after time.Duration
	event event
}

func briefResets() []time.Duration { return []time.Duration{0, 50 * time.Millisecond} }

// lose sends events and resets the connections after the given times.
func (r *run) lose(ctx context.Context, t *tried, after []time.Duration) {
	tries := make([]lostTry, len(after))
	requests := make([]request, len(after))
	for i, d := range after {
		tries[i] = lostTry{d, r.event()}
		requests[i] = r.genuine(tries[i].event)
	}
	var all sync.WaitGroup
	for i, d := range after {
		all.Go(func() {
			l, err := r.open(ctx, "", time.Now().Add(r.limit))
			if err != nil {
				return
			}
			_, _ = l.conn.Write(append(r.head(requests[i]), requests[i].body...))
			if d > 0 {
				_ = r.wait(ctx, d)
			}
			l.reset()
		})
	}
	all.Wait()
	for _, l := range tries {
		t.mu.Lock()
		t.Sent = append(t.Sent, "an event, the connection reset after "+spell(l.after))
		t.Got = append(t.Got, "not waited for")
		t.mu.Unlock()
	}
	r.lost = tries
}

// lostAnswer sends events again whose answer was lost.
func lostAnswer(ctx context.Context, r *run, t *tried) {
	groups := [][]time.Duration{briefResets()}
	if r.o.Slow {
		groups = nil
		for _, d := range []time.Duration{0, 5, 50, 200, 500} {
			groups = append(groups, []time.Duration{d * time.Millisecond})
		}
	}
	t.Asked = "events whose connection is reset before the answer; " + spell(repeatPause) + " later each again, signed afresh"
	for _, group := range groups {
		if len(r.lost) == 0 {
			r.lose(ctx, t, group)
			if r.wait(ctx, repeatPause) != nil {
				return
			}
		}
		var trials []trial
		for _, l := range r.lost {
			trials = append(trials, trial{"again, after the reset at " + spell(l.after), r.genuine(l.event)})
		}
		t.accept(ctx, trials, "an event whose first answer was lost", dedupeFix)
		for _, l := range r.lost {
			t.effects(ctx, 1, false, l.event)
		}
		r.lost = nil
	}
}

// overDedupe sends different events that look alike.
func overDedupe(ctx context.Context, r *run, t *tried) {
	t.Asked = "the same content under two ids, then one id under two types"
	a, b := r.event(), r.event()
	typed := r.typed(r.withID(r.event().id), r.otherType())
	same := r.withID(typed.id)
	t.accept(ctx, []trial{{"the event", r.genuine(a)}, {"the same content under another id", r.genuine(b)}}, "an event like another", "dedupe on the event's id alone, nothing else")
	t.effects(ctx, 2, true, a, b)
	if t.State != Pass {
		return
	}
	trials := []trial{{"an id", r.genuine(same)}, {"the same id under another type", r.genuine(typed)}}
	if r.p.Promises.Dedupe == "id" {
		t.accept(ctx, trials, "an id under another type", dedupeFix)
		t.effects(ctx, 1, true, same)
		return
	}
	all := t.each(ctx, trials)
	t.note("one id under two types: %s", inWords(all))
	if r.o.Probe != nil && ctx.Err() == nil {
		if n, err := r.probe(ctx, 1, same); err == nil {
			t.note("one id under two types had its effect %s", map[bool]string{true: "once", false: times(n)}[n == 1])
		}
	}
}

// otherType is another event type of the profile, or one of hookctl's own.
func (r *run) otherType() string {
	for _, s := range r.p.Samples {
		if s.Type != r.o.Event.Type {
			return s.Type
		}
	}
	return unknownType
}

// unknownType is a type that no provider has.
const unknownType = "hookctl.unknown"
