package send

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// script parses a response script without files.
func script(t testing.TB, text string) *Script {
	t.Helper()
	s, err := ParseScript(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// story is a plan in one line: each attempt's start, outcome and verdict, then
// the ending.
func story(attempts []Attempt, e Ending) string {
	var words []string
	for _, a := range attempts {
		words = append(words, a.Due.String()+" "+a.Outcome().String()+" "+string(a.Verdict.Then))
	}
	words = append(words, string(e.State)+" "+string(e.Cause)+" "+e.Elapsed.String())
	for _, effect := range e.Effects {
		words[len(words)-1] += " " + string(effect)
	}
	return strings.Join(words, ", ")
}

func TestThePlanRunsTheScriptUnderEachProvider(t *testing.T) {
	tests := []struct{ profile, script, want string }{
		{"kudos", "503x5,200", "0s 503 retry, 30s 503 retry, 2m30s 503 retry, 12m30s 503 retry, 42m30s 503 retry, 1h42m30s 200 delivered, delivered rule 1h42m30s"},
		{"kudos", "503", "0s 503 retry, 30s 503 retry, 2m30s 503 retry, 12m30s 503 retry, 42m30s 503 retry, 1h42m30s 503 retry, failed exhausted 1h42m30s notify-owner"},
		{"kudos", "503,410", "0s 503 retry, 30s 410 failed, failed rule 30s pause-subscription"},
		{"kudos", "503,404", "0s 503 retry, 30s 404 failed, failed rule 30s notify-owner"},
		{"kudos", "301:location=/hooks/", "0s 301 failed, failed rule 0s notify-owner"},
		{"kudos", "503,429:retry-after=120,200", "0s 503 retry, 30s 429 retry, 2m30s 200 delivered, delivered rule 2m30s"},
		{"kudos", "429:retry-after=+90,200", "0s 429 retry, 1m30s 200 delivered, delivered rule 1m30s"},
		{"kudos", "429:retry-after=+86400,200", "0s 429 retry, 1h0m0s 200 delivered, delivered rule 1h0m0s"},
		{"kudos", "429:retry-after=0,200", "0s 429 retry, 0s 200 delivered, delivered rule 0s"},
		{"kudos", `429:retry-after="Wed, 21 Oct 2015 07:28:00 GMT",200`, "0s 429 retry, 0s 200 delivered, delivered rule 0s"},
		{"kudos", "429:retry-after=soon,200", "0s 429 retry, 30s 200 delivered, delivered rule 30s"},
		{"kudos", "429:retry-after=60", "0s 429 retry, 1m0s 429 retry, 2m0s 429 retry, 3m0s 429 retry, 4m0s 429 retry, 5m0s 429 retry, failed exhausted 5m0s notify-owner"},
		{"kudos", "timeoutx2,200", "0s read-timeout retry, 38s read-timeout retry, 2m46s 200 delivered, delivered rule 2m46s"},
		{"kudos", "200:delay=7999ms", "0s 200 delivered, delivered rule 7.999s"},
		{"kudos", "200:delay=8s,200", "0s read-timeout retry, 38s 200 delivered, delivered rule 38s"},
		{"kudos", "dns,tls,200", "0s dns retry, 30s tls retry, 2m30s 200 delivered, delivered rule 2m30s"},
		{"clodo", "503x5,200", "0s 503 retry, 5s 503 retry, 5m5s 503 retry, failed exhausted 5m5s"},
		{"clodo", "timeout", "0s read-timeout retry, 25s read-timeout retry, 5m45s read-timeout retry, failed exhausted 6m5s"},
		{"clodo", "connect-timeout", "0s connect-timeout retry, 10s connect-timeout retry, 5m15s connect-timeout retry, failed exhausted 5m20s"},
		{"clodo", "200:delay=21s,200", "0s read-timeout retry, 25s 200 delivered, delivered rule 25s"},
		{"clodo", "404", "0s 404 failed, failed rule 0s"},
		{"clodo", "tls", "0s tls failed, failed rule 0s"},
		{"clodo", "429:retry-after=9", "0s 429 failed, failed rule 0s"},
		{"kustomer", "401", "0s 401 retry, 1m0s 401 retry, 2m0s 401 retry, 4m0s 401 retry, 9m0s 401 retry, 19m0s 401 retry, 34m0s 401 retry, 1h4m0s 401 retry, failed exhausted 1h4m0s disable-webhook notify-admins"},
		{"kustomer", "timeout", "0s read-timeout retry, 1m30s read-timeout retry, 3m0s read-timeout retry, 5m30s read-timeout retry, 11m0s read-timeout retry, 21m30s read-timeout retry, 37m0s read-timeout retry, 1h7m30s read-timeout retry, failed exhausted 1h8m0s disable-webhook notify-admins"},
		{"kustomer", "503,dns", "0s 503 retry, 1m0s dns failed, failed rule 1m0s"},
		{"kustomer", "301", "0s 301 delivered, delivered rule 0s"},
		{"kustomer", "429:retry-after=5,200", "0s 429 retry, 1m0s 200 delivered, delivered rule 1m0s"},
	}
	for _, tt := range tests {
		if got := story(Plan(builtin(t, tt.profile), script(t, tt.script), NoJitter)); got != tt.want {
			t.Errorf("%s %s\n got %s\nwant %s", tt.profile, tt.script, got, tt.want)
		}
	}
}

func TestAPlanWithoutAScriptIsNominal(t *testing.T) {
	tests := []struct{ profile, want string }{
		{"kudos", "0s, 30s, 2m30s, 12m30s, 42m30s, 1h42m30s; failed exhausted 1h42m30s 1h16m52.5s 2h8m7.5s"},
		{"clodo", "0s, 5s, 5m5s; failed exhausted 5m5s 5m5s 5m5s"},
		{"kustomer", "0s, 1m0s, 2m0s, 4m0s, 9m0s, 19m0s, 34m0s, 1h4m0s; failed exhausted 1h4m0s 57m36s 1h10m24s"},
	}
	for _, tt := range tests {
		attempts, e := Plan(builtin(t, tt.profile), nil, nil)
		var dues []string
		var least, most time.Duration
		for i, a := range attempts {
			dues = append(dues, a.Due.String())
			if a.Number != i+1 || a.Took != 0 || a.Verdict != (Verdict{Then: profiles.Retried}) {
				t.Errorf("%s: attempt %d is %+v", tt.profile, i+1, a)
			}
			if a.Next != nil {
				least, most = least+a.Next.Min, most+a.Next.Max
			}
		}
		got := strings.Join(dues, ", ") + "; " + string(e.State) + " " + string(e.Cause) + " " +
			e.Elapsed.String() + " " + least.String() + " " + most.String()
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.profile, got, tt.want)
		}
	}
}

func TestAPlanKeepsTheCeiling(t *testing.T) {
	p := *builtin(t, "clodo")
	p.Retry.Waits = []time.Duration{time.Hour, time.Minute}
	want := "0s 503 retry, 1h0m0s 503 retry, failed ceiling 1h0m0s"
	attempts, e := Plan(&p, script(t, "503"), NoJitter)
	if got := story(attempts, e); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := attempts[1].Verdict.Reason; got != "the ceiling comes first" {
		t.Errorf("reason %q", got)
	}
	attempts, e = Plan(&p, nil, nil)
	if len(attempts) != 2 || e.Cause != ByCeiling || e.Elapsed != time.Hour {
		t.Errorf("without a script: %d attempts, %+v", len(attempts), e)
	}
}

func TestAPlanHasTheJitterOfItsSeed(t *testing.T) {
	p := builtin(t, "kudos")
	u := Seeded(p, 7, 0)
	all, _ := Plan(p, script(t, "503"), u)
	mixed, _ := Plan(p, script(t, "503,timeout,429:retry-after=1,500x9"), u)
	for i, a := range all[:len(all)-1] {
		want := Wait{Wait: jittered(p.Retry.Waits[i], 0.25, u(i+1)), Base: p.Retry.Waits[i], Source: FromSchedule}
		if *a.Next != want {
			t.Errorf("after attempt %d: %+v, want %+v", i+1, *a.Next, want)
		}
		if m := mixed[i].Next; m.Source == FromSchedule && *m != want {
			t.Errorf("other answers change the wait after attempt %d: %+v, want %+v", i+1, *m, want)
		}
	}
}

func TestAnImaginedAnswerHasWhatTheStepSays(t *testing.T) {
	s := script(t, "429:retry-after=+120:location=/x:header=X-A=1:header=x-a=2:body=later:delay=1500ms,200")
	s.Start = time.Date(2026, 1, 2, 10, 3, 3, 0, time.UTC)
	attempts, _ := Plan(builtin(t, "kudos"), s, NoJitter)
	want := Attempt{
		Number: 1,
		Took:   1500 * time.Millisecond,
		Response: &Response{
			Status: 429,
			Proto:  "HTTP/1.1",
			Text:   "Too Many Requests",
			Header: []sign.Header{
				{Name: "Retry-After", Value: "Fri, 02 Jan 2026 10:05:04 GMT"},
				{Name: "Location", Value: "/x"},
				{Name: "X-A", Value: "1"},
				{Name: "x-a", Value: "2"},
			},
			Body:     []byte("later"),
			Complete: true,
		},
		Verdict: attempts[0].Verdict,
		Next:    &Wait{Wait: 2 * time.Minute, Base: 2 * time.Minute, Source: FromRetryAfter},
		Notes:   []string{"Retry-After is a date, counted from this machine's clock; the documentation names only seconds"},
	}
	if !reflect.DeepEqual(attempts[0], want) {
		t.Errorf("%+v\nwant %+v", attempts[0], want)
	}
	if want := 121500 * time.Millisecond; attempts[1].Due != want {
		t.Errorf("attempt 2 is due at %s, want %s", attempts[1].Due, want)
	}
}

func TestAnImaginedBodyIsCut(t *testing.T) {
	for _, n := range []int{maxKept, maxKept + 1} {
		attempts, _ := Plan(builtin(t, "kudos"), script(t, "404:body="+strings.Repeat("a", n)), NoJitter)
		if r := attempts[0].Response; len(r.Body) != maxKept || r.Complete != (n == maxKept) {
			t.Errorf("of %d bytes %d are kept, complete %v", n, len(r.Body), r.Complete)
		}
	}
}

func TestARetryAfterDateStaysWritable(t *testing.T) {
	now := time.Date(2026, 1, 2, 10, 3, 3, 0, time.UTC)
	for value, want := range map[string]string{
		"+120":                        "Fri, 02 Jan 2026 10:05:03 GMT",
		"+0":                          "Fri, 02 Jan 2026 10:03:03 GMT",
		"+9999999999":                 "Mon, 23 Nov 2342 03:49:42 GMT",
		"+" + strings.Repeat("9", 30): "Fri, 31 Dec 9999 23:59:59 GMT",
		"120":                         "120", "+": "+", "+1.5": "+1.5", "": "", "++1": "++1",
	} {
		got := Step{RetryAfter: value, HasRetry: true}.Headers(now)
		if len(got) != 1 || got[0] != (sign.Header{Name: "Retry-After", Value: want}) {
			t.Errorf("%q: %v, want %q", value, got, want)
		}
	}
}

func TestAnImaginedFailureSaysWhatItIs(t *testing.T) {
	for step, want := range map[string]Failure{
		"dns":             {Kind: profiles.DNS, Message: "no such host"},
		"refused":         {Kind: profiles.Refused, Message: "connection refused"},
		"reset":           {Kind: profiles.Reset, Message: "after the request was sent"},
		"close":           {Kind: profiles.Closed, Message: "no status line before the end"},
		"tls":             {Kind: profiles.TLS, Message: "no connection by TLS"},
		"unreachable":     {Kind: profiles.Unreachable, Message: "no route"},
		"protocol":        {Kind: profiles.Protocol, Message: "not an HTTP answer"},
		"timeout":         {Kind: profiles.ReadTimeout, Message: "connected and sent, but no answer within 20 s"},
		"connect-timeout": {Kind: profiles.ConnectTimeout, Message: "no connection within 5 s"},
	} {
		attempts, _ := Plan(builtin(t, "clodo"), script(t, step), NoJitter)
		if a := attempts[0]; a.Response != nil || a.Failure == nil || !reflect.DeepEqual(*a.Failure, want) {
			t.Errorf("%s: %+v, %+v, want %+v", step, a.Response, a.Failure, want)
		}
	}
}
