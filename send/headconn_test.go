package send

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/sign"
)

// A scripted connection gives its parts, one a Read.
type scripted struct {
	net.Conn
	parts []string
	end   error // after them; nil: io.EOF
}

func (s *scripted) Read(p []byte) (int, error) {
	if len(s.parts) == 0 {
		if s.end != nil {
			return 0, s.end
		}
		return 0, io.EOF
	}
	n := copy(p, s.parts[0])
	if s.parts[0] = s.parts[0][n:]; s.parts[0] == "" {
		s.parts = s.parts[1:]
	}
	return n, nil
}

func (s *scripted) Close() error { return nil }

// bytewise cuts a text into single bytes.
func bytewise(s string) []string { return strings.Split(s, "") }

func TestRequestHeadsFollowsTheMessages(t *testing.T) {
	const (
		get     = "GET /a HTTP/1.1\r\nhost: x\r\n\r\n"
		post    = "POST /b HTTP/1.1\r\nHost: x\r\nContent-length: 7\r\n\r\n"
		chunked = "POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
		bare    = "GET /d HTTP/1.1\nHost: x\n\n"
	)
	tests := []struct {
		name   string
		stream string
		want   []string
	}{
		{"one", get, []string{get}},
		{"kept alive", get + get + post + "GET /\r\n" + get, []string{get, get, post, get}},
		{"a body like a head", post + "\r\n\r\n\r\n." + get, []string{post, get}},
		{"chunks", chunked + "a;ext=1\r\n0123456789\r\n1\r\nx\r\n0\r\nTrailer: y\r\n\r\n" + get, []string{chunked, get}},
		{"bare line ends", bare + bare, []string{bare, bare}},
		{"blank lines between", "\r\n\r\n" + get + "\r\n" + get, []string{get, get}},
		{"a chunk that is none", chunked + "zz\r\n" + get, []string{chunked}},
		{"a negative length", "POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n" + get, []string{"POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n"}},
		{"unfinished", "GET / HTTP/1.1\r\nHost: x\r\n", nil},
	}
	for _, tt := range tests {
		for _, parts := range [][]string{{tt.stream}, bytewise(tt.stream)} {
			t.Run(fmt.Sprintf("%s in %d parts", tt.name, len(parts)), func(t *testing.T) {
				c := RequestHeads(&scripted{parts: parts})
				read, err := io.ReadAll(c)
				if err != nil || string(read) != tt.stream {
					t.Errorf("read %q, %v", read, err)
				}
				var got []string
				for h := c.Head(); h != nil; h = c.Head() {
					got = append(got, string(h))
				}
				if !slices.Equal(got, tt.want) {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			})
		}
	}
}

func TestHeadsThatAreNotTakenAreBounded(t *testing.T) {
	long := "GET / HTTP/1.1\r\nX: " + strings.Repeat("y", 300<<10) + "\r\n\r\n"
	c := RequestHeads(&scripted{parts: []string{strings.Repeat(long, 10)}})
	if _, err := io.Copy(io.Discard, c); err != nil {
		t.Fatal(err)
	}
	if c.kept > maxHead || len(c.queue) != 4 || len(c.queue[3]) != 0 {
		t.Errorf("%d bytes in %d heads", c.kept, len(c.queue))
	}
	endless := answerHeads(&scripted{parts: []string{"HTTP/1.1 200 OK\r\n" + strings.Repeat("x: y\r\n", 1<<20)}})
	if _, err := io.Copy(io.Discard, endless); err != nil {
		t.Fatal(err)
	}
	if head, _, _ := endless.received(); len(head) > maxHead {
		t.Errorf("%d bytes", len(head))
	}
}

func TestAnswerHeadsKeepsTheFinalOne(t *testing.T) {
	final := "HTTP/1.1 200 OK\r\nx: 1\r\n\r\n"
	c := answerHeads(&scripted{parts: bytewise("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: y\r\n\r\n" + final + "body\r\n\r\n")})
	io.Copy(io.Discard, c)
	if got := string(c.Head()); got != final || string(c.Head()) != final {
		t.Errorf("got %q", got)
	}
	c.Conn = &scripted{parts: []string{"HTTP/1.1 503 Later\r\n\r\n"}}
	c.reset()
	if c.Head() != nil {
		t.Error("a head after Reset")
	}
	io.Copy(io.Discard, c)
	if got := string(c.Head()); got != "HTTP/1.1 503 Later\r\n\r\n" {
		t.Errorf("got %q after Reset", got)
	}
}

func TestServerSeesTheHeadOfEachRequest(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			first, header := ParseHead(r.Context().Value(http.LocalAddrContextKey).(*headAddr).conn.Head())
			fmt.Fprintf(w, "%s %v", first, header)
		}),
	}
	go server.Serve(headListener{l})
	defer server.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, "POST /1 HTTP/1.1\r\nhOST: x\r\nContent-Length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\nHost: x\r\nb: 1\r\nA: 2\r\nConnection: close\r\n\r\n")
	all, _ := io.ReadAll(c)
	for _, want := range []string{"POST /1 HTTP/1.1 [{hOST x} {Content-Length 3}]", "GET /2 HTTP/1.1 [{Host x} {b 1} {A 2} {Connection close}]"} {
		if !bytes.Contains(all, []byte(want)) {
			t.Errorf("no %q in %q", want, all)
		}
	}
}

// headListener wraps each connection; its address leads back to it.
type headListener struct{ net.Listener }

type headAddr struct {
	net.Addr
	conn *HeadConn
}

type addressed struct{ *HeadConn }

func (a addressed) LocalAddr() net.Addr { return &headAddr{a.HeadConn.LocalAddr(), a.HeadConn} }

func (l headListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return addressed{RequestHeads(c)}, nil
}

func TestParseHead(t *testing.T) {
	tests := []struct {
		head, first string
		header      []sign.Header
	}{
		{"", "", nil},
		{"GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1", nil},
		{"a\r\nB:  c \t\r\nB:\r\n\r\nno: header\r\n", "a", []sign.Header{{Name: "B", Value: "c"}, {Name: "B"}}},
		{"a\nx: 1\n  folded\n\tagain\nno colon\n\n", "a", []sign.Header{{Name: "x", Value: "1 folded again"}}},
		{"a\r\n folded first\r\nurl: http://x:1/\r\n", "a", []sign.Header{{Name: "url", Value: "http://x:1/"}}},
		{"a\r\nx: \xff\x00", "a", []sign.Header{{Name: "x", Value: "\xff\x00"}}},
	}
	for _, tt := range tests {
		if first, header := ParseHead([]byte(tt.head)); first != tt.first || !slices.Equal(header, tt.header) {
			t.Errorf("%q: %q, %q", tt.head, first, header)
		}
	}
}

func FuzzHeads(f *testing.F) {
	f.Add([]byte("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n"), 3)
	f.Add([]byte("HTTP/1.1 100 C\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n"), 1)
	f.Fuzz(func(t *testing.T, stream []byte, size int) {
		size = max(1, min(size, len(stream)))
		for _, wrap := range []func(net.Conn) *HeadConn{RequestHeads, answerHeads} {
			var parts []string
			for p := range slices.Chunk(stream, size) {
				parts = append(parts, string(p))
			}
			c := wrap(&scripted{parts: parts})
			if read, err := io.ReadAll(c); err != nil || !bytes.Equal(read, stream) {
				t.Fatalf("read %q, %v", read, err)
			}
			if head := c.Head(); head != nil && !bytes.Contains(stream, head) {
				t.Fatalf("head %q of %q", head, stream)
			}
		}
	})
}
