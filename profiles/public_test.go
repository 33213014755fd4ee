package profiles

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// public are the built-in profiles of providers whose documentation is public,
// in the order of the tables here.
var public = []string{"standard-webhooks", "svix", "stripe", "github", "slack", "shopify"}

func TestEveryOutcomeOfPublicProvidersHasItsRule(t *testing.T) {
	const (
		any   = "any -> retry"
		redir = "3xx -> retry"
		never = "any -> failed"
		gone  = "410 -> failed, disable-webhook"
	)
	tests := []struct {
		outcomes string
		want     [6]string
	}{
		{"200 201 202 204 299", [6]string{"2xx -> delivered", "2xx -> delivered", "2xx -> delivered", "2xx -> delivered", "2xx -> delivered", "2xx -> delivered"}},
		{"301 302 304 307 308", [6]string{redir, redir, redir, "3xx -> failed, assumed", redir, redir}},
		{"410", [6]string{gone, any, any, never, any, any}},
		{"429", [6]string{"429 -> retry", any, any, never, any, any}},
		{"502", [6]string{"502 -> retry", any, any, never, any, any}},
		{"504", [6]string{"504 -> retry", any, any, never, any, any}},
		{"101 400 401 403 404 405 408 413 500 503 599 600 999", [6]string{any, any, any, never, any, any}},
		{"dns refused reset closed tls unreachable protocol connect-timeout read-timeout", [6]string{any, any, any, never, any, any}},
	}
	for _, tt := range tests {
		for _, text := range strings.Fields(tt.outcomes) {
			o := Outcome{Failure: Failure(text)}
			if status, err := strconv.Atoi(text); err == nil {
				o = Outcome{Status: status}
			}
			for i, name := range public {
				if got := judge(builtin(t, name), o); got != tt.want[i] {
					t.Errorf("%s: %s: got %q, want %q", name, text, got, tt.want[i])
				}
			}
		}
	}
}

func TestSchedulesOfPublicProviders(t *testing.T) {
	const s, m, h = time.Second, time.Minute, time.Hour
	tests := map[string]struct {
		retry  Retry
		limits Limits
		total  time.Duration // of the waits
	}{
		"standard-webhooks": {Retry{
			Waits: []time.Duration{5 * s, 5 * m, 30 * m, 2 * h, 5 * h, 10 * h, 14 * h, 20 * h, 24 * h}, Jitter: 0.1,
			RetryAfter: &RetryAfter{On: []int{429, 502, 503, 504}, AtMost: 24 * h},
			Exhausted:  Exhausted{Effects: []Effect{DisableWebhook, NotifyOwner}, Assumed: "how long it must fail"},
		}, Limits{Total: 15 * s}, 75*h + 35*m + 5*s},
		"svix": {Retry{
			Waits: []time.Duration{5 * s, 5 * m, 30 * m, 2 * h, 5 * h, 10 * h, 10 * h}, Jitter: 0.2,
			Exhausted: Exhausted{Effects: []Effect{NotifyAdmins}},
		}, Limits{Total: 15 * s}, 27*h + 35*m + 5*s},
		"stripe": {Retry{
			Waits: []time.Duration{30 * m, h, 2 * h, 4 * h, 8 * h, 16 * h, 32 * h}, Ceiling: 72 * h, Shape: true,
		}, Limits{Total: 10 * s}, 63*h + 30*m},
		"github": {Retry{}, Limits{Total: 10 * s}, 0},
		"slack":  {Retry{Waits: []time.Duration{0, m, 5 * m}}, Limits{Total: 3 * s}, 6 * m},
		"shopify": {Retry{
			Waits: []time.Duration{m, 2 * m, 4 * m, 8 * m, 15 * m, 30 * m, h, 2 * h}, Shape: true,
			Exhausted: Exhausted{Effects: []Effect{DeleteSubscription}},
		}, Limits{Connect: s, Read: 4 * s}, 4 * h},
	}
	for _, name := range public {
		want, p := tests[name], builtin(t, name)
		if !reflect.DeepEqual(p.Retry, want.retry) {
			t.Errorf("%s: got %+v, want %+v", name, p.Retry, want.retry)
		}
		if p.Delivery.Limits != want.limits {
			t.Errorf("%s: limits %+v, want %+v", name, p.Delivery.Limits, want.limits)
		}
		total := time.Duration(0)
		for _, wait := range p.Retry.Waits {
			total += wait
		}
		if total != want.total {
			t.Errorf("%s: the waits are %v, want %v", name, total, want.total)
		}
	}
}

func TestSchemesOfPublicProviders(t *testing.T) {
	five := &Tolerance{Past: 5 * time.Minute, Future: 5 * time.Minute}
	tests := map[string]struct {
		content, header string
		signature       Signature
		secret          Secret // but for where it is found
	}{
		"standard-webhooks": {"{id}.{timestamp}.{body}", "webhook-signature: v1,{signature}",
			Signature{Algorithm: HMACSHA256, Encoding: Base64, Separator: " ", Tolerance: five}, Secret{Encoding: Base64, Strip: "whsec_", Active: 2}},
		"svix": {"{id}.{timestamp}.{body}", "svix-signature: v1,{signature}",
			Signature{Algorithm: HMACSHA256, Encoding: Base64, Separator: " ", Tolerance: five}, Secret{Encoding: Base64, Strip: "whsec_", Active: 2}},
		"stripe": {"{timestamp}.{body}", "Stripe-Signature: t={timestamp},v1={signature}",
			Signature{Algorithm: HMACSHA256, Encoding: Hex, Separator: ",", Tolerance: five}, Secret{Encoding: Raw, Active: 2}},
		"github": {"{body}", "X-Hub-Signature-256: sha256={signature}",
			Signature{Algorithm: HMACSHA256, Encoding: Hex, Separator: ","}, Secret{Encoding: Raw, Active: 1}},
		"slack": {"v0:{timestamp}:{body}", "X-Slack-Signature: v0={signature}",
			Signature{Algorithm: HMACSHA256, Encoding: Hex, Separator: ",", Tolerance: five}, Secret{Encoding: Raw, Active: 1}},
		"shopify": {"{body}", "X-Shopify-Hmac-Sha256: {signature}",
			Signature{Algorithm: HMACSHA256, Encoding: Base64, Separator: ","}, Secret{Encoding: Raw, Active: 1}},
	}
	for _, name := range public {
		want, p := tests[name], builtin(t, name)
		if got := p.Signature.Content.String(); got != want.content {
			t.Errorf("%s: content %q, want %q", name, got, want.content)
		}
		want.signature.Content, want.secret.Where = p.Signature.Content, p.Secret.Where
		if !reflect.DeepEqual(p.Signature, want.signature) || p.Secret != want.secret {
			t.Errorf("%s: got %+v, %+v, want %+v, %+v", name, p.Signature, p.Secret, want.signature, want.secret)
		}
		header := ""
		for _, h := range p.Headers {
			if h.Value.Has("signature") {
				header = h.Name + ": " + h.Value.String()
			}
		}
		if header != want.header {
			t.Errorf("%s: got %q, want %q", name, header, want.header)
		}
	}
}

func TestAssumptionsOfPublicProvidersAreMarked(t *testing.T) {
	tests := map[string][]string{
		"standard-webhooks": {"signature.tolerance", "delivery.timeout", "retry.waits", "retry.from", "retry.jitter", "retry.retry_after", "exhausted: how long it must fail"},
		"svix":              {"signature.tolerance", "event.type", "retry.jitter"},
		"stripe":            {"signature.tolerance.future", "delivery.timeout", "retry.from"},
		"github":            {"secret.active", "rule: whether a redirect is followed"},
		"slack":             {"secret.active", "retry.from"},
		"shopify":           {"secret.active", "headers.X-Shopify-Webhook-Id", "retry.from"},
	}
	for _, name := range public {
		p := builtin(t, name)
		if got := assumptions(p); !slices.Equal(got, tests[name]) {
			t.Errorf("%s: got %q, want %q", name, got, tests[name])
		}
		if len(p.NotEmulated) == 0 || len(p.Samples) < 2 {
			t.Errorf("%s: %d points are not emulated, %d samples", name, len(p.NotEmulated), len(p.Samples))
		}
		for _, doc := range p.Docs {
			if !strings.HasPrefix(doc.URL, "https://") {
				t.Errorf("%s: the page %q has the address %q", name, doc.Says, doc.URL)
			}
		}
	}
}

// An assumption names a key that the file has.
func TestAssumptionsNameAKey(t *testing.T) {
	for _, e := range all(t) {
		s, root := load("profile", e.Source())
		for _, note := range e.Profile.Assumed {
			n := root
			for path := note.Field; path != "" && n != nil; {
				name, rest, _ := strings.Cut(path, ".")
				n, path = get(n, name), rest
			}
			if n == nil {
				t.Errorf("%s: no key %s", e.Profile.Name, note.Field)
			}
		}
		if err := s.result(); err != nil {
			t.Error(err)
		}
	}
}
