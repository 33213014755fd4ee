package cmd

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// forged begins each line that an attack tries to add.
const forged = "FORGED"

// attacks are texts that would drive a terminal, spoof its lines or break a
// document, were they shown as they are. They are apart where one of them might
// be refused and so hide another.
func attacks() map[string]string {
	var c0, c1 strings.Builder
	for r := rune(0); r < 0x20; r++ {
		if r != '\r' && r != '\n' {
			c0.WriteRune(r)
		}
	}
	for r := rune(0x7f); r < 0xa0; r++ {
		c1.WriteRune(r)
	}
	const (
		title  = "\x1b]0;pwned\a\x1b]8;;http://evil\x1b\\x\x1b]8;;\x1b\\\x1b]52;c;aGk=\a"
		screen = "\x1b[2J\x1b[1;1H\x1b[31m\x1b[?1049h\x1bc\x1bP+q544e\x1b\\\x1b_x\x1b\\ok\b\b"
		turned = "\u202e\u2066\u2067\u2068\u200f\u200e\u061c\u202a\u202b\u202d\u202c\u2069"
		hidden = "\u200b\ufeff\u00ad\u2060\U000e0041\u180e\ufff9"
		eight  = "\x9b2J\x9d0;pwned\x9c\x90q\x9c"
		wrong  = "\xff\xfe\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80\xe2\x82"
		markup = "`b|c<script>*d*_e_[f](g)&amp;]]>\"'${IFS}$(touch pwned)`touch pwned`"
	)
	return map[string]string{
		"C0":          "a" + c0.String() + "z",
		"line ends":   "a\r" + forged + "\n" + forged + "\r\n" + forged + "\u2028" + forged + "\u0085" + forged,
		"escapes":     "a" + title + screen + "z",
		"other runes": "a" + c1.String() + turned + hidden + "z",
		"bytes":       "a" + eight + wrong + "z",
		"long markup": markup + strings.Repeat("long ", 400) + strings.Repeat("x", 2000) + strings.Repeat("\u4e16", 500),
	}
}

// A place is where an attack may stand.
type place struct {
	name string
	run  func(t *testing.T, evil string, form []string) ran
}

// attack puts each attack at each place and looks at every byte of what each
// form of the command prints. In a short run one attack stands for all.
func attack(t *testing.T, places []place, forms ...string) {
	t.Helper()
	all := attacks()
	if testing.Short() {
		all = map[string]string{"escapes": all["escapes"]}
	}
	for _, p := range places {
		for name, evil := range all {
			for _, form := range forms {
				t.Run(p.name+"/"+name+"/"+form, func(t *testing.T) {
					p.run(t, evil, strings.Fields(form)).isSafe(t, form)
				})
			}
		}
	}
}

// isSafe fails where an output could drive a terminal, has a line that nobody
// but an attack wrote, or is not the document that the form asks for.
func (r ran) isSafe(t *testing.T, form string) {
	t.Helper()
	colored := strings.Contains(form, "--color always")
	shown(t, "stderr", r.stderr, colored)
	switch {
	case strings.Contains(form, "--json"):
		for line := range strings.Lines(r.stdout) {
			if !json.Valid([]byte(line)) {
				t.Errorf("no JSON: %.300q", line)
			}
			plainDocument(t, strings.TrimSuffix(line, "\n"), "")
		}
	case strings.Contains(form, "--junit"):
		plainDocument(t, r.stdout, "\n\t")
		if d := xml.NewDecoder(strings.NewReader(r.stdout)); r.stdout != "" {
			for {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("no XML: %v: %.300q", err, r.stdout)
				}
			}
		}
	case strings.Contains(form, "--markdown"):
		plainDocument(t, r.stdout, "\n")
		if at := regexp.MustCompile("(^|[^\\\\])`|<script").FindString(r.stdout); at != "" {
			t.Errorf("%q is markup in %.300q", at, r.stdout)
		}
	default:
		shown(t, "stdout", r.stdout, colored)
		narrow(t, r.stdout, form)
	}
	if strings.Contains(r.stderr, "panic") {
		t.Error(r.stderr)
	}
}

// shown checks text for people: lines of characters that print, and hookctl's
// own styles.
func shown(t *testing.T, what, text string, colored bool) {
	t.Helper()
	if colored {
		text = regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(text, "")
	}
	if !utf8.ValidString(text) {
		t.Errorf("%s is not UTF-8: %.300q", what, text)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if at := strings.IndexFunc(line, func(r rune) bool { return !strconv.IsPrint(r) }); at >= 0 {
			t.Errorf("%s has %.10q raw: %.300q", what, line[at:], line)
		}
		if strings.HasPrefix(line, forged) {
			t.Errorf("%s has a forged line: %.300q", what, line)
		}
	}
}

// plainDocument checks a document for programs, which people look at as well.
func plainDocument(t *testing.T, text, allowed string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("not UTF-8: %.300q", text)
	}
	at := strings.IndexFunc(text, func(r rune) bool {
		return !strings.ContainsRune(allowed, r) && (r < ' ' || r >= 0x7f && r <= 0x9f ||
			r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069)
	})
	if at >= 0 {
		t.Errorf("%.10q raw: %.300q", text[at:], text)
	}
}

// narrow checks that a line of details is cut at the width.
func narrow(t *testing.T, text, form string) {
	t.Helper()
	if slices.Contains(strings.Fields(form), "-v") {
		return // nothing is shortened
	}
	for line := range strings.Lines(text) {
		if mark := strings.TrimPrefix(line, "    "); len(mark) > 1 && mark != line && strings.ContainsRune("><*|", rune(mark[0])) &&
			mark[1] == ' ' && utf8.RuneCountInString(line) > 81 {
			t.Errorf("%d columns: %.300q", utf8.RuneCountInString(line)-1, line)
		}
	}
}

// peer answers every request on a loopback port with that text, as it is.
func peer(t *testing.T, answer string) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer c.Close()
				if r, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
					_, _ = io.Copy(io.Discard, r.Body)
				}
				_, _ = io.WriteString(c, answer)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		wg.Wait()
	})
	return l.Addr().String()
}

// answersOf are whole answers with an attack somewhere.
func answersOf() map[string]func(evil string) string {
	body := func(status, header string) func(string) string {
		return func(e string) string {
			return "HTTP/1.1 " + status + "\r\n" + header + "Content-Length: " + strconv.Itoa(len(e)) + "\r\n\r\n" + e
		}
	}
	empty := func(format string) func(string) string {
		return func(e string) string {
			return "HTTP/1.1 " + strings.ReplaceAll(format, "EVIL", e) + "\r\nContent-Length: 0\r\n\r\n"
		}
	}
	return map[string]func(string) string{
		"status text":          empty("503 EVIL"),
		"header value":         empty("503 Busy\r\nX-A: EVIL"),
		"header name":          empty("503 Busy\r\nX-EVIL: 1"),
		"header of success":    empty("200 EVIL\r\nServer: EVIL"),
		"Location":             empty("302 Found\r\nLocation: EVIL"),
		"Location as a URL":    empty("307 There\r\nLocation: http://h/EVIL?EVIL#EVIL"),
		"Location with a user": empty("308 There\r\nLocation: http://EVIL:EVIL@EVIL/"),
		"Retry-After":          empty("429 Slow\r\nRetry-After: EVIL"),
		"cookie":               empty("403 No\r\nSet-Cookie: EVIL\r\nWWW-Authenticate: EVIL"),
		"content type":         empty("415 No\r\nContent-Type: EVIL"),
		"length":               empty("200 OK\r\nContent-Length: EVIL"),
		"encoding":             empty("200 OK\r\nTransfer-Encoding: EVIL"),
		"body":                 body("500 Broken", ""),
		"body of text":         body("404 Lost", "Content-Type: text/plain; charset=utf-8\r\n"),
		"body of JSON": func(e string) string {
			return body("400 Bad", "Content-Type: application/json\r\n")(`{"error":"` + e + `"}`)
		},
		"chunk": func(e string) string { return "HTTP/1.1 401 No\r\nTransfer-Encoding: chunked\r\n\r\n" + e + "\r\n" },
		"trailer": func(e string) string {
			return "HTTP/1.1 401 No\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: " + e + "\r\n\r\n"
		},
		"garbage": func(e string) string { return e + "\r\n\r\n" },
		"version": func(e string) string { return "HTTP/" + e + " 200 OK\r\n\r\n" },
		"status":  func(e string) string { return "HTTP/1.1 " + e + "\r\n\r\n" },
	}
}
