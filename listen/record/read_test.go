package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

var at = time.Date(2026, 1, 2, 10, 3, 3, 5_000_000, time.UTC)

func TestARequestIsReadBackAsItCame(t *testing.T) {
	event := sign.Event{ID: "evt_1\u202e", Type: "a.b", Attempt: 2}
	q := listen.Request{
		Number: 3, At: at, Remote: "127.0.0.1:5", Method: "POST", Target: "/a?b=\"<", Proto: "HTTP/1.1",
		Header: []sign.Header{{Name: "host", Value: "h"}, {Name: "X-Latin", Value: "\xe9\x00\x7f\\"}, {Name: "X-Empty", Value: ""}},
		Body:   []byte("\x00\xff\n"), BodyRead: true, Event: event,
		Result: &sign.Result{Verified: true, Secret: 2, Event: event},
		Seen:   listen.Retry, Of: 1, Answer: listen.Answer{Status: 204, By: listen.ByForward},
	}
	written := q
	written.Profile = &profiles.Profile{Name: "p"}
	unread := listen.Request{Number: 1, At: at, Header: []sign.Header{}, Seen: listen.New, Answer: listen.Answer{By: listen.ByScript},
		Result: &sign.Result{Reason: sign.MissingHeader}}
	var b bytes.Buffer
	for _, q := range []listen.Request{written, unread} {
		if err := send.WriteDocument(&b, q); err != nil {
			t.Fatal(err)
		}
	}
	got := all(t, &b)
	want := []Document{{Line: 1, Profile: "p", Request: &q}, {Line: 2, Request: &unread}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\n%+v, want %+v\n%+v", got[0].Request, got[1].Request, want[0].Request, want[1].Request)
	}
}

func TestADeliveryIsReadBackAsItWasSent(t *testing.T) {
	header := []sign.Header{{Name: "x-a", Value: "\xff"}}
	want := send.Timeline{
		Profile: "p", URL: "http://h/", Seed: 1<<53 - 1, Secret: 2, WithBody: true,
		Event: send.Message{ID: "i", Type: "t", Body: []byte("{}")},
		Attempts: []send.Attempt{
			{Number: 1, At: at, Request: &send.Request{Header: header}, Failure: &send.Failure{Kind: profiles.Reset, Message: "m"}},
			{Number: 2, At: at, Request: &send.Request{Header: header}, Response: &send.Response{Status: 200}},
			{Number: 3, Failure: &send.Failure{Kind: profiles.NoSecret}},
		},
		Ending: send.Ending{State: send.StateDelivered, Cause: send.ByRule},
	}
	var b bytes.Buffer
	if err := send.WriteDocument(&b, want); err != nil {
		t.Fatal(err)
	}
	got := all(t, &b)
	if len(got) != 1 || got[0].Profile != "p" || !reflect.DeepEqual(*got[0].Timeline, want) {
		t.Errorf("got %+v, want %+v", *got[0].Timeline, want)
	}
	b.Reset()
	want.WithBody = false
	if err := send.WriteDocument(&b, want); err != nil {
		t.Fatal(err)
	}
	if got := all(t, &b); got[0].Timeline.WithBody || got[0].Timeline.Event.Body != nil {
		t.Error("a body where none was written")
	}
}

// all reads a record without faults.
func all(t *testing.T, r io.Reader) []Document {
	t.Helper()
	documents, skipped := Read(r, "r")
	var list []Document
	for d, err := range documents {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, d)
	}
	if n := skipped(); n > 0 {
		t.Fatalf("%d lines skipped", n)
	}
	return list
}

// told is what reading gives, in words.
func told(text string, most int) string {
	var b strings.Builder
	documents, skipped := read(strings.NewReader(text), "r", most)
	for d, err := range documents {
		switch {
		case err != nil:
			fmt.Fprintf(&b, "%v; ", err)
		case d.Request != nil:
			fmt.Fprintf(&b, "line %d: request %d; ", d.Line, d.Request.Number)
		default:
			fmt.Fprintf(&b, "line %d: delivery; ", d.Line)
		}
	}
	return fmt.Sprintf("%s%d skipped", b.String(), skipped())
}

func TestLinesThatAreNoDocumentAreSkipped(t *testing.T) {
	one, delivery, largest := request(1), `{"schema":"hookctl.timeline/1"}`+"\n", strconv.Itoa(maxNumber)
	broken := func(field string) string {
		return `{"schema":"hookctl.request/1","number":1,"at":"2026-01-02T10:03:03Z",` + field + "}\n"
	}
	for name, test := range map[string]struct{ text, want string }{
		"nothing":               {"", "0 skipped"},
		"blank lines":           {"\n \t\r\n\n", "0 skipped"},
		"both kinds":            {one + delivery, "line 1: request 1; line 2: delivery; 0 skipped"},
		"CRLF":                  {"\r\n" + strings.ReplaceAll(one, "\n", "\r\n"), "line 2: request 1; 0 skipped"},
		"no newline at the end": {strings.TrimSpace(one), "line 1: request 1; 0 skipped"},
		"torn at the end":       {one + one[:30], "line 1: request 1; 1 skipped"},
		"torn within":           {one[:30] + "\n" + one, "line 2: request 1; 1 skipped"},
		"glued":                 {one[:30] + one + one, "line 2: request 1; 1 skipped"},
		"others' lines":         {"hello\nnull\n[]\n7\n{}\n{\"schema\":\"hookctl.ready/1\",\"url\":\"u\"}\n{\"schema\":7}\n" + one, "line 8: request 1; 7 skipped"},
		"of another version":    {`{"schema":"hookctl.request/2","number":"x"}` + "\n" + one, "line 2: request 1; 1 skipped"},
		"no number":             {`{"schema":"hookctl.request/1","at":"2026-01-02T10:03:03Z"}` + "\n" + one, "r:1: number: it is not from 1 to " + largest + "; line 2: request 1; 0 skipped"},
		"too large a number":    {`{"schema":"hookctl.request/1","number":` + strconv.Itoa(maxNumber+1) + `}`, "r:1: number: it is not from 1 to " + largest + "; 0 skipped"},
		"a number of text":      {`{"schema":"hookctl.request/1","number":"1"}`, "r:1: number: a string does not belong there; 0 skipped"},
		"no time":               {`{"schema":"hookctl.request/1","number":1}`, "r:1: at: it is not an RFC 3339 time; 0 skipped"},
		"headers of text":       {broken(`"headers":["a"]`), "r:1: headers: a string does not belong there; 0 skipped"},
		"a header alone":        {broken(`"headers":[["a","b"],["a"]]`), "r:1: headers: line 2 is not a name and a value; 0 skipped"},
		"a header of four":      {broken(`"headers":[["a","b","","d"]]`), "r:1: headers: line 1 is not a name and a value; 0 skipped"},
		"a header without name": {broken(`"headers":[["","b"]]`), "r:1: headers: line 1 is not a name and a value; 0 skipped"},
		"a header's bytes":      {broken(`"headers":[["a","b","%"]]`), "r:1: headers: the bytes of line 1 are not base64; 0 skipped"},
		"a body not base64":     {broken(`"body_base64":"%"`), "r:1: illegal base64 data at input byte 0; 0 skipped"},
		"a faulty delivery":     {`{"schema":"hookctl.timeline/1","attempts":[{"at":"2026-01-02T10:03:03Z"},{"at":"x"}]}`, "r:1: attempt 2: at: it is not an RFC 3339 time; 0 skipped"},
		"its headers":           {`{"schema":"hookctl.timeline/1","attempts":[{"request":{"headers":[[]]}}]}`, "r:1: attempt 1: headers: line 1 is not a name and a value; 0 skipped"},
		"a line too long":       {one + strings.Repeat("x", 100_001) + "\n" + one, "line 1: request 1; r:2: the line is longer than 256 MiB; line 3: request 1; 0 skipped"},
		"far too long, at end":  {one + strings.Repeat("x", 1_000_000), "line 1: request 1; r:2: the line is longer than 256 MiB; 0 skipped"},
		"as long as can be":     {strings.Repeat(" ", 100_000-len(one)+1) + one, "line 1: request 1; 0 skipped"},
	} {
		if got := told(test.text, 100_001); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestALineThatIsTooLongIsNotHeld(t *testing.T) {
	const most, far = 1 << 20, 32 << 20
	text := request(1) + strings.Repeat("x", far) + "\n" + request(3) + strings.Repeat("x", far)
	for name, test := range map[string]struct {
		r    io.Reader
		held int // bytes
	}{
		"a file":                    {strings.NewReader(text), 2 * readAhead},
		"what cannot be read again": {io.MultiReader(strings.NewReader(text)), 2 * most},
	} {
		l := newLineReader(test.r, most)
		got := ""
		for err := error(nil); !errors.Is(err, io.EOF); {
			var line []byte
			line, err = l.next()
			got += fmt.Sprintf("%d %v; ", len(line), err)
		}
		want := fmt.Sprintf("%d <nil>; 0 %v; %[1]d <nil>; 0 %[2]v; 0 EOF; ", len(request(1))-1, errLong)
		if got != want || cap(l.buf) > test.held {
			t.Errorf("%s: %s with %d bytes held; want %s with %d", name, got, cap(l.buf), want, test.held)
		}
	}
}

func TestAFailedReadIsTheEnd(t *testing.T) {
	broken := errors.New("broken")
	r := io.MultiReader(strings.NewReader(request(1)+request(2)), iotest.ErrReader(broken))
	documents, _ := Read(r, "r")
	n := 0
	var last error
	for _, err := range documents {
		n++
		last = err
	}
	if n != 3 || last != broken {
		t.Errorf("%d yielded, %v", n, last)
	}
}

func TestReadingStopsWhenTheLoopDoes(t *testing.T) {
	for _, text := range []string{request(1) + request(2), strings.Repeat(`{"schema":"hookctl.request/1"}`+"\n", 2)} {
		documents, _ := Read(strings.NewReader(text), "r")
		n := 0
		for range documents {
			n++
			break
		}
		if n != 1 {
			t.Errorf("%d yielded", n)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{request(1), `{"schema":"hookctl.timeline/1","attempts":[{"number":1,"request":{"headers":[["a","b","/w=="]]}}]}`,
		"x\n" + request(2) + request(3)[:50], `{"schema":"hookctl.request/1","number":-1}`, `{"schema":"hookctl.request/1","number":1e99}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		documents, skipped := read(bytes.NewReader(text), "r", 70_000)
		line, n := 0, 0
		for d, err := range documents {
			n++
			if err != nil {
				continue
			}
			if d.Line <= line || (d.Request == nil) == (d.Timeline == nil) {
				t.Fatalf("%+v after line %d", d, line)
			}
			line = d.Line
			if q := d.Request; q != nil && q.Number < 1 {
				t.Fatalf("%+v", q)
			}
		}
		if n += skipped(); n > bytes.Count(text, []byte("\n"))+1 {
			t.Fatalf("%d documents, faults and skipped lines", n)
		}
	})
}
