package cmd

import (
	"math"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// ended is a delivery of a profile to a URL that ended with these outcomes: a
// status, or a failure with its message after a colon.
func ended(t *testing.T, w world, profile, to string, outcomes ...string) *delivery {
	t.Helper()
	a, _, _ := w.app()
	u, err := parseTarget(to)
	if err != nil {
		t.Fatal(err)
	}
	p := builtin(t, profile)
	d := &delivery{
		sending: &sending{
			o:       &sendOptions{speed: newSpeed(), timeout: newDuration(time.Millisecond)},
			line:    &commandLine{command: "hookctl send", flags: []flagWords{{"-p", profile}, {"--id", "e1"}, {"--secret-env", "S"}}, args: []string{to}},
			profile: p, url: u, message: send.Message{Body: make([]byte, 1178)},
		},
		app: a, ending: send.Ending{State: send.StateFailed},
	}
	for _, text := range outcomes {
		var at send.Attempt
		if status, header, _ := strings.Cut(text, " "); len(status) == 3 {
			at.Response = &send.Response{}
			for _, c := range status {
				at.Response.Status = at.Response.Status*10 + int(c-'0')
			}
			if name, value, ok := strings.Cut(header, ": "); ok {
				at.Response.Header = []sign.Header{{Name: name, Value: value}}
			}
		} else {
			kind, message, _ := strings.Cut(text, ": ")
			at.Failure = &send.Failure{Kind: profiles.Failure(kind), Message: message}
			switch message {
			case "certificate expired 2026-01-01", "certificate is not for localhost, but for authority.example":
				at.Failure.TLS = send.BadCertificate
			case "signed by an unknown authority":
				at.Failure.TLS = send.UnknownAuthority
			case "the answer is not TLS":
				at.Failure.TLS = send.NotTLS
			}
		}
		at.Verdict = send.Judge(p, at.Outcome())
		d.attempts = append(d.attempts, at)
	}
	if d.attempts[len(d.attempts)-1].Verdict.Then == profiles.Delivered {
		d.ending.State = send.StateDelivered
	}
	return d
}

func TestEachKnownEndHasOneHint(t *testing.T) {
	const (
		check = "hookctl check -p kudos --secret-env S --only raw-bytes,wall http://localhost:3000/h"
		front = "something in front of the handler, or its signature check; try:"
		again = "401 every time: most often the signature check hashes parsed JSON in place of the raw body; try:"
		route = "no route for POST /h; compare the path with your router's, and its final slash"
		large = "the body has 1,178 bytes; raise the limit of the endpoint or of what stands before it"
		class = "a 4xx is retried; to drop an event, acknowledge it with a 2xx"
		leave = "410 is how a receiver deregisters itself; to refuse one event only, answer another 4xx"
	)
	kustomer := strings.Replace(check, "kudos", "kustomer", 1)
	for _, test := range []struct {
		profile, outcomes string // outcomes apart by |
		want              hint
	}{
		{"kudos", "200", hint{}},
		{"kudos", "401", hint{front, check}},
		{"kudos", "403", hint{front, check}},
		{"kudos", "419", hint{front, check}},
		{"kudos", "503|401", hint{front, check}},
		{"kustomer", "401|401", hint{again, kustomer}},
		{"kustomer", "401|401|401|401|401|401|401|401", hint{again, kustomer}},
		{"kustomer", "401|503|401", hint{front, kustomer}},
		{"kustomer", "403|403", hint{front, kustomer}},
		{"kudos", "404", hint{text: route}},
		{"clodo", "405", hint{text: route}},
		{"kudos", "413", hint{text: large}},
		{"kudos", "410", hint{text: leave}}, // the rule names it: its own hint
		{"kustomer", "410", hint{text: class}},
		{"kustomer", "404", hint{text: route}}, // the rule names a class: its own hint comes last
		{"kustomer", "413", hint{text: large}},
		{"kustomer", "422", hint{text: class}},
		{"kudos", "422", hint{}},
		{"kudos", "503", hint{}},
		{"kudos", "503|429", hint{text: "send Retry-After with a 429, else the provider keeps to its own schedule"}},
		{"kudos", "429 Retry-After: 5", hint{}},
		{"kustomer", "429", hint{text: class}}, // it does not ask for a Retry-After
		{"clodo", "429", hint{}},
		{"kudos", "read-timeout", hint{text: "answer first, work later: Kudos CRM gives up on an answer after 8 s"}},
		{"clodo", "read-timeout", hint{text: "answer first, work later: Clodo gives up on an answer after 20 s"}},
		{"clodo", "connect-timeout", hint{}},
		{"kudos", "reset", hint{}},
		{"kudos", "closed", hint{}},
		{"kudos", "dns", hint{}},
		{"kudos", "unreachable", hint{}},
		{"kudos", "protocol", hint{}},
		{"kudos", "tls: signed by an unknown authority", hint{"trust its authority:", "hookctl send -p kudos --id e1 --secret-env S --cacert FILE :3000/h"}},
		{"kudos", "tls: certificate expired 2026-01-01", hint{"to go on with this certificate:", "hookctl send -p kudos --id e1 --secret-env S -k :3000/h"}},
		{"kudos", "tls: certificate is not for localhost, but for authority.example", hint{"to go on with this certificate:", "hookctl send -p kudos --id e1 --secret-env S -k :3000/h"}},
		{"kudos", "tls: the other side sent an alert: certificate required", hint{}}, // -k changes nothing
		{"kudos", "tls: the answer is not TLS", hint{"it speaks http, not https:", "hookctl send -p kudos --id e1 --secret-env S http://localhost:3000/h"}},
		{"kudos", "refused", hint{"nothing listens on localhost:3000; start a receiver there:", "hookctl listen --verify --addr localhost:3000"}},
		{"clodo", "301 Location: /h/", hint{"send to where it points:", "hookctl send -p clodo --id e1 --secret-env S http://localhost:3000/h/"}},
		{"kustomer", "301 Location: /h/", hint{"send to where it points:", "hookctl send -p kustomer --id e1 --secret-env S http://localhost:3000/h/"}}, // though it is delivered
	} {
		d := ended(t, world{}, test.profile, ":3000/h", strings.Split(test.outcomes, "|")...)
		if got := d.endHint(d.attempts[len(d.attempts)-1]); got != test.want {
			t.Errorf("%s %s:\n got %q\nwant %q", test.profile, test.outcomes, got, test.want)
		}
	}
}

// A record names the profile.
func TestTheHintToCheckNamesTheProfile(t *testing.T) {
	d := ended(t, world{}, "kudos", ":3000/h", "401")
	d.line = &commandLine{command: "hookctl replay", flags: []flagWords{{"--secret-env", "S"}}, args: []string{"r", ":3000/h"}, fixed: 1}
	want := "hookctl check -p kudos --secret-env S --only raw-bytes,wall http://localhost:3000/h"
	if got := d.endHint(d.attempts[0]).command; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestNoHintIsGivenToAnInterruptedDelivery(t *testing.T) {
	d := ended(t, world{}, "kudos", ":3000/h", "401")
	d.ending.State = send.StateInterrupted
	if got := d.endHint(d.attempts[0]); got != (hint{}) {
		t.Errorf("%q", got)
	}
}

func TestTheReceiverInsideIsNotToBeChecked(t *testing.T) {
	for outcome, want := range map[string]string{"401": "something in front of the handler, or its signature check", "301 Location: /h": ""} {
		d := ended(t, world{}, "kudos", ":3000/h", outcome)
		d.inner = &innerReceiver{}
		if got := d.endHint(d.attempts[0]); got != (hint{text: want}) {
			t.Errorf("%s: %q, want %q", outcome, got, want)
		}
	}
}

func TestARedirectIsFollowedByHandOnly(t *testing.T) {
	const line = "hookctl send -p kudos --id e1 --secret-env S "
	for location, want := range map[string]string{
		"/h/":                        line + "http://localhost:3000/h/",
		"h/":                         line + "http://localhost:3000/h/",
		"?a=1":                       line + "'http://localhost:3000/h?a=1'",
		"//other/x":                  line + "http://other/x",
		"https://localhost:3000/h":   line + "https://localhost:3000/h",
		"http://user:hunter2@other/": line + "'http://user:***@other/'",
		"http://other/it's":          line + `'http://other/it'\''s'`,
		"http://other/$(id)":         line + "'http://other/$(id)'",
		"":                           "",
		"http://[":                   "",
		"ftp://other/":               "",
		"javascript:alert(1)":        "",
		"mailto:a@b":                 "",
		"http://":                    "",
		"http://h/%zz":               "",
	} {
		d := ended(t, world{}, "kudos", ":3000/h", "302 Location: "+location)
		wanted := hint{}
		if want != "" {
			wanted = hint{"send to where it points:", want}
		}
		if got := d.endHint(d.attempts[0]); got != wanted {
			t.Errorf("%s:\n got %q\nwant %q", location, got, wanted)
		}
	}
	d := ended(t, world{}, "kudos", ":3000/h", "302")
	if got := d.endHint(d.attempts[0]); got != (hint{}) {
		t.Errorf("without a Location: %q", got)
	}
}

func TestWhatToStartWhereNothingListens(t *testing.T) {
	const host = " in this container; from inside, the host is host.docker.internal:"
	for _, test := range []struct {
		to        string
		container bool
		want      hint
	}{
		{"http://localhost:4665/", false, hint{"nothing listens on localhost:4665; start a receiver there:", "hookctl listen --verify"}},
		{"http://localhost:4665/", true, hint{"nothing listens on localhost:4665; start a receiver there:", "hookctl listen --verify"}},
		{"http://127.0.0.1:3000/h", false, hint{"nothing listens on 127.0.0.1:3000; start a receiver there:", "hookctl listen --verify --addr localhost:3000"}},
		{"http://[::1]:3000/h", false, hint{"nothing listens on [::1]:3000; start a receiver there:", "hookctl listen --verify --addr localhost:3000"}},
		{"http://localhost/h", false, hint{"nothing listens on localhost:80; start a receiver there:", "hookctl listen --verify --addr localhost:80"}},
		{"https://localhost/h", false, hint{"nothing listens on localhost:443; start a receiver there:", "hookctl listen --verify --addr localhost:443"}},
		{"http://localhost:3000/h", true, hint{"nothing listens on localhost:3000" + host, "hookctl send -p kudos --id e1 --secret-env S http://host.docker.internal:3000/h"}},
		{"http://user:hunter2@127.0.0.1/h", true, hint{"nothing listens on 127.0.0.1:80" + host, "hookctl send -p kudos --id e1 --secret-env S 'http://user:***@host.docker.internal/h'"}},
		{"http://10.0.0.1:3000/h", false, hint{text: "nothing listens on 10.0.0.1:3000"}},
		{"http://app:3000/h", true, hint{text: "nothing listens on app:3000"}},
	} {
		d := ended(t, world{container: test.container}, "kudos", test.to, "refused")
		if got := d.endHint(d.attempts[0]); got != test.want {
			t.Errorf("%s, container %v:\n got %q\nwant %q", test.to, test.container, got, test.want)
		}
	}
}

func TestWhatCountsAsARefusedSignature(t *testing.T) {
	for outcomes, want := range map[string]bool{
		"401": true, "403": true, "400": true, "401|403": true, "200": false, "401|200": false, "503|401": false, "404": false, "419": false, "refused": false, "401|reset": false,
	} {
		d := ended(t, world{}, "kustomer", ":3000/h", strings.Split(outcomes, "|")...)
		if got := d.refused(); got != want {
			t.Errorf("%s: %v, want %v", outcomes, got, want)
		}
	}
	if (&delivery{}).refused() {
		t.Error("no attempt counts as refused")
	}
}

func TestAssumedVerdictsAreCounted(t *testing.T) {
	rule := func(assumed string) send.Attempt {
		return send.Attempt{Verdict: send.Verdict{Rule: &profiles.Rule{Assumed: assumed}}}
	}
	for _, test := range []struct {
		attempts []send.Attempt
		want     string
	}{
		{nil, ""},
		{[]send.Attempt{rule(""), {}}, ""},
		{[]send.Attempt{rule(""), rule("a")}, "1 verdict is assumed: the documentation does not say a"},
		{[]send.Attempt{rule("a"), rule("a")}, "2 verdicts are assumed: the documentation does not say a"},
		{[]send.Attempt{rule("a"), rule("b"), rule("a")}, "3 verdicts are assumed: the documentation does not say a, nor b"},
	} {
		if got := assumedNote(test.attempts); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestHowLongAnInterruptedDeliveryHadToWait(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	attempt := send.Attempt{At: at, Took: 2 * time.Second, Next: &send.Wait{Wait: 60 * time.Second}}
	for name, test := range map[string]struct {
		factor  float64
		state   send.State
		stopped time.Duration // after the attempt
		last    send.Attempt
		want    time.Duration
	}{
		"real":                      {1, send.StateInterrupted, 12 * time.Second, attempt, 50 * time.Second},
		"sixty times faster":        {60, send.StateInterrupted, 2500 * time.Millisecond, attempt, 500 * time.Millisecond},
		"slower":                    {0.5, send.StateInterrupted, 2 * time.Second, attempt, 120 * time.Second},
		"late":                      {1, send.StateInterrupted, 100 * time.Second, attempt, 0},
		"nobody waits":              {0, send.StateInterrupted, 0, attempt, -1},
		"not interrupted":           {1, send.StateFailed, 0, attempt, -1},
		"nothing follows":           {1, send.StateInterrupted, 0, send.Attempt{At: at}, -1},
		"the attempt took its time": {1, send.StateInterrupted, 0, send.Attempt{At: at, Took: 8 * time.Second, Next: &send.Wait{Wait: time.Second}}, 9 * time.Second},
		"longer than can be said":   {0.001, send.StateInterrupted, 0, send.Attempt{At: at, Took: time.Second, Next: &send.Wait{Wait: 1000 * 24 * time.Hour}}, math.MaxInt64},
	} {
		d := &delivery{sending: &sending{o: &sendOptions{speed: newSpeed()}}, attempts: []send.Attempt{{}, test.last}, stopped: at.Add(test.stopped)}
		d.o.speed.value.factor = test.factor
		d.ending.State = test.state
		if got := d.remaining(); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
	d := &delivery{sending: &sending{o: &sendOptions{speed: newSpeed()}}, ending: send.Ending{State: send.StateInterrupted}}
	d.o.speed.value.factor = 1
	if got := d.remaining(); got != -1 {
		t.Errorf("without an attempt: %v", got)
	}
}

func TestAPortIsThatOfTheSchemeWhereNoneIsNamed(t *testing.T) {
	for in, want := range map[string]string{
		"http://h/": "h:80", "https://h/": "h:443", "http://h:3000/": "h:3000", "https://[::1]:1/": "[::1]:1", "http://[::1]/": "[::1]:80",
	} {
		u, err := url.Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := hostPort(u); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestARuleThatNamesTheOutcomeHintsFirstOneOfAClassLast(t *testing.T) {
	for _, test := range []struct{ outcome, item, hint, want string }{
		{"404", "404", "own", "own"},
		{"404", "4xx", "own", "no route for POST /h; compare the path with your router's, and its final slash"},
		{"404", "400-404", "own", "no route for POST /h; compare the path with your router's, and its final slash"},
		{"404", "404", "", "no route for POST /h; compare the path with your router's, and its final slash"},
		{"422", "any", "own", "own"},
		{"read-timeout", "read-timeout", "own", "own"},
		{"read-timeout", "timeout", "own", "answer first, work later: Kudos CRM gives up on an answer after 8 s"},
		{"reset", "connection", "own", "own"},
		{"429", "429", "own", "own"},
		{"301", "301", "own", "own"},
	} {
		d := ended(t, world{}, "kudos", ":3000/h", test.outcome)
		d.attempts[0].Verdict = send.Verdict{Then: profiles.Failed, Item: test.item, Rule: &profiles.Rule{Hint: test.hint}}
		if got := d.endHint(d.attempts[0]); got != (hint{text: test.want}) {
			t.Errorf("%s by %s: %q, want %q", test.outcome, test.item, got, test.want)
		}
	}
	d := ended(t, world{}, "kudos", ":3000/h", "200") // delivered: no hint, whatever the rule has
	d.attempts[0].Verdict.Rule = &profiles.Rule{Hint: "own"}
	if got := d.endHint(d.attempts[0]); got != (hint{}) {
		t.Errorf("delivered: %q", got)
	}
}
