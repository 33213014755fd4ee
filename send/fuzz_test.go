package send

import (
	"context"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/profiles"
)

// Whatever is answered, there is a status or a failure, and a verdict; what is
// kept of it is bounded.
func FuzzAnswer(f *testing.F) {
	for _, s := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 503 Busy\r\n\r\nto the end", "HTTP/1.1 101 S\r\n\r\n", "HTTP/1.1 099 x\r\n\r\n", "",
		"HTTP/1.1 429 Slow\r\nRetry-After: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX: y\r\n\r\n", "\x00\xff", "HTTP/1.1 302 F\nLocation: http://[::1\nX: a\n b\n\n", "HTTP/1.1 600\r\n\r\n",
	} {
		f.Add([]byte(s))
	}
	p := builtin(f, "kudos")
	f.Fuzz(func(t *testing.T, answer []byte) {
		s := sender(t, p.Name, "http://h.example/")
		gone := make(chan struct{})
		s.Dial = func(context.Context, string, string) (net.Conn, error) {
			here, there := net.Pipe()
			go func() {
				defer close(gone)
				takeRequest(there)
				_, _ = there.Write(answer)
				there.Close()
			}()
			return here, nil
		}
		a, _ := first(t, s)
		<-gone
		if (a.Response == nil) == (a.Failure == nil) || a.Verdict.Rule == nil {
			t.Fatalf("%+v", a)
		}
		if f := a.Failure; f != nil && f.Kind != profiles.Closed && f.Kind != profiles.Protocol {
			t.Errorf("%s: %s", f.Kind, f.Message)
		}
		if r := a.Response; r != nil && (r.Status < 101 || r.Status > 999 || len(r.Body) > maxKept || !strings.HasPrefix(r.Proto, "HTTP/1.")) {
			t.Errorf("%d %q, %d bytes", r.Status, r.Proto, len(r.Body))
		}
		if err := WriteDocument(io.Discard, Timeline{Profile: p.Name, Attempts: []Attempt{a}}); err != nil {
			t.Error(err)
		}
	})
}

// A password in what net/url takes for a URL is never shown.
func FuzzShownURL(f *testing.F) {
	const password = "CanaryPassword"
	for _, s := range []string{"http://user:|@host/", "https://|@h", "http://u:a@b:|@h/?x=@", "HTTP://:|@[::1]:1/#f", "http://u%40:%3a|@h//@/", "//u:|@h", "x:|@h"} {
		before, after, _ := strings.Cut(s, "|")
		f.Add(before, after)
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		text := before + password + after
		u, err := url.Parse(text)
		if err != nil || u.User == nil || u.Scheme != "http" && u.Scheme != "https" {
			return
		}
		given, _ := u.User.Password()
		if !strings.Contains(given, password) {
			return
		}
		for _, shown := range []string{ShownURL(text), ShownURL(u.String())} {
			if strings.Contains(shown, password) {
				t.Errorf("%q is shown as %q", text, shown)
			}
		}
	})
}
