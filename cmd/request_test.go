package cmd

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/sign"
)

func TestARawRequestIsItsHeadersAndAllThatFollows(t *testing.T) {
	const one = "Content-Length is 4: one line end after the body is dropped"
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	host := []sign.Header{{Name: "Host", Value: "h"}}
	four := []sign.Header{{Name: "Host", Value: "h"}, {Name: "Content-Length", Value: "4"}}
	for name, test := range map[string]struct {
		raw    string
		header []sign.Header
		body   string
		notes  []string
		err    string
	}{
		"LF":                              {raw: "POST /h HTTP/1.1\nHost: h\n\nbody", header: host, body: "body"},
		"CRLF":                            {raw: crlf("POST /h HTTP/1.1\nHost: h\n\n") + "body", header: host, body: "body"},
		"CRLF in the head, LF in between": {raw: "POST /h HTTP/1.1\r\nHost: h\n\nbody", header: host, body: "body"},
		"a body of lines":                 {raw: "POST /h HTTP/1.1\nHost: h\n\na\n\nb\n", header: host, body: "a\n\nb\n"},
		"a body that begins with a line":  {raw: "POST /h HTTP/1.1\nHost: h\n\n\n\nb", header: host, body: "\n\nb"},
		"without a length nothing goes":   {raw: "POST /h HTTP/1.1\nHost: h\n\nbody\n", header: host, body: "body\n"},
		"the length fits":                 {raw: "POST /h HTTP/1.1\nHost: h\nContent-Length: 4\n\nbody", header: four, body: "body"},
		"one LF over":                     {raw: "POST /h HTTP/1.1\nHost: h\nContent-Length: 4\n\nbody\n", header: four, body: "body", notes: []string{one}},
		"one CRLF over":                   {raw: crlf("POST /h HTTP/1.1\nHost: h\nContent-Length: 4\n\n") + "body\r\n", header: four, body: "body", notes: []string{one}},
		"two LF over":                     {raw: "POST /h HTTP/1.1\nHost: h\nContent-Length: 4\n\nbody\n\n", header: four, body: "body\n\n"},
		"CR over":                         {raw: "POST /h HTTP/1.1\nHost: h\nContent-Length: 4\n\nbody\r", header: four, body: "body\r"},
		"a blank over":                    {raw: "POST /h HTTP/1.1\nHost: h\nContent-Length: 4\n\nbody ", header: four, body: "body "},
		"more over":                       {raw: "POST /h HTTP/1.1\nHost: h\nContent-Length: 4\n\nbodyx\n", header: four, body: "bodyx\n"},
		"one over that is the body's":     {raw: "POST /h HTTP/1.1\nHost: h\nContent-Length: 4\n\nbod\n", header: four, body: "bod\n"},
		"a body too short":                {raw: "POST /h HTTP/1.1\nHost: h\nContent-Length: 4\n\nb", header: four, body: "b"},
		"no body":                         {raw: "POST /h HTTP/1.1\nHost: h\n\n", header: host},
		"no blank line":                   {raw: "POST /h HTTP/1.1\nHost: h\n", header: host},
		"no last line end":                {raw: "POST /h HTTP/1.1\nHost: h", header: host},
		"a length that is none":           {raw: "POST /h HTTP/1.1\nContent-Length: x\n\nb\n", header: []sign.Header{{Name: "Content-Length", Value: "x"}}, body: "b\n"},
		"a length below 0":                {raw: "POST /h HTTP/1.1\nContent-Length: -1\n\nb\n", header: []sign.Header{{Name: "Content-Length", Value: "-1"}}, body: "b\n"},
		"a length in small letters":       {raw: "POST /h HTTP/1.1\ncontent-length: 1\n\nb\n", header: []sign.Header{{Name: "content-length", Value: "1"}}, body: "b", notes: []string{strings.Replace(one, "4", "1", 1)}},
		"headers in order, repeated":      {raw: "POST /h HTTP/1.1\nB: 1\na:  2 \nB: 3\n\n", header: []sign.Header{{Name: "B", Value: "1"}, {Name: "a", Value: "2"}, {Name: "B", Value: "3"}}},
		"HTTP/1.0, another method":        {raw: "DELETE /h HTTP/1.0\nHost: h\n\n", header: host},

		"nothing":          {err: "line 1 is not a request line such as POST /hooks HTTP/1.1"},
		"a blank line":     {raw: "\n", err: "line 1 is not a request line such as POST /hooks HTTP/1.1"},
		"no headers":       {raw: "POST /h HTTP/1.1\n\nbody", err: "there is no header"},
		"headers alone":    {raw: "Host: h\nX-A: 1\n\nbody", err: "line 1 is not a request line such as POST /hooks HTTP/1.1"},
		"a body alone":     {raw: `{"a":1}`, err: "line 1 is not a request line such as POST /hooks HTTP/1.1"},
		"an answer":        {raw: "HTTP/1.1 200 OK\nHost: h\n\n", err: "line 1 is not a request line such as POST /hooks HTTP/1.1"},
		"HTTP/2":           {raw: "POST /h HTTP/2\nHost: h\n\n", err: "line 1 is not a request line such as POST /hooks HTTP/1.1"},
		"garbage":          {raw: "\x00\xff\n\n\x00", err: "line 1 is not a request line such as POST /hooks HTTP/1.1"},
		"a URL":            {raw: "http://h/ x HTTP/1.1\nHost: h\n\n", err: "line 1 is not a request line such as POST /hooks HTTP/1.1"},
		"a blank in front": {raw: " POST /h HTTP/1.1\nHost: h\n\n", err: "line 1 is not a request line such as POST /hooks HTTP/1.1"},
	} {
		header, body, notes, err := parseRequest([]byte(test.raw))
		if test.err != "" {
			if err == nil || err.Error() != test.err || header != nil || body != nil {
				t.Errorf("%s: %v, %q, %v, want the error %s", name, header, body, err, test.err)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(header, test.header) || string(body) != test.body || !reflect.DeepEqual(notes, test.notes) {
			t.Errorf("%s: %q, %q, %q, %v;\nwant %q, %q, %q", name, header, body, notes, err, test.header, test.body, test.notes)
		}
	}
}

func TestAHugeRequestIsReadWhole(t *testing.T) {
	big := strings.Repeat("x", 8<<20)
	header, body, _, err := parseRequest([]byte("POST /h HTTP/1.1\nX-A: " + big + "\n\n" + big))
	if err != nil || len(header) != 1 || len(header[0].Value) != len(big) || string(body) != big {
		t.Errorf("%d headers, a body of %d bytes, %v", len(header), len(body), err)
	}
	if _, _, _, err := parseRequest([]byte(big)); err == nil {
		t.Error("one long line is a request")
	}
}

func FuzzParseRequest(f *testing.F) {
	for _, seed := range []string{
		"POST /h HTTP/1.1\nHost: h\nContent-Length: 4\n\nbody\n", "POST /h HTTP/1.1\r\nHost: h\r\n\r\nbody", "POST /h HTTP/1.1\nX: 1\n 2\n\n", "", "\n\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		header, body, notes, err := parseRequest(raw)
		if err != nil {
			return
		}
		if len(header) == 0 {
			t.Error("no error and no header")
		}
		end := len(raw)
		switch len(notes) {
		case 0:
		case 1: // one line end is gone, nothing else
			if end--; raw[end] != '\n' {
				t.Fatalf("dropped %q", raw[end:])
			}
			if !strings.HasSuffix(string(raw[:end]), string(body)) {
				end--
			}
		default:
			t.Fatalf("notes %q", notes)
		}
		if !strings.HasSuffix(string(raw[:end]), string(body)) {
			t.Errorf("the body %q is not the end of %q", body, raw)
		}
	})
}
