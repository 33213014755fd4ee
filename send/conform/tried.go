package conform

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// A tried is a check under way, and then its result.
type tried struct {
	Result
	run *run

	mu       sync.Mutex
	troubled bool // a request brought no answer
	stopped  bool // one waited out its limit: no other is sent
	pushed   bool // the receiver takes nothing now: no other is sent
	cut      bool // the run ended under way
	blamed   bool // it was answered oddly as in a check that failed for it
	answers  []said
	waited   time.Duration // for a receiver that pushes back
}

// send sends one request of the check, unless one before has waited out its
// limit: another would do the same. What is pushed back is sent once more; an
// answer that is cut says that nothing came of it.
func (t *tried) send(ctx context.Context, name string, q request) answer {
	t.mu.Lock()
	stopped := t.stopped || t.pushed
	t.mu.Unlock()
	if stopped || ctx.Err() != nil {
		return answer{cut: true}
	}
	a, taken := t.patient(ctx, q)
	t.add(name, q, a)
	if !taken {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.pushed = true
		return answer{cut: true}
	}
	return a
}

// add notes a request that was sent and what came of it.
func (t *tried) add(name string, q request, a answer) {
	t.run.scan(q, a)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Sent = append(t.Sent, name)
	t.Got = append(t.Got, a.String())
	t.cut = t.cut || a.cut
	t.troubled = t.troubled || a.failure != nil
	t.stopped = t.stopped || a.timedOut()
}

// also counts an event sent between the requests, to see that it is accepted.
func (t *tried) also(ctx context.Context) answer {
	r := t.run
	return t.send(ctx, "the event, rightly signed", r.genuine(r.event()))
}

// skip says that the check was not run.
func (t *tried) skip(why string) {
	t.State, t.Why = Skip, why
}

// fail says what is wrong. The first call counts.
func (t *tried) fail(finding, fix string) {
	if t.State == Fail {
		return
	}
	t.State, t.Finding, t.Fix = Fail, finding, fix
}

// failFor is fail for something that matters for another reason than the check.
func (t *tried) failFor(why, finding, fix string) {
	if t.State == Fail {
		return
	}
	t.fail(finding, fix)
	t.Why = why
}

// advise is fail for what is not required, whatever the check's level, and why
// it is not.
func (t *tried) advise(finding, fix, because string) {
	if t.State == Fail {
		return
	}
	t.fail(finding, fix)
	if t.Level == Required {
		t.Level, t.Because = Advice, "advice, since "+because
	}
}

// inconclusive says that the outside cannot tell, and what would help.
func (t *tried) inconclusive(finding, helps string) {
	t.State, t.Finding, t.Fix = Inconclusive, finding, helps
}

// note adds what is worth knowing.
func (t *tried) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(t.Notes, text) {
		t.Notes = append(t.Notes, text)
	}
}

// ended settles a check that the end of the run cut short.
func (t *tried) ended(ctx context.Context) {
	if t.State == Pass && (t.cut || ctx.Err() != nil) {
		if ctx.Err() != nil {
			helps := "more time, or fewer checks: --only " + t.ID
			if cutShort(ctx) != timeUp {
				helps = "run it again: --only " + t.ID
			}
			t.inconclusive(cutShort(ctx), helps)
		}
	}
	if t.State == Pass && t.pushed {
		t.inconclusive("the receiver pushes back: a request is answered 429 or 503", "a higher limit of its rate while this runs, then --only "+t.ID)
	}
	if t.Why == "" {
		t.Why = t.Check.Why
	}
	if t.Came == "" && t.State != Pass {
		t.Came = strings.Join(brief(t.Got), ", ")
	}
	if t.Asked == "" {
		t.Asked = strings.Join(brief(t.Sent), ", ")
	}
}

// brief is a list that fits a sentence.
func brief(all []string) []string {
	if len(all) > 6 {
		return append(slices.Clone(all[:5]), fmt.Sprintf("and %d more", len(all)-5))
	}
	return all
}

// A trial is a request and its name.
type trial struct {
	name string
	request
}

// each sends the trials in turn.
func (t *tried) each(ctx context.Context, trials []trial) []said {
	var all []said
	for _, one := range trials {
		a := t.send(ctx, one.name, one.request)
		if a.cut {
			break
		}
		all = append(all, said{one.name, a})
	}
	t.Came, t.answers = inWords(all), all
	return all
}

// names are those of the answers that a test is true of.
func names(all []said, is func(answer) bool) []string {
	var found []string
	for _, s := range all {
		if is(s.answer) {
			found = append(found, s.name)
		}
	}
	return found
}

// refuse sends trials that must be refused. It reports which were accepted and
// which were neither accepted nor refused as they should.
func (t *tried) refuse(ctx context.Context, trials []trial) (accepted, odd []said) {
	for i := range trials {
		trials[i].request = trials[i].within(refuseTime)
	}
	for _, s := range t.each(ctx, trials) {
		switch {
		case s.accepted():
			accepted = append(accepted, s)
		case s.refusedWell():
		case slices.Contains(t.run.oddly, s.String()):
			t.blamed = true // on a check before
		default:
			odd = append(odd, s)
		}
	}
	return accepted, odd
}

// saidOf are the answers that the trials got, in their order, as far as they
// were sent.
func (t *tried) saidOf(trials []trial) []said { return t.answers[:min(len(t.answers), len(trials))] }
