package render

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// verifiedRequest is a request as in the picture: number, clock, age, answer, took.
func verifiedRequest(p *profiles.Profile, n int, clock string, age time.Duration, status int, took time.Duration, id string) listen.Request {
	at, err := time.Parse(time.DateTime, "2026-01-02 "+clock)
	if err != nil {
		panic(err)
	}
	event := sign.Event{ID: id, Type: "payment.succeeded"}
	return listen.Request{
		Number: n, At: at, Method: "POST", Target: "/hooks", Proto: "HTTP/1.1",
		Header:  []sign.Header{{Name: "Host", Value: "localhost:4665"}, {Name: "X-Kudos-Event-Id", Value: id}},
		Profile: p, Event: event, Seen: listen.New, BodyRead: true,
		Result: &sign.Result{Verified: true, Secret: 1, Time: at.Add(-age), Age: age, Event: event},
		Answer: listen.Answer{Status: status, By: listen.ByForward},
		Took:   took,
	}
}

// sevenRequests are those of the picture.
func sevenRequests(t *testing.T) []listen.Request {
	p := builtin(t, "kudos")
	const first, second = kudosID, "evt_9a41e7705b3fc2d8"
	r := []listen.Request{
		verifiedRequest(p, 1, "10:03:03", 0, 200, ms(41), first),
		verifiedRequest(p, 2, "10:03:20", 0, 503, ms(312), second),
		verifiedRequest(p, 3, "10:03:51", 0, 200, ms(50), second),
		verifiedRequest(p, 4, "10:03:53", 2*time.Second, 200, ms(42), second),
		verifiedRequest(p, 5, "10:04:30", 0, 200, ms(44), first),
		verifiedRequest(p, 6, "10:05:02", time.Second, 401, ms(13), "evt_c07b1f9e22d411e9"),
		verifiedRequest(p, 7, "10:05:40", 0, 502, ms(4), "evt_e6d05b18c94f7a35"),
	}
	r[2].Seen, r[2].Of, r[2].Before, r[2].Attempt = listen.Retry, 2, &listen.Earlier{Number: 2, Status: 503}, 2
	r[3].Seen, r[3].Of, r[3].Before = listen.Duplicate, 2, &listen.Earlier{Number: 3, Status: 200}
	r[4].Seen, r[4].Of, r[4].Before, r[4].DiffersAt = listen.Conflict, 1, &listen.Earlier{Number: 1, Status: 200}, 87
	r[5].Result.Verified, r[5].Result.Secret, r[5].Result.Reason = false, 0, sign.NoMatchingSignature
	r[5].Answer.By = listen.ByReject
	r[5].Explanation = judged(t, capture{kudosBody, signature(signingTime, kudosBody+"\n", newSecret), time.Second, []string{newSecret}, nil}).Explanation
	r[6].Failure = &send.Failure{Kind: profiles.Refused, Message: "connection refused", Tried: []string{"127.0.0.1:3000", "[::1]:3000"}}
	return r
}

func drawRequests(t *testing.T, s Style, verify bool, requests ...listen.Request) string {
	t.Helper()
	var b bytes.Buffer
	l := NewListen(&b, s, verify)
	for _, r := range requests {
		if err := l.Request(r); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// afterHead is a drawing without the head of its table.
func afterHead(text string) string {
	_, rest, _ := strings.Cut(text, "\n")
	return rest
}

func TestRequestsLookLikeTheirPictures(t *testing.T) {
	for _, test := range []struct {
		name  string
		style Style
	}{
		{"listen-60", Style{Width: 60}},
		{"listen-80", Style{Width: 80}},
		{"listen-120", Style{Width: 120}},
	} {
		t.Run(test.name, func(t *testing.T) {
			golden(t, test.name, []byte(drawRequests(t, test.style, true, sevenRequests(t)...)))
		})
	}
}

func TestRequestsInEveryStyleSayTheSame(t *testing.T) {
	requests := sevenRequests(t)
	for _, width := range []int{60, 80, 120} {
		want := drawRequests(t, Style{Width: width}, true, requests...)
		if line := firstWide(want, width); line != "" {
			t.Errorf("at %d a line is wider: %q", width, line)
		}
		coloured := drawRequests(t, Style{Width: width, Color: true}, true, requests...)
		if got := stripped(coloured); got != want || coloured == want {
			t.Errorf("at %d the colours do not only add:\n%s", width, got)
		}
		if got := drawRequests(t, Style{Width: width, ASCII: true}, true, requests...); got != strings.ReplaceAll(want, "…", "~") {
			t.Errorf("at %d ASCII differs in more than the twins:\n%s", width, got)
		}
		if got := drawRequests(t, Style{Width: width, Dumb: true}, true, requests...); got != want {
			t.Errorf("at %d a dumb terminal gets\n%s", width, got)
		}
	}
}

func TestRequestsHaveColoursByMeaning(t *testing.T) {
	s := Style{Width: 80, Color: true}
	got := drawRequests(t, s, true, sevenRequests(t)...)
	for _, want := range []string{
		s.paint(dim, "POST /hooks"), s.paint(good, "verified"), s.paint(bad, "refused"), s.paint(strong, "proven"), s.paint(bad, "503"),
		s.paint(bad, "401"), s.paint(bad, "502"), s.paint(bad, "forward failed") + ": refused", s.paint(warn, "attempt 2") + " of",
		s.paint(warn, "duplicate") + " of #3", s.paint(strongBad, "same id, other body") + ": differs",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func TestNotesSayWhatWasNoticed(t *testing.T) {
	kudos, kustomer := builtin(t, "kudos"), builtin(t, "kustomer")
	at := time.Date(2026, 1, 2, 10, 3, 3, 0, time.UTC)
	base := listen.Request{
		Number: 9, At: at, Method: "POST", Target: "/", Profile: kudos, Event: sign.Event{ID: "evt_1", Type: "a.b"},
		Seen: listen.New, Answer: listen.Answer{Status: 200, By: listen.ByDefault}, Took: time.Millisecond,
	}
	const row = "     POST /\n  9  10:03:03  -             -  200      1 ms  evt_1          a.b\n"
	for _, test := range []struct {
		name   string
		verify bool
		change func(r *listen.Request)
		want   string
	}{
		{"nothing to say without verifying", false, func(*listen.Request) {}, row},
		{"an answer that was lost", false, func(r *listen.Request) {
			r.Seen, r.Of, r.Before, r.Attempt = listen.Retry, 3, &listen.Earlier{Number: 4, Status: 204}, 3
		}, row + "     attempt 3 of evt_1: #4 was answered 204; that answer was lost\n"},
		{"an answer that was a redirect", false, func(r *listen.Request) {
			r.Seen, r.Of, r.Before, r.Attempt = listen.Retry, 4, &listen.Earlier{Number: 4, Status: 301}, 2
		}, row + "     attempt 2 of evt_1: #4 was answered 301\n"},
		{"an attempt that was not answered", false, func(r *listen.Request) {
			r.Seen, r.Of, r.Before = listen.Retry, 3, &listen.Earlier{Number: 4}
		}, row + "     another attempt of evt_1: #4 was not answered\n"},
		{"another body of which only the sum was kept", false, func(r *listen.Request) {
			r.Seen, r.Of, r.Before = listen.Conflict, 3, &listen.Earlier{Number: 4, Status: 200}
		}, row + "     same id, other body: differs from #3; no provider does this\n"},
		{"an older state", false, func(r *listen.Request) {
			r.OlderThan = &listen.Older{Number: 3, Updated: "2026-01-02T10:03:03.000Z", Newer: "2026-01-02T11:03:13+01:00"}
		}, row + "     older than #3: updated 10:03:03, not 10:03:13\n"},
		{"an older state of the same second", false, func(r *listen.Request) {
			r.OlderThan = &listen.Older{Number: 3, Updated: "2026-01-02T10:03:03.120Z", Newer: "2026-01-02T10:03:03.9Z"}
		}, row + "     older than #3: updated 10:03:03.120, not 10:03:03.900\n"},
		{"an older state of another day", false, func(r *listen.Request) {
			r.OlderThan = &listen.Older{Number: 3, Updated: "2026-01-01T10:03:03Z", Newer: "2026-01-02T10:03:03Z"}
		}, row + "     older than #3: updated 2026-01-01T10:03:03Z, not 2026-01-02T10:03:03Z\n"},
		{"an older state of another day and hour", false, func(r *listen.Request) {
			r.OlderThan = &listen.Older{Number: 3, Updated: "2026-01-01T11:00:00Z", Newer: "2026-01-02T10:03:03Z"}
		}, row + "     older than #3: updated 2026-01-01T11:00:00Z, not 2026-01-02T10:03:03Z\n"},
		{"a state without a time", false, func(r *listen.Request) {
			r.OlderThan = &listen.Older{Number: 3, Updated: "7", Newer: "8"}
		}, row + "     older than #3: updated 7, not 8\n"},
		{"a warning", false, func(r *listen.Request) {
			r.Warnings = []string{"the header says evt_1, the body evt_2"}
		}, row + "     warning: the header says evt_1, the body evt_2\n"},
		{"no profile", false, func(r *listen.Request) {
			r.Profile, r.Event = nil, sign.Event{}
		}, "     POST /\n  9  10:03:03  unknown       -  200      1 ms  -              -\n"},
		{"no profile, refused", true, func(r *listen.Request) {
			r.Profile, r.Event, r.Result = nil, sign.Event{}, &sign.Result{Reason: sign.UnknownProfile}
			r.Answer = listen.Answer{Status: 401, By: listen.ByReject}
		}, "     POST /\n  9  10:03:03  unknown       -  401      1 ms  -              -\n     reason    unknown profile\n"},
		{"no time is signed", true, func(r *listen.Request) {
			r.Profile, r.Result = kustomer, &sign.Result{Verified: true, Secret: 1}
		}, "     POST /\n  9  10:03:03  verified      -  200      1 ms  evt_1          a.b\n"},
		{"a body too large", true, func(r *listen.Request) {
			r.Result, r.Answer = &sign.Result{}, listen.Answer{Status: 413, By: listen.ByLimit}
		}, "     POST /\n  9  10:03:03  refused       -  413      1 ms  evt_1          a.b\n     the body is too large; answered 413\n"},
		{"a head too large", true, func(r *listen.Request) {
			r.Result, r.Answer = &sign.Result{}, listen.Answer{Status: 431, By: listen.ByLimit}
		}, "     POST /\n  9  10:03:03  refused       -  431      1 ms  evt_1          a.b\n     the head is too large; answered 431\n"},
		{"a body that ended early", false, func(r *listen.Request) {
			r.Failure, r.Answer = &send.Failure{Kind: profiles.Closed, Message: "unexpected EOF"}, listen.Answer{Status: 408, By: listen.ByLimit}
		}, "     POST /\n  9  10:03:03  -             -  408      1 ms  evt_1          a.b\n     the body ended early; answered 408\n"},
		{"a body that came too late", false, func(r *listen.Request) {
			r.Failure, r.Answer = &send.Failure{Kind: profiles.ReadTimeout}, listen.Answer{Status: 408, By: listen.ByLimit}
		}, "     POST /\n  9  10:03:03  -             -  408      1 ms  evt_1          a.b\n     the body did not come in time; answered 408\n"},
		{"too much at once", false, func(r *listen.Request) {
			r.Answer = listen.Answer{Status: 503, By: listen.ByLimit}
		}, "     POST /\n  9  10:03:03  -             -  503      1 ms  evt_1          a.b\n     too much at once; answered 503\n"},
		{"a known id", false, func(r *listen.Request) {
			r.Answer = listen.Answer{Status: 200, By: listen.ByDedupe}
			r.Seen, r.Of, r.Before = listen.Duplicate, 3, &listen.Earlier{Number: 3, Status: 200}
		}, "     POST /\n  9  10:03:03  -             -  200      1 ms  evt_1          a.b\n     duplicate of #3: same id, same body\n     known id: answered 200 at once, not passed on\n"},
		{"a duplicate that waited in vain", false, func(r *listen.Request) {
			r.Answer = listen.Answer{Status: 503, By: listen.ByDedupe}
		}, "     POST /\n  9  10:03:03  -             -  503      1 ms  evt_1          a.b\n     not passed on: another request with this id is not answered yet; answered\n       503\n"},
		{"a duplicate whose sender left", false, func(r *listen.Request) {
			r.Answer, r.Failure = listen.Answer{By: listen.ByDedupe}, &send.Failure{Kind: profiles.Closed, Message: "the sender left"}
		}, "     POST /\n  9  10:03:03  -             -  -        1 ms  evt_1          a.b\n     the sender left while another request with this id was answered\n"},
		{"a disk that is full", false, func(r *listen.Request) {
			r.Answer, r.Unrecorded = listen.Answer{Status: 503, By: listen.ByLimit}, &fs.PathError{Op: "write", Path: "r", Err: errors.New("full\x1b")}
		}, "     POST /\n  9  10:03:03  -             -  503      1 ms  evt_1          a.b\n     not recorded: full\\x1b; answered 503\n"},
		{"a script without an answer", false, func(r *listen.Request) {
			r.Answer = listen.Answer{By: listen.ByScript}
		}, "     POST /\n  9  10:03:03  -             -  -        1 ms  evt_1          a.b\n"},
		{"an application that is too slow", false, func(r *listen.Request) {
			r.Failure, r.Answer = &send.Failure{Kind: profiles.ReadTimeout, Message: "no answer within 30 s"}, listen.Answer{Status: 502, By: listen.ByForward}
		}, "     POST /\n  9  10:03:03  -             -  502      1 ms  evt_1          a.b\n     forward failed: read-timeout: no answer within 30 s; answered 502\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := base
			test.change(&r)
			if got := afterHead(drawRequests(t, Style{Width: 80}, test.verify, r)); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestColumnsHoldForWideValues(t *testing.T) {
	p := builtin(t, "kudos")
	for _, test := range []struct {
		age    time.Duration
		took   time.Duration
		number int
		want   string
	}{
		{56 * 365 * day, 151 * time.Second, 12345, "12345 10:03:03  verified   56 y  200  2 m 31 s  evt_1          payment.succeeded\n"},
		{-1 << 63, 31400 * time.Millisecond, 1000, "1000 10:03:03  verified -292 y  200    31.4 s  evt_1          payment.succeeded\n"},
		{-90 * time.Second, 999 * time.Millisecond, 100, "100  10:03:03  verified   -1 m  200    999 ms  evt_1          payment.succeeded\n"},
		{-time.Millisecond, 0, 1, "  1  10:03:03  verified    0 s  200       0 s  evt_1          payment.succeeded\n"},
		{300 * time.Second, 0, 1, "  1  10:03:03  verified    5 m  200       0 s  evt_1          payment.succeeded\n"},
		{40 * day, 0, 1, "  1  10:03:03  verified   40 d  200       0 s  evt_1          payment.succeeded\n"},
		{25 * time.Hour, 0, 1, "  1  10:03:03  verified    1 d  200       0 s  evt_1          payment.succeeded\n"},
		{23 * time.Hour, 0, 1, "  1  10:03:03  verified   23 h  200       0 s  evt_1          payment.succeeded\n"},
	} {
		r := verifiedRequest(p, test.number, "10:03:03", 0, 200, test.took, "evt_1")
		r.Result.Age = test.age
		got := afterHead(afterHead(drawRequests(t, Style{Width: 80}, true, r)))
		if got != test.want {
			t.Errorf("age %v, took %v:\ngot  %swant %s", test.age, test.took, got, test.want)
		}
	}
}

func TestRequestLineIsDrawnWhenItChanges(t *testing.T) {
	p := builtin(t, "kudos")
	var all []listen.Request
	for i, target := range []string{"/a", "/a", "/b", "/a"} {
		r := verifiedRequest(p, i+1, "10:03:03", 0, 200, 0, "evt_1")
		r.Target = target
		all = append(all, r)
	}
	var got []string
	for line := range strings.Lines(drawRequests(t, Style{Width: 80}, true, all...)) {
		if strings.Contains(line, "POST") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	if want := "POST /a|POST /b|POST /a"; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLongIDsAndTypesAreShortened(t *testing.T) {
	r := verifiedRequest(builtin(t, "kustomer"), 1, "10:03:03", 0, 200, 0, "0123456789abcdef0123456789abcdef")
	r.Event.Type = "kustomer.conversation.update"
	for _, test := range []struct {
		style Style
		want  string
	}{
		{Style{Width: 60}, "  1  10:03:03  verified  200  01234567…cdef  …rsation.update\n"},
		{Style{Width: 80}, "  1  10:03:03  verified    0 s  200       0 s  01234567…cdef  …nversation.update\n"},
		{Style{Width: 110}, "  1  10:03:03  verified    0 s  200       0 s  01234567…cdef             …conversation.update  POST /hooks\n"},
		{Style{Width: 80, Verbose: true}, "  1  10:03:03  verified    0 s  200       0 s  0123456789abcdef0123456789abcdef  kustomer.conversation.update\n"},
	} {
		got := drawRequests(t, test.style, true, r)
		if !strings.Contains(got, test.want) {
			t.Errorf("%+v: no line %qin\n%s", test.style, test.want, got)
		}
	}
}

func TestTheSummaryCountsKnownIDsAndWhatIsNotRecorded(t *testing.T) {
	p := builtin(t, "kudos")
	tally := Tally{Verify: true, Elapsed: time.Second}
	r := verifiedRequest(p, 1, "10:03:03", 0, 200, ms(10), "evt_1")
	tally.Add(&r)
	r.Seen, r.Before, r.Answer.By = listen.Duplicate, &listen.Earlier{Number: 1, Status: 200}, listen.ByDedupe
	tally.Add(&r)
	tally.Add(&r)
	r.Answer, r.Unrecorded = listen.Answer{Status: 503, By: listen.ByLimit}, errors.New("full")
	tally.Add(&r)
	var b bytes.Buffer
	if err := Summary(&b, Style{Width: 80}, tally); err != nil {
		t.Fatal(err)
	}
	want := "4 requests in 1 s\n" +
		"  verified    4  1 id; 3 duplicates, 2 known ids not passed on\n" +
		"  answered    4  200: 3, 503: 1; the slowest in 1 ms, Kudos CRM waits 8 s\n" +
		"  not kept    1  in the record; answered 503\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", &b, want)
	}
}
