package send

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

func TestAnEndingFollowsFromTheLastAttempt(t *testing.T) {
	quiet := &profiles.Rule{Then: profiles.Failed}
	sure := &profiles.Rule{Then: profiles.Failed, Effects: []profiles.Effect{profiles.NotifyOwner}}
	unsure := &profiles.Rule{Then: profiles.Failed, Effects: sure.Effects, Assumed: "what a redirect does"}
	retry := &profiles.Rule{Then: profiles.Retried, Assumed: "whether names count"}
	p := &profiles.Profile{
		Retry: profiles.Retry{
			Ceiling:   time.Hour,
			Exhausted: profiles.Exhausted{Effects: []profiles.Effect{profiles.DisableWebhook, profiles.NotifyAdmins}, Assumed: "how long"},
		},
		Assumed: []profiles.Note{{Field: "retry.from", Note: "from where a wait counts"}},
	}
	const (
		from  = "assumed: retry.from: the documentation does not say from where a wait counts"
		names = "assumed: whether names count"
	)
	attempts := func(rules ...*profiles.Rule) []Attempt {
		var list []Attempt
		for i, r := range rules {
			list = append(list, Attempt{Due: time.Duration(i) * time.Minute, Took: time.Second, Verdict: Verdict{Then: r.Then, Rule: r}})
		}
		return list
	}
	tests := []struct {
		name     string
		attempts []Attempt
		cause    Cause
		want     Ending
	}{
		{"delivered", attempts(&profiles.Rule{Then: profiles.Delivered}), ByRule,
			Ending{State: StateDelivered, Cause: ByRule, Elapsed: time.Second, Notes: []string{from}}},
		{"failed without effects", attempts(quiet), ByRule,
			Ending{State: StateFailed, Cause: ByRule, Elapsed: time.Second, Notes: []string{from}}},
		{"failed", attempts(retry, retry, sure), ByRule,
			Ending{State: StateFailed, Cause: ByRule, Effects: sure.Effects, Elapsed: 121 * time.Second, Notes: []string{names, from}}},
		{"failed by an assumption", attempts(unsure), ByRule,
			Ending{State: StateFailed, Cause: ByRule, Effects: sure.Effects, Assumed: "what a redirect does", Elapsed: time.Second,
				Notes: []string{"assumed: what a redirect does", from}}},
		{"exhausted", attempts(retry, retry), ByExhausted,
			Ending{State: StateFailed, Cause: ByExhausted, Effects: p.Retry.Exhausted.Effects, Assumed: "how long", Elapsed: 61 * time.Second,
				Notes: []string{names, "assumed: how long", from}}},
		{"ceiling", attempts(retry), ByCeiling,
			Ending{State: StateFailed, Cause: ByCeiling, Elapsed: time.Hour, Notes: []string{names, from}}},
		{"stopped", attempts(retry), ByStopped,
			Ending{State: StateFailed, Cause: ByStopped, Assumed: stopAssumption, Elapsed: time.Second,
				Notes: []string{names, "assumed: " + stopAssumption, from}}},
		{"interrupted", attempts(retry), ByInterrupted,
			Ending{State: StateInterrupted, Cause: ByInterrupted, Elapsed: time.Second, Notes: []string{names, from}}},
		{"interrupted at once", nil, ByInterrupted,
			Ending{State: StateInterrupted, Cause: ByInterrupted, Notes: []string{from}}},
	}
	for _, tt := range tests {
		if got := End(p, tt.attempts, tt.cause); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v\nwant %+v", tt.name, got, tt.want)
		}
	}
}

func TestAnUnpublishedScheduleIsSaid(t *testing.T) {
	p := &profiles.Profile{Retry: profiles.Retry{Shape: true}}
	want := []string{"only the shape of the schedule is published"}
	if got := End(p, nil, ByInterrupted).Notes; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAnAssumedRetryIsNotedOnItsAttempt(t *testing.T) {
	tests := []struct {
		profile, script string
		want            []string
	}{
		{"kudos", "tls,200", []string{"assumed: whether names and certificates count as connection errors"}},
		{"kustomer", "tls,200", []string{"assumed: whether a bad certificate counts as a connection error"}},
		{"clodo", "301", nil},
		{"clodo", "dns,200", nil},
	}
	for _, tt := range tests {
		attempts, e := Plan(builtin(t, tt.profile), script(t, tt.script), NoJitter)
		if !slices.Equal(attempts[0].Notes, tt.want) {
			t.Errorf("%s %s: %q, want %q", tt.profile, tt.script, attempts[0].Notes, tt.want)
		}
		for _, note := range tt.want {
			if !slices.Contains(e.Notes, note) {
				t.Errorf("%s %s: %q is not among the notes of the ending", tt.profile, tt.script, note)
			}
		}
	}
}

func TestTheAftermathIsTheProfilesOwnWords(t *testing.T) {
	const kudos = "the CRM's delivery log can send any delivery again"
	tests := []struct{ profile, script, want string }{
		{"kudos", "410", "re-arm the subscription in Settings when you are ready; " + kudos},
		{"kudos", "404", kudos},
		{"kudos", "200", ""},
		{"clodo", "404", "fetch the result: GET /v1/<endpoint>/{job_id}/ (Async Polling)"},
		{"kustomer", "401", "events are not queued while the webhook is off; switch it on again in Settings, Platform, Outbound webhooks; " +
			"fetch what changed by a search with an updated_at window that starts before the outage"},
	}
	for _, tt := range tests {
		p := builtin(t, tt.profile)
		_, e := Plan(p, script(t, tt.script), NoJitter)
		if got := Aftermath(p, e); got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.profile, tt.script, got, tt.want)
		}
	}
}
