package profiles

import (
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// builtins are the names of the built-in profiles.
var builtins = []string{"clodo", "github", "kudos", "kustomer", "shopify", "slack", "standard-webhooks", "stripe", "svix"}

// builtin is a built-in profile.
func builtin(t *testing.T, name string) *Profile {
	t.Helper()
	e, err := Builtin().Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return e.Profile
}

// all is every built-in profile.
func all(t *testing.T) []Entry {
	t.Helper()
	entries, err := Builtin().All()
	if err != nil || len(entries) == 0 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	return entries
}

// judge is the item and the verdict of the first rule that matches.
func judge(p *Profile, o Outcome) string {
	for _, r := range p.Delivery.Rules {
		for _, i := range r.On {
			if i.Matches(o) {
				text := i.Text + " -> " + string(r.Then)
				if r.Assumed != "" {
					text += ", assumed"
				}
				if r.Warn != "" {
					text += ", warned"
				}
				for _, e := range r.Effects {
					text += ", " + string(e)
				}
				return text
			}
		}
	}
	return "no rule"
}

func TestBuiltinProfilesAreThese(t *testing.T) {
	got, err := Builtin().Names()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, builtins) {
		t.Errorf("got %v, want %v", got, builtins)
	}
	all, err := Builtin().All()
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range all {
		if e.Profile.Name != got[i] || e.From != "built in" || e.Replaces || len(e.Source()) == 0 {
			t.Errorf("entry %d is %q from %q, replaces %v, %d bytes", i, e.Profile.Name, e.From, e.Replaces, len(e.Source()))
		}
	}
}

func TestEveryOutcomeHasItsRule(t *testing.T) {
	const (
		owner   = "any -> failed, notify-owner"
		pause   = "410 -> failed, pause-subscription"
		silent  = "any -> failed, assumed"
		redir   = "3xx -> delivered, warned"
		k3xx    = "3xx -> failed, notify-owner"
		any     = "any -> retry"
		conn    = "connection -> retry"
		timeout = "timeout -> retry"
	)
	tests := []struct{ outcomes, kudos, clodo, kustomer string }{
		{"200 201 204 299", "2xx -> delivered", "2xx -> delivered", "2xx -> delivered"},
		{"101", owner, silent, "101 -> delivered, warned"},
		{"300 301 302 304 307 308 399", k3xx, silent, redir},
		{"400 401 403 404 405 413 419 422 451 499", owner, "4xx -> failed", "4xx -> retry"},
		{"408", "408 -> retry", "4xx -> failed", "4xx -> retry"},
		{"410", pause, "4xx -> failed", "4xx -> retry"},
		{"429", "429 -> retry", "4xx -> failed", "4xx -> retry"},
		{"500 502 503 504 599", "5xx -> retry", "5xx -> retry", "5xx -> retry"},
		{"600 700 999", owner, silent, any},
		{"dns", "dns -> retry, assumed", conn, "dns -> failed"},
		{"tls", "tls -> retry, assumed", "tls -> failed", "tls -> retry, assumed"},
		{"refused reset closed unreachable protocol", conn, conn, conn},
		{"connect-timeout read-timeout", timeout, timeout, timeout},
		{"no-secret", owner, "no-secret -> failed", any},
		{"blocked-address", owner, "blocked-address -> failed", any},
	}
	profiles := []*Profile{builtin(t, "kudos"), builtin(t, "clodo"), builtin(t, "kustomer")}
	for _, tt := range tests {
		for _, text := range strings.Fields(tt.outcomes) {
			o := Outcome{Failure: Failure(text)}
			if status, err := strconv.Atoi(text); err == nil {
				o = Outcome{Status: status}
			}
			for i, want := range []string{tt.kudos, tt.clodo, tt.kustomer} {
				if got := judge(profiles[i], o); got != want {
					t.Errorf("%s: %s: got %q, want %q", profiles[i].Name, text, got, want)
				}
			}
		}
	}
}

func TestScheduleOfEachProvider(t *testing.T) {
	const s, m, h = time.Second, time.Minute, time.Hour
	tests := []struct {
		name   string
		retry  Retry
		limits Limits
	}{
		{"kudos", Retry{
			Waits: []time.Duration{30 * s, 2 * m, 10 * m, 30 * m, h}, Jitter: 0.25,
			RetryAfter: &RetryAfter{On: []int{429}, AtMost: h}, Exhausted: Exhausted{Effects: []Effect{NotifyOwner}},
		}, Limits{Total: 8 * s}},
		{"clodo", Retry{Waits: []time.Duration{5 * s, 5 * m}, Ceiling: h}, Limits{Connect: 5 * s, Read: 20 * s}},
		{"kustomer", Retry{
			Waits: []time.Duration{m, m, 2 * m, 5 * m, 10 * m, 15 * m, 30 * m}, Jitter: 0.1,
			Exhausted: Exhausted{Effects: []Effect{DisableWebhook, NotifyAdmins}, Assumed: "how long it must fail"},
		}, Limits{Total: 30 * s}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := builtin(t, tt.name)
			if !reflect.DeepEqual(p.Retry, tt.retry) {
				t.Errorf("got %+v, want %+v", p.Retry, tt.retry)
			}
			if p.Delivery.Limits != tt.limits || p.Delivery.MaxBody != 1<<20 {
				t.Errorf("limits %+v, largest body %d", p.Delivery.Limits, p.Delivery.MaxBody)
			}
		})
	}
}

func TestSchemeOfEachProvider(t *testing.T) {
	five := &Tolerance{Past: 5 * time.Minute, Future: 5 * time.Minute}
	tests := []struct {
		name, content, header string
		signature             Signature
		secret                Secret
	}{
		{"kudos", "{timestamp}.{body}", "X-Kudos-Signature: t={timestamp},v1={signature}",
			Signature{Algorithm: HMACSHA256, Encoding: Hex, Separator: ",", Tolerance: five},
			Secret{Encoding: Raw, Active: 2, Where: "in the CRM console"}},
		{"clodo", "{timestamp}.{body}", "Clodo-Signature: t={timestamp},v1={signature}",
			Signature{Algorithm: HMACSHA256, Encoding: Hex, Separator: ",", Tolerance: five},
			Secret{Encoding: Raw, Active: 2, NoneFail: true}},
		{"kustomer", "{body}", "X-Kustomer-Webhook-Signature: {signature}",
			Signature{Algorithm: HMACSHA256, Encoding: Hex, Separator: ","},
			Secret{Encoding: Raw, Active: 1, Where: "in Settings, Platform, Outbound webhooks, Edit, Header information"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := builtin(t, tt.name)
			if got := p.Signature.Content.String(); got != tt.content {
				t.Errorf("content %q, want %q", got, tt.content)
			}
			tt.signature.Content = p.Signature.Content
			if !reflect.DeepEqual(p.Signature, tt.signature) {
				t.Errorf("got %+v, want %+v", p.Signature, tt.signature)
			}
			if p.Secret != tt.secret {
				t.Errorf("got %+v, want %+v", p.Secret, tt.secret)
			}
			last := p.Headers[len(p.Headers)-1]
			if got := last.Name + ": " + last.Value.String(); got != tt.header {
				t.Errorf("got %q, want %q", got, tt.header)
			}
			if first := p.Headers[0]; first.Name != "Content-Type" || first.Value.String() != "application/json" {
				t.Errorf("the first header is %s: %s", first.Name, first.Value)
			}
		})
	}
}

func TestAssumptionsOfEachProviderAreMarked(t *testing.T) {
	tests := map[string][]string{
		"kudos":    {"signature.content", "signature.tolerance", "secret.encoding", "headers.X-Kudos-Signature", "retry.from", "rule: whether names and certificates count as connection errors"},
		"clodo":    {"signature.content", "secret.active", "signature.tolerance.future", "events", "rule: what a redirect does"},
		"kustomer": {"retry.from", "rule: whether a bad certificate counts as a connection error", "exhausted: how long it must fail"},
	}
	for name, want := range tests {
		if got := assumptions(builtin(t, name)); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// assumptions are the fields that rest on one, then the texts in the rules.
func assumptions(p *Profile) []string {
	var all []string
	for _, note := range p.Assumed {
		all = append(all, note.Field)
	}
	for _, r := range p.Delivery.Rules {
		if r.Assumed != "" {
			all = append(all, "rule: "+r.Assumed)
		}
	}
	if a := p.Retry.Exhausted.Assumed; a != "" {
		all = append(all, "exhausted: "+a)
	}
	return all
}

func TestTextsOfTheProfiles(t *testing.T) {
	kudos, clodo, kustomer := builtin(t, "kudos"), builtin(t, "clodo"), builtin(t, "kustomer")
	tests := []struct{ name, got, want string }{
		{"kudos say", kudos.Say[PauseSubscription], "re-arm the subscription in Settings when you are ready"},
		{"kudos reconcile", kudos.Reconcile, "the CRM's delivery log can send any delivery again"},
		{"kudos 410 hint", kudos.Delivery.Rules[1].Hint, "410 is how a receiver deregisters itself; to refuse one event only, answer another 4xx"},
		{"kudos any because", kudos.Delivery.Rules[5].Because, "{answer} is your verdict on this payload"},
		{"kudos new id", kudos.Event.NewID.String(), "evt_{hex:16}"},
		{"kudos dedupe", kudos.Promises.Dedupe, "id"},
		{"kudos order", kudos.Promises.Order, "type"},
		{"clodo reconcile", clodo.Reconcile, "fetch the result: GET /v1/<endpoint>/{job_id}/ (Async Polling)"},
		{"clodo docs", clodo.Docs[0].Says + clodo.Docs[0].URL, "Webhook Retry Policy"},
		{"clodo new id", clodo.Event.NewID.String(), "wh_{hex:16}"},
		{"kustomer say", kustomer.Say[DisableWebhook], "events are not queued while the webhook is off; switch it on again in Settings, Platform, Outbound webhooks"},
		{"kustomer reconcile", kustomer.Reconcile, "fetch what changed by a search with an updated_at window that starts before the outage"},
		{"kustomer 3xx because", kustomer.Delivery.Rules[2].Because, "a redirect counts as delivered"},
		{"kustomer 3xx warn", kustomer.Delivery.Rules[2].Warn, "Kustomer counts a redirect as delivered and does not follow it"},
		{"kustomer 4xx because", kustomer.Delivery.Rules[4].Because, "{answer} may answer differently later"},
		{"kustomer 4xx hint", kustomer.Delivery.Rules[4].Hint, "a 4xx is retried; to drop an event, acknowledge it with a 2xx"},
		{"kustomer 5xx because", kustomer.Delivery.Rules[5].Because, "{answer} may answer differently later"},
		{"kustomer new id", kustomer.Event.NewID.String(), "{hex:24}"},
		{"kustomer object", kustomer.Event.Object, "data.id"},
		{"kustomer updated", kustomer.Event.Updated, "data.attributes.updatedAt"},
		{"kustomer order", kustomer.Promises.Order, ""},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, tt.got, tt.want)
		}
	}
	if !kustomer.Delivery.HTTPSOnly || kustomer.Delivery.RefusePrivate || clodo.Delivery.HTTPSOnly || !clodo.Delivery.RefusePrivate || kudos.Delivery.HTTPSOnly || kudos.Delivery.RefusePrivate {
		t.Error("the rules about addresses are other ones")
	}
	if want := (Replay{"subscription.replay_started", "subscription.replay_completed"}); kudos.Replay == nil || *kudos.Replay != want || clodo.Replay != nil || kustomer.Replay != nil {
		t.Error("the replay events are other ones")
	}
}

func TestKudosMeansWhatTheExampleMeans(t *testing.T) {
	data, err := os.ReadFile("testdata/kudos-example.yaml")
	if err != nil {
		t.Fatal(err)
	}
	want, err := Parse("kudos.yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	if got := builtin(t, "kudos"); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}
