package send

import (
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

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
