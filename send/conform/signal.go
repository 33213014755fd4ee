package conform

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// retrySignal asks what the provider makes of the receiver's answers.
func retrySignal(ctx context.Context, r *run, t *tried) {
	t.Asked = "the answers to wrong signatures, by the rules of " + r.p.Title
	if len(r.codes) == 0 {
		a := t.send(ctx, "the event with a wrong signature", r.signed(r.event(), now(), r.wrong).within(refuseTime))
		if a.cut {
			return
		}
		r.codes = append(r.codes, a)
	} else {
		t.Sent = append(t.Sent, "the requests of forged")
		var all []said
		for i, a := range r.codes {
			all = append(all, said{"request " + strconv.Itoa(i+1), a})
		}
		t.Got = append(t.Got, inWords(all))
		t.Came = inWords(all)
	}
	for _, a := range r.codes {
		if a.accepted() {
			continue // that is forged's to tell
		}
		v := send.Judge(r.p, a.outcome())
		switch {
		case v.Rule != nil && slices.ContainsFunc(v.Rule.Effects, profiles.Effect.Stops):
			t.fail("a wrong signature "+a.met()+", which stops the webhook", "refuse with 401: anybody could switch the webhook off")
		case v.Then == profiles.Retried && r.finalRefusal() != 0:
			t.fail("a wrong signature "+a.met()+", which is retried", "refuse with "+strconv.Itoa(r.finalRefusal())+", which is final")
		case v.Then == profiles.Delivered:
			t.fail("a wrong signature "+a.met()+", which counts as delivered", "refuse with 401")
		}
	}
	if r.o.Break == nil || r.o.Heal == nil {
		t.note("without --break and --heal the answer while a dependency is down was not seen")
		return
	}
	r.breakAndHeal(ctx, t)
}

// finalRefusal is a status that refuses and that the provider does not retry; 0
// if it has none.
func (r *run) finalRefusal() int {
	for _, s := range []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusBadRequest} {
		if send.Judge(r.p, profiles.Outcome{Status: s}).Then == profiles.Failed {
			return s
		}
	}
	return 0
}

// breakAndHeal sends an event while a dependency is down, and again after.
func (r *run) breakAndHeal(ctx context.Context, t *tried) {
	e := r.event()
	if err := r.o.Break(ctx); err != nil {
		_ = r.healed(ctx) // as far as that goes
		t.inconclusive("--break: "+err.Error(), "a command that stops what the receiver depends on, and exits with 0")
		return
	}
	q := r.genuine(e)
	down := r.exchange(ctx, q) // a 503 is what is hoped for
	t.add("an event while the dependency is down", q, down)
	if err := r.healed(ctx); err != nil {
		t.inconclusive("--heal: "+err.Error(), "a command that brings back what --break stopped, and exits with 0")
		return
	}
	switch {
	case down.cut:
		return
	case down.accepted():
		t.fail("while its dependency is down an event "+down.met()+": the event is lost", "answer 2xx only once the event is durable; else 503, so that the sender comes back")
	case down.status() < 500:
		t.fail("while its dependency is down an event "+down.met(), "answer 503, so that the sender comes back")
	}
	again := t.send(ctx, "the same event after it is back", r.genuine(e))
	if !again.accepted() && !again.cut {
		t.fail("after the dependency is back the event "+again.met(), "a failed event leaves a clean slate: record the id only together with the effect")
	}
	t.effects(ctx, 1, true, e)
}

// healed brings back what was broken, also when the run is at its end.
func (r *run) healed(ctx context.Context) error { return r.o.Heal(context.WithoutCancel(ctx)) }

// methods sends the event by methods that no provider uses.
func methods(ctx context.Context, r *run, t *tried) {
	t.Asked = "the event by GET, HEAD and PUT, rightly signed"
	var trials []trial
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut} {
		q := r.genuine(r.event())
		q.method = method
		trials = append(trials, trial{method, q})
	}
	all := t.each(ctx, trials)
	for i, s := range all {
		e := trials[i].event
		switch {
		case s.failure != nil, s.status() >= 500 && s.status() != http.StatusNotImplemented:
			t.failFor("a crawler or a link preview sends such a request: "+s.whyOdd(), "a "+s.name+" "+s.met(), "answer 405 to all methods but POST")
		case s.status() >= 200 && s.status() < 300 && r.o.Probe == nil:
			if t.State == Pass {
				t.inconclusive("a "+s.name+" "+s.met()+"; whether it had an effect cannot be seen from here", "--probe, or 405 to all methods but POST")
			}
		case s.status() >= 200 && s.status() < 300:
			n, err := r.probe(ctx, 1, e)
			switch {
			case err != nil && t.State == Pass:
				t.inconclusive("the probe cannot tell: "+err.Error(), "the probe prints one whole number")
			case err == nil && n > 0:
				t.fail("a "+s.name+" has the effect of the event", "answer 405 to all methods but POST")
			}
		}
	}
}
