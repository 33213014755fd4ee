package render

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// fiveHundred is the burst of the picture.
func fiveHundred(t *testing.T) (Burst, send.Summary) {
	b := Burst{
		Profile: builtin(t, "kudos"), To: hooksURL, Type: "payment.succeeded", Events: 500, Of: 1, Secrets: 1,
		Concurrency: 20, Speed: "instant", Seed: 7,
	}
	status := func(n int) profiles.Outcome { return profiles.Outcome{Status: n} }
	s := send.Summary{
		Deliveries: 500, Delivered: 496, FirstTry: 462, Failed: 4, Attempts: 537,
		Answers: map[profiles.Outcome]int{
			status(200): 496, status(404): 4, status(503): 35, {Failure: profiles.ReadTimeout}: 1, {Failure: profiles.ConnectTimeout}: 1,
		},
		FailedAt: map[profiles.Outcome]int{status(404): 4},
		Limit:    8 * time.Second, Limited: 2, Effects: []profiles.Effect{profiles.NotifyOwner}, Elapsed: 9300 * time.Millisecond,
	}
	for _, part := range []struct {
		n    int
		took time.Duration
	}{{300, 86500 * time.Microsecond}, {220, 218500 * time.Microsecond}, {15, 428500 * time.Microsecond}, {2, 8000400 * time.Microsecond}} {
		for range part.n {
			s.Latency.Add(part.took)
		}
	}
	return b, s
}

// pausedBurst is the burst after a 410.
func pausedBurst(t *testing.T) (Burst, send.Summary) {
	b, s := fiveHundred(t)
	s.Delivered, s.FirstTry, s.Failed, s.Stopped, s.NotSent = 85, 80, 3, 2, 412
	s.FailedAt = map[profiles.Outcome]int{{Status: 410}: 1}
	s.Answers = map[profiles.Outcome]int{{Status: 200}: 85, {Status: 410}: 1, {Status: 503}: 7}
	s.Attempts, s.LateStarts, s.Limited = 93, 12, 0
	s.Effects = []profiles.Effect{profiles.NotifyOwner, profiles.PauseSubscription}
	s.StoppedBy = &send.Stop{Effect: profiles.PauseSubscription, Event: 88}
	s.Latency = send.Histogram{}
	return b, s
}

func drawBurst(t *testing.T, st Style, b Burst, s send.Summary) string {
	t.Helper()
	var out bytes.Buffer
	if err := BurstHead(&out, st, b); err != nil {
		t.Fatal(err)
	}
	if err := BurstSummary(&out, st, b, s); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestBurstPictures(t *testing.T) {
	for _, test := range []struct {
		name  string
		burst func(*testing.T) (Burst, send.Summary)
		style Style
	}{
		{"burst-60", fiveHundred, Style{Width: 60}},
		{"burst-80", fiveHundred, Style{Width: 80}},
		{"burst-120", fiveHundred, Style{Width: 120}},
		{"burst-80-colour", fiveHundred, Style{Width: 80, Color: true}},
		{"burst-paused-60", pausedBurst, Style{Width: 60}},
		{"burst-paused-80", pausedBurst, Style{Width: 80}},
		{"burst-paused-80-colour", pausedBurst, Style{Width: 80, Color: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, s := test.burst(t)
			got := drawBurst(t, test.style, b, s)
			if line := firstWide(got, test.style.Width, "failed: "); line != "" {
				t.Errorf("wider than %d: %q", test.style.Width, line)
			}
			plain, ascii := test.style, test.style
			plain.Color, ascii.ASCII = false, true
			if stripped(got) != drawBurst(t, plain, b, s) {
				t.Error("with its colours stripped it is not the plain drawing")
			}
			if twin := drawBurst(t, ascii, b, s); twin != asciiTwins(got) {
				t.Errorf("in ASCII it is\n%s", twin)
			}
			golden(t, test.name, []byte(got))
		})
	}
}

func TestBurstHeadSaysWhatWasAsked(t *testing.T) {
	b, _ := fiveHundred(t)
	for want, change := range map[string]func(*Burst){
		"payment.succeeded  500 events  20 at once  0.5 a second  one id  2 secrets\nwaits real  seed 7": func(b *Burst) {
			b.Rate, b.OneID, b.Secrets, b.Speed = "0.5", true, 2, "real"
		},
		"500 events  20 at once  2 deliveries each  waits 60 times faster  seed 7": func(b *Burst) {
			b.Type, b.Of, b.Speed = "", 2, "60"
		},
	} {
		changed := b
		change(&changed)
		var out bytes.Buffer
		if err := BurstHead(&out, Style{}, changed); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimPrefix(out.String(), "Kudos CRM -> "+hooksURL+"\n"); got != want+"\n\n" {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestBurstResultLine(t *testing.T) {
	stop := &send.Stop{Effect: profiles.DisableWebhook, Event: 3, Assumed: "how long it must fail"}
	for _, test := range []struct {
		want string
		of   int
		s    send.Summary
	}{
		{"delivered: 1,178 of 1,178 events", 1, send.Summary{Deliveries: 1178, Delivered: 1178}},
		{"delivered: 40 of 40 deliveries", 2, send.Summary{Deliveries: 40, Delivered: 40}},
		{"failed: 2 of 20 events", 1, send.Summary{Deliveries: 20, Delivered: 18, Failed: 2}},
		{"failed: 2 of 20 events; the webhook is disabled (assumed); 1 was not sent", 1, send.Summary{
			Deliveries: 20, Delivered: 17, Failed: 2, NotSent: 1, StoppedBy: stop, Effects: []profiles.Effect{profiles.NotifyOwner, profiles.DisableWebhook},
		}},
		{"interrupted: 3 of 20 events delivered; 1 failed, 4 under way, 12 were not sent", 1, send.Summary{Deliveries: 20, Delivered: 3, Failed: 1, Interrupted: 4, NotSent: 12}},
		{"interrupted: 3 of 20 events delivered; 17 were not sent", 1, send.Summary{Deliveries: 20, Delivered: 3, NotSent: 17}},
	} {
		for _, st := range []Style{{Width: 60}, {Width: 60, Color: true}} {
			var out bytes.Buffer
			if err := BurstResult(&out, st, Burst{Of: test.of}, test.s); err != nil {
				t.Fatal(err)
			}
			if got := stripped(out.String()); got != test.want+"\n" {
				t.Errorf("%q, want %q", got, test.want)
			}
		}
	}
}

func TestColumnsOfABurstGrowWithItsNumbers(t *testing.T) {
	b, s := fiveHundred(t)
	s.Deliveries, s.Delivered, s.Attempts = 1_234_567, 1_234_563, 1_234_604
	got := drawBurst(t, Style{Width: 80}, b, s)
	at := -1
	for line := range strings.Lines(got) {
		if strings.HasPrefix(line, "delivered ") || strings.HasPrefix(line, "failed ") || strings.HasPrefix(line, "not sent") {
			if end := strings.Index(line, " %"); at >= 0 && end != at {
				t.Errorf("the share ends at %d, before at %d: %q", end, at, line)
			} else {
				at = end
			}
		}
	}
	if at < 0 {
		t.Errorf("no shares in\n%s", got)
	}
}

func TestProgressText(t *testing.T) {
	got := ProgressText(send.Progress{Delivered: 310, Failed: 2, UnderWay: 20}, 500, 1743*time.Millisecond)
	if want := "312 of 500  310 delivered  2 failed  20 under way  179/s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
