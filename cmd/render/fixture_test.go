package render

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// The values behind the pictures.
const (
	kudosBody       = `{"event_id":"evt_5d2f9b6ac1e04b7f","event_type":"payment.succeeded","data":{"amount":1200,"currency":"EUR"}}`
	kudosID         = "evt_5d2f9b6ac1e04b7f"
	oldSecret       = "old-kudos-secret"
	newSecret       = "new-kudos-secret"
	clodoBody       = `{"id":"wh_4f8e2c1ab97d3065","event_type":"job.completed","data":{"job_id":"job_71c0aa52","status":"succeeded","result":{"pages":3}}}`
	clodoID         = "wh_4f8e2c1ab97d3065"
	clodoSecret     = "clodo-secret-0001"
	kustomerID      = "6717c2b1e5b1f00012ab3511"
	kustomerDigest  = "2499d5a7" + "00112233445566778899aabbccddeeff00112233445566778899" + "fc0e"
	signingTime     = 1767348183
	hooksURL        = "http://localhost:3000/hooks"
	microseconds100 = 100 * time.Microsecond
)

func builtin(t *testing.T, name string) *profiles.Profile {
	t.Helper()
	entry, err := profiles.Builtin().Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return entry.Profile
}

// signature is the value of a t=,v1= header over a body.
func signature(at int64, body string, secrets ...string) string {
	value := "t=" + strconv.FormatInt(at, 10)
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		fmt.Fprintf(mac, "%d.%s", at, body)
		value += ",v1=" + hex.EncodeToString(mac.Sum(nil))
	}
	return value
}

// An answer is what an endpoint did at one attempt.
type answer struct {
	status  int
	failure *send.Failure
	header  []sign.Header
	body    string
	took    time.Duration
	jitter  float64 // of the wait that follows, in percent
	after   time.Duration
	cut     bool
	notes   []string
}

// deliver makes the attempts of a delivery under a profile, and its end.
func deliver(p *profiles.Profile, header func(n int, a answer) []sign.Header, answers ...answer) ([]send.Attempt, send.Ending) {
	var attempts []send.Attempt
	var due time.Duration
	for i, a := range answers {
		attempt := send.Attempt{
			Number:  i + 1,
			Due:     due,
			At:      time.Unix(signingTime, 0),
			Took:    a.took,
			Waited:  true,
			Request: &send.Request{Method: "POST", Target: "/hooks", Header: header(i+1, a)},
			Failure: a.failure,
			Notes:   a.notes,
		}
		if a.failure == nil {
			attempt.Response = &send.Response{
				Status: a.status, Proto: "HTTP/1.1", Header: a.header, Body: []byte(a.body), Complete: true,
			}
		}
		attempt.Verdict = judge(p, attempt.Outcome())
		if attempt.Verdict.Then == profiles.Retried {
			attempt.Next = next(p, i, a)
			if attempt.Next == nil {
				attempt.Verdict.Reason = "the schedule is used up"
			} else {
				due += a.took + attempt.Next.Wait
			}
			if a.after > 0 {
				attempt.Verdict.Reason = "Retry-After on " + strconv.Itoa(a.status) + " is obeyed"
			}
		}
		attempts = append(attempts, attempt)
	}
	return attempts, ending(p, attempts)
}

func judge(p *profiles.Profile, o profiles.Outcome) send.Verdict {
	for i := range p.Delivery.Rules {
		rule := &p.Delivery.Rules[i]
		for _, item := range rule.On {
			if item.Matches(o) {
				reason := strings.ReplaceAll(rule.Because, "{answer}", o.String())
				return send.Verdict{Then: rule.Then, Item: item.Text, Rule: rule, Reason: reason}
			}
		}
	}
	return send.Verdict{}
}

func next(p *profiles.Profile, i int, a answer) *send.Wait {
	if i >= len(p.Retry.Waits) {
		return nil
	}
	if a.after > 0 {
		return &send.Wait{Wait: a.after, Base: a.after, Source: send.FromRetryAfter, Cut: a.cut}
	}
	base := p.Retry.Waits[i]
	wait := base + time.Duration(float64(base)*a.jitter/100)
	return &send.Wait{Wait: wait, Base: base, Source: send.FromSchedule}
}

func ending(p *profiles.Profile, attempts []send.Attempt) send.Ending {
	last := attempts[len(attempts)-1]
	e := send.Ending{State: send.StateFailed, Cause: send.ByRule, Elapsed: last.Due + last.Took}
	switch last.Verdict.Then {
	case profiles.Delivered:
		e.State = send.StateDelivered
	case profiles.Failed:
		e.Effects = last.Verdict.Rule.Effects
		if len(e.Effects) > 0 {
			e.Assumed = last.Verdict.Rule.Assumed
		}
	case profiles.Retried:
		e.Cause = send.ByExhausted
		e.Effects, e.Assumed = p.Retry.Exhausted.Effects, p.Retry.Exhausted.Assumed
	}
	return e
}

// kudosHeaders are the headers of an attempt that is signed with the secrets,
// at the times of the attempts.
func kudosHeaders(secrets []string, times ...int64) func(int, answer) []sign.Header {
	return func(n int, _ answer) []sign.Header {
		at := times[min(n, len(times))-1]
		h := []sign.Header{
			{Name: "Host", Value: "localhost:3000"},
			{Name: "User-Agent", Value: "hookctl/0.1.0"},
			{Name: "Content-Length", Value: "108"},
			{Name: "Content-Type", Value: "application/json"},
			{Name: "X-Kudos-Event-Id", Value: kudosID},
			{Name: "X-Kudos-Signature", Value: signature(at, kudosBody, secrets...)},
		}
		if n > 1 {
			h = append(h,
				sign.Header{Name: "X-Kudos-Delivery-Attempt", Value: strconv.Itoa(n)},
				sign.Header{Name: "X-Kudos-Original-Event-Id", Value: kudosID},
				sign.Header{Name: "X-Kudos-First-Sent-At", Value: "2026-01-02T10:03:03Z"})
		}
		return h
	}
}

func clodoHeaders(times ...int64) func(int, answer) []sign.Header {
	return func(n int, _ answer) []sign.Header {
		at := times[min(n, len(times))-1]
		return []sign.Header{
			{Name: "Content-Type", Value: "application/json"},
			{Name: "Clodo-Webhook-Id", Value: clodoID},
			{Name: "Clodo-Signature", Value: signature(at, clodoBody, clodoSecret)},
		}
	}
}

func kustomerHeaders(int, answer) []sign.Header {
	return []sign.Header{
		{Name: "Content-Type", Value: "application/json"},
		{Name: "X-Kustomer-Webhook-Event", Value: "kustomer.conversation.update"},
		{Name: "X-Kustomer-Webhook-Signature", Value: kustomerDigest},
	}
}

func kudosHead(p *profiles.Profile, secrets int) Head {
	return Head{
		Profile: p, To: hooksURL, Seed: 7, Speed: "instant", Secrets: secrets,
		Event: send.Message{ID: kudosID, Type: "payment.succeeded", Body: []byte(kudosBody)},
	}
}

func clodoHead(p *profiles.Profile) Head {
	return Head{
		Profile: p, To: "http://localhost:3000/hooks/clodo", Seed: 7, Speed: "instant", Secrets: 1,
		Event: send.Message{ID: clodoID, Type: "job.completed", Body: []byte(clodoBody)},
	}
}

func kustomerHead(p *profiles.Profile) Head {
	return Head{
		Profile: p, To: "http://localhost:3000/kustomer", Seed: 7, Speed: "instant", Secrets: 1,
		Event: send.Message{ID: kustomerID, Type: "kustomer.conversation.update", Body: make([]byte, 1178)},
	}
}

func ms(tenths int) time.Duration { return time.Duration(tenths) * microseconds100 }

// A delivery is what a picture shows.
type delivery struct {
	head     Head
	attempts []send.Attempt
	ending   send.Ending
}

func toldToWait(t *testing.T) delivery {
	p := builtin(t, "kudos")
	attempts, e := deliver(p, kudosHeaders([]string{oldSecret, newSecret}, signingTime),
		answer{status: 503, body: "upstream not ready\n", took: ms(21), jitter: 4.7},
		answer{status: 429, header: []sign.Header{{Name: "Retry-After", Value: "120"}}, took: ms(13), after: 2 * time.Minute},
		answer{status: 200, took: ms(34)})
	return delivery{kudosHead(p, 2), attempts, e}
}

func toldToWaitReal(t *testing.T) delivery {
	d := toldToWait(t)
	d.head.Speed = "real"
	header := kudosHeaders([]string{oldSecret, newSecret}, signingTime, signingTime+31, signingTime+151)
	for i := range d.attempts {
		d.attempts[i].Request.Header = header(i+1, answer{})
	}
	return d
}

func respond(t *testing.T) delivery {
	p := builtin(t, "kudos")
	attempts, e := deliver(p, kudosHeaders([]string{sign.DevelopmentSecret}, signingTime),
		answer{status: 503, took: ms(21), jitter: 4.7},
		answer{status: 429, header: []sign.Header{{Name: "Retry-After", Value: "120"}}, took: ms(13), after: 2 * time.Minute},
		answer{status: 200, took: ms(34)})
	d := delivery{kudosHead(p, 1), attempts, e}
	d.head.To = "a receiver inside hookctl: 503,429:retry-after=120,200"
	return d
}

func allRefused(t *testing.T) delivery {
	p := builtin(t, "kustomer")
	var answers []answer
	for i, jitter := range []float64{-1.8, -6.2, 0.1, 6.6, -8.8, -8.2, 3.7, 0} {
		a := answer{status: 401, body: `{"error":"invalid signature"}`, took: ms(13), jitter: jitter}
		if i == 0 {
			a.took = ms(21)
		}
		answers = append(answers, a)
	}
	attempts, e := deliver(p, kustomerHeaders, answers...)
	return delivery{kustomerHead(p), attempts, e}
}

func clodoOnce(t *testing.T, a answer) delivery {
	p := builtin(t, "clodo")
	a.took = ms(13)
	attempts, e := deliver(p, clodoHeaders(signingTime), a)
	return delivery{clodoHead(p), attempts, e}
}

func gone(t *testing.T) delivery {
	p := builtin(t, "kudos")
	attempts, e := deliver(p, kudosHeaders([]string{newSecret}, signingTime), answer{status: 410, took: ms(13)})
	return delivery{kudosHead(p, 1), attempts, e}
}

func redirectDelivered(t *testing.T) delivery {
	p := builtin(t, "kustomer")
	attempts, e := deliver(p, kustomerHeaders,
		answer{status: 301, took: ms(13), header: []sign.Header{{Name: "Location", Value: "/kustomer/"}}})
	return delivery{kustomerHead(p), attempts, e}
}

func nothingListens(t *testing.T) delivery {
	p := builtin(t, "kudos")
	var answers []answer
	for _, jitter := range []float64{4.7, -12.1, 8.3, -21.2, 3.0, 0} {
		answers = append(answers, answer{took: ms(4), jitter: jitter, failure: &send.Failure{
			Kind: profiles.Refused, Message: "connection refused", Tried: []string{"127.0.0.1:4665", "[::1]:4665"},
		}})
	}
	attempts, e := deliver(p, kudosHeaders([]string{newSecret}, signingTime), answers...)
	d := delivery{kudosHead(p, 1), attempts, e}
	d.head.To = "http://localhost:4665/"
	return d
}

func timeOut(t *testing.T) delivery {
	p := builtin(t, "clodo")
	late := &send.Failure{Kind: profiles.ReadTimeout, Message: "connected and sent, but no answer within 20 s"}
	attempts, e := deliver(p, clodoHeaders(signingTime, signingTime+20, signingTime+40),
		answer{failure: late, took: ms(200004)},
		answer{failure: late, took: ms(200003)},
		answer{failure: late, took: ms(200003)})
	return delivery{clodoHead(p), attempts, e}
}

func verbose(t *testing.T) delivery {
	d := toldToWait(t)
	d.attempts[0].Response.Text = "Service Unavailable"
	d.attempts[0].Response.Header = []sign.Header{
		{Name: "Content-Type", Value: "text/plain; charset=utf-8"},
		{Name: "Content-Length", Value: "19"},
	}
	d.attempts = d.attempts[:1]
	return d
}

// draw is the whole of a delivery in a style.
func draw(t *testing.T, s Style, d delivery) string {
	t.Helper()
	var b bytes.Buffer
	tl := NewTimeline(&b, s, d.head)
	if err := tl.Head(); err != nil {
		t.Fatal(err)
	}
	for _, a := range d.attempts {
		if err := tl.Attempt(a); err != nil {
			t.Fatal(err)
		}
	}
	if d.ending.State != "" {
		if err := tl.End(d.ending); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}
