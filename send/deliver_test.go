package send

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

func TestStatuses(t *testing.T) {
	tests := []struct {
		name   string
		answer string
		want   Response
	}{
		{"switching protocols is final", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nrest",
			Response{Status: 101, Proto: "HTTP/1.1", Text: "Switching Protocols", Header: []sign.Header{{Name: "Upgrade", Value: "x"}, {Name: "Connection", Value: "Upgrade"}}, Complete: true}},
		{"1xx are skipped", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 No Content\r\nx-last: 1\r\n\r\n",
			Response{Status: 204, Proto: "HTTP/1.1", Text: "No Content", Header: []sign.Header{{Name: "x-last", Value: "1"}}, Complete: true}},
		{"600 is a status", "HTTP/1.1 600 Odd\r\nContent-Length: 2\r\n\r\nok",
			Response{Status: 600, Proto: "HTTP/1.1", Text: "Odd", Header: []sign.Header{{Name: "Content-Length", Value: "2"}}, Body: []byte("ok"), Complete: true}},
		{"a Location is not read", "HTTP/1.1 302 Found\r\nLocation: http://[::1\r\nContent-Length: 0\r\n\r\n",
			Response{Status: 302, Proto: "HTTP/1.1", Text: "Found", Header: []sign.Header{{Name: "Location", Value: "http://[::1"}, {Name: "Content-Length", Value: "0"}}, Complete: true}},
		{"order, spelling and repeats are kept", "HTTP/1.0 200\r\nzz: 1\r\nAA: 2\r\nzz:3\r\n\r\nbody to the end",
			Response{Status: 200, Proto: "HTTP/1.0", Header: []sign.Header{{Name: "zz", Value: "1"}, {Name: "AA", Value: "2"}, {Name: "zz", Value: "3"}}, Body: []byte("body to the end"), Complete: true}},
		{"nothing is decompressed", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\x00",
			Response{Status: 200, Proto: "HTTP/1.1", Text: "OK", Header: []sign.Header{{Name: "Content-Encoding", Value: "gzip"}, {Name: "Content-Length", Value: "4"}}, Body: []byte("\x1f\x8b\x08\x00"), Complete: true}},
		{"a body that ends early", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort",
			Response{Status: 200, Proto: "HTTP/1.1", Text: "OK", Header: []sign.Header{{Name: "Content-Length", Value: "9"}}, Body: []byte("short")}},
		{"chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
			Response{Status: 200, Proto: "HTTP/1.1", Text: "OK", Header: []sign.Header{{Name: "Transfer-Encoding", Value: "chunked"}}, Body: []byte("abc"), Complete: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := sender(t, "kudos", "http://"+serve(t, says(tt.answer))+"/")
			s.Timeout = 5 * time.Second
			a, _ := first(t, s)
			if a.Response == nil {
				t.Fatalf("failure %+v", a.Failure)
			}
			if !reflect.DeepEqual(*a.Response, tt.want) && !(len(a.Response.Body) == 0 && len(tt.want.Body) == 0 && sameButBody(*a.Response, tt.want)) {
				t.Errorf("got  %+v\nwant %+v", *a.Response, tt.want)
			}
		})
	}
}

// sameButBody compares answers without their bodies.
func sameButBody(a, b Response) bool {
	a.Body, b.Body = nil, nil
	return reflect.DeepEqual(a, b)
}

func TestOfABodyItsFirst4KiBAreKept(t *testing.T) {
	for _, tt := range []struct {
		size, kept int
		complete   bool
	}{{4096, 4096, true}, {4097, 4096, false}, {1 << 20, 4096, false}} {
		s := sender(t, "kudos", "http://"+serve(t, func(c net.Conn) {
			says(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", tt.size, strings.Repeat("x", tt.size)))(c)
		})+"/")
		a, _ := first(t, s)
		if a.Response == nil || len(a.Response.Body) != tt.kept || a.Response.Complete != tt.complete {
			t.Errorf("%d bytes: %+v", tt.size, a.Failure)
		}
	}
}

func TestAnswerBeforeTheBodyWasTakenCounts(t *testing.T) {
	s := sender(t, "kudos", "http://"+serve(t, func(c net.Conn) {
		c.Read(make([]byte, 1))
		io.WriteString(c, "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
	})+"/")
	seq, _ := s.Deliver(t.Context(), Message{ID: "evt_1", Type: "a", Body: make([]byte, 8<<20)})
	for a := range seq {
		if a.Response == nil || a.Response.Status != 413 {
			t.Errorf("failure %+v", a.Failure)
		}
	}
}

// rawHead answers 200 and keeps the heads of the requests.
func rawHead(t *testing.T) (addr string, heads func() []string) {
	var mu sync.Mutex
	var list []string
	addr = serve(t, func(c net.Conn) {
		h := RequestHeads(c)
		takeRequest(h)
		mu.Lock()
		list = append(list, string(h.Head()))
		mu.Unlock()
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
	})
	return addr, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(list)
	}
}

func TestRequestIsWhatIsOnTheWire(t *testing.T) {
	addr, heads := rawHead(t)
	s := sender(t, "kudos", "http://me:pass@"+addr+"/a%2Fb?x=1#part")
	s.SignAt = time.Unix(1700000000, 0)
	s.Header = []sign.Header{{Name: "x-low", Value: "1"}, {Name: "X-UP", Value: "2"}, {Name: "x-low", Value: "3"}}
	a, _ := first(t, s)
	if a.Request == nil {
		t.Fatalf("failure %+v", a.Failure)
	}
	signature := sign.SignatureHeader(s.Profile)
	value, _ := (&Response{Header: a.Request.Header}).Get(signature.Name)
	want := Request{Method: "POST", Target: "/a%2Fb?x=1", Header: []sign.Header{
		{Name: "Host", Value: addr}, {Name: "User-Agent", Value: "hookctl/test"}, {Name: "Content-Length", Value: "53"},
		{Name: "Authorization", Value: "Basic " + base64.StdEncoding.EncodeToString([]byte("me:pass"))},
		{Name: "Content-Type", Value: "application/json"}, {Name: "X-Kudos-Event-Id", Value: "evt_1"},
		{Name: "X-Kudos-Signature", Value: value}, {Name: "X-UP", Value: "2"}, {Name: "x-low", Value: "1"}, {Name: "x-low", Value: "3"},
	}}
	if !reflect.DeepEqual(*a.Request, want) {
		t.Errorf("got  %+v\nwant %+v", *a.Request, want)
	}
	first, header := ParseHead([]byte(heads()[0]))
	if first != "POST /a%2Fb?x=1 HTTP/1.1" || !slices.Equal(header, want.Header) {
		t.Errorf("wire: %s\n%v", first, header)
	}
}

func TestHostAndUserAgentAreReplaced(t *testing.T) {
	addr, heads := rawHead(t)
	for _, tt := range []struct {
		agent  string
		header []sign.Header
		want   []sign.Header
	}{
		{"a", []sign.Header{{Name: "host", Value: "other.example"}, {Name: "user-agent", Value: "mine"}},
			[]sign.Header{{Name: "Host", Value: "other.example"}, {Name: "Content-Length", Value: "53"}, {Name: "user-agent", Value: "mine"}}},
		{"", nil, []sign.Header{{Name: "Host", Value: addr}, {Name: "Content-Length", Value: "53"}}},
	} {
		s := sender(t, "kudos", "http://"+addr)
		s.UserAgent, s.Header = tt.agent, tt.header
		a, _ := first(t, s)
		if a.Response == nil {
			t.Fatalf("failure %+v", a.Failure)
		}
		all := heads()
		_, header := ParseHead([]byte(all[len(all)-1]))
		header = slices.DeleteFunc(header, func(h sign.Header) bool {
			return strings.HasPrefix(h.Name, "X-Kudos") || h.Name == "Content-Type"
		})
		if !slices.Equal(header, tt.want) {
			t.Errorf("got %v, want %v", header, tt.want)
		}
	}
}

func TestDuplicateSendsTheSameBytes(t *testing.T) {
	addr, heads := rawHead(t)
	s := sender(t, "kudos", "http://"+addr+"/hooks")
	s.Header = []sign.Header{{Name: "Host", Value: "other.example"}}
	a, _ := first(t, s)
	s.SignAt = time.Unix(1, 0) // must not be signed again
	d := s.Duplicate(t.Context(), payment(), a)
	if d.Number != 1 || d.Due != a.Due+a.Took || d.Verdict.Then != profiles.Delivered || d.Next != nil || !d.Waited || d.At.IsZero() {
		t.Errorf("%+v", d)
	}
	if h := heads(); len(h) != 2 || h[0] != h[1] {
		t.Errorf("heads %q", h)
	}
	if !reflect.DeepEqual(d.Request, a.Request) {
		t.Errorf("request %+v, want %+v", d.Request, a.Request)
	}
}

func TestNoSecretIsJudgedWhereTheProfileSaysSo(t *testing.T) {
	s := sender(t, "clodo", "http://localhost:1/")
	s.Keys = nil
	attempts, ending := all(t.Context(), s)
	if len(attempts) != 1 || ending.State != StateFailed || ending.Cause != ByRule || ending.Elapsed != 0 {
		t.Fatalf("%+v, %+v", attempts, ending)
	}
	a := attempts[0]
	if !reflect.DeepEqual(a.Failure, &Failure{Kind: profiles.NoSecret, Message: "no active secret; no request was sent"}) || a.Request != nil || a.Took != 0 || !a.Waited {
		t.Errorf("%+v", a)
	}
}

func TestWhatCheckRefusesIsNotSent(t *testing.T) {
	s := sender(t, "kudos", "http://localhost:1/")
	s.Keys = nil
	attempts, ending := all(t.Context(), s)
	if len(attempts) != 0 || ending.State != StateInterrupted || !slices.Contains(ending.Notes, "no secret for kudos") {
		t.Errorf("%+v, %+v", attempts, ending)
	}
}

func TestCheck(t *testing.T) {
	header := func(name, value string) func(*Sender) {
		return func(s *Sender) { s.Header = []sign.Header{{Name: name, Value: value}} }
	}
	url := func(u string) func(*Sender) { return func(s *Sender) { s.URL = u } }
	refused := func(name, message string) error { return &HeaderError{name, message} }
	tests := []struct {
		name    string
		profile string
		change  func(*Sender)
		want    error
	}{
		{"right", "kudos", func(*Sender) {}, nil},
		{"https and an address", "kudos", url("https://[::1]:4433/x?y#z"), nil},
		{"own header", "kudos", header("X-Mine", "a\tb"), nil},
		{"host", "kudos", header("Host", "other.example:80"), nil},
		{"no scheme", "kudos", url("//localhost"), &URLError{"has no http:// or https://"}},
		{"other scheme", "kudos", url("ftp://localhost"), &URLError{"is neither http nor https"}},
		{"no host", "kudos", url("http:///x"), &URLError{"has no host"}},
		{"opaque", "kudos", url("http:localhost"), &URLError{"has no host"}},
		{"not a URL", "kudos", url("http://me:secret@host:port/"), &URLError{"cannot be read"}},
		{"port", "kudos", url("http://host:99999/"), &URLError{"has a port that is not from 1 to 65535"}},
		{"host not ASCII", "kudos", url("http://bücher.example/"), &URLError{"has a host that is not ASCII; write it as xn--"}},
		{"owned by the profile", "kudos", header("x-kudos-signature", "a"), refused("x-kudos-signature", "is set by the profile")},
		{"owned, of retries", "kudos", header("X-KUDOS-Delivery-Attempt", "a"), refused("X-KUDOS-Delivery-Attempt", "is set by the profile")},
		{"content type", "kudos", header("content-type", "a"), refused("content-type", "is set by the profile")},
		{"length", "kudos", header("content-length", "1"), refused("content-length", "cannot be set")},
		{"encoding", "kudos", header("Transfer-Encoding", "chunked"), refused("Transfer-Encoding", "cannot be set")},
		{"connection", "kudos", header("Connection", "close"), refused("Connection", "cannot be set")},
		{"trailer", "kudos", header("Trailer", "X"), refused("Trailer", "cannot be set")},
		{"expect", "kudos", header("Expect", "100-continue"), refused("Expect", "cannot be set")},
		{"upgrade", "kudos", header("Upgrade", "x"), refused("Upgrade", "cannot be set")},
		{"bad name", "kudos", header("X Y", "a"), refused("X Y", "has a character that no header name may have")},
		{"no name", "kudos", header("", "a"), refused("", "has a character that no header name may have")},
		{"bad value", "kudos", header("X", "a\nb"), refused("X", "has a control character in its value")},
		{"bad host", "kudos", header("Host", "a/b"), refused("Host", "is not a host")},
		{"no secret", "kudos", func(s *Sender) { s.Keys = nil }, &NoSecretError{Profile: "kudos", Where: "in the CRM console"}},
		{"no secret where it fails", "clodo", func(s *Sender) { s.Keys = nil }, nil},
		{"https needed", "kustomer", func(s *Sender) { s.Strict = true }, ErrHTTPSOnly},
		{"https needed and there", "kustomer", func(s *Sender) { s.Strict, s.URL = true, "https://localhost/" }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := sender(t, tt.profile, "http://localhost:3000/")
			tt.change(s)
			if err := s.Check(payment()); !reflect.DeepEqual(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

func TestCheckNamesAMissingValue(t *testing.T) {
	s := sender(t, "kustomer", "http://localhost/")
	m := payment()
	m.Type = ""
	var missing *sign.HeaderError
	if err := s.Check(m); !errors.As(err, &missing) || missing.Missing.Name != "type" {
		t.Errorf("%v", err)
	}
	m.Type = "a\r\nb"
	if err := s.Check(m); !reflect.DeepEqual(err, &sign.ValueError{Header: "X-Kustomer-Webhook-Event", Offset: 1}) {
		t.Errorf("%v", err)
	}
}

func TestStrictRefusesPrivateAddresses(t *testing.T) {
	for _, tt := range []struct{ host, message string }{
		{"localhost:1", "127.0.0.1 is loopback; no request was sent"},
		{"127.0.0.1:1", "127.0.0.1 is loopback; no request was sent"},
		{"[::ffff:169.254.169.254]", "::ffff:169.254.169.254 is link-local; no request was sent"},
		{"10.1.2.3", "10.1.2.3 is private; no request was sent"},
	} {
		s := sender(t, "clodo", "http://"+tt.host+"/")
		s.Strict = true
		s.Timeout = time.Second
		attempts, ending := all(t.Context(), s)
		if len(attempts) != 1 || ending.State != StateFailed || ending.Cause != ByRule {
			t.Fatalf("%s: %+v, %+v", tt.host, attempts, ending)
		}
		if a := attempts[0]; a.Failure.Kind != profiles.BlockedAddress || a.Failure.Message != tt.message || a.Request != nil {
			t.Errorf("%s: %+v", tt.host, a.Failure)
		}
	}
}

func TestProductionIsNoted(t *testing.T) {
	addr := serve(t, says("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
	for profile, want := range map[string]string{
		"clodo":    "in production Clodo refuses 127.0.0.1, a loopback address (--strict)",
		"kustomer": "in production Kustomer needs https (--strict)",
	} {
		_, ending := all(t.Context(), sender(t, profile, "http://"+addr+"/"))
		if !slices.Contains(ending.Notes, want) {
			t.Errorf("%s: %q", profile, ending.Notes)
		}
	}
	_, ending := all(t.Context(), sender(t, "kudos", "http://"+addr+"/"))
	if strings.Contains(strings.Join(ending.Notes, "\n"), "in production") {
		t.Errorf("kudos: %q", ending.Notes)
	}
}

func TestShortcutsSpareTheWaiting(t *testing.T) {
	tests := []struct {
		name  string
		play  func(s *Shortcuts, remote string) (gone bool)
		took  time.Duration
		kind  profiles.Failure
		known bool
	}{
		{"time-out", func(s *Shortcuts, r string) bool { return s.Timeout(r) }, 20 * time.Second, profiles.ReadTimeout, true},
		{"delay", func(s *Shortcuts, r string) bool { return s.Delay(r, 9*time.Second) }, 9 * time.Second, "", true},
		{"delay at the limit", func(s *Shortcuts, r string) bool { return s.Delay(r, 20*time.Second) }, 20 * time.Second, profiles.ReadTimeout, true},
		{"delays add up", func(s *Shortcuts, r string) bool { return s.Delay(r, 19*time.Second) || s.Delay(r, time.Second) }, 20 * time.Second, profiles.ReadTimeout, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			shortcuts := &Shortcuts{}
			s := sender(t, "clodo", "")
			s.Shortcuts = shortcuts
			s.URL = "http://" + serve(t, func(c net.Conn) {
				takeRequest(c)
				if tt.play(shortcuts, c.RemoteAddr().String()) {
					untilGone(c)
					return
				}
				io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
			}) + "/"
			a, _ := first(t, s)
			if a.Outcome().Failure != tt.kind || a.Took != tt.took || a.Waited {
				t.Errorf("%+v, failure %+v", a, a.Failure)
			}
			if tt.kind != "" && a.Failure.Message != "connected and sent, but no answer within 20 s" {
				t.Errorf("message %q", a.Failure.Message)
			}
			if shortcuts.Timeout("127.0.0.1:1") || shortcuts.Delay("127.0.0.1:1", time.Hour) || len(shortcuts.by) != 0 {
				t.Errorf("still known: %v", shortcuts.by)
			}
		})
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.WriteHeader(503)
	}))
	defer server.Close()
	gone := serve(t, takeRequest)
	deliver := func() {
		for _, url := range []string{server.URL, "http://" + gone, "http://localhost:1"} {
			s := sender(t, "kudos", url)
			all(context.Background(), s)
			first(t, s)
		}
	}
	deliver()
	server.CloseClientConnections()
	goroutines, files := runtime.NumGoroutine(), descriptors(t)
	for range 20 {
		deliver()
	}
	server.CloseClientConnections()
	giveUp := time.After(10 * time.Second)
	for runtime.NumGoroutine() > goroutines || descriptors(t) > files {
		select {
		case <-giveUp:
			stacks := make([]byte, 1<<20)
			t.Fatalf("goroutines %d, were %d; descriptors %d, were %d\n%s", runtime.NumGoroutine(), goroutines,
				descriptors(t), files, stacks[:runtime.Stack(stacks, true)])
		case <-time.After(time.Millisecond):
		}
	}
}

// descriptors is the number of open files, where the system tells.
func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return len(entries)
}

func TestDeliveriesAtOnce(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) }))
	defer server.Close()
	s := sender(t, "kudos", server.URL)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			m := payment()
			m.Number = i
			seq, end := s.Deliver(t.Context(), m)
			for a := range seq {
				if a.Response == nil || string(a.Response.Body) != string(m.Body) {
					t.Errorf("%+v", a.Failure)
				}
			}
			if end().State != StateDelivered {
				t.Errorf("%+v", end())
			}
		})
	}
	wg.Wait()
}

func TestIteratorIsForOneUse(t *testing.T) {
	s := sender(t, "clodo", "http://localhost:1/")
	seq, _ := s.Deliver(t.Context(), payment())
	n := 0
	for range seq {
		n++
	}
	for range seq {
		t.Error("an attempt in the second loop")
	}
	if n != 3 {
		t.Errorf("%d attempts", n)
	}
}
