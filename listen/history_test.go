package listen

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// sameID is what a test compares of what is known of an id.
type sameID struct {
	Seen      Seen
	Attempt   int
	Of        int
	Before    Earlier
	DiffersAt int
}

func sameIDOf(q Request) sameID {
	s := sameID{Seen: q.Seen, Attempt: q.Attempt, Of: q.Of, DiffersAt: q.DiffersAt}
	if q.Before != nil {
		s.Before = *q.Before
	}
	return s
}

// An arrival is one request and its answer.
type arrival struct {
	id, body string
	header   int // attempt by its header
	answer   profiles.Outcome
}

func TestSameIDIsRetryDuplicateOrConflict(t *testing.T) {
	status := func(s int) profiles.Outcome { return profiles.Outcome{Status: s} }
	none := func(f profiles.Failure) profiles.Outcome { return profiles.Outcome{Failure: f} }
	tests := []struct {
		name, profile string
		arrivals      []arrival
		want          sameID // of the last
	}{
		{"alone", "kustomer", []arrival{{"a", "x", 0, status(200)}}, sameID{Seen: New}},
		{"another id", "kustomer", []arrival{{"a", "x", 0, status(200)}, {"b", "x", 0, status(200)}}, sameID{Seen: New}},
		{"after a 2xx", "kustomer", []arrival{{"a", "x", 0, status(200)}, {"a", "x", 0, status(200)}},
			sameID{Duplicate, 0, 1, Earlier{1, 200}, 0}},
		{"after a 503", "kustomer", []arrival{{"a", "x", 0, status(503)}, {"a", "x", 0, status(200)}},
			sameID{Retry, 2, 1, Earlier{1, 503}, 0}},
		{"after two 503", "kustomer", []arrival{{"a", "x", 0, status(503)}, {"a", "x", 0, status(503)}, {"a", "x", 0, status(200)}},
			sameID{Retry, 3, 1, Earlier{2, 503}, 0}},
		{"after a retry that was answered", "kustomer", []arrival{{"a", "x", 0, status(503)}, {"a", "x", 0, status(200)}, {"a", "x", 0, status(200)}},
			sameID{Duplicate, 0, 1, Earlier{2, 200}, 0}},
		{"after a 404 that is retried", "kustomer", []arrival{{"a", "x", 0, status(404)}, {"a", "x", 0, status(200)}},
			sameID{Retry, 2, 1, Earlier{1, 404}, 0}},
		{"after a 404 that is not", "clodo", []arrival{{"a", "x", 0, status(404)}, {"a", "x", 0, status(200)}},
			sameID{Duplicate, 0, 1, Earlier{1, 404}, 0}},
		{"after no answer", "clodo", []arrival{{"a", "x", 0, none(profiles.ReadTimeout)}, {"a", "x", 0, status(200)}},
			sameID{Retry, 2, 1, Earlier{1, 0}, 0}},
		{"after a reset", "clodo", []arrival{{"a", "x", 0, none(profiles.Reset)}, {"a", "x", 0, status(200)}},
			sameID{Retry, 2, 1, Earlier{1, 0}, 0}},
		{"before the first is answered", "clodo", []arrival{{"a", "x", 0, profiles.Outcome{}}, {"a", "x", 0, status(200)}},
			sameID{Duplicate, 0, 1, Earlier{1, 0}, 0}},
		{"a header says attempt 2, after a 2xx", "kudos", []arrival{{"a", "x", 0, status(200)}, {"a", "x", 2, status(200)}},
			sameID{Retry, 2, 1, Earlier{1, 200}, 0}},
		{"a header says attempt 5", "kudos", []arrival{{"a", "x", 0, status(503)}, {"a", "x", 5, status(200)}},
			sameID{Retry, 5, 1, Earlier{1, 503}, 0}},
		{"a header says attempt 1", "kudos", []arrival{{"a", "x", 0, status(200)}, {"a", "x", 1, status(200)}},
			sameID{Duplicate, 0, 1, Earlier{1, 200}, 0}},
		{"a header says attempt 3, but the id is new", "kudos", []arrival{{"a", "x", 3, status(200)}}, sameID{Seen: New}},
		{"other bytes", "kudos", []arrival{{"a", "abcd", 0, status(503)}, {"a", "abXd", 2, status(200)}},
			sameID{Conflict, 0, 1, Earlier{1, 503}, 3}},
		{"more bytes", "kudos", []arrival{{"a", "ab", 0, status(200)}, {"a", "abc", 0, status(200)}},
			sameID{Conflict, 0, 1, Earlier{1, 200}, 3}},
		{"fewer bytes", "kudos", []arrival{{"a", "ab", 0, status(200)}, {"a", "", 0, status(200)}},
			sameID{Conflict, 0, 1, Earlier{1, 200}, 1}},
		{"the first's bytes after others", "kudos", []arrival{{"a", "x", 0, status(200)}, {"a", "y", 0, status(200)}, {"a", "x", 0, status(200)}},
			sameID{Duplicate, 0, 1, Earlier{1, 200}, 0}},
		{"a retry of the first after others", "clodo", []arrival{{"a", "x", 0, status(503)}, {"a", "y", 0, status(200)}, {"a", "x", 0, status(200)}},
			sameID{Retry, 2, 1, Earlier{1, 503}, 0}},
		{"no id", "kudos", []arrival{{"", "x", 0, status(200)}, {"", "x", 0, status(200)}}, sameID{Seen: New}},
		{"a long id", "kudos", []arrival{{strings.Repeat("a", 1000), "x", 0, status(200)}, {strings.Repeat("a", 1000), "x", 0, status(200)}},
			sameID{Duplicate, 0, 1, Earlier{1, 200}, 0}},
		{"another long id", "kudos", []arrival{{strings.Repeat("a", 1000), "x", 0, status(200)}, {strings.Repeat("a", 1001), "x", 0, status(200)}},
			sameID{Seen: New}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var h history
			p := profile(t, test.profile)
			var q Request
			for _, a := range test.arrivals {
				q = Request{Seen: New, Profile: p, Body: []byte(a.body), Event: sign.Event{ID: a.id, Attempt: a.header}}
				e := h.arrive(&q, true, true)
				if a.answer != (profiles.Outcome{}) {
					h.answered(e, q.Number, a.answer)
				}
			}
			if got := sameIDOf(q); got != test.want {
				t.Errorf("got\n%+v, want\n%+v", got, test.want)
			}
		})
	}
}

func TestRefusedRequestsAreNumberedButNotCounted(t *testing.T) {
	var h history
	p := profile(t, "kudos")
	forged := Request{Seen: New, Profile: p, Body: []byte("x"), Event: sign.Event{ID: "a"}}
	if e := h.arrive(&forged, false, true); e != nil || forged.Number != 1 {
		t.Errorf("event %v, number %d; want none, 1", e, forged.Number)
	}
	right := Request{Seen: New, Profile: p, Body: []byte("y"), Event: sign.Event{ID: "a"}}
	h.arrive(&right, true, true)
	if right.Seen != New || right.Number != 2 {
		t.Errorf("seen %s, number %d; want new, 2", right.Seen, right.Number)
	}
}

func TestIDsOfTwoProfilesAreApart(t *testing.T) {
	var h history
	for _, name := range []string{"kudos", "clodo"} {
		q := Request{Seen: New, Profile: profile(t, name), Event: sign.Event{ID: "a"}}
		if h.arrive(&q, true, true); q.Seen != New {
			t.Errorf("%s: seen %s, want new", name, q.Seen)
		}
	}
}

func TestLateAnswerOfAnEarlierRequestDoesNotCount(t *testing.T) {
	var h history
	p := profile(t, "clodo")
	arrive := func() (Request, *event) {
		q := Request{Seen: New, Profile: p, Event: sign.Event{ID: "a"}}
		e := h.arrive(&q, true, true)
		return q, e
	}
	first, e := arrive()
	second, _ := arrive()
	h.answered(e, second.Number, profiles.Outcome{Status: 200})
	h.answered(e, first.Number, profiles.Outcome{Status: 503})
	if third, _ := arrive(); third.Seen != Duplicate || *third.Before != (Earlier{2, 200}) {
		t.Errorf("seen %s after %+v, want duplicate after 2, 200", third.Seen, third.Before)
	}
}

func TestOlderStateOfAnObjectIsNoticed(t *testing.T) {
	tests := []struct {
		name    string
		updated []string // of the same object; "-": of another
		want    *Older   // of the last
	}{
		{"first", []string{"2026-01-02T10:03:03Z"}, nil},
		{"newer", []string{"2026-01-02T10:03:03Z", "2026-01-02T10:03:13Z"}, nil},
		{"the same", []string{"2026-01-02T10:03:03Z", "2026-01-02T10:03:03Z"}, nil},
		{"older", []string{"2026-01-02T10:03:13Z", "2026-01-02T10:03:03Z"}, &Older{1, "2026-01-02T10:03:03Z", "2026-01-02T10:03:13Z"}},
		{"older by a millisecond", []string{"2026-01-02T10:03:03.002Z", "2026-01-02T10:03:03.001Z"},
			&Older{1, "2026-01-02T10:03:03.001Z", "2026-01-02T10:03:03.002Z"}},
		{"another zone", []string{"2026-01-02T10:03:03Z", "2026-01-02T11:03:03+01:00"}, nil},
		{"older than the newest", []string{"2026-01-02T10:00:00Z", "2026-01-02T10:00:09Z", "2026-01-02T10:00:05Z"},
			&Older{2, "2026-01-02T10:00:05Z", "2026-01-02T10:00:09Z"}},
		{"numbers", []string{"1000", "999"}, &Older{1, "999", "1000"}},
		{"words", []string{"b", "a"}, nil},
		{"a number and a time", []string{"2026-01-02T10:03:03Z", "5"}, nil},
		{"nothing", []string{"2026-01-02T10:03:03Z", ""}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var h history
			p := profile(t, "kustomer")
			var q Request
			for _, updated := range test.updated {
				q = Request{Seen: New, Profile: p, Event: sign.Event{Object: "o", Updated: updated}}
				h.arrive(&q, true, true)
			}
			if !reflect.DeepEqual(q.OlderThan, test.want) {
				t.Errorf("got %+v, want %+v", q.OlderThan, test.want)
			}
		})
	}
}

func TestBodiesAreKeptWithinTheBound(t *testing.T) {
	var h history
	p := profile(t, "kudos")
	arrive := func(id string, body []byte) Request {
		q := Request{Seen: New, Profile: p, Body: body, Event: sign.Event{ID: id}}
		h.arrive(&q, true, true)
		if h.size > maxBodies {
			t.Fatalf("%d bytes are kept", h.size)
		}
		return q
	}
	big := make([]byte, 6<<20)
	for i := range 4 {
		arrive(fmt.Sprint(i), big)
	}
	arrive("huge", make([]byte, maxBodies+1))
	other := append([]byte("x"), big[1:]...)
	for _, test := range []struct {
		id   string
		body []byte
		want Seen
		at   int
	}{
		{"0", big, Duplicate, 0}, {"0", other, Conflict, 0}, // its body was dropped
		{"3", big, Duplicate, 0}, {"3", other, Conflict, 1},
		{"huge", make([]byte, maxBodies+1), Duplicate, 0}, {"huge", big, Conflict, 0},
	} {
		if q := arrive(test.id, test.body); q.Seen != test.want || q.DiffersAt != test.at {
			t.Errorf("id %s: %s at %d, want %s at %d", test.id, q.Seen, q.DiffersAt, test.want, test.at)
		}
	}
}

func TestOldestIDIsDropped(t *testing.T) {
	var h history
	p := profile(t, "kudos")
	arrive := func(id string) Seen {
		q := Request{Seen: New, Profile: p, Body: []byte("x"), Event: sign.Event{ID: id, Object: id, Updated: "1"}}
		h.arrive(&q, true, true)
		return q.Seen
	}
	for i := range maxKnown + 10 {
		arrive(fmt.Sprint(i))
	}
	if got := arrive("10"); got != Duplicate {
		t.Errorf("the oldest that is kept was %s", got)
	}
	if got := arrive("9"); got != New {
		t.Errorf("the newest that was dropped was %s", got)
	}
	if len(h.ids.values) != maxKnown || len(h.objects.values) != maxKnown || len(h.bodies) != maxKnown || h.size != maxKnown {
		t.Errorf("%d ids, %d objects, %d bodies of %d bytes are kept, want %d each", len(h.ids.values), len(h.objects.values), len(h.bodies), h.size, maxKnown)
	}
}

func TestRetryAfterAScriptedFailureIsSeen(t *testing.T) {
	p := profile(t, "clodo")
	for _, first := range []string{"503", "close", "reset", "protocol", "200"} {
		t.Run(first, func(t *testing.T) {
			s := serve(t, &Receiver{Profiles: []*profiles.Profile{p}, Verify: true, Keys: keys("s"), Script: script(t, first+",200")})
			body := `{"id":"evt_1","event_type":"t"}`
			request := raw("POST", "/", signed(t, p, sign.Values{ID: "evt_1", Type: "t"}, body, "s"), body)
			_, _ = s.talk(request) // may be a reset
			s.next()
			s.send(request)
			want := Retry
			if first == "200" {
				want = Duplicate
			}
			if q := s.next(); q.Seen != want {
				t.Errorf("seen %s, want %s", q.Seen, want)
			}
		})
	}
}
