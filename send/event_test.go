package send

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"regexp"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// dice is chance with a seed.
func dice(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func TestANewIDHasTheFormOfItsProfile(t *testing.T) {
	plain := &profiles.Profile{}
	odd := &profiles.Profile{Event: profiles.Event{NewID: profiles.Template{Parts: []profiles.Part{{Text: "a"}, {Name: "hex:3"}, {Text: "b"}, {Name: "hex:1"}}}}}
	tests := []struct {
		p    *profiles.Profile
		form string
	}{
		{builtin(t, "kudos"), `^evt_[0-9a-f]{16}$`},
		{builtin(t, "clodo"), `^wh_[0-9a-f]{16}$`},
		{builtin(t, "kustomer"), `^[0-9a-f]{24}$`},
		{plain, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`},
		{odd, `^a[0-9a-f]{3}b[0-9a-f]$`},
	}
	for _, tt := range tests {
		form := regexp.MustCompile(tt.form)
		r := dice(7)
		first, second := NewID(tt.p, r), NewID(tt.p, r)
		if !form.MatchString(first) || !form.MatchString(second) || first == second {
			t.Errorf("%s and %s, want two of the form %s", first, second, tt.form)
		}
		if again := NewID(tt.p, dice(7)); again != first {
			t.Errorf("%s and %s from one seed", first, again)
		}
	}
}

func TestEverySampleIsAnEventOfItsProfile(t *testing.T) {
	now := time.Date(2026, 1, 2, 10, 3, 3, 0, time.UTC)
	for _, name := range []string{"kudos", "clodo", "kustomer"} {
		p := builtin(t, name)
		if len(p.Samples) == 0 {
			t.Errorf("%s has no samples", name)
		}
		for _, s := range p.Samples {
			m, err := Sample(p, s.Type, `a"b\`, dice(1), now)
			if err != nil {
				t.Errorf("%s %s: %v", name, s.Type, err)
				continue
			}
			if !json.Valid(m.Body) || m.ID != `a"b\` || m.Type != s.Type {
				t.Errorf("%s: %+v: %s", name, m, m.Body)
			}
			if id, ok := sign.FindString(m.Body, p.Event.ID); !ok || id != m.ID {
				t.Errorf("%s %s: the body has the id %q, want %q", name, s.Type, id, m.ID)
			}
			if typ, ok := sign.FindString(m.Body, p.Event.Type); !ok || typ != m.Type {
				t.Errorf("%s %s: the body has the type %q", name, s.Type, typ)
			}
		}
	}
}

func TestTheFirstSampleIsTheDefault(t *testing.T) {
	got, err := Sample(builtin(t, "kudos"), "", "evt_5d2f9b6ac1e04b7f", dice(1), time.Time{})
	want := Message{ID: "evt_5d2f9b6ac1e04b7f", Type: "payment.succeeded",
		Body: []byte(`{"event_id":"evt_5d2f9b6ac1e04b7f","event_type":"payment.succeeded","data":{"amount":1200,"currency":"EUR"}}`)}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	made, err := Sample(builtin(t, "kudos"), "", "", dice(1), time.Time{})
	if want := NewID(builtin(t, "kudos"), dice(1)); err != nil || made.ID != want {
		t.Errorf("id %s, %v, want %s", made.ID, err, want)
	}
}

func TestASampleIsFilledFromItsMessage(t *testing.T) {
	names := []string{"id", "type", "timestamp", "now", "since", "until", "event_type", "count"}
	p := &profiles.Profile{Name: "a"}
	body := profiles.Template{}
	for _, n := range names {
		body.Parts = append(body.Parts, profiles.Part{Name: n}, profiles.Part{Text: " "})
	}
	p.Samples = []profiles.Sample{{Type: "t", Body: body}}
	now := time.Date(2026, 1, 2, 11, 3, 3, 5e6, time.FixedZone("", 3600))
	since := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		bracket Bracket
		want    string
	}{
		{Bracket{}, `i"d t 1767348183 2026-01-02T10:03:03.005Z    0 `},
		{Bracket{Since: since, Until: now, Type: "x.y", Count: 3}, `i"d t 1767348183 2026-01-02T10:03:03.005Z 2026-01-01T00:00:00Z 2026-01-02T10:03:03.005Z x.y 3 `},
	}
	for _, tt := range tests {
		got, err := BracketSample(p, "t", `i"d`, dice(1), now, tt.bracket)
		if err != nil || string(got.Body) != tt.want {
			t.Errorf("%q, %v, want %q", got.Body, err, tt.want)
		}
	}
	got, err := Sample(p, "t", `i"d`, dice(1), now)
	if want := `i"d t 1767348183 2026-01-02T10:03:03.005Z 2026-01-02T10:03:03.005Z 2026-01-02T10:03:03.005Z  0 `; err != nil || string(got.Body) != want {
		t.Errorf("%q, %v, want %q", got.Body, err, want)
	}
}

func TestAnUnknownEventIsNamed(t *testing.T) {
	p := builtin(t, "kudos")
	_, err := Sample(p, "payment.suceeded", "", dice(1), time.Time{})
	var e *EventError
	if !errors.As(err, &e) {
		t.Fatalf("%v is no EventError", err)
	}
	want := EventError{Profile: "kudos", Type: "payment.suceeded", Near: "payment.succeeded",
		Known: []string{"payment.succeeded", "subscription.upgraded", "subscription.replay_started", "subscription.replay_completed"}}
	if !reflect.DeepEqual(*e, want) || e.Error() != `kudos has no event "payment.suceeded"` {
		t.Errorf("%+v: %s, want %+v", *e, e, want)
	}
	_, err = Sample(&profiles.Profile{Name: "bare"}, "", "", dice(1), time.Time{})
	if err == nil || err.Error() != "bare has no sample events" {
		t.Errorf("%v", err)
	}
}

func TestASampleThatCannotBeFilledIsAnError(t *testing.T) {
	for _, name := range []string{"nothing", "hex:0", "hex:x", "hex:99999999999"} {
		p := &profiles.Profile{Samples: []profiles.Sample{{Body: profiles.Template{Parts: []profiles.Part{{Name: name}}}}}}
		_, err := Sample(p, "", "i", dice(1), time.Time{})
		var missing *profiles.MissingError
		if !errors.As(err, &missing) || missing.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}
