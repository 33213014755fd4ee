package send

import (
	"slices"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// Whatever the step: what Repeat says of a first attempt, and of those after it,
// is what Plan says.
func TestARepeatedOutcomeIsJudgedAsPlanJudgesIt(t *testing.T) {
	ceiling := *builtin(t, "kustomer")
	ceiling.Name, ceiling.Retry.Ceiling, ceiling.Retry.FromStart = "ceiling", 20*time.Minute, true
	all := []*profiles.Profile{builtin(t, "kudos"), builtin(t, "clodo"), builtin(t, "kustomer"), &ceiling}
	for _, text := range []string{
		"refused", "timeout", "connect-timeout", "dns", "tls", "200", "302", "404", "410", "503", "503:delay=3s", "503:retry-after=5", "429",
		"429:retry-after=60", "429:retry-after=+90", "429:retry-after=9999999", "429:retry-after=soon", `429:retry-after="Thu, 01 Jan 2026 00:20:00 GMT"`,
	} {
		script, err := ParseScript(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range all {
			jitter := Seeded(p, 7, 3)
			attempts, ending := Plan(p, script, jitter)
			r := Repeat(p, script.Steps[0], time.Time{})
			if got, want := r.Attempt.Notes, attempts[0].Notes; len(attempts) > 1 && !slices.Equal(got, want) {
				t.Errorf("%s, %s: notes %q, want %q", p.Name, text, got, want)
			}
			for i, a := range attempts {
				n := i + 1
				wait, cause := r.Next(n, 0, a.Due, jitter(n))
				var want time.Duration
				if a.Next != nil {
					want = a.Next.Wait
				}
				wantCause := Cause("")
				if n == len(attempts) {
					wantCause = ending.Cause
				}
				if wait != want || cause != wantCause || r.Attempt.Took != a.Took || r.Attempt.Verdict.Then != a.Verdict.Then {
					t.Errorf("%s, %s: after attempt %d %s, %q, want %s, %q", p.Name, text, n, wait, cause, want, wantCause)
				}
				if again, cause := r.Next(n, 0, a.Due, 0.99); cause == "" && r.Drawn(n) != (again != wait) {
					t.Errorf("%s, %s: attempt %d is drawn: %v, but waits are %s and %s", p.Name, text, n, r.Drawn(n), wait, again)
				}
			}
		}
	}
}

func TestDrawsAllocateNothing(t *testing.T) {
	d := NewDraws(builtin(t, "kudos"), 7)
	if n := testing.AllocsPerRun(100, func() { d.At(3, 2) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
