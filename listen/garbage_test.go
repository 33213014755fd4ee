package listen

import (
	"strings"
	"testing"
)

func TestWhatIsNotHTTPIsAnswered400AndCounted(t *testing.T) {
	tests := []struct {
		name, text, status string
	}{
		{"words", "hello there\r\n\r\n", "400 Bad Request"},
		{"a TLS hello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", "400 Bad Request"},
		{"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400 Bad Request"},
		{"no Host", "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n", "400 Bad Request"},
		{"no Host in HTTP/1.0", "POST / HTTP/1.0\r\nContent-Length: 0\r\n\r\n", "400 Bad Request"},
		{"two Hosts", "POST / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400 Bad Request"},
		{"two lengths", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "400 Bad Request"},
		{"the same length twice", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab", "400 Bad Request"},
		{"a length and chunks", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400 Bad Request"},
		{"a negative length", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -2\r\n\r\nab", "400 Bad Request"},
		{"a control character in a value", "POST / HTTP/1.1\r\nHost: h\r\nX: a\x01b\r\n\r\n", "400 Bad Request"},
		{"a control character in the target", "POST /\x7f HTTP/1.1\r\nHost: h\r\n\r\n", "400 Bad Request"},
		{"half a head", "POST / HTTP/1.1\r\nHost: h", "400 Bad Request"},
		{"a blank in a name", "POST / HTTP/1.1\r\nHost: h\r\nX y: z\r\n\r\n", "400 Bad Request"},
		{"a chunk without a size", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n0\r\n\r\n", "400 Bad Request"},
		{"an unknown coding", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n", "501 Not Implemented"},
		{"an unknown expectation", "POST / HTTP/1.1\r\nHost: h\r\nExpect: a-miracle\r\n\r\n", "417 Expectation Failed"},
		{"much of it", strings.Repeat("x\r\n", 100_000), "400 Bad Request"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, &Receiver{})
			got, err := s.talk(test.text)
			if err != nil {
				t.Fatal(err)
			}
			head, body, _ := strings.Cut(got, "\r\n\r\n")
			lines := strings.Split(head, "\r\n")
			if strings.Replace(lines[0], "HTTP/1.0", "HTTP/1.1", 1) != "HTTP/1.1 "+test.status || body != "" || !strings.Contains(head, "\r\nContent-Length: 0") {
				t.Errorf("answered %q, want %s and no body", got, test.status)
			}
			s.quiet()
			if len(s.garbage) != 1 {
				t.Errorf("counted %d times, want once", len(s.garbage))
			}
		})
	}
}

func TestGarbageAfterARequestIsCounted(t *testing.T) {
	s := serve(t, &Receiver{})
	got, err := s.talk(raw("POST", "/1", nil, "ab") + "this is not HTTP\r\n\r\n")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(got, "HTTP/1.1 200 OK\r\n") || strings.Count(got, "HTTP/1.1 400 Bad Request\r\n") != 1 {
		t.Errorf("answered %q, want a 200, then a 400", got)
	}
	if q := s.next(); q.Target != "/1" || string(q.Body) != "ab" {
		t.Errorf("seen %s %q", q.Target, q.Body)
	}
	s.quiet()
	if len(s.garbage) != 1 {
		t.Errorf("counted %d times, want once", len(s.garbage))
	}
}

func TestSilentConnectionIsNotCounted(t *testing.T) {
	s := serve(t, &Receiver{})
	if got, err := s.talk(""); got != "" || err != nil {
		t.Errorf("answered %q, %v", got, err)
	}
	s.quiet()
	if len(s.garbage) != 0 {
		t.Errorf("counted %d times", len(s.garbage))
	}
}
