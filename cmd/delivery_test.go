package cmd

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hookctl/hookctl/sign"
)

// endpoint answers with these statuses in turn; the last repeats. 0 answers
// nothing.
func endpoint(t *testing.T, header map[string]string, statuses ...int) string {
	t.Helper()
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status := statuses[min(int(n.Add(1)), len(statuses))-1]
		for name, v := range header {
			w.Header().Set(name, v)
		}
		if status == 0 {
			_, _ = io.Copy(io.Discard, r.Body) // else the server does not notice that the client left
			<-r.Context().Done()
			return
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// hasty gives up at once.
var hasty = strings.Replace(bare, "timeout: 8s", "timeout: 30ms", 1)

func TestATimeOutIsExplainedOnceAndOnlyWhereAttemptsFollow(t *testing.T) {
	folder(t, map[string]string{
		"hasty.yaml": hasty,
		"calm.yaml":  bare, // a busy machine may take 30 ms
		"once.yaml":  strings.Replace(hasty, "retry: { waits: [1s, 2s] }", "", 1),
		"pair.yaml":  strings.Replace(hasty, "timeout: 30ms", "timeout: { connect: 5s, read: 30ms }", 1),
	})
	const note = "hookctl: note: each attempt waits the provider's 30 ms; --timeout 2s shortens it\n"
	silent, late := endpoint(t, nil, 0), endpoint(t, nil, 503, 0)
	for _, test := range []struct {
		args string
		want int
	}{
		{"-p ./hasty.yaml " + silent, 1},
		{"-p ./pair.yaml " + silent, 1},
		{"-p ./hasty.yaml " + late, 1},
		{"-p ./once.yaml " + silent, 0},                     // nothing follows
		{"-p ./hasty.yaml --timeout 20ms " + silent, 0},     // the user has found it
		{"-p ./hasty.yaml -q " + silent, 0},                 //
		{"-p ./calm.yaml --respond timeout", 0},             // it is not waited out
		{"-p ./calm.yaml --respond timeout --speed 1e9", 0}, //
		{"-p ./calm.yaml --respond 503", 0},
	} {
		r := world{}.run(append(strings.Fields("send --secret s"), strings.Fields(test.args)...)...)
		r.want(t, ExitNo)
		if got := strings.Count(r.stderr, note); got != test.want {
			t.Errorf("%s: said %d times, want %d: %s", test.args, got, test.want, r.stderr)
		}
		if got := strings.Count(r.stderr, "shortens"); got != test.want {
			t.Errorf("%s: %s", test.args, r.stderr)
		}
	}
	// It stands in the document as well.
	r := world{}.run("send", "--secret", "s", "-p", "./hasty.yaml", "--json", silent)
	var doc struct{ Notes []string }
	if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil || len(doc.Notes) == 0 || "hookctl: note: "+doc.Notes[0]+"\n" != note {
		t.Errorf("notes %q, %v", doc.Notes, err)
	}
}

func TestQuietIsTheResultLineAlone(t *testing.T) {
	folder(t, map[string]string{"s": "secret\n"})
	for _, test := range []struct {
		args, stdout string
		code         int
		stderr       string
	}{
		{"--respond 200", "delivered: 200 at attempt 1 of 6\n", ExitOK, ""},
		{"--respond 404", "failed: 404 at attempt 1 of 6; the owner is notified\n", ExitNo, ""},
		{"--respond 410", "failed: 410 at attempt 1 of 6; the subscription is paused\n", ExitNo, ""},
		{"--respond 401 --secret-file s --set x=1 --timestamp 1", "failed: 401 at attempt 1 of 6; the owner is notified\n", ExitNo, ""},
		{"--respond 200,500 --duplicate", "", ExitNo, ""},
		{"--respond dns", "", ExitUsage, "hookctl: error: --respond: no receiver can play dns\n"},
		{"--seed x", "", ExitUsage, "hookctl: error: --seed takes a whole number from 0 to 9007199254740991\n"},
	} {
		r := world{}.run(append(strings.Fields("send -q -p kudos"), strings.Fields(test.args)...)...)
		if test.stdout == "" {
			test.stdout = r.stdout // its words are tested elsewhere
		}
		if r.code != test.code || r.stdout != test.stdout || r.stderr != test.stderr {
			t.Errorf("%s: %+v, want %+v", test.args, r, test)
		}
		if n := strings.Count(r.stdout, "\n"); n > 1 {
			t.Errorf("%s: %d lines: %s", test.args, n, r.stdout)
		}
	}
}

func TestWhatProductionWouldDoIsSaidWithVerboseOnly(t *testing.T) {
	folder(t, nil)
	url := endpoint(t, nil, 200)
	const said = "hookctl: note: in production Clodo refuses 127.0.0.1, a loopback address (--strict)\n"
	for flags, want := range map[string]bool{"": false, "-v": true, "-q": false, "-q -v": false, "--json": false, "--json -v": true} {
		r := world{}.run(append(append(strings.Fields("send -p clodo --secret s"), strings.Fields(flags)...), url)...)
		r.want(t, ExitOK)
		if got := strings.Contains(r.stderr, said); got != want {
			t.Errorf("%q: said %v, want %v: %s", flags, got, want, r.stderr)
		}
		if !want && strings.Contains(r.stderr, "production") {
			t.Errorf("%q: %s", flags, r.stderr)
		}
	}
}

func TestTheEndIsToldInOrder(t *testing.T) {
	folder(t, nil)
	for _, test := range []struct {
		args, stderr string
		code         int
	}{
		{"-p kudos --secret s " + endpoint(t, nil, 200), "", ExitOK},
		{"-p kustomer --secret s " + endpoint(t, map[string]string{"Location": "/x/"}, 301), "hookctl: warning: Kustomer counts a redirect as delivered and does not follow it\n" +
			"hookctl: hint: send to where it points: hookctl send -p kustomer --secret-env NAME URL/x/\n", ExitOK},
		{"-p clodo --secret s " + endpoint(t, map[string]string{"Location": "/x/"}, 301), "hookctl: note: fetch the result: GET /v1/<endpoint>/{job_id}/ (Async Polling)\n" +
			"hookctl: note: 1 verdict is assumed: the documentation does not say what a redirect does; see: hookctl profiles show clodo\n" +
			"hookctl: hint: send to where it points: hookctl send -p clodo --secret-env NAME URL/x/\n", ExitNo},
		{"-p kudos --secret s " + endpoint(t, nil, 410), "hookctl: note: re-arm the subscription in Settings when you are ready; the CRM's delivery log can send any delivery again\n" +
			"hookctl: hint: 410 is how a receiver deregisters itself; to refuse one event only, answer another 4xx\n", ExitNo},
		{"-p kudos --secret s " + endpoint(t, nil, 401), "hookctl: note: the CRM's delivery log can send any delivery again\n" +
			"hookctl: hint: something in front of the handler, or its signature check; try: hookctl check -p kudos --secret-env NAME --only raw-bytes,wall URL/\n", ExitNo},
		{"-p kudos --secret s --timestamp 1700000000 " + endpoint(t, nil, 200), "hookctl: note: every attempt is signed as of 2023-11-14T22:13:20Z\n", ExitOK},
		{"-p kustomer --secret s --timestamp 1700000000 " + endpoint(t, nil, 200), "", ExitOK},
	} {
		args := strings.Fields(test.args)
		url := args[len(args)-1]
		r := world{}.run(append([]string{"send"}, args...)...)
		if want := strings.ReplaceAll(test.stderr, "URL", url); r.code != test.code || r.stderr != want {
			t.Errorf("%s:\n%s\nwant\n%s", test.args, r.stderr, want)
		}
	}
}

// verifier answers 200 to what one secret has signed, 401 to all else.
func verifier(t *testing.T, secret string) string {
	t.Helper()
	p := builtin(t, "kustomer")
	key, err := sign.NewKey(p, secret)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		header := sign.Header{Name: "X-Kustomer-Webhook-Signature", Value: r.Header.Get("X-Kustomer-Webhook-Signature")}
		if !sign.Verify(p, sign.Received{Header: []sign.Header{header}, Body: body}, time.Now(), key).Verified {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestTwoSecretsOfWhichOneIsRefusedAreToldApart(t *testing.T) {
	folder(t, nil)
	for _, test := range []struct{ takes, want string }{
		{"new", "the endpoint accepts secret 2 and refuses secret 1: until the rotation is over it must accept both"},
		{"old", "the endpoint accepts secret 1 and refuses secret 2: until the rotation is over it must accept both"},
		{"none", "401 every time: "},
	} {
		r := world{}.run("send", "-p", "kustomer", "--secret", "old", "--secret", "new", verifier(t, test.takes))
		r.want(t, ExitNo, `^hookctl: hint: `+test.want)
		if n := strings.Count(r.stderr, "hookctl: hint: "); n != 1 {
			t.Errorf("%s: %d hints: %s", test.takes, n, r.stderr)
		}
		for _, head := range []string{"secret 1 of 2", "secret 2 of 2", "\n\nKustomer -> "} {
			if strings.Count(r.stdout, head) != 1 {
				t.Errorf("%s: no %q in %s", test.takes, head, r.stdout)
			}
		}
	}
	world{}.run("send", "-p", "kustomer", "--secret", "old", "--secret", "old", verifier(t, "old")).want(t, ExitOK)
}

func TestTheInnerReceiverSaysWhyItRefuses(t *testing.T) {
	for _, test := range []struct {
		result sign.Result
		want   string
	}{
		{sign.Result{Reason: sign.NoMatchingSignature}, "signature refused: no matching signature"},
		{sign.Result{Reason: sign.TooOld, Age: 14*time.Minute + 3*time.Second}, "signature refused: too old (14 m 3 s)"},
	} {
		if got := refusal(test.result); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	folder(t, nil)
	r := world{}.run("send", "-p", "kudos", "--respond", "200", "--timestamp", "1700000000", "-v")
	if r.code != ExitNo || !strings.Contains(r.stdout, "    * signature refused: too old (") || !strings.Contains(r.stdout, "401") {
		t.Errorf("%+v", r)
	}
}

func TestRespondHasNoTarget(t *testing.T) {
	folder(t, nil)
	world{}.run("send", "-p", "kudos", "--respond", "200", ":3000").want(t, ExitUsage, `^hookctl: error: --respond answers from inside hookctl: it takes no URL$`)
	world{}.run("send", "-p", "kudos", "--respond", "200", "--strict").want(t, ExitUsage, `^hookctl: error: --respond answers on a loopback address: it excludes --strict$`)
	// A URL of the environment does not count.
	world{env: map[string]string{"HOOKCTL_URL": "http://192.0.2.1/"}}.run("send", "-p", "kudos", "--respond", "200").want(t, ExitOK)
	world{}.run("send", "-p", "kudos", "--respond", "503,dns").want(t, ExitUsage, `^hookctl: error: --respond: no receiver can play dns$`,
		`^hookctl: hint: imagine it instead: hookctl plan -p kudos --respond 503,dns$`)
}

func TestTheDevelopmentSecretIsForOnePortOfThisMachine(t *testing.T) {
	for to, want := range map[string]bool{
		"": true, "4665": true, ":4665/h": true, "http://127.0.0.1:4665/": true, "http://[::1]:4665/": true, "http://127.9.9.9:4665/": true, "https://localhost:4665/": true,
		"3000": false, "http://localhost/": false, "http://192.0.2.1:4665/": false, "http://localhost.example:4665/": false, "http://127.0.0.1.example:4665/": false,
		"http://0.0.0.0:4665/": false, "http://app:4665/": false, "http://localhost:46650/": false,
	} {
		if to == "" {
			to = defaultTarget
		}
		u, err := parseTarget(to)
		if err != nil {
			t.Fatal(err)
		}
		if got := developmentTarget(u); got != want {
			t.Errorf("%s: %v, want %v", to, got, want)
		}
	}
	for addr, want := range map[string]bool{
		"": true, "127.0.0.1:4665": true, "[::1]:4665": true, "localhost:4665": true,
		":4665": false, "0.0.0.0:4665": false, "127.0.0.1:0": false, "127.0.0.1:3000": false, "192.0.2.1:4665": false, "x": false,
	} {
		if got := (&listening{o: &listenOptions{addr: addr}}).developmentAddress(); got != want {
			t.Errorf("--addr %s: %v, want %v", addr, got, want)
		}
	}
}

func TestTheLimitIsTheOneThatWasRunInto(t *testing.T) {
	for _, test := range []struct {
		profile, failure string
		timeout, limit   time.Duration
	}{
		{"kudos", "read-timeout", 0, 8 * time.Second},
		{"kudos", "connect-timeout", 0, 8 * time.Second},
		{"clodo", "read-timeout", 0, 20 * time.Second},
		{"clodo", "connect-timeout", 0, 5 * time.Second},
		{"clodo", "read-timeout", time.Second, 20 * time.Second},
	} {
		d := ended(t, world{}, test.profile, ":3000", test.failure)
		d.o.timeout.value = test.timeout
		if got := d.limit(d.attempts[0]); got != test.limit || !timedOut(d.attempts[0]) {
			t.Errorf("%s, %s: %v, want %v", test.profile, test.failure, got, test.limit)
		}
	}
	for _, other := range []string{"refused", "reset", "503", "200"} {
		if d := ended(t, world{}, "kudos", ":3000", other); timedOut(d.attempts[0]) {
			t.Errorf("%s counts as a time-out", other)
		}
	}
}
