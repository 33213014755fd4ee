package listen

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

func TestShortcutsSpareTheWaiting(t *testing.T) {
	p := profile(t, "kudos")
	shortcuts := &send.Shortcuts{}
	s := serve(t, &Receiver{
		Profiles: []*profiles.Profile{p}, Verify: true, Keys: keys("s"), Shortcuts: shortcuts,
		Script: script(t, "timeout,200:delay=8s,503:delay=7s,200:delay=1s"), Now: time.Now,
	})
	sender := &send.Sender{
		Profile: p, URL: "http://" + s.address, Keys: []*sign.Key{key(t, p, "s")}, NoJitter: true, Shortcuts: shortcuts,
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	attempts, ending := sender.Deliver(ctx, send.Message{ID: "evt_1", Type: "payment.succeeded", Body: []byte(eventBody)})
	type attempt struct {
		outcome string
		took    time.Duration
		waited  bool
	}
	var got []attempt
	for a := range attempts {
		got = append(got, attempt{a.Outcome().String(), a.Took.Truncate(time.Second), a.Waited})
	}
	want := []attempt{{"read-timeout", 8 * time.Second, false}, {"read-timeout", 8 * time.Second, false}, {"503", 7 * time.Second, false}, {"200", time.Second, false}}
	if !slices.Equal(got, want) || ending().State != send.StateDelivered {
		t.Errorf("attempts\n%+v, %s; want\n%+v, delivered", got, ending().State, want)
	}
	var seen []Request
	for range want {
		seen = append(seen, s.next())
	}
	slices.SortFunc(seen, func(a, b Request) int { return a.Number - b.Number })
	for i, wantSeen := range []sameID{
		{Seen: New}, {Retry, 2, 1, Earlier{1, 0}, 0}, {Retry, 3, 1, Earlier{2, 0}, 0}, {Retry, 4, 1, Earlier{3, 503}, 0},
	} {
		if q := seen[i]; sameIDOf(q) != wantSeen || !q.Result.Verified || q.Answer.By != ByScript {
			t.Errorf("request %d: %+v, want %+v", i+1, sameIDOf(q), wantSeen)
		}
	}
}
