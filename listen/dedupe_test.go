package listen

import (
	"context"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// direct hands a receiver a request without a server.
func direct(ctx context.Context, r *Receiver, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	defer func() { _ = recover() }() // a connection that is closed without an answer
	r.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "POST", "/", strings.NewReader(body)))
	return w
}

func TestAKnownIDIsAnsweredAtOnce(t *testing.T) {
	p := profile(t, "kudos")
	other := strings.Replace(eventBody, "1200", "1201", 1)
	another := strings.Replace(eventBody, "evt_1", "evt_2", 1)
	noID := strings.Replace(eventBody, "event_id", "no_id", 1)
	for name, test := range map[string]struct {
		script string
		bodies []string
		want   []Answer
	}{
		"after a 2xx":          {"204", []string{eventBody, eventBody, eventBody}, []Answer{{204, ByScript}, {200, ByDedupe}, {200, ByDedupe}}},
		"after a failure":      {"503,200", []string{eventBody, eventBody, eventBody}, []Answer{{503, ByScript}, {200, ByScript}, {200, ByDedupe}}},
		"after a redirect":     {"301,200", []string{eventBody, eventBody}, []Answer{{301, ByScript}, {200, ByScript}}},
		"after no answer":      {"close,200", []string{eventBody, eventBody}, []Answer{{0, ByScript}, {200, ByScript}}},
		"with another body":    {"200", []string{eventBody, other}, []Answer{{200, ByScript}, {200, ByDedupe}}},
		"but not another id":   {"200,503", []string{eventBody, another, another}, []Answer{{200, ByScript}, {200, ByScript}, {200, ByDedupe}}},
		"but not without ids":  {"200", []string{noID, noID}, []Answer{{200, ByScript}, {200, ByScript}}},
		"the steps are not it": {"503,503,200,500", []string{eventBody, eventBody, eventBody, eventBody}, []Answer{{503, ByScript}, {503, ByScript}, {200, ByScript}, {200, ByDedupe}}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []Answer
			r := &Receiver{Profiles: []*profiles.Profile{p}, Dedupe: time.Hour, Script: script(t, test.script), Seen: func(q Request) { got = append(got, q.Answer) }}
			s := serve(t, r)
			for _, body := range test.bodies {
				_, _ = s.talk(raw("POST", "/", nil, body))
				got = append(got, s.next().Answer)
			}
			if len(got) != len(test.want) {
				t.Fatalf("answered %v, want %v", got, test.want)
			}
			for i := range got {
				if got[i] != test.want[i] {
					t.Errorf("answered %v, want %v", got, test.want)
				}
			}
		})
	}
}

func TestOnlyAVerifiedRequestMakesAnIDKnown(t *testing.T) {
	p := profile(t, "kudos")
	r := &Receiver{Profiles: []*profiles.Profile{p}, Verify: true, Keys: keys("s"), Dedupe: time.Hour, RejectStatus: 200,
		Forward: &Forward{URL: application(t, 200), All: true}}
	s := serve(t, r)
	wrong := raw("POST", "/", signed(t, p, sign.Values{ID: "evt_1"}, eventBody, "wrong"), eventBody)
	right := raw("POST", "/", signed(t, p, sign.Values{ID: "evt_1"}, eventBody, "s"), eventBody)
	for i, send := range []string{wrong, right, wrong, right} {
		s.send(send)
		want := []By{ByForward, ByForward, ByForward, ByDedupe}[i]
		if q := s.next(); q.Answer != (Answer{200, want}) {
			t.Errorf("request %d: answered %v, want 200 by %s", i+1, q.Answer, want)
		}
	}
}

func TestAnIDIsKnownForItsTime(t *testing.T) {
	p := profile(t, "kudos")
	now := signedAt
	r := &Receiver{Profiles: []*profiles.Profile{p}, Dedupe: time.Hour, Now: func() time.Time { return now }}
	var by []By
	r.Seen = func(q Request) { by = append(by, q.Answer.By) }
	for _, pause := range []time.Duration{0, time.Hour - 1, 1, time.Hour - 1, 1} {
		now = now.Add(pause)
		direct(t.Context(), r, eventBody)
	}
	want := [5]By{ByDefault, ByDedupe, ByDefault, ByDedupe, ByDefault} // a known one does not begin anew
	if len(by) != 5 || [5]By(by) != want {
		t.Errorf("answered by %v, want %v", by, want)
	}
}

func TestConcurrentDuplicatesWaitForTheFirst(t *testing.T) {
	for name, test := range map[string]struct {
		answers []int // of the application, in turn
		calls   int32
	}{
		"that succeeds":    {[]int{200}, 1},
		"that fails":       {[]int{503, 200}, 2},
		"that fails twice": {[]int{500, 410, 201}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var calls atomic.Int32
				text := ""
				for _, status := range test.answers {
					text += "," + strconv.Itoa(status) + ":delay=1s"
				}
				r := &Receiver{Profiles: []*profiles.Profile{profile(t, "kudos")}, Dedupe: time.Hour, Script: script(t, text[1:])}
				r.Seen = func(q Request) {
					if q.Answer.By == ByScript {
						calls.Add(1)
					}
				}
				var all sync.WaitGroup
				var good atomic.Int32
				for range 20 {
					all.Go(func() {
						if direct(t.Context(), r, eventBody).Code < 300 {
							good.Add(1)
						}
					})
				}
				all.Wait()
				if n := calls.Load(); n != test.calls {
					t.Errorf("%d requests went on, want %d", n, test.calls)
				}
				if n, want := good.Load(), 20-int32(len(test.answers))+1; n != want {
					t.Errorf("%d were answered 2xx, want %d", n, want)
				}
			})
		})
	}
}

func TestADuplicateDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &Receiver{Profiles: []*profiles.Profile{profile(t, "kudos")}, Dedupe: time.Hour, Script: script(t, "200:delay=1m")}
		first := make(chan int)
		go func() { first <- direct(t.Context(), r, eventBody).Code }()
		synctest.Wait()
		start := time.Now()
		second := direct(t.Context(), r, eventBody)
		if took := time.Since(start); second.Code != 503 || second.Header().Get("Retry-After") != "1" || took != dedupeTime {
			t.Errorf("answered %d with %v after %v", second.Code, second.Header(), took)
		}
		if code := <-first; code != 200 {
			t.Errorf("the first was answered %d", code)
		}
		if third := direct(t.Context(), r, eventBody); third.Code != 200 {
			t.Errorf("the third was answered %d", third.Code)
		}
	})
}

func TestASenderThatLeavesDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []Answer
		r := &Receiver{Profiles: []*profiles.Profile{profile(t, "kudos")}, Dedupe: time.Hour, Script: script(t, "200:delay=10s")}
		r.Seen = func(q Request) { seen = append(seen, q.Answer) }
		var all sync.WaitGroup
		all.Go(func() { direct(t.Context(), r, eventBody) })
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		all.Go(func() { direct(ctx, r, eventBody) })
		all.Wait()
		if len(seen) != 2 || seen[0] != (Answer{0, ByDedupe}) || seen[1] != (Answer{200, ByScript}) {
			t.Errorf("answered %v", seen)
		}
	})
}

func TestKnownIDsHaveABound(t *testing.T) {
	var h handled
	id := func(n int) idSum { return idSum{byte(n), byte(n >> 8), byte(n >> 16)} }
	for n := range maxHandled + 10 {
		h.settle(id(n), signedAt, time.Hour, true)
	}
	if len(h.known) != maxHandled || h.fresh(id(9), signedAt, time.Hour) || !h.fresh(id(10), signedAt, time.Hour) {
		t.Errorf("%d ids are known", len(h.known))
	}
	h.settle(id(0), signedAt.Add(2*time.Hour), time.Hour, true)
	if len(h.known) != 1 || len(h.order)-h.oldest != 1 {
		t.Errorf("%d ids are known, %d are listed", len(h.known), len(h.order)-h.oldest)
	}
}
