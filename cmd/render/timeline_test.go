package render

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// A picture is a golden at its widths; the first of them are the contract's.
type picture struct {
	name   string
	widths []string
	of     func(*testing.T) delivery
}

func pictures() []picture {
	location := []sign.Header{{Name: "Location", Value: "/hooks/clodo/"}}
	return []picture{
		{"told-to-wait", []string{"80", "120", "60", "100"}, toldToWait},
		{"real", []string{"80"}, toldToWaitReal},
		{"respond", []string{"80"}, respond},
		{"all-refused", []string{"80", "120", "60"}, allRefused},
		{"not-found", []string{"80", "60"}, func(t *testing.T) delivery {
			return clodoOnce(t, answer{status: 404, body: "404 page not found\n"})
		}},
		{"gone", []string{"80"}, gone},
		{"redirect-delivered", []string{"80", "60", "120"}, redirectDelivered},
		{"redirect-assumed", []string{"80", "60", "120"}, func(t *testing.T) delivery {
			return clodoOnce(t, answer{status: 301, header: location})
		}},
		{"nothing-listens", []string{"80", "60", "120"}, nothingListens},
		{"timeout", []string{"80", "60", "120"}, timeOut},
	}
}

var widthOf = map[string]int{"60": 60, "80": 80, "100": 100, "120": 120}

func TestDeliveriesLookLikeTheirPictures(t *testing.T) {
	for _, p := range pictures() {
		for _, w := range p.widths {
			t.Run(p.name+"-"+w, func(t *testing.T) {
				got := draw(t, Style{Width: widthOf[w]}, p.of(t))
				golden(t, "send-"+p.name+"-"+w, []byte(got))
			})
		}
	}
}

func TestVerboseShowsTheWireWhole(t *testing.T) {
	d := verbose(t)
	d.ending = send.Ending{}
	got := draw(t, Style{Width: 80, Verbose: true}, d)
	golden(t, "send-verbose-80", []byte(got))
}

func TestColourOnlyAdds(t *testing.T) {
	for _, p := range pictures() {
		for _, width := range []int{60, 80, 120} {
			plainText := draw(t, Style{Width: width}, p.of(t))
			coloured := draw(t, Style{Width: width, Color: true}, p.of(t))
			if got := stripped(coloured); got != plainText {
				t.Errorf("%s at %d: without style codes\n%s\nwant\n%s", p.name, width, got, plainText)
			}
			if coloured == plainText {
				t.Errorf("%s at %d has no style code", p.name, width)
			}
		}
	}
	golden(t, "send-told-to-wait-80-colour", []byte(draw(t, Style{Width: 80, Color: true}, toldToWait(t))))
	golden(t, "send-timeout-80-colour", []byte(draw(t, Style{Width: 80, Color: true}, timeOut(t))))
}

func TestASCIIReplacesTwinByTwin(t *testing.T) {
	for _, p := range pictures() {
		for _, width := range []int{60, 80, 120} {
			unicode := draw(t, Style{Width: width}, p.of(t))
			ascii := draw(t, Style{Width: width, ASCII: true}, p.of(t))
			if want := asciiTwins(unicode); ascii != want {
				t.Errorf("%s at %d: got\n%s\nwant\n%s", p.name, width, ascii, want)
			}
			for _, r := range ascii {
				if r > '~' {
					t.Errorf("%s at %d holds %q", p.name, width, r)
				}
			}
		}
	}
	golden(t, "send-told-to-wait-80-ascii", []byte(draw(t, Style{Width: 80, ASCII: true}, toldToWait(t))))
}

func TestDumbTerminalGetsNoDrawing(t *testing.T) {
	got := draw(t, Style{Width: 80, Dumb: true, Terminal: true}, timeOut(t))
	if strings.ContainsAny(got, "─━\r\x1b") {
		t.Errorf("a drawing or a control in\n%s", got)
	}
	golden(t, "send-timeout-80-dumb", []byte(got))
}

func TestNoLineIsWiderThanTheTerminal(t *testing.T) {
	for _, p := range pictures() {
		for _, width := range []int{60, 61, 79, 80, 81, 100, 109, 110, 111, 119, 120, 121, 200} {
			text := draw(t, Style{Width: width}, p.of(t))
			result := text[strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n")+1:]
			if line := firstWide(text, width, strings.TrimSpace(result), "a receiver inside hookctl"); line != "" {
				t.Errorf("%s at %d: %d columns: %q", p.name, width, columns(line), line)
			}
		}
	}
}

func TestVerdictsStandInOneColumn(t *testing.T) {
	for _, p := range pictures() {
		for _, width := range []int{60, 80, 120} {
			found := map[int]bool{}
			for line := range strings.Lines(draw(t, Style{Width: width}, p.of(t))) {
				before, _, ok := strings.Cut(line, " -> ")
				if ok && strings.HasPrefix(line, " ") {
					found[columns(before)] = true
				}
			}
			if len(found) != 1 {
				t.Errorf("%s at %d: arrows at columns %v", p.name, width, found)
			}
		}
	}
}

func TestLastLineBeginsWithTheState(t *testing.T) {
	for _, p := range pictures() {
		d := p.of(t)
		lines := strings.Split(strings.TrimSuffix(draw(t, Style{Width: 80}, d), "\n"), "\n")
		if last := lines[len(lines)-1]; !strings.HasPrefix(last, string(d.ending.State)+": ") {
			t.Errorf("%s ends with %q", p.name, last)
		}
	}
}

func TestDuplicateHasARowOfItsOwn(t *testing.T) {
	d := toldToWait(t)
	var b bytes.Buffer
	tl := NewTimeline(&b, Style{Width: 80}, d.head)
	a := d.attempts[2]
	if err := tl.Duplicate(a, "its signature was refused: no matching signature"); err != nil {
		t.Fatal(err)
	}
	want := ` +   2 m 31 s  200         3 ms         2xx -> delivered
    > X-Kudos-Event-Id: evt_5d2f9b6ac1e04b7f
    > X-Kudos-Signature: t=1767348183,v1=3f9e958c…af8b,v1=22be340f…cd0a
    > X-Kudos-Delivery-Attempt: 3
    > X-Kudos-Original-Event-Id: evt_5d2f9b6ac1e04b7f
    > X-Kudos-First-Sent-At: 2026-01-02T10:03:03Z
    * the same bytes once more, as after a lost answer
    * its signature was refused: no matching signature
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestPlanIsTheLedgerWithoutTookAndHeaders(t *testing.T) {
	p := builtin(t, "kudos")
	var answers []answer
	for _, jitter := range []float64{4.7, -12.1, 8.3, -21.2, 3.0} {
		answers = append(answers, answer{status: 503, jitter: jitter})
	}
	attempts, e := deliver(p, func(int, answer) []sign.Header { return nil }, append(answers, answer{status: 200})...)
	for i := range attempts {
		attempts[i].Request, attempts[i].At = nil, time.Time{}
	}
	h := Head{Profile: p, Script: "503x5,200", Seed: 7, Speed: "instant", Event: send.Message{Type: "payment.succeeded"}}
	for width, name := range map[int]string{60: "plan-script-60", 80: "plan-script-80", 120: "plan-script-120"} {
		var b bytes.Buffer
		if err := Plan(&b, Style{Width: width}, h, attempts, e); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.Bytes())
	}
}

func TestHeadItemThatDoesNotFitGoesToTheNextLineWhole(t *testing.T) {
	p := builtin(t, "kudos")
	h := kudosHead(p, 0)
	h.Secret, h.Of = 1, 2
	h.Event.ID = strings.Repeat("i", 70)
	want := "Kudos CRM -> http://localhost:3000/hooks\npayment.succeeded\n" + h.Event.ID +
		"\n108 bytes  secret 1 of 2  seed 7\n"
	if got := h.lines(Style{Width: 60}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A failing writer refuses everything.
type failing struct{}

var errFull = errors.New("disk full")

func (failing) Write([]byte) (int, error) { return 0, errFull }

func TestErrorsOfTheWriterAreReturned(t *testing.T) {
	d := toldToWait(t)
	tl := NewTimeline(failing{}, Style{}, d.head)
	for name, err := range map[string]error{
		"Head":        tl.Head(),
		"Attempt":     tl.Attempt(d.attempts[0]),
		"Duplicate":   tl.Duplicate(d.attempts[0]),
		"End":         tl.End(d.ending),
		"Interrupted": tl.Interrupted(0),
		"Plan":        Plan(failing{}, Style{}, d.head, d.attempts, d.ending),
		"ResultLine":  ResultLine(failing{}, Style{}, Result{Profile: d.head.Profile}),
		"Say":         Say(failing{}, Style{}, Message{}),
	} {
		if !errors.Is(err, errFull) {
			t.Errorf("%s returned %v", name, err)
		}
	}
}
