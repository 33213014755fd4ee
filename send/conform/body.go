package conform

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/hookctl/hookctl/sign"
)

// unknownEvent sends types and members that the receiver does not know.
func unknownEvent(ctx context.Context, r *run, t *tried) {
	var trials []trial
	t.Asked = "an event of the type " + unknownType + ", and one with members that nobody knows"
	e := r.typed(r.event(), unknownType)
	trials = append(trials, trial{"the type " + unknownType, r.genuine(e)})
	if r.object {
		more := r.event().with(extra, `{"new":[1,null,true]}`).with(extra+"_2", `"text"`)
		trials = append(trials, trial{"extra members", r.genuine(more)})
	}
	t.accept(ctx, trials, "an event that it does not know", "answer 2xx to what you do not handle, and ignore members that you do not know")
}

// brokenBodies are bodies that no parser takes, or that parsers disagree on.
// The last three are events of their own but for one fault, so that no other
// check is looked at by the way.
func (r *run) brokenBodies() []trial {
	bodies := []struct {
		name string
		body func(event) event
	}{
		{"not json", whole("not json")}, {"[]", whole("[]")}, {"null", whole("null")}, {`{"id":`, whole(`{"id":`)}, {"no body", whole("")},
		{"a byte that is not UTF-8", r.faulty("{\"a\":\"\xff\"}", func(e event) event { return e.with(extra, "\"\xff\"") })},
		{"a name twice", r.faulty(`{"a":1,"a":2}`, func(e event) event { return e.with(extra, "1").with(extra, "2") })},
		{"a byte order mark", func(e event) event { e.body = slices.Concat([]byte("\ufeff"), e.body); return e }},
	}
	var all []trial
	for _, b := range bodies {
		all = append(all, trial{b.name, request{event: b.body(r.event())}})
	}
	return all
}

// whole makes a text the body of an event.
func whole(text string) func(event) event {
	return func(e event) event {
		e.body = []byte(text)
		return e
	}
}

// faulty puts a fault into an event; where its body is no object, a text stands
// for it.
func (r *run) faulty(text string, fault func(event) event) func(event) event {
	if r.object {
		return fault
	}
	return whole(text)
}

// brokenBody sends bodies that cannot be parsed, rightly signed and wrongly.
func brokenBody(ctx context.Context, r *run, t *tried) {
	t.Asked = "bodies that are no event (not json, [], null, cut, none, not UTF-8, a name twice, a byte order mark), rightly signed, then wrongly"
	want := r.refusal
	if want == 0 {
		a := t.send(ctx, "the event with a wrong signature", r.signed(r.event(), now(), r.wrong).within(refuseTime))
		if want = a.status(); a.cut {
			return
		}
		r.anything = r.anything || a.accepted()
	}
	as := strconv.Itoa(want)
	if want == 0 {
		as = "without an answer"
	}
	bodies := r.brokenBodies()
	var all []said
	for _, b := range bodies {
		a := t.send(ctx, "rightly signed: "+b.name, r.genuine(b.event))
		if a.cut {
			break
		}
		all = append(all, said{b.name, a})
		if s := a.status(); a.failure != nil || s >= 500 || s < 200 {
			t.fail("a rightly signed body that is no event ("+b.name+") "+a.met(), "catch what the parser throws; answer 400, or 2xx and keep the event aside")
		}
	}
	t.Came = "rightly signed: " + inWords(all)
	all = nil
	for _, b := range bodies {
		a := t.send(ctx, "wrongly signed: "+b.name, r.signed(b.event, now(), r.wrong).within(refuseTime))
		if a.cut {
			break
		}
		all = append(all, said{b.name, a})
		switch {
		case r.anything:
			if t.State != Fail {
				t.inconclusive("any signature is accepted, so it cannot be seen what is looked at first", "first see forged")
			}
		case a.accepted():
			t.fail("a wrongly signed body ("+b.name+") is accepted", "check the signature first, whatever the body is")
		case a.status() != want:
			t.fail("a wrongly signed body ("+b.name+") "+a.met()+", not "+as+" as any wrong signature: it is parsed first",
				"check the signature over the raw bytes before a parser sees them")
		}
	}
	t.Came += "; wrongly signed: " + inWords(all)
	if t.State != Inconclusive {
		t.alive(ctx)
	}
}

// olderBy is how much older the older event is.
const olderBy = 10 * time.Second

// inOrder sends a newer and an older state of one object.
func inOrder(ctx context.Context, r *run, t *tried) {
	if !r.object {
		t.skip("the event's body is no JSON object")
		return
	}
	t.Asked = "a newer state of an object, then one 10 s older; then both at once, 10 times"
	newer := r.updated()
	older := newer.Add(-olderBy)
	at := func(when time.Time) request { return r.genuine(r.dated(when)) }
	first := []trial{{"the newer event", at(newer)}, {"the older event", at(older)}}
	all := t.each(ctx, first)
	for range 10 {
		both := []trial{{"the newer event, at once with the older,", at(newer)}, {"the older event, at once with the newer,", at(older)}}
		answers := make([]answer, len(both))
		parallelize(len(both), func(i int) { answers[i] = t.send(ctx, both[i].name, both[i].request) })
		for i, a := range answers {
			if !a.cut {
				all = append(all, said{both[i].name, a})
			}
		}
	}
	t.Came = inWords(all)
	for _, s := range all {
		if !s.accepted() {
			t.fail(s.name+" "+s.met(), "answer 2xx to an older event too, and keep the newer state: compare the event's own time, not its arrival")
			return
		}
	}
	if len(all) == 0 || ctx.Err() != nil {
		return
	}
	t.Came = "200 for both; what was stored cannot be seen from here"
	if s := all[0].status(); s != 200 {
		t.Came = strconv.Itoa(s) + " for both; what was stored cannot be seen from here"
	}
	t.inconclusive("does an older event overwrite a newer one?", r.lookUp(first[0].event, first[1].event))
}

// lookUp says what must be stored after a newer event and an older one: the field
// and its values as the bodies have them.
func (r *run) lookUp(newer, older event) string {
	path := r.datedAt()
	value := func(e event) string {
		f, _ := sign.Find(e.body, path)
		return string(e.body[f.Start:f.End])
	}
	text := "look it up: the stored " + path + " must be " + value(newer) + ", not " + value(older)
	if r.hasID {
		text += "; of the first two events " + newer.id + " is the newer, " + older.id + " the older"
	}
	if _, ok := sign.Find(r.o.Event.Body, path); !ok {
		text += "; that member was added to the event"
	}
	return text
}

// updated is when the object of all events was last changed: so no other event
// of the run is older than the newer one here.
func (r *run) updated() time.Time {
	text, _ := sign.FindString(r.o.Event.Body, r.datedAt())
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 0 && n < maxMillis {
		if n > maxMillis/1000 {
			return time.UnixMilli(n)
		}
		return time.Unix(n, 0)
	}
	return time.Now().Truncate(time.Second)
}

// maxMillis is the end of the year 9999 in milliseconds, and in seconds times a
// thousand.
const maxMillis = 253402300800000

// datedAt is the path of the time of the last change: where the profile has it,
// else a member of hookctl's choice.
func (r *run) datedAt() string {
	if path := r.p.Event.Updated; path != "" {
		if _, ok := sign.Find(r.o.Event.Body, path); ok {
			return path
		}
	}
	return "updated_at"
}

// dated is an event whose object was last changed at a time.
func (r *run) dated(when time.Time) event {
	e := r.event()
	text := quote(when.UTC().Format("2006-01-02T15:04:05.000Z"))
	path := r.datedAt()
	f, ok := sign.Find(e.body, path)
	if !ok {
		return e.with(path, text)
	}
	if f.Kind == '0' {
		text = strconv.FormatInt(when.Unix(), 10)
		if f.End-f.Start > 11 {
			text = strconv.FormatInt(when.UnixMilli(), 10)
		}
	}
	e.body = replace(e.body, path, text)
	return e
}
