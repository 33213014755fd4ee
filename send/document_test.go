package send

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// told is a timeline of two attempts, the first answered 503, the second 200.
func told() Timeline {
	at := time.Date(2026, 1, 2, 4, 4, 5, 678_900_000, time.FixedZone("", 3600))
	request := func(more ...sign.Header) *Request {
		return &Request{Method: "POST", Target: "/", Header: append([]sign.Header{
			{Name: "Host", Value: "localhost:4665"},
			{Name: "Authorization", Value: "Basic dTpw"},
		}, more...)}
	}
	return Timeline{
		Profile: "kudos",
		URL:     "http://localhost:4665/",
		Seed:    18446744073709551615,
		Speed:   "instant",
		Event:   Message{ID: "evt_1", Type: "payment.succeeded", Body: []byte(`{"a":"<&>"}`)},
		Attempts: []Attempt{
			{
				Number: 1, At: at, Took: 2100 * time.Microsecond, Waited: true,
				Request: request(sign.Header{Name: "X-A", Value: "\xff<"}),
				Response: &Response{Status: 503, Header: []sign.Header{
					{Name: "content-length", Value: "0"}, {Name: "set-cookie", Value: "a=b"},
				}, Complete: true},
				Verdict: Verdict{Then: profiles.Retried, Item: "5xx", Rule: &profiles.Rule{Assumed: "that"}, Reason: "503 may answer differently later"},
				Next:    &Wait{Wait: 31400 * time.Millisecond, Base: 30 * time.Second, Min: 1, Max: 2, Source: FromSchedule},
				Notes:   []string{"assumed: that"},
			},
			{
				Number: 2, Due: 31402100 * time.Microsecond, At: at.Add(4 * time.Millisecond), Took: 2100 * time.Microsecond,
				Request:  request(),
				Response: &Response{Status: 200, Body: []byte("ok\n")},
				Verdict:  Verdict{Then: profiles.Delivered, Item: "2xx", Rule: &profiles.Rule{}},
			},
		},
		Ending: Ending{State: StateDelivered, Cause: ByRule, Elapsed: 31404200 * time.Microsecond, Notes: []string{"assumed: that", "b"}},
		Notes:  []string{"c", "b"},
	}
}

// document writes a timeline and drops the line's end.
func document(t *testing.T, tl Timeline) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteDocument(&b, tl); err != nil {
		t.Fatal(err)
	}
	line, ok := strings.CutSuffix(b.String(), "\n")
	if !ok || strings.Contains(line, "\n") || !json.Valid([]byte(line)) {
		t.Fatalf("not one line of JSON: %q", b.String())
	}
	return line
}

func TestATimelineIsWrittenAsTheContractSays(t *testing.T) {
	want := `{"schema":"hookctl.timeline/1","profile":"kudos","url":"http://localhost:4665/","seed":18446744073709551615,"speed":"instant","secret":null,` +
		`"event":{"id":"evt_1","type":"payment.succeeded","bytes":11},` +
		`"attempts":[{"number":1,"due_s":0,"at":"2026-01-02T03:04:05.678Z","took_s":0.0021,"waited":true,` +
		`"request":{"headers":[["Host","localhost:4665"],["Authorization","***"],["X-A","\ufffd<","/zw="]]},` +
		`"response":{"status":503,"headers":[["content-length","0"],["set-cookie","***"]],"body_base64":"","body_complete":true},` +
		`"error":null,"verdict":"retry","rule":"5xx -> retry","reason":"503 may answer differently later","assumed":true,` +
		`"next":{"wait_s":31.4,"base_s":30,"source":"schedule"}},` +
		`{"number":2,"due_s":31.4021,"at":"2026-01-02T03:04:05.682Z","took_s":0.0021,"waited":false,` +
		`"request":{"headers":[["Host","localhost:4665"],["Authorization","***"]]},` +
		`"response":{"status":200,"headers":[],"body_base64":"b2sK","body_complete":false},` +
		`"error":null,"verdict":"delivered","rule":"2xx -> delivered","reason":null,"assumed":false,"next":null}],` +
		`"state":"delivered","reason":"rule","effects":[],"elapsed_s":31.4042,"notes":["assumed: that","b","c"]}`
	if got := document(t, told()); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestAnAttemptWithoutAnAnswerHasItsError(t *testing.T) {
	tl := Timeline{Profile: "kustomer", Secret: 2, Seed: 7, Speed: "60", URL: "http://u:p@h/",
		Attempts: []Attempt{
			{Number: 1, Failure: &Failure{Kind: profiles.NoSecret, Message: "no active secret"},
				Verdict: Verdict{Then: profiles.Failed, Item: "no-secret", Rule: &profiles.Rule{}, Reason: "r"}},
			{Number: 2, Failure: &Failure{Kind: profiles.Interrupted, Message: "interrupted"}},
		},
		Ending: Ending{State: StateFailed, Cause: ByRule, Effects: []profiles.Effect{profiles.NotifyOwner}}}
	want := `{"schema":"hookctl.timeline/1","profile":"kustomer","url":"http://u:***@h/","seed":7,"speed":"60","secret":2,` +
		`"event":{"id":null,"type":null,"bytes":0},"attempts":[` +
		`{"number":1,"due_s":0,"at":null,"took_s":0,"waited":false,"request":null,"response":null,"error":{"kind":"no-secret","message":"no active secret"},` +
		`"verdict":"failed","rule":"no-secret -> failed","reason":"r","assumed":false,"next":null},` +
		`{"number":2,"due_s":0,"at":null,"took_s":0,"waited":false,"request":null,"response":null,"error":{"kind":"interrupted","message":"interrupted"},` +
		`"verdict":null,"rule":null,"reason":null,"assumed":false,"next":null}],` +
		`"state":"failed","reason":"rule","effects":["notify-owner"],"elapsed_s":0,"notes":[]}`
	if got := document(t, tl); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestAPlanIsATimelineWithoutARequest(t *testing.T) {
	p := builtin(t, "clodo")
	attempts, e := Plan(p, script(t, "timeout,404"), NoJitter)
	e.Notes = nil
	tl := Timeline{Profile: p.Name, URL: "http://h/", Speed: "instant", Event: Message{ID: "wh_1", Type: "job.completed", Body: []byte("{}")},
		Attempts: attempts, Ending: e, Planned: true}
	want := `{"schema":"hookctl.timeline/1","profile":"clodo","url":null,"seed":0,"speed":null,"secret":null,` +
		`"event":{"id":null,"type":"job.completed","bytes":2},"attempts":[` +
		`{"number":1,"due_s":0,"at":null,"took_s":20,"waited":false,"request":null,"response":null,` +
		`"error":{"kind":"read-timeout","message":"connected and sent, but no answer within 20 s"},` +
		`"verdict":"retry","rule":"timeout -> retry","reason":` + quotedReason(t, attempts[0]) + `,"assumed":false,"next":{"wait_s":5,"base_s":5,"source":"schedule"}},` +
		`{"number":2,"due_s":25,"at":null,"took_s":0,"waited":false,"request":null,` +
		`"response":{"status":404,"headers":[],"body_base64":"","body_complete":true},` +
		`"error":null,"verdict":"failed","rule":"4xx -> failed","reason":` + quotedReason(t, attempts[1]) + `,"assumed":false,"next":null}],` +
		`"state":"failed","reason":"rule","effects":[],"elapsed_s":25,"notes":[]}`
	if got := document(t, tl); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// quotedReason is the reason of an attempt as JSON: a word of the profile.
func quotedReason(t *testing.T, a Attempt) string {
	t.Helper()
	if a.Verdict.Reason == "" {
		return "null"
	}
	text, err := json.Marshal(a.Verdict.Reason)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAPlanWithoutAScriptHasTheRangeOfItsWaits(t *testing.T) {
	p := *builtin(t, "kudos")
	p.Retry.Waits = p.Retry.Waits[:1]
	attempts, e := Plan(&p, nil, nil)
	e.Notes = nil
	tl := Timeline{Profile: p.Name, Attempts: attempts, Ending: e, Planned: true, Bare: true}
	want := `"attempts":[` +
		`{"number":1,"due_s":0,"at":null,"took_s":0,"waited":false,"request":null,"response":null,"error":null,"verdict":"retry","rule":null,"reason":null,"assumed":false,` +
		`"next":{"wait_s":30,"base_s":30,"source":"schedule","min_s":22.5,"max_s":37.5}},` +
		`{"number":2,"due_s":30,"at":null,"took_s":0,"waited":false,"request":null,"response":null,"error":null,"verdict":"retry","rule":null,"reason":null,"assumed":false,"next":null}],` +
		`"state":"failed","reason":"exhausted","effects":["notify-owner"],"elapsed_s":30,"notes":[]}`
	if got := document(t, tl); !strings.HasSuffix(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestADuplicateHasTheFormOfAnAttempt(t *testing.T) {
	tl := told()
	tl.Duplicate = &tl.Attempts[1]
	got := document(t, tl)
	attempt := `{"number":2,"due_s":31.4021,`
	if !strings.Contains(got, `"next":null}],"duplicate":`+attempt) || strings.Count(got, attempt) != 2 {
		t.Errorf("no duplicate after the attempts: %s", got)
	}
}

func TestARecordHasTheBody(t *testing.T) {
	tl := told()
	tl.WithBody = true
	if got, want := document(t, tl), `"bytes":11,"body_base64":"eyJhIjoiPCY+In0="}`; !strings.Contains(got, want) {
		t.Errorf("no %s in %s", want, got)
	}
	tl.Event.Body = nil
	if got, want := document(t, tl), `"bytes":0,"body_base64":""}`; !strings.Contains(got, want) {
		t.Errorf("no %s in %s", want, got)
	}
}

func TestCredentialsAreMaskedUnlessAllowed(t *testing.T) {
	tl := told()
	tl.Masked = func(name string) bool { return name == "X-A" }
	if got := document(t, tl); !strings.Contains(got, `["X-A","***"]`) || strings.Contains(got, "dTpw") {
		t.Errorf("not masked: %s", got)
	}
	tl.Sensitive = true
	got := document(t, tl)
	for _, want := range []string{`["Authorization","Basic dTpw"]`, `["set-cookie","a=b"]`, `["X-A","\ufffd<","/zw="]`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

func TestMaskLeavesTheListAlone(t *testing.T) {
	var list []sign.Header
	for _, name := range []string{"AUTHORIZATION", "Proxy-Authorization", "cookie", "Set-Cookie", "x-api-key", "X-Api-Keys", "Host"} {
		list = append(list, sign.Header{Name: name, Value: "v"})
	}
	if h := MaskHeader(sign.Header{Name: "location", Value: "http://u:pw@h/?x"}, nil); h.Value != "http://u:***@h/?x" {
		t.Errorf("%v", h)
	}
	masked := Mask(list, nil)
	for i, h := range masked {
		want := "***"
		if i >= 5 {
			want = "v"
		}
		if h.Name != list[i].Name || h.Value != want || list[i].Value != "v" {
			t.Errorf("%v of %v, want %s", h, list[i], want)
		}
	}
}

func TestADocumentCannotDriveATerminal(t *testing.T) {
	var in strings.Builder
	for r := range rune(0x2100) {
		in.WriteRune(r)
	}
	in.WriteString("\xff\xed\xa0\x80<>&\U0001f600")
	var b bytes.Buffer
	if err := WriteDocument(&b, map[string]string{"a\u202e": in.String()}); err != nil {
		t.Fatal(err)
	}
	for _, r := range strings.TrimSuffix(b.String(), "\n") {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
			t.Errorf("%U stands in the document", r)
		}
	}
	for _, want := range []string{`{"a\u202e":"`, `\u0000`, `\u001b`, `\u007f`, `\u0085`, `\u009f`, `\u061c`, `\u200e`, `\u2066`, `\u2028`, `\ufffd`, "<>&\U0001f600", "\u00a0", "\u2065"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s", want)
		}
	}
	var back map[string]string
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if got, want := back["a\u202e"], strings.ToValidUTF8(in.String(), "\ufffd"); strings.ReplaceAll(got, "\ufffd", "") != strings.ReplaceAll(want, "\ufffd", "") {
		t.Error("the text does not come back")
	}
}

func TestRawJSONIsEscapedToo(t *testing.T) {
	var b bytes.Buffer
	if err := WriteDocument(&b, json.RawMessage("{\"a\":\n \"\u202e\xff<\"}")); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), `{"a":"\u202e\ufffd<"}`+"\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A brokenWriter fails and counts the calls.
type brokenWriter struct{ calls int }

var errBroken = errors.New("broken")

func (w *brokenWriter) Write(p []byte) (int, error) {
	w.calls++
	return 0, errBroken
}

func TestWriteDocumentReturnsTheErrorOfTheWriter(t *testing.T) {
	w := &brokenWriter{}
	if err := WriteDocument(w, 1); !errors.Is(err, errBroken) || w.calls != 1 {
		t.Errorf("%v after %d calls, want %v after 1", err, w.calls, errBroken)
	}
	var unsupported *json.UnsupportedTypeError
	if err := WriteDocument(w, func() {}); !errors.As(err, &unsupported) || w.calls != 1 {
		t.Errorf("%v after %d calls", err, w.calls)
	}
}

func TestSecondsArePlainDecimals(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0", 1: "0.000000001", 2100 * time.Microsecond: "0.0021", 31400 * time.Millisecond: "31.4",
		time.Hour: "3600", 10 * time.Minute: "600", longest: "9223372036.854775807",
		-1: "-0.000000001", -1 << 63: "-9223372036.854775808",
	} {
		if got := Seconds(d).String(); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
}

func TestLengthsOfTimeAreSpelled(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 s", 20 * time.Second: "20 s", time.Hour: "1 h", 90 * time.Minute: "1 h 30 m",
		500 * time.Millisecond: "0.5 s", 3661 * time.Second: "1 h 1 m 1 s",
	} {
		if got := spell(d); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
}

func TestUserinfoIsNeverShown(t *testing.T) {
	for url, want := range map[string]string{
		"http://h:1/a":            "http://h:1/a",
		"http://u:p@h/":           "http://u:***@h/",
		"http://u@h/":             "http://u:***@h/",
		"http://u:p@q@h/":         "http://u:***@h/",
		"http://u:***@h/":         "http://u:***@h/",
		"http://h/a@b:c":          "http://h/a@b:c",
		"http://h?x=http://u:p@h": "http://h?x=http://u:p@h",
		"https://:p@h#a@b":        "https://:***@h#a@b",
		"u:p@h":                   "u:p@h",
		"":                        "",
	} {
		if got := ShownURL(url); got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
}
