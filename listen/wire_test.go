package listen

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/sign"
)

func TestHeadersKeepOrderAndSpelling(t *testing.T) {
	s := serve(t, &Receiver{})
	c := s.dial()
	for _, body := range []string{"", "first", "second"} {
		s.sendOn(c, "POST /a?b HTTP/1.1\r\nx-b: 1\r\nHOST: h\r\nX-A: 2\r\nx-B:   3  \r\nContent-Length: "+string('0'+rune(len(body)))+"\r\n\r\n"+body)
		want := []sign.Header{{Name: "x-b", Value: "1"}, {Name: "HOST", Value: "h"}, {Name: "X-A", Value: "2"},
			{Name: "x-B", Value: "3"}, {Name: "Content-Length", Value: string('0' + rune(len(body)))}}
		if q := s.next(); !slices.Equal(q.Header, want) || string(q.Body) != body || q.Method != "POST" || q.Target != "/a?b" || q.Proto != "HTTP/1.1" {
			t.Errorf("seen %q %s %s %s %q, want %q", q.Header, q.Method, q.Target, q.Proto, q.Body, want)
		}
	}
}

func TestPipelinedRequestsKeepTheirHeaders(t *testing.T) {
	s := serve(t, &Receiver{})
	one := "POST /1 HTTP/1.1\r\nHost: h\r\nX-N: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"
	two := "POST /2 HTTP/1.1\r\nHost: h\r\nX-N: 2\r\nContent-Length: 1\r\n\r\nc"
	if _, err := s.talk(one + two); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1ab", "2c"} {
		q := s.next()
		if got := strings.Join(sign.All(q.Header, "x-n"), "|") + string(q.Body); got != want || q.Target != "/"+want[:1] {
			t.Errorf("seen %s %s, want %s", q.Target, got, want)
		}
	}
}

func TestAnyMethodAndTargetIsTaken(t *testing.T) {
	for _, line := range []string{"GET /", "HEAD /x", "OPTIONS *", "OPTIONS /", "BREW /pot", "POST //a//b/../c", "CONNECT h:1", "GET http://else.test/a", "TRACE /"} {
		s := serve(t, &Receiver{})
		got, err := s.talk(line + " HTTP/1.1\r\nHost: h\r\n\r\n")
		if err != nil || !strings.HasPrefix(got, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n") || !strings.HasSuffix(got, "\r\n\r\n") {
			t.Errorf("%s was answered %q, %v", line, got, err)
		}
		if q := s.next(); q.Method+" "+q.Target != line {
			t.Errorf("seen %s %s, want %s", q.Method, q.Target, line)
		}
	}
}

func TestSentHeadersAreThoseOfTheWire(t *testing.T) {
	s := serve(t, &Receiver{Script: script(t, "204:header=x-b=1:header=X-A=2")})
	got, q, err := s.hear("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx")
	if err != nil {
		t.Fatal(err)
	}
	_, answer, _ := strings.Cut(got, "HTTP/1.1 100 Continue\r\n\r\n")
	var lines []string
	for _, h := range q.Sent {
		lines = append(lines, h.Name+": "+h.Value+"\r\n")
	}
	if want := "HTTP/1.1 204 No Content\r\n" + strings.Join(lines, "") + "\r\n"; answer != want || len(lines) != 3 {
		t.Errorf("answered\n%q, but said\n%q", answer, want)
	}
}

func TestReceiverWorksOnAnotherServer(t *testing.T) {
	seen := make(chan Request, 1)
	r := &Receiver{Seen: func(q Request) { seen <- q }}
	server := httptest.NewServer(r)
	defer server.Close()
	req, err := http.NewRequest("POST", server.URL+"/x", strings.NewReader("body"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("User-Agent", "me")
	req.Header.Set("A", "1")
	a, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	a.Body.Close()
	q := <-seen
	want := []sign.Header{{Name: "Host", Value: req.Host}, {Name: "A", Value: "1"}, {Name: "Accept-Encoding", Value: "gzip"},
		{Name: "Content-Length", Value: "4"}, {Name: "User-Agent", Value: "me"}}
	if a.StatusCode != 200 || !slices.Equal(q.Header, want) || string(q.Body) != "body" || !slices.Equal(q.Sent, []sign.Header{{Name: "Content-Length", Value: "0"}}) {
		t.Errorf("answered %d, seen %q %q, sent %q; want %q", a.StatusCode, q.Header, q.Body, q.Sent, want)
	}
}

func TestSeveralListenersShareTheNumbers(t *testing.T) {
	seen := make(chan Request, 2)
	s := &Server{Receiver: &Receiver{Seen: func(q Request) { seen <- q }}}
	var ls []net.Listener
	for range 2 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ls = append(ls, l)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, ls...) }()
	for i, l := range ls {
		a, err := http.Post("http://"+l.Addr().String(), "", nil)
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		if q := <-seen; q.Number != i+1 {
			t.Errorf("number %d, want %d", q.Number, i+1)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestSeenIsCalledOneAtATime(t *testing.T) {
	inside := make(chan struct{}, 1)
	var count int
	r := &Receiver{Seen: func(Request) {
		inside <- struct{}{} // blocks for ever if two are inside and none leaves
		count++
		<-inside
	}}
	server := httptest.NewServer(r)
	done := make(chan error, 20)
	for range cap(done) {
		go func() {
			a, err := http.Post(server.URL, "", strings.NewReader("x"))
			if err == nil {
				a.Body.Close()
			}
			done <- err
		}()
	}
	for range cap(done) {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	server.Close() // waits for those that are being served
	if count != cap(done) {
		t.Errorf("called %d times, want %d", count, cap(done))
	}
}
