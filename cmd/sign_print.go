package cmd

import (
	"io"
	"strconv"
	"strings"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// printed are the headers that the output shows; all of them with every.
func (s *signing) printed(digests []string, every bool) ([]sign.Header, error) {
	p := s.profile
	if !every {
		some := *p
		some.Headers = nil
		for _, h := range p.Headers {
			if s.carries(h) {
				some.Headers = append(some.Headers, h)
			}
		}
		some.RetryHeaders = nil
		p = &some
	}
	return sign.Headers(p, s.values, digests)
}

// printSignature prints one group of signatures; which is 1 or 2 where each
// secret has its own line.
func (a *app) printSignature(s *signing, digests []string, which int) error {
	switch s.o.output.value {
	case "value", "env":
		headers, err := s.printed(digests, false)
		if err != nil {
			return err
		}
		h := signatureOf(s.profile, headers)
		if s.o.output.value == "value" {
			return a.printExact(h.Value)
		}
		name := strings.ToUpper(strings.ReplaceAll(h.Name, "-", "_"))
		if which > 0 {
			name += "_" + strconv.Itoa(which)
		}
		return a.printExact(name + "=" + singleQuoted(h.Value))
	case "json":
		return a.printSignJSON(s, digests, which)
	case "curl":
		return a.printCurl(s, digests)
	}
	headers, err := s.printed(digests, s.o.all)
	if err != nil {
		return err
	}
	for _, h := range headers {
		if err := a.printExact(h.Name + ": " + h.Value); err != nil {
			return err
		}
	}
	return nil
}

// signatureOf is the header that holds the signature.
func signatureOf(p *profiles.Profile, headers []sign.Header) sign.Header {
	for _, h := range headers {
		if sign.SameName(h.Name, sign.SignatureHeader(p).Name) {
			return h
		}
	}
	return sign.Header{}
}

func (a *app) printLine(s string) error {
	_, err := io.WriteString(a.out, s+"\n")
	return err
}

// printExact prints a line that other programs are to read, byte for byte.
func (a *app) printExact(s string) error {
	_, err := io.WriteString(a.exactly(), s+"\n")
	return err
}

// exactly is stdout for what other programs are to read, byte for byte. A terminal
// is shown it escaped, and a note says so: an id or a file's name may hold
// anything.
func (a *app) exactly() io.Writer {
	if !a.outStyle().Terminal {
		return a.out
	}
	return &shownExactly{app: a}
}

// shownExactly escapes what it writes to a terminal. It is given whole lines.
type shownExactly struct {
	app  *app
	said bool
}

func (w *shownExactly) Write(p []byte) (int, error) {
	shown := escapedLines(string(p))
	if shown != string(p) && !w.said {
		w.said = true
		w.app.say(render.Note, "what does not print is shown escaped; in a pipe or a file the bytes are exact", "")
	}
	if _, err := io.WriteString(w.app.out, shown); err != nil {
		return 0, err
	}
	return len(p), nil
}

// escapedLines is a text with what does not print escaped in each of its lines.
func escapedLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = render.Escape(line)
	}
	return strings.Join(lines, "\n")
}

type signDocument struct {
	Schema     string          `json:"schema"`
	Profile    string          `json:"profile"`
	Secret     *int            `json:"secret"`
	Timestamp  int64           `json:"timestamp"`
	Event      eventDocument   `json:"event"`
	Signatures []string        `json:"signatures"`
	Headers    send.HeaderList `json:"headers"`
}

type eventDocument struct {
	ID   *string `json:"id"`
	Type *string `json:"type"`
}

func (a *app) printSignJSON(s *signing, digests []string, which int) error {
	headers, err := s.printed(digests, true)
	if err != nil {
		return err
	}
	doc := signDocument{
		Schema: "hookctl.sign/1", Profile: s.profile.Name, Timestamp: s.values.Time.Unix(),
		Event: eventDocument{send.OrNull(s.values.ID), send.OrNull(s.values.Type)}, Signatures: digests, Headers: headers,
	}
	if which > 0 {
		doc.Secret = &which
	}
	return send.WriteDocument(a.out, doc)
}

// printCurl prints a curl command that sends the signed body.
func (a *app) printCurl(s *signing, digests []string) error {
	headers, err := s.printed(digests, true)
	if err != nil {
		return err
	}
	data, err := s.body.forCurl()
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("curl")
	for _, h := range headers {
		b.WriteString(" -H " + singleQuoted(h.Name+": "+h.Value))
	}
	b.WriteString(" " + data + " " + shellQuote(s.url))
	return a.printExact(b.String())
}
