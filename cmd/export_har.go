package cmd

import (
	"encoding/base64"
	"io"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// harExporter writes an HTTP Archive 1.2. Its entries are requests that were not
// sent: their responses are empty, with the status 0.
type harExporter struct {
	w       io.Writer
	version string
	entries []harEntry
}

type harFile struct {
	Log harLog `json:"log"`
}

type harLog struct {
	Version string     `json:"version"`
	Creator harCreator `json:"creator"`
	Entries []harEntry `json:"entries"`
}

type harCreator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type harEntry struct {
	Started  string      `json:"startedDateTime"`
	Time     int         `json:"time"`
	Request  harRequest  `json:"request"`
	Response harResponse `json:"response"`
	Cache    struct{}    `json:"cache"`
	Timings  harTimings  `json:"timings"`
	Comment  string      `json:"comment,omitempty"`
}

type harRequest struct {
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	Version     string    `json:"httpVersion"`
	Cookies     []harPair `json:"cookies"`
	Headers     []harPair `json:"headers"`
	Query       []harPair `json:"queryString"`
	Post        harPost   `json:"postData"`
	HeadersSize int       `json:"headersSize"`
	BodySize    int       `json:"bodySize"`
}

type harResponse struct {
	Status      int        `json:"status"`
	Text        string     `json:"statusText"`
	Version     string     `json:"httpVersion"`
	Cookies     []harPair  `json:"cookies"`
	Headers     []harPair  `json:"headers"`
	Content     harContent `json:"content"`
	Redirect    string     `json:"redirectURL"`
	HeadersSize int        `json:"headersSize"`
	BodySize    int        `json:"bodySize"`
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// harPost has the body as text; one that is not UTF-8 in base64, which the
// format has no member for.
type harPost struct {
	Type     string    `json:"mimeType"`
	Params   []harPair `json:"params"`
	Text     string    `json:"text"`
	Encoding string    `json:"_encoding,omitempty"`
}

type harContent struct {
	Size int    `json:"size"`
	Type string `json:"mimeType"`
}

type harTimings struct {
	Send    int `json:"send"`
	Wait    int `json:"wait"`
	Receive int `json:"receive"`
}

func (e *harExporter) request(r exported) error {
	none := []harPair{}
	q := harRequest{
		Method: "POST", URL: r.url, Version: "HTTP/1.1", Cookies: none, Headers: none, Query: none,
		Post: harPost{Params: none, Text: string(r.body)}, HeadersSize: -1, BodySize: len(r.body),
	}
	q.Post.Type, _ = sign.Lookup(r.header, "Content-Type")
	if !utf8.Valid(r.body) {
		q.Post.Text, q.Post.Encoding = base64.StdEncoding.EncodeToString(r.body), "base64"
	}
	for _, h := range r.header {
		q.Headers = append(q.Headers, harPair{h.Name, h.Value})
	}
	if u, err := url.Parse(r.url); err == nil {
		for pair := range strings.SplitSeq(u.RawQuery, "&") {
			if name, value, _ := strings.Cut(pair, "="); pair != "" {
				q.Query = append(q.Query, harPair{unescaped(name), unescaped(value)})
			}
		}
	}
	e.entries = append(e.entries, harEntry{
		Started: r.at.UTC().Format(time.RFC3339Nano), Request: q, Comment: r.says,
		Response: harResponse{Version: "HTTP/1.1", Cookies: none, Headers: none, Content: harContent{Type: "x-unknown"}, HeadersSize: -1, BodySize: -1},
	})
	return nil
}

// unescaped is a part of a query as it is meant, or as it stands.
func unescaped(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

func (e *harExporter) end() error {
	if e.entries == nil {
		e.entries = []harEntry{}
	}
	return send.WriteDocument(e.w, harFile{harLog{"1.2", harCreator{programName, e.version}, e.entries}})
}
