package cmd

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/sign"
)

// exports are requests that each format has to carry: text, quotes and marks of
// the formats themselves, bytes that are no text, an empty body.
func exports() []exported {
	at := time.Date(2026, 1, 2, 10, 3, 3, 0, time.UTC)
	return []exported{
		{"http://localhost:3000/hooks?a=1&b=%20x&c", []sign.Header{{Name: "Content-Type", Value: "application/json"}, {Name: "X-Kudos-Signature", Value: "t=1767348183,v1=22be"}},
			[]byte(`{"event_id":"evt_1","text":"it's {{no}} #template \\ here"}`), at, "evt_1 payment.succeeded"},
		{"http://localhost:3000/hooks#x", []sign.Header{{Name: "X-Twice", Value: "a # {{b}}"}, {Name: "X-Twice", Value: `c\d`}, {Name: "X-Empty"}},
			[]byte("@\xff\x00\r\n"), at, "evt_2\nevil"},
		{"http://localhost:3000/", []sign.Header{{Name: "Content-Type", Value: "text/plain"}}, nil, at, "evt_3"},
	}
}

func export(t *testing.T, format string) string {
	t.Helper()
	var b bytes.Buffer
	e := newExporter(format, &b, "0.1.0")
	for _, r := range exports() {
		if err := e.request(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.end(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestExportsLookAsInTheirGolden(t *testing.T) {
	for _, format := range exportFormats() {
		golden := filepath.Join("testdata", "export-"+format+".golden")
		got := export(t, format)
		if flag.Lookup("update").Value.String() == "true" { // as for the help
			if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || got != string(want) {
			t.Errorf("%s: %v\n%s", format, err, got)
		}
	}
}

// The members that HAR 1.2 requires, and nothing else but its comment and a
// member with the underscore of extensions.
func TestHARIsStrictlyOneDotTwo(t *testing.T) {
	type pair struct{ Name, Value *string }
	type file struct {
		Log struct {
			Version string
			Creator struct{ Name, Version string }
			Entries []struct {
				StartedDateTime time.Time
				Time            *float64
				Request         struct {
					Method, URL, HTTPVersion      string
					Cookies, Headers, QueryString []pair
					PostData                      struct {
						MimeType, Text string
						Params         []pair
						Encoding       string `json:"_encoding"`
					}
					HeadersSize, BodySize *int
				}
				Response struct {
					Status                               *int
					StatusText, HTTPVersion, RedirectURL *string
					Cookies, Headers                     []pair
					Content                              struct {
						Size     *int
						MimeType *string
					}
					HeadersSize, BodySize *int
				}
				Cache   *struct{}
				Timings struct{ Send, Wait, Receive *float64 }
				Comment string
			}
		}
	}
	var f file
	d := json.NewDecoder(strings.NewReader(export(t, "har")))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		t.Fatal(err)
	}
	if f.Log.Version != "1.2" || f.Log.Creator.Name != "hookctl" || len(f.Log.Entries) != 3 {
		t.Fatalf("%+v", f.Log)
	}
	for i, e := range f.Log.Entries {
		q, r := e.Request, e.Response
		if e.Time == nil || e.Cache == nil || e.Timings.Send == nil || e.Timings.Wait == nil || e.Timings.Receive == nil || e.StartedDateTime.IsZero() {
			t.Errorf("entry %d lacks a member: %+v", i, e)
		}
		if q.Method != "POST" || q.HTTPVersion != "HTTP/1.1" || q.Cookies == nil || q.Headers == nil || q.QueryString == nil || q.HeadersSize == nil || q.BodySize == nil || q.PostData.Params == nil {
			t.Errorf("request %d: %+v", i, q)
		}
		if r.Status == nil || r.StatusText == nil || r.HTTPVersion == nil || r.RedirectURL == nil || r.Cookies == nil || r.Headers == nil || r.Content.Size == nil || r.Content.MimeType == nil || r.HeadersSize == nil || r.BodySize == nil {
			t.Errorf("response %d: %+v", i, r)
		}
	}
	if q := f.Log.Entries[0].Request; len(q.QueryString) != 3 || *q.QueryString[1].Value != " x" || *q.BodySize != len(exports()[0].body) || q.PostData.Text != string(exports()[0].body) {
		t.Errorf("%+v", q)
	}
	if q := f.Log.Entries[1].Request; q.PostData.Encoding != "base64" || q.PostData.Text != "QP8ADQo=" {
		t.Errorf("%+v", q.PostData)
	}
}

func TestTheShellReadsTheCurlScript(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	c := exec.Command(sh, "-n")
	c.Stdin = strings.NewReader(export(t, "curl"))
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
