package listen

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// An app is an application that answers each connection as told, and keeps
// what it was sent.
type app struct {
	url  string
	host string
	got  chan string // requests, head and body
}

// startApp answers each request with the text, then closes the connection.
func startApp(t *testing.T, answer string) *app {
	t.Helper()
	return startAppFunc(t, func(c *net.TCPConn) { _, _ = io.WriteString(c, answer) })
}

func startAppFunc(t *testing.T, answer func(c *net.TCPConn)) *app {
	t.Helper()
	a := &app{got: make(chan string, 100)}
	a.host = accepting(t, func(c net.Conn) {
		from := bufio.NewReader(c)
		head, err := readHead(from)
		if err != nil {
			return
		}
		request, err := http.ReadRequest(bufio.NewReader(io.MultiReader(strings.NewReader(head), from)))
		if err != nil {
			a.got <- "unreadable: " + err.Error()
			return
		}
		body, _ := io.ReadAll(request.Body)
		a.got <- head + string(body)
		answer(c.(*net.TCPConn))
	})
	a.url = "http://" + a.host
	return a
}

// accepting is the address of a listener each of whose connections is handled,
// then closed.
func accepting(t *testing.T, handle func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				handle(c)
			}()
		}
	}()
	return l.Addr().String()
}

// It says that it closes: a request on a connection that has just been ended is lost.
const appOK = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"

func TestRequestIsForwardedAsItIs(t *testing.T) {
	a := startApp(t, appOK)
	s := serve(t, &Receiver{Forward: &Forward{URL: a.url}})
	s.send("PATCH /a%2Fb/./c//d?x=%20&&y HTTP/1.1\r\nHost: elsewhere:1\r\nx-lower: 1\r\nX-UPPER: 2\r\nx-lower: 3\r\n" +
		"Connection: keep-alive, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\nTE: trailers\r\nUpgrade: h2c\r\nProxy-Connection: x\r\n" +
		"Proxy-Authorization: x\r\nAuthorization: Bearer t\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{ }\r\n0\r\n\r\n")
	want := "PATCH /a%2Fb/./c//d?x=%20&&y HTTP/1.1\r\nHost: " + a.host + "\r\nContent-Length: 3\r\nAuthorization: Bearer t\r\nX-UPPER: 2\r\n" +
		"x-lower: 1\r\nx-lower: 3\r\n\r\n{ }"
	if got := <-a.got; got != want {
		t.Errorf("the application got\n%q, want\n%q", got, want)
	}
}

func TestForwardAddsNoHeader(t *testing.T) {
	tests := []struct {
		request, want string // Host apart
	}{
		{"GET / HTTP/1.1\r\nHost: h\r\n\r\n", "GET / HTTP/1.1\r\nHost: APP\r\n\r\n"},
		{"GET / HTTP/1.1\r\nHost: h\r\nuser-agent: me\r\nAccept-Encoding: br\r\n\r\n", "GET / HTTP/1.1\r\nHost: APP\r\nUser-Agent: me\r\nAccept-Encoding: br\r\n\r\n"},
		{"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n", "POST / HTTP/1.1\r\nHost: APP\r\nContent-Length: 0\r\n\r\n"},
		{"DELETE / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx", "DELETE / HTTP/1.1\r\nHost: APP\r\nContent-Length: 1\r\n\r\nx"},
		{"OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: APP\r\n\r\n"},
		{"POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx", "POST / HTTP/1.1\r\nHost: APP\r\nContent-Length: 1\r\n\r\nx"},
	}
	a := startApp(t, appOK)
	s := serve(t, &Receiver{Forward: &Forward{URL: a.url}})
	for _, test := range tests {
		if _, err := io.WriteString(s.dial(), test.request); err != nil {
			t.Fatal(err)
		}
		s.next()
		want := strings.Replace(test.want, "APP", a.host, 1)
		if got := <-a.got; got != want {
			t.Errorf("the application got\n%q, want\n%q", got, want)
		}
	}
}

func TestForwardPath(t *testing.T) {
	tests := []struct {
		url, target, want string
	}{
		{"", "/hooks?x=1", "/hooks?x=1"},
		{"/", "/hooks?x=1", "/hooks?x=1"},
		{"/", "/a%2fb", "/a%2fb"},
		{"/", "/a|b\"é", "/a|b\"é"},
		{"/", "//double", "//double"},
		{"/", "/?", "/?"},
		{"/", "/a?b?c", "/a?b?c"},
		{"/", "http://else.test/abs?x", "/abs?x"},
		{"/", "http://else.test", "/"},
		{"/", "/http://x/y", "/http://x/y"},
		{"/in", "/hooks", "/in"},
		{"/in", "/hooks?x=1", "/in?x=1"},
		{"/in%2F/", "/hooks", "/in%2F/"},
		{"/in?key=1", "/hooks", "/in?key=1"},
		{"/in?key=1", "/hooks?x=1", "/in?key=1&x=1"},
		{"/?key=1", "/hooks?x=1", "/hooks?key=1&x=1"},
	}
	for _, test := range tests {
		f, err := newForwarder(&Forward{URL: "http://app.test" + test.url})
		if err != nil {
			t.Fatal(err)
		}
		if got := f.path(test.target); got != test.want || f.host != "app.test" || f.address != "app.test:80" {
			t.Errorf("%s to %q: asks %s at %s for %q, want %q", test.target, test.url, f.host, f.address, got, test.want)
		}
	}
}

func TestForwardURLIsChecked(t *testing.T) {
	for url, want := range map[string]string{
		"ftp://h/":    "forward to: not an http or https URL",
		"localhost":   "forward to: not an http or https URL",
		"http://":     "forward to: not an http or https URL",
		"http://h/%z": `forward to: parse "http://h/%z": invalid URL escape "%z"`,
	} {
		s := serve(t, &Receiver{Forward: &Forward{URL: url}})
		if a := s.send(raw("POST", "/", nil, "x")); a.StatusCode != 502 {
			t.Errorf("%s: answered %d, want 502", url, a.StatusCode)
		}
		if q := s.next(); q.Failure == nil || q.Failure.Kind != profiles.Protocol || q.Failure.Message != want {
			t.Errorf("%s: failure %+v, want %s", url, q.Failure, want)
		}
	}
}

func TestUserinfoIsBasicAuthorisation(t *testing.T) {
	a := startApp(t, appOK)
	s := serve(t, &Receiver{Forward: &Forward{URL: strings.Replace(a.url, "//", "//me:se%20cret@", 1)}})
	s.send(raw("POST", "/", []sign.Header{{Name: "authorization", Value: "Bearer t"}}, ""))
	if got, want := <-a.got, "Authorization: Basic bWU6c2UgY3JldA==\r\n"; !strings.Contains(got, want) || strings.Contains(got, "Bearer") {
		t.Errorf("the application got %q, want %q", got, want)
	}
}

func TestAnswerGoesBackUnchanged(t *testing.T) {
	tests := []struct {
		name, answer, want string
	}{
		{"a body", "HTTP/1.1 201 Created\r\nx-lower: 1\r\nContent-Length: 2\r\nX-UPPER: 2\r\nx-lower: 3\r\n\r\nok",
			"HTTP/1.1 201 Created\r\nContent-Length: 2\r\nX-UPPER: 2\r\nx-lower: 1\r\nx-lower: 3\r\n\r\nok"},
		{"a redirect", "HTTP/1.1 302 Found\r\nLocation: http://else.test/\r\nContent-Length: 0\r\n\r\n",
			"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: http://else.test/\r\n\r\n"},
		{"an unreadable redirect", "HTTP/1.1 302 Found\r\nLocation: %zz\r\nContent-Length: 0\r\n\r\n",
			"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: %zz\r\n\r\n"},
		{"an error", "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n",
			"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 7\r\n\r\n"},
		{"hop-by-hop", "HTTP/1.1 200 OK\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: 1\r\nProxy-Authenticate: x\r\nContent-Length: 0\r\n\r\n",
			"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"},
		{"a date and a type", "HTTP/1.1 200 OK\r\ndate: then\r\ncontent-type: a/b\r\nContent-Length: 1\r\n\r\nx",
			"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nDate: then\r\ncontent-type: a/b\r\n\r\nx"},
		{"compressed", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx",
			"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx"},
		{"early hints first", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
			"HTTP/1.1 204 No Content\r\n\r\n"},
		{"chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"},
		{"up to the end", "HTTP/1.1 200 OK\r\n\r\nab",
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"},
		{"an odd status", "HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n",
			"HTTP/1.1 999 status code 999\r\nContent-Length: 0\r\n\r\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, &Receiver{Forward: &Forward{URL: startApp(t, test.answer).url}})
			got, q, err := s.hear(raw("POST", "/", nil, "x"))
			if err != nil || got != test.want {
				t.Errorf("answered\n%q, %v; want\n%q", got, err, test.want)
			}
			if q.Answer.By != ByForward || q.Failure != nil || !strings.HasPrefix(test.want, "HTTP/1.1 "+strconv.Itoa(q.Answer.Status)+" ") {
				t.Errorf("seen %+v %+v", q.Answer, q.Failure)
			}
			if head, _, _ := strings.Cut(test.want, "\r\n\r\n"); len(q.Sent) != strings.Count(head, "\r\n") {
				t.Errorf("sent %q", q.Sent)
			}
		})
	}
}

func TestConnectIsNotForwarded(t *testing.T) {
	a := startApp(t, appOK)
	s := serve(t, &Receiver{Forward: &Forward{URL: a.url}})
	if a := s.send("CONNECT db.test:5432 HTTP/1.1\r\nHost: db.test:5432\r\n\r\n"); a.StatusCode != 502 {
		t.Errorf("answered %d, want 502", a.StatusCode)
	}
	if len(a.got) != 0 {
		t.Errorf("the application got %q", <-a.got)
	}
}

func TestRefusedRequestsAreForwardedOnlyIfAsked(t *testing.T) {
	p := profile(t, "kudos")
	for _, all := range []bool{false, true} {
		a := startApp(t, appOK)
		s := serve(t, &Receiver{Profiles: []*profiles.Profile{p}, Verify: true, Keys: keys("s"), Forward: &Forward{URL: a.url, All: all}})
		answer := s.send(raw("POST", "/", nil, eventBody))
		want := Answer{401, ByReject}
		if all {
			want = Answer{200, ByForward}
		}
		if q := s.next(); q.Answer != want || answer.StatusCode != want.Status || q.Result.Verified || len(a.got) != map[bool]int{true: 1}[all] {
			t.Errorf("all %v: answered %d, seen %+v, forwarded %d", all, answer.StatusCode, q.Answer, len(a.got))
		}
	}
}

func TestAnswerIsStreamed(t *testing.T) {
	next := make(chan string)
	a := startAppFunc(t, func(c *net.TCPConn) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n")
		for part := range next {
			_, _ = io.WriteString(c, part)
		}
	})
	s := serve(t, &Receiver{Forward: &Forward{URL: a.url}})
	c := s.dial()
	if _, err := io.WriteString(c, raw("POST", "/", nil, "x")); err != nil {
		t.Fatal(err)
	}
	from := bufio.NewReader(c)
	if head, err := readHead(from); err != nil || !strings.HasPrefix(head, "HTTP/1.1 200 OK\r\n") {
		t.Fatalf("got %q, %v; want the head before the body", head, err)
	}
	for _, part := range []string{"abc", "def"} {
		next <- part
		got := make([]byte, 3)
		if _, err := io.ReadFull(from, got); err != nil || string(got) != part {
			t.Fatalf("got %q, %v; want %q", got, err, part)
		}
	}
	close(next)
	if q := s.next(); string(q.SentBody) != "abcdef" {
		t.Errorf("seen %q", q.SentBody)
	}
}

func TestOnlyTheBeginningOfAnAnswerIsKept(t *testing.T) {
	body := strings.Repeat("x", 100_000)
	s := serve(t, &Receiver{Forward: &Forward{URL: startApp(t, "HTTP/1.1 200 OK\r\n\r\n"+body).url}})
	if a := s.send(raw("POST", "/", nil, "")); text(t, a.Body) != body {
		t.Error("the answer was changed")
	}
	if q := s.next(); string(q.SentBody) != body[:shownBody] {
		t.Errorf("%d bytes are kept, want %d", len(q.SentBody), shownBody)
	}
}

func TestApplicationBehindTLSIsReached(t *testing.T) {
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header()["x-proto"] = []string{req.Proto}
	}))
	defer secure.Close()
	trusted := secure.Client().Transport.(*http.Transport).TLSClientConfig
	s := serve(t, &Receiver{Forward: &Forward{URL: secure.URL, TLS: trusted}})
	a := s.send(raw("POST", "/", nil, "x"))
	if got := a.Header.Get("X-Proto"); a.StatusCode != 200 || got != "HTTP/1.1" {
		t.Errorf("answered %d over %q, want 200 over HTTP/1.1", a.StatusCode, got)
	}
	if q := s.next(); !slices.Contains(q.Sent, sign.Header{Name: "x-proto", Value: "HTTP/1.1"}) {
		t.Errorf("sent %q, want x-proto as it was spelled", q.Sent)
	}
}
