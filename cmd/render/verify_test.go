package render

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

func report(p *profiles.Profile, secrets int, r sign.Result) VerifyReport {
	r.Event = sign.Event{ID: kudosID, Type: "payment.succeeded"}
	return VerifyReport{Profile: p, Secrets: secrets, Result: r}
}

func drawVerify(t *testing.T, s Style, v VerifyReport) string {
	t.Helper()
	var b bytes.Buffer
	if err := Verify(&b, s, v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestVerdictsLookLikeTheirPictures(t *testing.T) {
	kudos := builtin(t, "kudos")
	at := time.Unix(signingTime, 0)
	for _, test := range []struct {
		name  string
		width int
		v     VerifyReport
	}{
		{"verify-verified-80", 80, report(kudos, 2, sign.Result{Verified: true, Secret: 2, Time: at, Age: 4 * time.Second})},
		{"verify-stale-80", 80, report(kudos, 1, sign.Result{Reason: sign.TooOld, Secret: 1, Time: at, Age: 843 * time.Second})},
		{"verify-stale-60", 60, report(kudos, 1, sign.Result{Reason: sign.TooOld, Secret: 1, Time: at, Age: 843 * time.Second})},
		{"verify-stale-120", 120, report(kudos, 1, sign.Result{Reason: sign.TooOld, Secret: 1, Time: at, Age: 843 * time.Second})},
		{"verify-future-80", 80, report(kudos, 2, sign.Result{Reason: sign.InTheFuture, Secret: 2, Time: at, Age: -301 * time.Second})},
		{"verify-mismatch-80", 80, report(kudos, 1, sign.Result{Reason: sign.NoMatchingSignature, Time: at})},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := Style{Width: test.width}
			got := drawVerify(t, s, test.v)
			golden(t, test.name, []byte(got))
			_, prose, _ := strings.Cut(got, "\n") // the first line is a result line
			if line := firstWide(prose, test.width); line != "" {
				t.Errorf("a line is wider: %q", line)
			}
			s.Color = true
			if coloured := drawVerify(t, s, test.v); stripped(coloured) != got || coloured == got {
				t.Errorf("the colours do not only add:\n%s", coloured)
			}
		})
	}
}

func TestVerdictNamesWhatIsKnown(t *testing.T) {
	kustomer, kudos := builtin(t, "kustomer"), builtin(t, "kudos")
	for _, test := range []struct {
		name string
		v    VerifyReport
		want string
	}{
		{"no time, no type", VerifyReport{Profile: kustomer, Secrets: 1, Result: sign.Result{Verified: true, Secret: 1, Event: sign.Event{ID: "a"}}},
			"verified  kustomer  secret 1 of 1  a\n"},
		{"ahead of the clock", VerifyReport{Profile: kudos, Secrets: 1, Result: sign.Result{Verified: true, Secret: 1, Time: time.Unix(9, 0), Age: -2 * time.Second}},
			"verified  kudos  secret 1 of 1  2 s ahead of the clock\n"},
		{"too old without a limit to name", VerifyReport{Profile: kustomer, Secrets: 1, Result: sign.Result{Reason: sign.TooOld, Secret: 1}},
			"refused  kustomer  too old\n"},
		{"no event", VerifyReport{Profile: kudos, Secrets: 1, Result: sign.Result{Reason: sign.MissingHeader}},
			"refused  kudos  missing header\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := drawVerify(t, Style{Width: 80}, test.v); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestVerdictEscapesTheEvent(t *testing.T) {
	const evil = "a\x1b[2J\n\u202e\x9b\xff"
	for _, verified := range []bool{true, false} {
		for _, event := range []sign.Event{{ID: evil}, {Type: evil}} {
			got := drawVerify(t, Style{Width: 80}, VerifyReport{
				Profile: builtin(t, "kudos"), Secrets: 1, Result: sign.Result{Verified: verified, Secret: 1, Reason: sign.TooOld, Event: event},
			})
			if bad := firstControl(got); bad != "" {
				t.Errorf("%s reaches the terminal:\n%q", bad, got)
			}
		}
	}
}

func TestVerifyReturnsTheWritersError(t *testing.T) {
	if err := Verify(failing{}, Style{}, report(builtin(t, "kudos"), 1, sign.Result{Verified: true})); !errors.Is(err, errFull) {
		t.Errorf("got %v, want %v", err, errFull)
	}
}
