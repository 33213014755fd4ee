package render

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

func TestVerboseDrawsTheWire(t *testing.T) {
	r := sevenRequests(t)[0]
	r.Header = append(r.Header, sign.Header{Name: "authorization", Value: "Bearer abc"})
	r.Body = []byte(kudosBody)
	r.Sent = []sign.Header{{Name: "Content-Length", Value: "4"}, {Name: "Set-Cookie", Value: "a=b"}}
	r.SentBody = []byte("no\nok")
	golden(t, "listen-verbose-80", []byte(drawRequests(t, Style{Width: 80, Verbose: true}, true, r)))
}

func TestSensitiveShowsCredentials(t *testing.T) {
	r := sevenRequests(t)[0]
	r.Header = []sign.Header{{Name: "Authorization", Value: "Bearer abc"}, {Name: "X-Mine", Value: "def"}}
	var b bytes.Buffer
	l := NewListen(&b, Style{Width: 80, Verbose: true}, true)
	l.Masked = func(name string) bool { return name == "X-Mine" }
	for _, test := range []struct {
		sensitive bool
		want      string
	}{
		{false, "    < Authorization: ***\n    < X-Mine: ***\n"},
		{true, "    < Authorization: Bearer abc\n    < X-Mine: def\n"},
	} {
		b.Reset()
		l.Sensitive = test.sensitive
		if err := l.Request(r); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), test.want) {
			t.Errorf("sensitive %v: no %q in\n%s", test.sensitive, test.want, b.String())
		}
	}
}

func TestBodiesAreLaidOutOnlyWhereThatIsShort(t *testing.T) {
	deep := strings.Repeat("[", prettiestDepth+1) + strings.Repeat("]", prettiestDepth+1)
	long := `["` + strings.Repeat("a", prettiestBody) + `"]`
	for _, test := range []struct {
		name, body, want string
	}{
		{"json", `{"a":[1,{}],"b":"["}`, "    | {\n    |   \"a\": [\n    |     1,\n    |     {}\n    |   ],\n    |   \"b\": \"[\"\n    | }\n"},
		{"a repeated member stays", "{\"a\":1,\"a\":1.0}\n", "    | {\n    |   \"a\": 1,\n    |   \"a\": 1.0\n    | }\n"},
		{"text", "a\r\nb", "    | a\\r\\n\n    | b\n"},
		{"nothing", "", ""},
		{"bytes", "\xff\x00", "    | \\xff\\x00\n"},
		{"brackets in a string", `["\"` + strings.Repeat("[", 99) + `"]`, "    | [\n    |   \"\\\"" + strings.Repeat("[", 99) + "\"\n    | ]\n"},
		{"too deep", deep, "    | " + deep + "\n"},
		{"too long", long, "    | " + long + "\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b bytes.Buffer
			l := NewListen(&b, Style{Width: 80, Verbose: true}, false)
			p := printer{w: &b}
			l.body(&p, []byte(test.body))
			if got := b.String(); got != test.want {
				t.Errorf("got %.300q, want %.300q", got, test.want)
			}
		})
	}
}

func TestRequestsFromOutsideAreEscaped(t *testing.T) {
	const evil = "a\x1b[2J\n\u202e\x9b\xff"
	for _, test := range []struct {
		place  string
		change func(r *listen.Request)
	}{
		{"method", func(r *listen.Request) { r.Method = evil }},
		{"target", func(r *listen.Request) { r.Target = evil }},
		{"protocol", func(r *listen.Request) { r.Proto = evil }},
		{"header name", func(r *listen.Request) { r.Header[0].Name = evil }},
		{"header value", func(r *listen.Request) { r.Header[0].Value = evil }},
		{"id", func(r *listen.Request) { r.Event.ID = evil }},
		{"long id", func(r *listen.Request) { r.Event.ID = strings.Repeat(evil, 9) }},
		{"id of a retry", func(r *listen.Request) {
			r.Event.ID, r.Seen, r.Before = evil, listen.Retry, &listen.Earlier{Number: 1}
		}},
		{"type", func(r *listen.Request) { r.Event.Type = evil }},
		{"long type", func(r *listen.Request) { r.Event.Type = strings.Repeat(evil, 9) }},
		{"body", func(r *listen.Request) { r.Body = []byte(evil) }},
		{"string in a body", func(r *listen.Request) { r.Body = []byte("[\"\u202e\x7f\u009b\"]") }},
		{"updated", func(r *listen.Request) { r.OlderThan = &listen.Older{Updated: evil, Newer: evil} }},
		{"warning", func(r *listen.Request) { r.Warnings = []string{evil} }},
		{"answer's header", func(r *listen.Request) { r.Sent = []sign.Header{{Name: evil, Value: evil}} }},
		{"answer's body", func(r *listen.Request) { r.SentBody = []byte(evil) }},
		{"failure", func(r *listen.Request) {
			r.Failure, r.Answer.By = &send.Failure{Kind: profiles.Protocol, Message: evil}, listen.ByForward
		}},
		{"address", func(r *listen.Request) {
			r.Failure, r.Answer.By = &send.Failure{Kind: profiles.Refused, Tried: []string{evil}}, listen.ByForward
		}},
		{"time-out", func(r *listen.Request) {
			r.Failure, r.Answer.By = &send.Failure{Kind: profiles.ReadTimeout, Message: evil}, listen.ByForward
		}},
		{"reason", func(r *listen.Request) { r.Result = &sign.Result{Reason: evil} }},
	} {
		t.Run(test.place, func(t *testing.T) {
			for _, s := range []Style{{Width: 60}, {Width: 80, Verbose: true}, {Width: 120}} {
				r := verifiedRequest(builtin(t, "kudos"), 1, "10:03:03", 0, 200, 0, "evt_1")
				test.change(&r)
				got := drawRequests(t, s, true, r)
				if bad := firstControl(got); bad != "" {
					t.Errorf("at %d %s reaches the terminal:\n%q", s.Width, bad, got)
				}
			}
		})
	}
}

func TestSummaryLooksLikeItsPicture(t *testing.T) {
	tally := Tally{Verify: true, Elapsed: 161 * time.Second}
	for _, r := range sevenRequests(t) {
		tally.Add(&r)
	}
	for _, test := range []struct {
		name  string
		style Style
	}{
		{"listen-summary-60", Style{Width: 60, Terminal: true}},
		{"listen-summary-80", Style{Width: 80, Terminal: true}},
		{"listen-summary-pipe", Style{Width: 80}},
	} {
		var b, coloured bytes.Buffer
		if err := Summary(&b, test.style, tally); err != nil {
			t.Fatal(err)
		}
		golden(t, test.name, b.Bytes())
		test.style.Color = true
		if err := Summary(&coloured, test.style, tally); err != nil {
			t.Fatal(err)
		}
		if stripped(coloured.String()) != b.String() || coloured.String() == b.String() {
			t.Errorf("%s: the colours do not only add:\n%s", test.name, coloured.String())
		}
	}
}

func TestSummaryCountsEveryRequestOnce(t *testing.T) {
	p := builtin(t, "clodo")
	unknown := listen.Request{Number: 1, Answer: listen.Answer{Status: 200}, Took: time.Second}
	refused := listen.Request{Profile: p, Answer: listen.Answer{Status: 401}, Result: &sign.Result{Reason: sign.TooOld}}
	large := listen.Request{Profile: p, Answer: listen.Answer{Status: 413, By: listen.ByLimit}, Result: &sign.Result{}}
	limited := func(status int) listen.Request {
		return listen.Request{Answer: listen.Answer{Status: status, By: listen.ByLimit}, Result: &sign.Result{}}
	}
	explained, dropped := refused, refused
	explained.Explanation, dropped.Unexplained = &explain.Explanation{Kind: "trailing_newline_removed"}, true
	silent := listen.Request{Profile: p, Event: sign.Event{ID: "a"}, Seen: listen.New}
	for _, test := range []struct {
		name     string
		verify   bool
		garbage  int
		requests []listen.Request
		want     string
	}{
		{"nothing came", true, 0, nil, "0 requests in 5 s\n"},
		{"only garbage", true, 2, nil, "0 requests in 5 s\n  garbage     2  no HTTP that can be read; answered 400, 417 or 501\n"},
		{"without verifying", false, 0, []listen.Request{unknown, silent, silent},
			"3 requests in 5 s\n  received    2  2 ids\n  unknown     1  no profile fits, or several do\n" +
				"  answered    1  200: 1; the slowest in 1 s; 2 not answered\n"},
		{"no answer at all", false, 0, []listen.Request{silent},
			"1 request in 5 s\n  received    1  1 id\n  answered    0  1 not answered\n"},
		{"several reasons", true, 0, []listen.Request{refused, unknown, large, refused},
			"4 requests in 5 s\n  verified    0\n  refused     3  too old: 2, body too large: 1\n  unknown     1  no profile fits, or several do\n" +
				"  answered    4  200: 1, 401: 2, 413: 1; the slowest in 1 s\n"},
		{"limits", true, 0, []listen.Request{limited(431), limited(431), limited(503), limited(408)},
			"4 requests in 5 s\n  verified    0\n  refused     4  head too large: 2, body not whole: 1, too much at once: 1\n" +
				"  answered    4  408: 1, 431: 2, 503: 1; the slowest in 0 s\n"},
		{"kinds in place of reasons, and explanations that were dropped", true, 0, []listen.Request{explained, refused, dropped, dropped},
			"4 requests in 5 s\n  verified    0\n  refused     4  too old: 3, trailing_newline_removed: 1\n" +
				"  dropped     2  of the explanations; at most 4 are made at once\n  answered    4  401: 4; the slowest in 0 s, Clodo waits 20 s\n"},
		{"a provider with two limits", true, 0, []listen.Request{refused},
			"1 request in 5 s\n  verified    0\n  refused     1  too old\n  answered    1  401: 1; the slowest in 0 s, Clodo waits 20 s\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			tally := Tally{Verify: test.verify, Elapsed: 5 * time.Second, Garbage: test.garbage}
			for _, r := range test.requests {
				tally.Add(&r)
			}
			var b bytes.Buffer
			if err := Summary(&b, Style{Width: 80, Terminal: true}, tally); err != nil {
				t.Fatal(err)
			}
			if b.String() != test.want {
				t.Errorf("got\n%s\nwant\n%s", b.String(), test.want)
			}
			if tally.requests != len(test.requests) {
				t.Errorf("%d requests, want %d", tally.requests, len(test.requests))
			}
		})
	}
}

func TestSummaryTellsOfConnectionsWithoutTLS(t *testing.T) {
	tally := Tally{Elapsed: 5 * time.Second, Garbage: 1, PlainHTTP: 2, Distrust: 6, NoTLS: 1}
	const want = "0 requests in 5 s\n" +
		"  garbage     1  no HTTP that can be read; answered 400, 417 or 501\n" +
		"  plain       2  http on the https port, answered 400; the URL begins with\n                 https://\n" +
		"  distrust    6  ended in the TLS handshake: the sender does not trust the\n                 certificate\n" +
		"  no TLS      1  ended in the TLS handshake\n"
	var b bytes.Buffer
	if err := Summary(&b, Style{Width: 80, Terminal: true}, tally); err != nil || b.String() != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, b.String(), want)
	}
}

func TestListenReturnsTheWritersError(t *testing.T) {
	l := NewListen(failing{}, Style{Width: 80, Verbose: true}, true)
	if err := l.Request(sevenRequests(t)[0]); !errors.Is(err, errFull) {
		t.Errorf("got %v, want %v", err, errFull)
	}
	if err := Summary(failing{}, Style{Width: 80}, Tally{}); !errors.Is(err, errFull) {
		t.Errorf("summary: got %v, want %v", err, errFull)
	}
}
