package conform

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever a receiver answers, the reports are whole documents that drive no
// terminal.
func FuzzReports(f *testing.F) {
	for _, s := range []string{"a\x1b[31m\u202e|`<b>", "\xff\x00\u009b\ufffe\u2028", "]]>\n# a\n| - | - |\n```"} {
		f.Add(s)
	}
	r := sample(f)
	f.Fuzz(func(t *testing.T, evil string) {
		for i := range r.Results {
			c := &r.Results[i]
			c.Finding, c.Fix, c.Asked, c.Came, c.Why = evil, evil, evil, evil, evil
			c.Sent, c.Got, c.Notes, c.Warning = []string{evil}, []string{evil}, []string{evil}, evil
		}
		r.Rotation[0].Answer = evil
		var junit, markdown bytes.Buffer
		if err := errors.Join(r.WriteJUnit(&junit), r.WriteMarkdown(&markdown)); err != nil {
			t.Fatal(err)
		}
		if line, err := r.MarshalJSON(); err != nil || !json.Valid(line) {
			t.Errorf("JSON %q, %v", line, err)
		}
		for d := xml.NewDecoder(bytes.NewReader(junit.Bytes())); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%v: %q", err, junit.String())
			}
		}
		for _, text := range []string{junit.String(), markdown.String()} {
			if at := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && r < ' ' || r >= 0x7f && r <= 0x9f || hiddenRune(r) }); at >= 0 || !utf8.ValidString(text) {
				t.Errorf("controls in %q", text)
			}
		}
		for line := range strings.Lines(markdown.String()) {
			if strings.Contains(strings.ReplaceAll(line, "\\`", ""), "`") || strings.Contains(line, "<") {
				t.Errorf("markup in %q", line)
			}
		}
	})
}

func FuzzParseBaseline(f *testing.F) {
	for _, s := range []string{ // short ones: the fuzzer would spend its time on making a whole report smaller
		`{"schema":"hookctl.check/1","checks":[{"id":"unsigned","state":"fail"},{"id":"tls","state":"skip"}]}`,
		`{"schema":"hookctl.check/2","checks":[null]}`,
	} {
		f.Add([]byte(s))
	}
	r := sample(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if b, err := ParseBaseline(data); (b == nil) == (err == nil) {
			t.Errorf("%v, %v", b, err)
		} else if err == nil {
			r.Compare(b)
		}
	})
}
