package send

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// files reads the files that a script may name.
func files(name string) ([]byte, error) {
	switch name {
	case "a.json":
		return []byte("{}\n"), nil
	case "a,b:c.txt":
		return []byte("abc"), nil
	case "empty":
		return nil, nil
	}
	return nil, fmt.Errorf("open %s: %w", name, fs.ErrNotExist)
}

func TestAScriptIsReadStepByStep(t *testing.T) {
	status := func(n int) profiles.Outcome { return profiles.Outcome{Status: n} }
	failure := func(f profiles.Failure) profiles.Outcome { return profiles.Outcome{Failure: f} }
	tests := []struct {
		text string
		want []Step
	}{
		{"503x5,200", []Step{
			{Outcome: status(503), Times: 5, Text: "503x5"},
			{Outcome: status(200), Times: 1, Text: "200"},
		}},
		{"429:retry-after=120,200", []Step{
			{Outcome: status(429), Times: 1, RetryAfter: "120", HasRetry: true, Text: "429:retry-after=120"},
			{Outcome: status(200), Times: 1, Text: "200"},
		}},
		{"301:location=/hooks/", []Step{{Outcome: status(301), Times: 1, Location: "/hooks/", Text: "301:location=/hooks/"}}},
		{"timeoutx2,200", []Step{
			{Outcome: failure(profiles.ReadTimeout), Times: 2, Text: "timeoutx2"},
			{Outcome: status(200), Times: 1, Text: "200"},
		}},
		{"200:delay=9s", []Step{{Outcome: status(200), Times: 1, Delay: 9 * time.Second, Text: "200:delay=9s"}}},
		{`429:retry-after="Wed, 21 Oct 2015 07:28:00 GMT",200`, []Step{
			{Outcome: status(429), Times: 1, RetryAfter: "Wed, 21 Oct 2015 07:28:00 GMT", HasRetry: true, Text: `429:retry-after="Wed, 21 Oct 2015 07:28:00 GMT"`},
			{Outcome: status(200), Times: 1, Text: "200"},
		}},
		{"101,200,999x1000000", []Step{
			{Outcome: status(101), Times: 1, Text: "101"},
			{Outcome: status(200), Times: 1, Text: "200"},
			{Outcome: status(999), Times: 1_000_000, Text: "999x1000000"},
		}},
		{"reset,close,protocol,refused,dns,tls,unreachable,connect-timeout", []Step{
			{Outcome: failure(profiles.Reset), Times: 1, Text: "reset"},
			{Outcome: failure(profiles.Closed), Times: 1, Text: "close"},
			{Outcome: failure(profiles.Protocol), Times: 1, Text: "protocol"},
			{Outcome: failure(profiles.Refused), Times: 1, Text: "refused"},
			{Outcome: failure(profiles.DNS), Times: 1, Text: "dns"},
			{Outcome: failure(profiles.TLS), Times: 1, Text: "tls"},
			{Outcome: failure(profiles.Unreachable), Times: 1, Text: "unreachable"},
			{Outcome: failure(profiles.ConnectTimeout), Times: 1, Text: "connect-timeout"},
		}},
		{"301:location=http://h:80/x:y=1:delay=1m:retry-after=", []Step{
			{Outcome: status(301), Times: 1, Location: "http://h:80/x:y=1", Delay: time.Minute, HasRetry: true, Text: "301:location=http://h:80/x:y=1:delay=1m:retry-after="},
		}},
		{`500:body={"a":1},200`, []Step{
			{Outcome: status(500), Times: 1, Body: []byte(`{"a":1}`), Text: `500:body={"a":1}`},
			{Outcome: status(200), Times: 1, Text: "200"},
		}},
		{`500:body="{\"a\":1,\\:delay=2s}":delay=1s`, []Step{
			{Outcome: status(500), Times: 1, Body: []byte(`{"a":1,\:delay=2s}`), Delay: time.Second, Text: `500:body="{\"a\":1,\\:delay=2s}":delay=1s`},
		}},
		{`200:body=@a.json,200:body="@a,b:c.txt",200:body=@empty,200:body=`, []Step{
			{Outcome: status(200), Times: 1, Body: []byte("{}\n"), Text: "200:body=@a.json"},
			{Outcome: status(200), Times: 1, Body: []byte("abc"), Text: `200:body="@a,b:c.txt"`},
			{Outcome: status(200), Times: 1, Body: []byte{}, Text: "200:body=@empty"},
			{Outcome: status(200), Times: 1, Body: []byte{}, Text: "200:body="},
		}},
	}
	for _, tt := range tests {
		got, err := ParseScript(tt.text, files)
		if want := (&Script{Text: tt.text, Steps: tt.want}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v\nwant %+v", tt.text, got, err, want)
		}
	}
}

func TestAHeaderOptionMayBeQuotedWholeOrInItsValue(t *testing.T) {
	text := `500:header=X-A=1=2:header="x-b=c,d":header=X-C="e:delay=\"\\\n":header=X-D=`
	got := script(t, text).Steps[0].Header
	want := []sign.Header{{Name: "X-A", Value: "1=2"}, {Name: "x-b", Value: "c,d"}, {Name: "X-C", Value: `e:delay="\\n`}, {Name: "X-D"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAnErrorOfAScriptPointsAtItsPlace(t *testing.T) {
	tests := []struct {
		text  string
		error string
		at    string // the text under the caret
		near  string
	}{
		{"503x2,429:retryafter=120,200", `step 2 of 3: unknown option "retryafter"`, "retryafter", "retry-after"},
		{"", "step 1 of 1: no outcome", "", ""},
		{"503,", "step 2 of 2: no outcome", "", ""},
		{"503,,200", "step 2 of 3: no outcome", ",", ""},
		{"503,tiemout", `step 2 of 2: unknown outcome "tiemout"`, "tiemout", "timeout"},
		{"503, 200", `step 2 of 2: unknown outcome " 200"`, " 200", ""},
		{"2xx,200,200", `step 1 of 3: unknown outcome "2xx"`, "2xx", ""},
		{"100", "step 1 of 1: no status 100: 101, or 200 to 999", "100", ""},
		{"199,200", "step 1 of 2: no status 199: 101, or 200 to 999", "199", ""},
		{"1000", "step 1 of 1: no status 1000: 101, or 200 to 999", "1000", ""},
		{"0200", "step 1 of 1: no status 0200: 101, or 200 to 999", "0200", ""},
		{strings.Repeat("9", 30), "step 1 of 1: no status 99999999999999999999...: 101, or 200 to 999", strings.Repeat("9", 30), ""},
		{"200x0", `step 1 of 1: a step comes x1 to x1000000 times, not "x0"`, "x0", ""},
		{"200x", `step 1 of 1: a step comes x1 to x1000000 times, not "x"`, "x", ""},
		{"timeoutx-1", `step 1 of 1: a step comes x1 to x1000000 times, not "x-1"`, "x-1", ""},
		{"200x1000001", `step 1 of 1: a step comes x1 to x1000000 times, not "x1000001"`, "x1000001", ""},
		{"200:", "step 1 of 1: no option after the colon", "", ""},
		{"200:delay", `step 1 of 1: option "delay" has no value`, "delay", ""},
		{"200:delay=9", `step 1 of 1: delay "9" is no duration such as 500ms or 9s`, "9", ""},
		{"200:delay=-9s,200", `step 1 of 2: delay "-9s" is no duration such as 500ms or 9s`, "-9s", ""},
		{"200:delay=1s:delay=2s", `step 1 of 1: option "delay" is given twice`, "delay", ""},
		{"200:header=X-A", "step 1 of 1: header wants Name=value", "X-A", ""},
		{"200:header=X A=1", `step 1 of 1: "X A" is no name of a header`, "X A=1", ""},
		{"200:header==1", `step 1 of 1: "" is no name of a header`, "=1", ""},
		{"200:header=X-A=a\r\nX-B: 1", "step 1 of 1: a header cannot hold the control character 0x0d", "X-A=a\r\nX-B: 1", ""},
		{"200:header=content-length=1", "step 1 of 1: header content-length follows from the body", "content-length=1", ""},
		{"301:location=/\x7f", "step 1 of 1: a header cannot hold the control character 0x7f", "/\x7f", ""},
		{"429:retry-after=\x00", "step 1 of 1: a header cannot hold the control character 0x00", "\x00", ""},
		{`200:body="a,b`, "step 1 of 1: no closing quote", `"a,b`, ""},
		{`200,200:body="a\"`, "step 2 of 2: no closing quote", `"a\"`, ""},
		{`200:body="a"b,200`, "step 1 of 2: after a closing quote only a comma or a colon may stand", "b", ""},
		{"200:body=@no,200", "step 1 of 2: body: open no: file does not exist", "@no", ""},
		{"200,204:body=a", "step 2 of 2: an answer with status 204 has no body", "204", ""},
		{`200:delai=1s,200:body="a,b",200`, `step 1 of 3: unknown option "delai"`, "delai", "delay"},
	}
	for _, tt := range tests {
		_, err := ParseScript(tt.text, files)
		var e *ScriptError
		if !errors.As(err, &e) {
			t.Errorf("%q: %v, want %s", tt.text, err, tt.error)
			continue
		}
		end := min(e.Offset+e.Width, len(tt.text))
		if e.Error() != tt.error || tt.text[e.Offset:end] != tt.at || e.Near != tt.near || e.Text != tt.text || e.Width < 1 {
			t.Errorf("%q: %s at %q, near %q, width %d\nwant %s at %q, near %q", tt.text, e, tt.text[e.Offset:end], e.Near, e.Width, tt.error, tt.at, tt.near)
		}
	}
}

func TestAScriptErrorKeepsItsCause(t *testing.T) {
	_, err := ParseScript("200:body=@no", files)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v does not wrap %v", err, fs.ErrNotExist)
	}
	const want = "step 1 of 1: a body from a file cannot be used here"
	if _, err := ParseScript("200:body=@a.json", nil); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestTheLastStepRepeats(t *testing.T) {
	s := script(t, "503x2,timeout,200")
	want := []string{"503x2", "503x2", "timeout", "200", "200", "200"}
	for i, text := range want {
		if got := s.At(i + 1).Text; got != text {
			t.Errorf("answer %d is %s, want %s", i+1, got, text)
		}
	}
	if got := (&Script{}).At(1).Outcome; got != (profiles.Outcome{Status: 200}) {
		t.Errorf("an empty script answers %s", got)
	}
}

func TestOnlyWhatFollowsAConnectionCanBePlayed(t *testing.T) {
	for text, want := range map[string]bool{
		"200": true, "101": true, "timeout": true, "reset": true, "close": true, "protocol": true,
		"refused": false, "dns": false, "tls": false, "unreachable": false, "connect-timeout": false,
	} {
		if got := script(t, text).Steps[0].Playable(); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func FuzzParseScript(f *testing.F) {
	for _, s := range []string{
		"503x5,200", "429:retry-after=120,200", "301:location=/hooks/", "timeoutx2,200", "200:delay=9s",
		`429:retry-after="Wed, 21 Oct 2015 07:28:00 GMT",200`, `200:header=A="b\"\\":body=@f`, `200:body="`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseScript(text, files)
		if err != nil {
			var e *ScriptError
			if !errors.As(err, &e) {
				t.Fatalf("%T", err)
			}
			if e.Offset < 0 || e.Offset > len(text) || e.Width < 1 || e.Step < 1 || e.Steps < e.Step {
				t.Errorf("%q: %+v", text, e)
			}
			return
		}
		texts := make([]string, len(s.Steps))
		for i, step := range s.Steps {
			texts[i] = step.Text
			if step.Times < 1 || step.Times > maxTimes || step.Delay < 0 {
				t.Errorf("%q: %+v", text, step)
			}
			for _, h := range step.Headers(time.Unix(0, 0)) {
				if strings.ContainsAny(h.Name+h.Value, "\r\n\x00") {
					t.Errorf("%q: header %q", text, h)
				}
			}
		}
		if got := strings.Join(texts, ","); got != text {
			t.Errorf("%q was read as %q", text, got)
		}
	})
}
