package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hookctl/hookctl/sign"
)

// A crowd answers requests by their number, from 1, and keeps what they said.
type crowd struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
	ids    []string // of the header
}

func newCrowd(t *testing.T, answer func(number int) int) *crowd {
	c := &crowd{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c.mu.Lock()
		c.bodies, c.ids = append(c.bodies, string(body)), append(c.ids, r.Header.Get("X-Kudos-Event-Id"))
		n := len(c.bodies)
		c.mu.Unlock()
		w.WriteHeader(answer(n))
	}))
	t.Cleanup(c.Close)
	return c
}

func always(status int) func(int) int { return func(int) int { return status } }

func TestAPauseAtTheFifthEventStopsABurst(t *testing.T) {
	folder(t, nil)
	c := newCrowd(t, func(n int) int {
		if n == 5 {
			return 410
		}
		return 200
	})
	r := world{}.run("send", "-p", "kudos", "--secret", "s", "--count", "20", c.URL)
	r.want(t, ExitNo)
	for _, line := range []string{
		"delivered        4   20.0 %  4 at the first attempt, 0 later\n",
		"failed           1    5.0 %  410 (1)\n",
		"not sent        15   75.0 %  the subscription was paused by event 5\n",
		"\nfailed: 1 of 20 events; the subscription is paused; 15 were not sent\n",
	} {
		if !strings.Contains(r.stdout, line) {
			t.Errorf("no %q in\n%s", line, r.stdout)
		}
	}
	if len(c.bodies) != 5 {
		t.Errorf("%d requests, want 5", len(c.bodies))
	}
}

func TestTheIDIsReplacedInsideTheBodyAndNothingElse(t *testing.T) {
	folder(t, nil)
	c := newCrowd(t, always(200))
	const before, after = "{ \"a\": 1.0e2,\n \"event_id\" : ", " , \"text\": \"caf\\u00e9 \\/ evt_1\" }\n"
	world{}.run("send", "-p", "kudos", "--secret", "s", "--count", "4", "--seed", "7", "-d", before+`"evt\u005f1"`+after, c.URL).want(t, ExitOK)
	seen := map[string]bool{}
	for i, body := range c.bodies {
		middle, ok := strings.CutPrefix(body, before)
		middle, whole := strings.CutSuffix(middle, after)
		id, _ := sign.FindString([]byte(body), "event_id")
		if !ok || !whole || middle != `"`+id+`"` || id != c.ids[i] || !strings.HasPrefix(id, "evt_") || len(id) != 20 {
			t.Errorf("request %d with the id %s: %q", i, c.ids[i], body)
		}
		seen[id] = true
	}
	if len(seen) != 4 {
		t.Errorf("ids %v, want 4", seen)
	}
}

func TestEventsOfABurstFollowTheSeed(t *testing.T) {
	folder(t, nil)
	burst := func(args ...string) []string {
		c := newCrowd(t, always(200))
		world{}.run(append([]string{"send", "-p", "kudos", "--secret", "s", "--seed", "7", c.URL}, args...)...).want(t, ExitOK)
		slices.Sort(c.ids)
		return c.ids
	}
	alone, three := burst(), burst("--count", "3")
	if again := burst("--count", "3", "--concurrency", "3"); !slices.Equal(again, three) {
		t.Errorf("ids %v, before %v", again, three)
	}
	if !slices.Contains(three, alone[0]) || len(slices.Compact(three)) != 3 {
		t.Errorf("one event is %v, three are %v", alone, three)
	}
	if same := burst("--count", "3", "--same-id", "--id", "evt_mine"); !slices.Equal(same, []string{"evt_mine", "evt_mine", "evt_mine"}) {
		t.Errorf("one id: %v", same)
	}
}

func TestTheSameEventIsTheSameBytes(t *testing.T) {
	folder(t, map[string]string{"p.yaml": strings.Replace(bare, `"type":"a.b"`, `"chance":"{hex:8}"`, 1)})
	c := newCrowd(t, always(200))
	world{}.run("send", "-p", "./p.yaml", "--secret", "s", "--count", "3", "--same-id", c.URL).want(t, ExitOK)
	if len(c.bodies) != 3 || c.bodies[0] != c.bodies[1] || c.bodies[0] != c.bodies[2] {
		t.Errorf("%q", c.bodies)
	}
}

// The documents of the deliveries and of the summary tell the same.
func TestTheSummaryIsTheSumOfItsDocuments(t *testing.T) {
	folder(t, nil)
	c := newCrowd(t, func(n int) int { return []int{200, 503, 404, 500}[n%4] })
	r := world{}.run("send", "-p", "kudos", "--secret", "s", "--count", "40", "--concurrency", "7", "--json", c.URL)
	r.want(t, ExitNo)
	lines := strings.Split(strings.TrimSuffix(r.stdout, "\n"), "\n")
	if len(lines) != 41 {
		t.Fatalf("%d documents, want 41", len(lines))
	}
	var sum struct {
		Deliveries, Delivered, Failed, Attempts int
		Answers                                 map[string]int
		NotSent                                 int `json:"not_sent"`
	}
	if err := json.Unmarshal([]byte(lines[40]), &sum); err != nil {
		t.Fatal(err)
	}
	got, answers := map[string]int{}, map[string]int{}
	ids := map[string]bool{}
	for _, line := range lines[:40] {
		var d struct {
			State    string
			Event    struct{ ID string }
			Attempts []struct{ Response struct{ Status int } }
		}
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		got[d.State]++
		ids[d.Event.ID] = true
		for _, a := range d.Attempts {
			got["attempts"]++
			answers[fmt.Sprint(a.Response.Status)]++
		}
	}
	if got["delivered"] != sum.Delivered || got["failed"] != sum.Failed || got["attempts"] != sum.Attempts || sum.Deliveries != 40 || sum.NotSent != 0 {
		t.Errorf("documents %v, summary %+v", got, sum)
	}
	if fmt.Sprint(answers) != fmt.Sprint(sum.Answers) || sum.Attempts != len(c.bodies) || len(ids) != 40 {
		t.Errorf("answers %v, summary %v, %d requests, %d ids", answers, sum.Answers, len(c.bodies), len(ids))
	}
}

func TestARotationIsToldOfABurstToo(t *testing.T) {
	folder(t, nil)
	c := newCrowd(t, func(n int) int {
		if n <= 3 {
			return 200
		}
		return 401
	})
	r := world{}.run("send", "-p", "kustomer", "--secret", "old", "--secret", "new", "--count", "3", c.URL)
	r.want(t, ExitNo, `^hookctl: hint: the endpoint accepts secret 1 and refuses secret 2: until the rotation is over it must accept both$`)
	if !strings.Contains(r.stdout, "\nfailed: 3 of 6 deliveries; the webhook is disabled (assumed)\n") {
		t.Errorf("%s", r.stdout)
	}
}

// The first event is answered, and the endpoint is gone for the second.
func TestAnEndpointThatGoesAwayInABurstIsNotOneThatWasNeverThere(t *testing.T) {
	folder(t, nil)
	var c *crowd
	c = newCrowd(t, func(int) int {
		c.Listener.Close()
		return 200
	})
	to := strings.Replace(c.URL, "127.0.0.1", "localhost", 1)
	r := world{}.run("send", "-p", "kudos", "--secret", "s", "--count", "2", "--no-keep-alive", to)
	r.want(t, ExitNo, `^hookctl: note: the CRM's delivery log can send any delivery again$`,
		`^hookctl: hint: `+strings.TrimPrefix(to, "http://")+` did not listen all the time: it started late, or went away$`)
}
