package conform

import (
	"context"
	"slices"
	"strings"

	"github.com/hookctl/hookctl/sign"
)

// separator stands between the items of the signature header.
func (r *run) separator() string {
	if r.p.Signature.Separator == "" {
		return ","
	}
	return r.p.Signature.Separator
}

// label is what stands before the digest in its item: "v1=", or "".
func (r *run) label() string {
	template := sign.SignatureHeader(r.p).Value.String()
	for item := range strings.SplitSeq(template, r.separator()) {
		if before, _, ok := strings.Cut(item, "{signature}"); ok {
			return before
		}
	}
	return ""
}

// renamed is the signature header of a request with another label for the
// digest; false if that changes nothing.
func (r *run) renamed(q request, label string) (string, bool) {
	if r.label() == label {
		return "", false
	}
	digest := r.sign(r.key, q.event, q.at)
	value := r.signatureOf(q)
	return strings.Replace(value, r.label()+digest, label+digest, 1), digest != ""
}

// shape is the signature header as it is shown: a time as …, digests as words.
func (r *run) shape(digests ...string) string {
	var items []string
	for item := range strings.SplitSeq(sign.SignatureHeader(r.p).Value.String(), r.separator()) {
		item = strings.NewReplacer("{timestamp}", "…", "{timestamp_ms}", "…").Replace(item)
		if !strings.Contains(item, "{signature}") {
			items = append(items, item)
			continue
		}
		for _, d := range digests {
			items = append(items, strings.Replace(item, "{signature}", "<"+d+">", 1))
		}
	}
	return strings.Join(items, r.separator())
}

// bigValue is the length of the longest value that is tried, in bytes.
const bigValue = 8 << 10

// badHeader sends odd values of the signature header, and after each an event.
func badHeader(ctx context.Context, r *run, t *tried) {
	e, at := r.event(), now()
	digest := r.sign(r.key, e, at)
	with := func(name, value string) trial {
		return trial{name, r.genuine(r.event()).withHeader(r.signatureName(), value)}
	}
	odd := func(name, digest string) trial { return trial{name, r.request(r.event(), now(), digest)} }
	accented := "é" + digest[min(1, len(digest)):]
	trials := []trial{
		with("abc", "abc"), with("t=", "t="), with("v1=", "v1="), with("t=1", "t=1"),
		with("v1= and 64 digits", "v1="+strings.Repeat("a", 64)), with("t=1,v1=", "t=1,v1="),
		odd("a digest that is a digit short", digest[min(1, len(digest)):]), odd("a digest that is a digit long", digest+"0"),
		odd("a digest with an é", accented),
		with("bogus=ab", "bogus=ab"), with("sha256=abcd", "sha256=abcd"), with("a comma", ","),
	}
	if !r.far || named(r.o.Only, t.Check) {
		trials = append(trials, with("8 KiB of a", strings.Repeat("a", bigValue)))
	}
	good := r.signed(e, at, r.key)
	wrong := r.signatureOf(r.signed(e, at, r.wrong))
	right := r.signatureOf(good)
	two := len(trials)
	trials = append(trials,
		trial{"two lines, wrong and right", good.withHeader(r.signatureName(), wrong, right)},
		trial{"two lines, right and wrong", good.withHeader(r.signatureName(), right, wrong)})
	t.Asked = "odd values of the signature header, and after each an event: " + list(trialNames(trials[:two])) + ", two lines"
	var all []said
	var accepted []string
	for i, one := range trials {
		a := t.send(ctx, one.name, one.within(refuseTime))
		if a.cut {
			break
		}
		all = append(all, said{one.name, a})
		switch {
		case a.refusedWell(), i >= two && a.accepted(), one.name == "8 KiB of a" && (a.status() == 431 || a.status() == 413):
		case a.accepted():
			accepted = append(accepted, one.name)
		case slices.Contains(r.oddly, a.String()):
			t.blamed = true
		default:
			why, fix := a.whyOdd(), a.fixOdd()
			if a.crashed() {
				why = t.Check.Why
				fix = "check the form and the length before the constant-time comparison, which throws on unequal lengths or odd characters; refuse with 401"
			}
			t.failFor(why, "the signature header "+one.name+" "+a.met(), fix)
		}
		if next := t.also(ctx); !next.accepted() && !next.cut {
			t.fail("after the signature header "+one.name+" an event is no longer accepted: "+next.String(),
				"catch what the comparison throws: no header may end the process")
			break
		}
	}
	t.Came = inWords(all)
	t.asForged()
	switch {
	case len(accepted) > 0 && r.anything && t.State != Fail:
		t.inconclusive("any signature is accepted, so these are too", "first see forged")
	case len(accepted) > 0:
		t.failFor("who sends such a header gets in: anybody who knows the URL can make events", "an event is accepted with this signature header: "+list(accepted), "refuse with 401 what is not of the form that you expect")
	}
}
