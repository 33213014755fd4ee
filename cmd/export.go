package cmd

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// An exported is one signed request for another tool.
type exported struct {
	url    string
	header []sign.Header
	body   []byte
	at     time.Time // of signing
	says   string    // what it is, for a comment: "evt_1 payment.succeeded"
}

// An exporter writes requests in the form of another tool.
type exporter interface {
	request(exported) error
	end() error
}

// exportFormats are the values of --export.
func exportFormats() []string { return []string{"curl", "hurl", "har", "vegeta"} }

// newExporter is the exporter of a format, one of exportFormats.
func newExporter(format string, w io.Writer, version string) exporter {
	switch format {
	case "curl":
		return &curlExporter{w: w}
	case "hurl":
		return &hurlExporter{w: w}
	case "vegeta":
		return &vegetaExporter{w: w}
	}
	return &harExporter{w: w, version: version}
}

// curlExporter writes a shell script of curl commands.
type curlExporter struct {
	w     io.Writer
	begun bool
}

func (e *curlExporter) request(r exported) error {
	var b strings.Builder
	if !e.begun {
		e.begun = true
		b.WriteString("#!/bin/sh\n")
	}
	b.WriteString("\n# " + oneLine(r.says) + "\n")
	data := inlineData(r.body)
	if !inline(r.body) {
		data = "--data-binary @-"
		b.WriteString("printf %s " + base64.StdEncoding.EncodeToString(r.body) + " | base64 -d | ")
	}
	b.WriteString("curl")
	for _, h := range r.header {
		switch h.Value {
		case "": // as curl wants a header without a value
			b.WriteString(" -H " + shellQuote(h.Name+";"))
		default:
			b.WriteString(" -H " + shellQuote(h.Name+": "+h.Value))
		}
	}
	if _, n := sign.Lookup(r.header, "Content-Type"); n == 0 {
		b.WriteString(" -H Content-Type:") // curl would make one up
	}
	b.WriteString(" " + data + " " + shellQuote(r.url) + "\n")
	_, err := io.WriteString(e.w, b.String())
	return err
}

func (e *curlExporter) end() error { return nil }

// inline reports whether a body can stand in a shell command.
func inline(body []byte) bool {
	return len(body) <= maxInlineBody && utf8.Valid(body) && bytes.IndexByte(body, 0) < 0
}

// hurlExporter writes entries of a Hurl file, each with the wish for a 2xx.
type hurlExporter struct {
	w     io.Writer
	begun bool
}

func (e *hurlExporter) request(r exported) error {
	var b strings.Builder
	if e.begun {
		b.WriteByte('\n')
	}
	e.begun = true
	b.WriteString("# " + oneLine(r.says) + "\nPOST " + hurlText(r.url) + "\n")
	for _, h := range r.header {
		b.WriteString(hurlText(h.Name) + ": " + hurlText(h.Value) + "\n")
	}
	b.WriteString("base64," + base64.StdEncoding.EncodeToString(r.body) + ";\nHTTP *\n[Asserts]\nstatus >= 200\nstatus < 300\n")
	_, err := io.WriteString(e.w, b.String())
	return err
}

func (e *hurlExporter) end() error { return nil }

// hurlText escapes what Hurl would read as a comment, an escape or a template.
func hurlText(s string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`, "{{", `\u{7b}\u{7b}`).Replace(s)
}

// vegetaExporter writes targets for vegeta's JSON format, one a line.
type vegetaExporter struct{ w io.Writer }

type vegetaTarget struct {
	Method string              `json:"method"`
	URL    string              `json:"url"`
	Body   []byte              `json:"body"`
	Header map[string][]string `json:"header"`
}

func (e *vegetaExporter) request(r exported) error {
	t := vegetaTarget{Method: "POST", URL: r.url, Body: r.body, Header: map[string][]string{}}
	if t.Body == nil {
		t.Body = []byte{}
	}
	for _, h := range r.header {
		t.Header[h.Name] = append(t.Header[h.Name], h.Value)
	}
	return send.WriteDocument(e.w, t)
}

func (e *vegetaExporter) end() error { return nil }
