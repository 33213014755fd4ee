package conform

import (
	"context"
	"strings"

	"github.com/hookctl/hookctl/sign"
)

// rotate rehearses a rotation: several signatures in one header, and each of
// the secrets alone.
func rotate(ctx context.Context, r *run, t *tried) {
	r.grid(ctx, t)
	if r.p.Secret.Active > 1 {
		r.variants(ctx, t)
	}
	if t.State == Fail {
		return
	}
	for _, row := range r.rotation {
		if row.Accepted {
			continue
		}
		t.Asked = "events signed with the old secret, with both, and with the new one"
		if r.p.Secret.Active < 2 {
			t.Asked = "two deliveries, one with each secret"
		}
		t.Came = row.Answer + " when signed with " + strings.ReplaceAll(row.SignedWith, "+", ", ")
		which := map[string]string{"old": "the old secret alone", "new": "the new secret alone"}[row.SignedWith]
		if which == "" {
			which = "both secrets"
		}
		t.fail("an event signed with "+which+" is refused", "hold both secrets while a rotation lasts, and accept a signature by either")
		return
	}
}

// grid signs with some of the two secrets, as the provider does in a rotation.
func (r *run) grid(ctx context.Context, t *tried) {
	if len(r.o.Keys) < 2 {
		return
	}
	older, newer := r.o.Keys[0], r.o.Keys[1]
	rows := []struct {
		name string
		keys []*sign.Key
	}{{"old", []*sign.Key{older}}, {"old+new", []*sign.Key{older, newer}}, {"new+old", []*sign.Key{newer, older}}, {"new", []*sign.Key{newer}}}
	for _, row := range rows {
		if len(row.keys) > max(1, r.p.Secret.Active) {
			continue
		}
		a := t.send(ctx, "signed with "+strings.ReplaceAll(row.name, "+", ", "), r.signed(r.event(), now(), row.keys...))
		if a.cut {
			return
		}
		r.rotation = append(r.rotation, Rotated{SignedWith: row.name, Accepted: a.accepted(), Answer: a.String()})
		if row.name == "new" && a.accepted() && len(r.rotation) > 0 && !r.rotation[0].Accepted {
			r.key = newer
		}
	}
}

// variants sends headers with more than one signature, in other orders, and
// with items that nobody knows.
func (r *run) variants(ctx context.Context, t *tried) {
	e, at := r.event(), now()
	right := r.sign(r.key, e, at)
	wrong := func(e event) string { return r.sign(r.wrong, e, at) }
	one := func(name string, make func(e event, right string) request) trial {
		e := r.event()
		return trial{name, make(e, r.sign(r.key, e, at))}
	}
	value := func(change func(string) string) func(event, string) request {
		return func(e event, right string) request {
			q := r.request(e, at, right)
			return q.withHeader(r.signatureName(), change(r.signatureOf(q)))
		}
	}
	sep := r.separator()
	wrongFirst, rightFirst := r.shape("wrong", "right"), r.shape("right", "wrong")
	trials := []trial{
		one(wrongFirst, func(e event, right string) request { return r.request(e, at, wrong(e), right) }),
		one(rightFirst, func(e event, right string) request { return r.request(e, at, right, wrong(e)) }),
		one(r.shape("right")+sep+"v0=x", value(func(v string) string { return v + sep + "v0=x" })),
	}
	items := strings.Split(r.signatureOf(r.request(e, at, right)), sep)
	if len(items) > 1 {
		turned := func(v string) string {
			items := strings.Split(v, sep)
			return strings.Join(append(items[1:], items[0]), sep)
		}
		trials = append(trials, one(turned(r.shape("right")), value(turned)))
	}
	all := t.each(ctx, trials)
	spaced := one("with a blank after each separator", value(func(v string) string { return strings.ReplaceAll(v, sep, sep+" ") }))
	if a := t.send(ctx, spaced.name, spaced.request); !a.cut {
		t.note("%s: %s (the listener of hookctl refuses it)", spaced.name, a)
	}
	if len(all) < len(trials) {
		return
	}
	t.Asked = wrongFirst + ", then " + rightFirst
	t.Came = all[0].String() + ", then " + all[1].String()
	label := r.label()
	const anyOf = "compare each %s with each secret you hold; one match is enough"
	fix := strings.ReplaceAll(anyOf, "%s", strings.TrimSpace(label))
	if label == "" {
		fix = strings.ReplaceAll(anyOf, "%s", "signature")
	}
	first, last := all[0].accepted(), all[1].accepted()
	switch {
	case !first && last:
		t.fail("only the first "+label+" of the signature header is read", fix)
	case first && !last:
		t.fail("only the last "+label+" of the signature header is read", fix)
	case !first && !last:
		t.fail("a signature header with two "+label+" is refused", fix)
	}
	for _, s := range all[2:] {
		if !s.accepted() && t.State != Fail {
			t.Asked, t.Came = s.name, s.String()
			t.fail("this signature header is refused: "+s.name, "split the header into items, take them in any order, and ignore those that you do not know")
		}
	}
}

// findKey finds the secret that the receiver holds, if it does not hold both or
// does not find its own among several.
func (r *run) findKey(ctx context.Context) {
	if len(r.o.Keys) < 2 || r.unreached || r.first.cut {
		return
	}
	switch {
	case !r.first.accepted():
		r.findOne(ctx)
	case r.p.Secret.Active > 1:
		if a := r.exchange(ctx, r.signed(r.event(), now(), r.key)); !a.accepted() {
			r.key = r.o.Keys[1]
		}
	}
}

// findOne signs with each secret alone where the first request, signed as the
// provider does, was refused. All further requests are signed with the one that
// is accepted.
func (r *run) findOne(ctx context.Context) {
	if !r.first.refusedWell() {
		return
	}
	for i, k := range r.o.Keys {
		if i == 0 && r.p.Secret.Active < 2 {
			continue // this it was
		}
		a := r.exchange(ctx, r.signed(r.event(), now(), k))
		if a.accepted() {
			r.first, r.key, r.single = a, k, true
			return
		}
	}
}
