package forecast

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/send"
)

func TestADocumentHasAllThatIsKnown(t *testing.T) {
	f := run(t, Outage{Down: 10 * time.Minute, Rate: 0.5, For: 40 * time.Minute, Seed: 7}, "clodo")
	var b bytes.Buffer
	if err := send.WriteDocument(&b, f); err != nil {
		t.Fatal(err)
	}
	want := `{"schema":"hookctl.forecast/1","seed":7,"down_s":600,"rate":0.5,"for_s":2400,"arrived":1200,"profiles":[` +
		`{"profile":"clodo","first":900,"late":152,"lost":148,"pending":0,"lost_from_s":0,"lost_to_s":296,"last_s":899,"late_by_s":305,"backlog_s":299,` +
		`"attempts":1798,"peak_down":1.5,"peak_after":1.2,"peak_after_no_jitter":1.2,"off_at_s":null,"subscriptions_off":0,"not_queued":0,"effects":[],` +
		`"reconcile":"from 0 s until 296 s: fetch the result: GET /v1/<endpoint>/{job_id}/ (Async Polling)","notes":[]}],` +
		`"before_s":400,"arrived_down":300,"fail_with":"refused","capacity":null,"over_capacity":null,"subscriptions":1}` + "\n"
	if b.String() != want {
		t.Errorf("got  %s\nwant %s", b.String(), want)
	}
	pending := run(t, Outage{Down: 10 * time.Minute, Rate: 0.5, For: 15 * time.Minute, Capacity: 0.1, Seed: 7}, "kudos")
	b.Reset()
	if err := send.WriteDocument(&b, pending); err != nil || !json.Valid(b.Bytes()) {
		t.Fatal(err)
	}
	for _, part := range []string{`"backlog_s":null`, `"capacity":0.1,"over_capacity":"503"`, `"reconcile":null`, `"lost_from_s":null,"lost_to_s":null`} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("%s is not in %s", part, b.String())
		}
	}
}

func TestTheCSVHasALineAWindow(t *testing.T) {
	f := run(t, Outage{Down: 20 * time.Second, Rate: 1, For: 60 * time.Second}, "clodo")
	var b bytes.Buffer
	if err := f.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	want := "profile,from_s,to_s,attempts,failed,attempts_no_jitter\n" +
		"clodo,-10,0,10,0,10\nclodo,0,10,15,15,15\nclodo,10,20,20,20,20\nclodo,20,30,15,0,15\nclodo,30,40,10,0,10\nclodo,40,50,10,0,10\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
