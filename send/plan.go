package send

import (
	"net/http"
	"strconv"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// maxKept is how much of an answer's body is kept, in bytes.
const maxKept = 4 << 10

// Plan is what the provider would do if the endpoint answered as the script
// says, by the same rules as Deliver, without a network or a clock. Without a
// script every attempt fails: Waits are nominal with Min and Max, the verdict
// is a retry without a rule, and the jitter is not asked (it may be nil).
//
// A Retry-After that is a date counts from the script's Start.
func Plan(p *profiles.Profile, script *Script, jitter Jitter) ([]Attempt, Ending) {
	if script == nil {
		return planBare(p)
	}
	start := script.Start
	if start.IsZero() {
		start = planStart()
	}
	var attempts []Attempt
	due := time.Duration(0)
	for {
		n := len(attempts) + 1
		a := imagined(p.Delivery.Limits, script.At(n))
		a.Number, a.Due = n, due
		end := later(due, a.Took)
		now := start.Add(end).Truncate(time.Second)
		if a.Response != nil {
			a.Response.Header = script.At(n).Headers(now)
		}
		attempts = append(attempts, a)
		cause := settle(p, attempts, jitter, now)
		if cause != "" {
			return attempts, End(p, attempts, cause)
		}
		due = later(end, attempts[n-1].Next.Wait)
	}
}

// planStart is the instant of a first attempt that is only imagined.
func planStart() time.Time { return time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC) }

// planBare is the whole schedule, as if every attempt failed.
func planBare(p *profiles.Profile) ([]Attempt, Ending) {
	var attempts []Attempt
	due := time.Duration(0)
	for {
		attempts = append(attempts, Attempt{
			Number:  len(attempts) + 1,
			Due:     due,
			Verdict: Verdict{Then: profiles.Retried},
		})
		d := Next(p, attempts, NoJitter(len(attempts)), time.Time{})
		if d.Next == nil {
			return attempts, End(p, attempts, d.Cause)
		}
		d.Next.Min = jittered(d.Next.Base, p.Retry.Jitter, 0)
		d.Next.Max = jittered(d.Next.Base, p.Retry.Jitter, 1)
		attempts[len(attempts)-1].Next = d.Next
		due = later(due, d.Next.Wait)
	}
}

// imagined is an attempt that a step of a script answers. It takes the step's
// delay; one that reaches the limit is a time-out.
func imagined(l profiles.Limits, s Step) Attempt {
	read, connect := l.ForAnswer(), l.ForConnect()
	o := s.Outcome
	if s.Playable() && s.Delay >= read && s.Delay > 0 {
		o = profiles.Outcome{Failure: profiles.ReadTimeout}
	}
	switch o.Failure {
	case profiles.ReadTimeout:
		return Attempt{Took: read, Failure: &Failure{
			Kind:    o.Failure,
			Message: "connected and sent, but no answer within " + spell(read),
		}}
	case profiles.ConnectTimeout:
		return Attempt{Took: connect, Failure: &Failure{
			Kind:    o.Failure,
			Message: "no connection within " + spell(connect),
		}}
	case "":
		return Attempt{Took: s.Delay, Response: &Response{
			Status:   o.Status,
			Proto:    "HTTP/1.1",
			Text:     http.StatusText(o.Status),
			Body:     s.Body[:min(len(s.Body), maxKept)],
			Complete: len(s.Body) <= maxKept,
		}}
	}
	return Attempt{Took: min(s.Delay, l.Longest()), Failure: &Failure{Kind: o.Failure, Message: imaginedMessage(o.Failure)}}
}

// imaginedMessage says what a failure is, where none has happened.
func imaginedMessage(f profiles.Failure) string {
	switch f {
	case profiles.DNS:
		return "no such host"
	case profiles.Refused:
		return "connection refused"
	case profiles.Reset:
		return "after the request was sent"
	case profiles.Closed:
		return "no status line before the end"
	case profiles.TLS:
		return "no connection by TLS"
	case profiles.Unreachable:
		return "no route"
	case profiles.Protocol:
		return "not an HTTP answer"
	}
	return string(f)
}

// Headers are the header lines that the step gives an answer at the instant
// now: Retry-After and Location, then those of its header options.
func (s Step) Headers(now time.Time) []sign.Header {
	var h []sign.Header
	if s.HasRetry {
		h = append(h, sign.Header{Name: "Retry-After", Value: s.retryAfter(now)})
	}
	if s.Location != "" {
		h = append(h, sign.Header{Name: "Location", Value: s.Location})
	}
	return append(h, s.Header...)
}

// retryAfter is the value of the step's Retry-After: +120 is the date 120 s
// after now, the last that HTTP can write at most.
func (s Step) retryAfter(now time.Time) string {
	if len(s.RetryAfter) < 2 || s.RetryAfter[0] != '+' || !digits(s.RetryAfter[1:]) {
		return s.RetryAfter
	}
	at := time.Date(9999, time.December, 31, 23, 59, 59, 0, time.UTC)
	n, err := strconv.ParseInt(s.RetryAfter[1:], 10, 64)
	if err == nil && n < at.Unix()-now.Unix() {
		at = time.Unix(now.Unix()+n, 0).UTC()
	}
	return at.Format(http.TimeFormat)
}
