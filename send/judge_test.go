package send

import (
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// builtin is a copy of a built-in profile, to be changed at will.
func builtin(t testing.TB, name string) *profiles.Profile {
	t.Helper()
	e, err := profiles.Builtin().Get(name)
	if err != nil {
		t.Fatal(err)
	}
	p := *e.Profile
	return &p
}

// judged is what a profile makes of an outcome, in a few words: the verdict,
// then the effects of an ending at once, "assumed", "warn".
func judged(p *profiles.Profile, o profiles.Outcome) string {
	v := Judge(p, o)
	words := []string{string(v.Then)}
	for _, e := range v.Rule.Effects {
		words = append(words, string(e))
	}
	if v.Rule.Assumed != "" {
		words = append(words, "assumed")
	}
	if v.Rule.Warn != "" {
		words = append(words, "warn")
	}
	return strings.Join(words, " ")
}

func TestEachProviderJudgesByItsOwnRules(t *testing.T) {
	const (
		ok       = "delivered"
		warn     = "delivered warn"
		retry    = "retry"
		retryQ   = "retry assumed"
		failed   = "failed"
		failedQ  = "failed assumed"
		notified = "failed notify-owner"
		paused   = "failed pause-subscription"
	)
	tests := []struct {
		outcomes               string
		kudos, clodo, kustomer string
	}{
		{"200 201 202 204 206 226 299", ok, ok, ok},
		{"300 301 302 303 304 305 307 308 399", notified, failedQ, warn},
		{"400 401 402 403 404 405 406 409 413 418 419 422 425 451 499", notified, failed, retry},
		{"408 429", retry, failed, retry},
		{"410", paused, failed, retry},
		{"500 501 502 503 504 505 507 521 599", retry, retry, retry},
		{"connect-timeout read-timeout", retry, retry, retry},
		{"refused reset closed unreachable protocol", retry, retry, retry},
		{"dns", retryQ, retry, failed},
		{"tls", retryQ, failed, retryQ},
		{"101", notified, failedQ, warn},
		{"600 601 999", notified, failedQ, retry},
	}
	names := []string{"kudos", "clodo", "kustomer"}
	for _, tt := range tests {
		for i, want := range []string{tt.kudos, tt.clodo, tt.kustomer} {
			p := builtin(t, names[i])
			for _, word := range strings.Fields(tt.outcomes) {
				if got := judged(p, outcome(t, word)); got != want {
					t.Errorf("%s makes %q of %s, want %q", names[i], got, word, want)
				}
			}
		}
	}
}

// outcome reads a status or a failure.
func outcome(t testing.TB, word string) profiles.Outcome {
	t.Helper()
	if !digits(word) {
		return profiles.Outcome{Failure: profiles.Failure(word)}
	}
	n := 0
	for _, c := range word {
		n = 10*n + int(c-'0')
	}
	return profiles.Outcome{Status: n}
}

func TestARefusalBeforeARequestIsFinalWhereTheProfileTurnsItOn(t *testing.T) {
	p := builtin(t, "clodo")
	for _, f := range []profiles.Failure{profiles.NoSecret, profiles.BlockedAddress} {
		if got := judged(p, profiles.Outcome{Failure: f}); got != "failed" {
			t.Errorf("%s: %q, want failed", f, got)
		}
	}
}

func TestTheFirstMatchingRuleDecides(t *testing.T) {
	p := &profiles.Profile{Delivery: profiles.Delivery{Rules: []profiles.Rule{
		{On: []profiles.Item{{Text: "404", Low: 404, Up: 404}, {Text: "4xx", Low: 400, Up: 499}}, Then: profiles.Retried, Because: "{answer} and {answer}"},
		{On: []profiles.Item{{Text: "400-599", Low: 400, Up: 599}}, Then: profiles.Failed},
	}}}
	rules := p.Delivery.Rules
	tests := []struct {
		outcome profiles.Outcome
		want    Verdict
	}{
		{profiles.Outcome{Status: 404}, Verdict{Then: profiles.Retried, Item: "404", Rule: &rules[0], Reason: "404 and 404"}},
		{profiles.Outcome{Status: 410}, Verdict{Then: profiles.Retried, Item: "4xx", Rule: &rules[0], Reason: "410 and 410"}},
		{profiles.Outcome{Status: 500}, Verdict{Then: profiles.Failed, Item: "400-599", Rule: &rules[1]}},
		{profiles.Outcome{Status: 200}, Verdict{Then: profiles.Failed}},
		{profiles.Outcome{Failure: profiles.DNS}, Verdict{Then: profiles.Failed}},
	}
	for _, tt := range tests {
		if got := Judge(p, tt.outcome); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.outcome, got, tt.want)
		}
	}
}

func TestTheReasonSaysWhatFollows(t *testing.T) {
	p := builtin(t, "kudos")
	answer := func(status int, h ...sign.Header) Attempt {
		return Attempt{Response: &Response{Status: status, Header: h}}
	}
	after := sign.Header{Name: "retry-after", Value: "7"}
	used := make([]Attempt, 5)
	tests := []struct {
		name     string
		attempts []Attempt
		want     string
	}{
		{"the rule", []Attempt{answer(503)}, "503 may answer differently later"},
		{"a failure", []Attempt{{Failure: &Failure{Kind: profiles.Refused}}}, "refused may answer differently later"},
		{"Retry-After", []Attempt{answer(429, after)}, "Retry-After on 429 is obeyed"},
		{"no Retry-After", []Attempt{answer(429)}, "429 may answer differently later"},
		{"Retry-After elsewhere", []Attempt{answer(503, after)}, "503 may answer differently later"},
		{"the end", append(used, answer(503)), "the schedule is used up"},
		{"a verdict at the end", append(used, answer(404)), "404 is your verdict on this payload"},
		{"delivered", []Attempt{answer(200)}, ""},
	}
	for _, tt := range tests {
		settle(p, tt.attempts, NoJitter, time.Unix(0, 0))
		if got := tt.attempts[len(tt.attempts)-1].Verdict.Reason; got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestAnInterruptedAttemptIsNotJudged(t *testing.T) {
	p := builtin(t, "kudos")
	attempts := []Attempt{{Failure: &Failure{Kind: profiles.Interrupted}, Verdict: Verdict{Then: profiles.Failed}}}
	if got := settle(p, attempts, NoJitter, time.Unix(0, 0)); got != ByInterrupted {
		t.Errorf("cause %q, want %q", got, ByInterrupted)
	}
	if got := attempts[0].Verdict; got != (Verdict{}) {
		t.Errorf("verdict %+v, want none", got)
	}
}
