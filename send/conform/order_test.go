package conform

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"
)

// What must be looked up is named as the bodies have it.
func TestOrderSaysWhatToLookUp(t *testing.T) {
	const updated = "object: data.id, updated: data.at, new_id"
	tests := map[string]struct {
		path, body   string
		newer, older string // values, if the body fixes them
		added        bool
	}{
		"added":        {"", `{"id":"evt_1","data":{}}`, "", "", true},
		"in the event": {"", `{"id":"evt_1","updated_at":"2026-01-02T10:03:13+02:00"}`, `"2026-01-02T08:03:13.000Z"`, `"2026-01-02T08:03:03.000Z"`, false},
		"by a profile": {updated, `{"id":"evt_1","data":{"at":"2026-01-02T10:03:13Z"}}`, `"2026-01-02T10:03:13.000Z"`, `"2026-01-02T10:03:03.000Z"`, false},
		"seconds":      {updated, `{"id":"evt_1","data":{"at":1767348193}}`, "1767348193", "1767348183", false},
		"milliseconds": {updated, `{"id":"evt_1","data":{"at":1767348193000}}`, "1767348193000", "1767348183000", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p, field := profile(t), "updated_at"
			if test.path != "" {
				p, field = profile(t, "new_id", test.path), "data.at"
			}
			o := options(t, p, "", newSecret)
			o.Event.Body, o.Only = []byte(test.body), []string{"order"}
			var mu sync.Mutex
			var seen []string // ids, in the order of their arrival
			o.URL = serve(t, func(_ http.ResponseWriter, req *http.Request) {
				var e struct {
					ID      string `json:"id"`
					Updated string `json:"updated_at"`
				}
				body, _ := io.ReadAll(req.Body)
				_ = json.Unmarshal(body, &e)
				mu.Lock()
				defer mu.Unlock()
				if seen = append(seen, e.ID); len(seen) == 2 && test.added {
					at, err := time.Parse(time.RFC3339, e.Updated)
					if err != nil {
						t.Errorf("no time in %s", body)
					}
					test.newer, test.older = quote(e.Updated), quote(at.Add(-10*time.Second).Format("2006-01-02T15:04:05.000Z"))
				}
			})
			c := only(t, check(t, o), "order")
			want := "look it up: the stored " + field + " must be " + test.newer + ", not " + test.older +
				"; of the first two events " + seen[1] + " is the newer, " + seen[2] + " the older"
			if test.added {
				want += "; that member was added to the event"
			}
			if c.State != Inconclusive || c.Fix != want {
				t.Errorf("%s: %q, want %q", c.State, c.Fix, want)
			}
		})
	}
}
