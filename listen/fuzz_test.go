package listen

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// Whatever is sent, each answer is HTTP, and the next sender is served.
func FuzzConnection(f *testing.F) {
	p := profile(f, "kudos")
	for _, s := range []string{
		raw("POST", "/", nil, eventBody), raw("GET", "*", nil, "") + raw("POST", "/2", nil, "x"), "\x16\x03\x01", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nX: y\r\n\r\n", "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nab",
		"POST / HTTP/1.1\nHost: h\nX-Kudos-Signature: t=1,v1=\n\n", "POST //h/%zz?;;#x HTTP/1.0\r\nHost: h\r\nConnection: keep-alive\r\n\r\n",
	} {
		f.Add([]byte(s))
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	s := &Server{Receiver: &Receiver{Profiles: []*profiles.Profile{p}, Verify: true, Keys: keys("s3cret"), MaxBody: 64 << 10}}
	go func() { done <- s.Serve(ctx, l) }()
	f.Cleanup(func() {
		stop()
		<-done
	})
	talk := func(t *testing.T, text []byte) string {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(patience))
		go func() { // an answer may come, and the end, before all is sent
			_, _ = c.Write(text)
			_ = c.(*net.TCPConn).CloseWrite()
		}()
		got, err := io.ReadAll(c)
		if e, ok := err.(net.Error); ok && e.Timeout() {
			t.Fatalf("no end after %q", got)
		}
		return string(got)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if got := talk(t, text); got != "" && !strings.HasPrefix(got, "HTTP/1.") {
			t.Errorf("answered %q", got)
		}
		if got := talk(t, []byte(raw("POST", "/", nil, eventBody))); !strings.HasPrefix(got, "HTTP/1.1 401 ") {
			t.Errorf("the next one is answered %q", got)
		}
	})
}
