package render

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

func TestNothingFromOutsideReachesTheTerminalRaw(t *testing.T) {
	const evil = "\x1b]0;x\a\x1b[2J\r\n\u202e\u0085\x00\xff\u2066\u200b"
	p := builtin(t, "kudos")
	p.Title += evil
	p.Delivery.Rules = append([]profiles.Rule(nil), p.Delivery.Rules...)
	for i := range p.Delivery.Rules {
		p.Delivery.Rules[i].Because = evil
		p.Delivery.Rules[i].Warn = evil
		p.Delivery.Rules[i].Assumed = evil
		p.Delivery.Rules[i].Effects = []profiles.Effect{evil}
		p.Delivery.Rules[i].On = append([]profiles.Item(nil), p.Delivery.Rules[i].On...)
		for j := range p.Delivery.Rules[i].On {
			p.Delivery.Rules[i].On[j].Text += evil
		}
	}
	header := func(n int, a answer) []sign.Header {
		h := kudosHeaders([]string{newSecret}, signingTime)(n, a)
		for i := range h {
			h[i].Value += evil
		}
		return append(h, sign.Header{Name: "X-Evil" + evil, Value: evil})
	}
	back := []sign.Header{
		{Name: "Retry-After", Value: evil}, {Name: "Location", Value: "http://u:p@h" + evil},
		{Name: "X" + evil, Value: evil}, {Name: "Set-Cookie", Value: evil},
	}
	attempts, e := deliver(p, header,
		answer{status: 503, body: evil + evil, header: back, notes: []string{"Retry-After " + evil, evil}},
		answer{failure: &send.Failure{Kind: profiles.DNS, Message: evil, Tried: []string{evil}}},
		answer{failure: &send.Failure{Kind: profiles.Protocol, Message: evil, Tried: []string{evil}}},
		answer{failure: &send.Failure{Kind: profiles.Refused, Message: evil, Tried: []string{evil, evil}}},
		answer{failure: &send.Failure{Kind: profiles.Failure(evil), Message: evil}},
		answer{status: 400, body: evil})
	attempts[0].Response.Text, attempts[0].Response.Proto = evil, evil
	attempts[0].Request.Method, attempts[0].Request.Target = evil, evil
	head := Head{
		Profile: p, To: "http://h/" + evil, Speed: evil, Script: evil, Seed: 7,
		Event: send.Message{ID: evil, Type: evil, Body: []byte(evil)},
	}
	for _, s := range []Style{{Width: 60}, {Width: 80}, {Width: 120}, {Width: 80, Verbose: true}, {Width: 120, Verbose: true}} {
		for _, planned := range []bool{false, true} {
			head.Planned = planned
			var b bytes.Buffer
			tl := NewTimeline(&b, s, head)
			err := errors.Join(tl.Head(), tl.Attempt(attempts[0], evil))
			for _, a := range attempts[1:] {
				err = errors.Join(err, tl.Attempt(a))
			}
			err = errors.Join(err, tl.Duplicate(attempts[0], evil), tl.End(e), tl.Interrupted(0))
			if err != nil {
				t.Fatal(err)
			}
			if c := firstControl(b.String()); c != "" {
				t.Errorf("%+v: %s in\n%q", s, c, b.String())
			}
		}
	}
}

// firstControl is the first byte or rune that could drive a terminal.
func firstControl(text string) string {
	if shown := Escape(strings.ReplaceAll(text, "\n", "")); shown != strings.ReplaceAll(text, "\n", "") {
		return "a control character"
	}
	return ""
}

func TestHeaderIsShownWhenNewOrChanged(t *testing.T) {
	d := toldToWait(t)
	d.attempts[1].Request.Header = append([]sign.Header(nil), d.attempts[1].Request.Header...)
	d.attempts[1].Request.Header[5].Value = "t=1,v1=other"
	d.attempts[2].Request.Header = d.attempts[0].Request.Header
	got := draw(t, Style{Width: 80}, d)
	want := `    > X-Kudos-Event-Id: evt_5d2f9b6ac1e04b7f
    > X-Kudos-Signature: t=1767348183,v1=3f9e958c…af8b,v1=22be340f…cd0a
    | upstream not ready\n
    > X-Kudos-Signature: t=1,v1=other
    > X-Kudos-Delivery-Attempt: 2
    > X-Kudos-Original-Event-Id: evt_5d2f9b6ac1e04b7f
    > X-Kudos-First-Sent-At: 2026-01-02T10:03:03Z
    < Retry-After: 120
    > X-Kudos-Signature: t=1767348183,v1=3f9e958c…af8b,v1=22be340f…cd0a
`
	if got := detailLines(got); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func detailLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, detailIndent) && len(line) > 4 && strings.ContainsRune("><*|", rune(line[4])) {
			b.WriteString(line)
		}
	}
	return b.String()
}

func TestBodyIsShownWhenItDiffers(t *testing.T) {
	p := builtin(t, "kustomer")
	attempts, e := deliver(p, func(int, answer) []sign.Header { return nil },
		answer{status: 500, body: "one\ntwo\n"},
		answer{status: 500, body: "one\nthree\n"},
		answer{status: 500, body: "four"},
		answer{status: 500},
		answer{status: 500, body: "four"},
		answer{status: 200, body: "fine"})
	got := detailLines(draw(t, Style{Width: 80}, delivery{kustomerHead(p), attempts, e}))
	if want := "    | one\\n\n    | four\n    | four\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestRetryAfterIsExplained(t *testing.T) {
	p := builtin(t, "kudos")
	header := []sign.Header{{Name: "Retry-After", Value: "7200"}}
	const ignored = "Retry-After ignored: only 429 is asked"
	attempts, e := deliver(p, func(int, answer) []sign.Header { return nil },
		answer{status: 429, header: header, took: ms(34), after: time.Hour, cut: true, notes: []string{"Retry-After cut to 1 h"}},
		answer{status: 503, header: header, jitter: 3, notes: []string{ignored}},
		answer{status: 200, header: header})
	d := delivery{kudosHead(p, 1), attempts, e}
	const details = "    < Retry-After: 7200\n%s    * Retry-After ignored: only 429 is asked\n"
	for _, test := range []struct {
		width    int
		row, cut string
	}{
		{80, " 1        0 s  429         3 ms         429 -> retry      1 h = Retry-After, cut\n", ""},
		{120, " 1        0 s  429         3 ms         429 -> retry        1 h = Retry-After, cut  Retry-After on 429 is obeyed\n", ""},
		{60, " 1        0 s  429               429 -> retry          1 h\n", "    * Retry-After cut to 1 h\n"},
	} {
		got := draw(t, Style{Width: test.width}, d)
		if !strings.Contains(got, test.row) {
			t.Errorf("at %d no row %q in\n%s", test.width, test.row, got)
		}
		if got, want := detailLines(got), fmt.Sprintf(details, test.cut); got != want {
			t.Errorf("at %d got\n%s\nwant\n%s", test.width, got, want)
		}
	}
}

func TestAssumptionHasALineWhereAWaitStands(t *testing.T) {
	p := builtin(t, "kudos")
	bad := &send.Failure{Kind: profiles.TLS, Message: "certificate expired 2026-01-01"}
	attempts, e := deliver(p, func(int, answer) []sign.Header { return nil },
		answer{failure: bad, jitter: 1}, answer{failure: bad, jitter: 1}, answer{status: 200})
	got := detailLines(draw(t, Style{Width: 80}, delivery{kudosHead(p, 1), attempts, e}))
	want := "    * tls: certificate expired 2026-01-01\n" +
		"    * assumed: whether names and certificates count as connection errors\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestVerboseMasksCredentials(t *testing.T) {
	d := verbose(t)
	d.ending = send.Ending{}
	d.attempts[0].Request.Header = []sign.Header{
		{Name: "authorization", Value: "Bearer 1"}, {Name: "X-Own", Value: "own"}, {Name: "X-Open", Value: "open"},
	}
	d.attempts[0].Response.Header = []sign.Header{{Name: "Set-Cookie", Value: "a=b"}}
	d.attempts[0].Response.Body, d.head.Event.Body = nil, nil
	d.head.Masked = func(name string) bool { return strings.EqualFold(name, "x-own") }
	want := map[bool]string{
		false: "    > POST /hooks HTTP/1.1\n    > authorization: ***\n    > X-Own: ***\n    > X-Open: open\n" +
			"    < HTTP/1.1 503 Service Unavailable\n    < Set-Cookie: ***\n    * 503 may answer differently later\n",
		true: "    > POST /hooks HTTP/1.1\n    > authorization: Bearer 1\n    > X-Own: own\n    > X-Open: open\n" +
			"    < HTTP/1.1 503 Service Unavailable\n    < Set-Cookie: a=b\n    * 503 may answer differently later\n",
	}
	for sensitive, want := range want {
		d.head.Sensitive = sensitive
		if got := detailLines(draw(t, Style{Width: 80, Verbose: true}, d)); got != want {
			t.Errorf("sensitive %t: got\n%s\nwant\n%s", sensitive, got, want)
		}
	}
}
