package conform

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// parallelize calls f with 0 to n-1 at once, and waits.
func parallelize(n int, f func(int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { f(i) })
	}
	all.Wait()
}

const (
	inTurn     = 20
	atOnce     = 20
	coldAfter  = time.Minute
	turnBudget = 12 * time.Second // for the requests in turn: a slow receiver is seen sooner
)

const slowFix = "answer first, then work: put the event into a queue and answer 2xx at once"

// slowAnswer measures how long answers take.
func slowAnswer(ctx context.Context, r *run, t *tried) {
	t.Asked = strconv.Itoa(inTurn) + " events in turn, then " + strconv.Itoa(atOnce) + " at once"
	var all []answer
	if r.o.Slow {
		t.Asked = "an event after a minute of silence, " + t.Asked
		if r.wait(ctx, coldAfter) != nil {
			return
		}
		cold := t.send(ctx, "after a minute of silence", r.genuine(r.event()))
		t.note("the first answer after a minute of silence took %s", spell(cold.took))
		all = append(all, cold)
	}
	var spent time.Duration
	for i := 0; i < inTurn && spent < turnBudget; i++ {
		a := t.send(ctx, "in turn", r.genuine(r.event()))
		spent += a.took
		all = append(all, a)
	}
	if !t.stopped && !t.pushed {
		answers := make([]answer, atOnce)
		requests := make([]request, atOnce)
		for i := range requests {
			requests[i] = r.genuine(r.event())
		}
		parallelize(atOnce, func(i int) { answers[i] = r.exchange(ctx, requests[i]) })
		for i, a := range answers {
			t.add("at once", requests[i], a)
		}
		all = append(all, answers...)
	}
	all = slices.DeleteFunc(all, func(a answer) bool { return a.cut })
	for i, a := range all {
		t.Got[i] += " after " + spell(a.took)
	}
	all = slices.DeleteFunc(all, func(a answer) bool {
		t.pushed = t.pushed || a.pushedBack()
		return a.pushedBack()
	})
	for _, a := range all {
		if !a.accepted() {
			t.Came = a.String()
			finding := "an event in a row of " + strconv.Itoa(inTurn+atOnce) + " " + a.met()
			if a.timedOut() {
				t.fail(finding, slowFix)
				return
			}
			t.failFor("events come in rows and at once: what bears one of them has to bear many", finding, "see the receiver's log: what do requests share that fails?")
			return
		}
	}
	if len(all) == 0 {
		return
	}
	slices.SortFunc(all, func(a, b answer) int { return cmp.Compare(a.took, b.took) })
	p95, most := all[(len(all)*95+99)/100-1].took, all[len(all)-1].took
	t.Came = fmt.Sprintf("95 %% within %s, all within %s; the limit is %s", spell(p95), spell(most), spell(r.limit))
	if most >= r.limit {
		t.fail("an answer took "+spell(most)+", and the limit is "+spell(r.limit), slowFix)
	}
}

// burst sends events at a steady rate.
func burst(ctx context.Context, r *run, t *tried) {
	const rate = 50
	n := rate
	if r.o.Slow {
		n = 5 * rate
	}
	t.Asked = strconv.Itoa(n) + " events, " + strconv.Itoa(rate) + " a second"
	requests := make([]request, n)
	answers := make([]answer, n)
	sent := 0
	var all sync.WaitGroup
	for i := range n {
		if i > 0 && r.wait(ctx, time.Second/rate) != nil {
			break
		}
		requests[i] = r.genuine(r.event())
		sent++
		all.Go(func() { answers[i] = r.exchange(ctx, requests[i]) })
	}
	all.Wait()
	var heard []said
	for i, a := range answers[:sent] {
		t.add("an event", requests[i], a)
		if !a.cut {
			heard = append(heard, said{"event " + strconv.Itoa(i+1), a})
		}
	}
	t.Came = inWords(heard)
	for _, s := range heard {
		pushed := s.status() == 429 || s.status() == 503
		_, told := retryAfter(s.answer)
		switch {
		case s.accepted(), pushed && told:
		case pushed:
			t.fail("under load an event "+s.met()+" without Retry-After", "send Retry-After with a 429 or a 503, so that senders know when to come back")
		default:
			t.fail("under load an event "+s.met(), "take events into a queue; push back with 429 or 503 and Retry-After before connections are dropped")
		}
	}
}

func retryAfter(a answer) (string, bool) {
	if a.response == nil {
		return "", false
	}
	return a.response.Get("Retry-After")
}

// idlePauses are how long a connection stays idle between events.
func idlePauses() []time.Duration {
	return []time.Duration{4 * time.Second, 6 * time.Second, 61 * time.Second, 76 * time.Second}
}

// idleClose uses one connection again and again after pauses.
func idleClose(ctx context.Context, r *run, t *tried) {
	t.Asked = "events on one connection that is idle for 4, 6, 61 and 76 s between them"
	longest := r.limit
	for _, d := range idlePauses() {
		longest += d + r.limit
	}
	l, err := r.open(ctx, "", time.Now().Add(longest))
	if err != nil {
		t.fail("no connection: "+r.failed(ctx, nil, err, time.Now(), r.limit).String(), "see the receiver's log")
		return
	}
	defer l.close()
	if a := r.on(ctx, l, t, "the first event"); !a.accepted() {
		if !a.cut {
			t.fail("the event "+a.met(), "see the receiver's log")
		}
		return
	}
	for _, pause := range idlePauses() {
		if closed := r.idle(ctx, l, pause); closed >= 0 {
			t.note("the receiver closes a connection that is idle for %s", spell(closed.Round(time.Second)))
			if closed < 10*time.Second {
				t.Warning = "idle connections are closed after " + spell(closed.Round(time.Second)) + ": behind a balancer that keeps them longer this loses events; keep them for at least 75 s"
			}
			return
		}
		if ctx.Err() != nil {
			return
		}
		a := r.on(ctx, l, t, "an event after "+spell(pause))
		if a.failure != nil && !a.cut {
			t.fail("after "+spell(pause)+" of silence an event on the open connection gets no answer: "+a.String(),
				"keep idle connections longer than the sender or the balancer does (server.keepAliveTimeout in Node), or close them while they are idle")
			return
		}
	}
}

// on sends an event on an open connection.
func (r *run) on(ctx context.Context, l *line, t *tried, name string) answer {
	start := time.Now()
	q := r.genuine(r.event())
	_ = l.conn.SetDeadline(start.Add(r.limit))
	a := answer{limit: r.limit}
	_, err := l.conn.Write(append(r.head(q), q.body...))
	if err == nil {
		a.response, err = l.answer("", nil)
	}
	a.took = time.Since(start)
	if err != nil {
		a = r.failed(ctx, l, err, start, r.limit)
	}
	t.add(name, q, a)
	return a
}

// lastLook is how long after a pause the end of a connection may still be seen.
const lastLook = 50 * time.Millisecond

// idle waits for a pause, and tells after what time the other side closed the
// connection; below 0: it did not.
func (r *run) idle(ctx context.Context, l *line, pause time.Duration) time.Duration {
	start := time.Now()
	closed := make(chan time.Duration, 1)
	_ = l.conn.SetDeadline(time.Time{})
	go func() {
		_, err := l.in.Peek(1)
		if err != nil && send.Classify(err) != profiles.ReadTimeout {
			closed <- time.Since(start)
			return
		}
		closed <- -1
	}()
	_ = r.wait(ctx, pause)
	_ = l.conn.SetReadDeadline(time.Now().Add(lastLook)) // ends the look
	after := <-closed
	_ = l.conn.SetReadDeadline(time.Time{})
	return after
}
