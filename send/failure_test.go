package send

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// A connection closed with this set is reset.
func reset(c net.Conn) { c.(*net.TCPConn).SetLinger(0) }

func TestFailuresOnTheWire(t *testing.T) {
	tests := []struct {
		name    string
		handle  func(net.Conn)
		kind    profiles.Failure
		message string // a pattern
	}{
		{"reset after the request", func(c net.Conn) { takeRequest(c); reset(c) }, profiles.Reset, "after the request was sent"},
		{"reset inside the header", func(c net.Conn) {
			says("HTTP/1.1 200 OK\r\nContent-")(c)
			takeByte(c)
			reset(c)
		}, profiles.Reset, "*"},
		{"closed before an answer", takeRequest, profiles.Closed, "no status line before the end"},
		{"ended at once", func(c net.Conn) { c.(*net.TCPConn).CloseWrite(); untilGone(c) }, profiles.Closed, "no status line before the end"},
		{"half a status line", says("HTTP/1."), profiles.Closed, "the answer ended inside its header"},
		{"half a head", says("HTTP/1.1 200 OK\r\nContent-Le"), profiles.Closed, "the answer ended inside its header"},
		{"a head without its end", says("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"), profiles.Closed, "the answer ended inside its header"},
		{"only 1xx, then the end", says("HTTP/1.1 103 Early Hints\r\n\r\n"), profiles.Closed, "no status line before the end"},
		{"an SSH banner before the request", func(c net.Conn) { io.WriteString(c, "SSH-2.0-OpenSSH_9.6\r\n"); untilGone(c) }, profiles.Protocol, `not an HTTP answer: "SSH-2.0-OpenSSH_9.6"`},
		{"garbage", says("\x00\x01\xff\n\n"), profiles.Protocol, "not an HTTP answer: \"\x00\x01\xff\""},
		{"garbage without a line end", says("hello"), profiles.Protocol, `not an HTTP answer: "hello"`},
		{"a long line of garbage", says(strings.Repeat("x", 500) + "\r\n"), profiles.Protocol, `not an HTTP answer: "` + strings.Repeat("x", 60) + `…"`},
		{"a status that is no number", says("HTTP/1.1 abc OK\r\n\r\n"), profiles.Protocol, "malformed*"},
		{"a status below 100", says("HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n"), profiles.Protocol, `not an HTTP answer: "HTTP/1.1 099 Odd"`},
		{"two lengths", says("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx"), profiles.Protocol, "*Content-Length*"},
		{"an unknown encoding", says("HTTP/1.1 200 OK\r\nTransfer-Encoding: smoke\r\n\r\n"), profiles.Protocol, "*transfer encoding*"},
		{"a line without a colon", func(c net.Conn) { says("HTTP/1.1 200 OK\r\nno colon\r\n\r\n")(c); untilGone(c) }, profiles.Protocol, "malformed*"},
		{"no answer", func(c net.Conn) { takeRequest(c); untilGone(c) }, profiles.ReadTimeout, "connected and sent, but no answer within 0.2 s"},
		{"a head that stops", func(c net.Conn) { says("HTTP/1.1 200 OK\r\n")(c); untilGone(c) }, profiles.ReadTimeout, "an answer began, but its header did not end within 0.2 s"},
		{"a flood of 1xx", func(c net.Conn) { says("")(c); flood(c, "HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n") }, profiles.Protocol, "*header*"},
		{"an endless head", func(c net.Conn) {
			says("HTTP/1.1 200 OK\r\n")(c)
			flood(c, "X-Filler: "+strings.Repeat("y", 1000)+"\r\n")
		}, profiles.Protocol, "*header*"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			addr := serve(t, tt.handle)
			s := sender(t, "kudos", "http://"+addr+"/hooks")
			s.Timeout = 200 * time.Millisecond
			if tt.kind != profiles.ReadTimeout {
				s.Timeout = 5 * time.Second
			}
			a, _ := first(t, s)
			checkFailure(t, a, tt.kind, tt.message)
			if a.Request == nil || len(a.Request.Header) != 6 || a.Request.Method != "POST" || a.Request.Target != "/hooks" {
				t.Errorf("request %+v", a.Request)
			}
			if a.Failure != nil && strings.Join(a.Failure.Tried, " ") != addr {
				t.Errorf("tried %v", a.Failure.Tried)
			}
		})
	}
}

// checkFailure checks the failure of an attempt; message is a pattern.
func checkFailure(t *testing.T, a Attempt, kind profiles.Failure, message string) {
	t.Helper()
	if a.Failure == nil || a.Response != nil {
		t.Fatalf("failure %+v, response %+v", a.Failure, a.Response)
	}
	if ok, err := filepath.Match(message, a.Failure.Message); a.Failure.Kind != kind || a.Failure.Message != message && !ok || err != nil {
		t.Errorf("%s: %q, want %s: %q", a.Failure.Kind, a.Failure.Message, kind, message)
	}
}

// takeByte waits for the other side to have read what was written, as well as
// can be told: by what it does next.
func takeByte(c net.Conn) {
	c.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	c.Read(make([]byte, 1))
}

// flood writes until the other side is gone.
func flood(c net.Conn, text string) {
	for {
		if _, err := io.WriteString(c, text); err != nil {
			return
		}
	}
}

func TestFailuresToConnect(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	_, port, _ := net.SplitHostPort(closed)
	l.Close()
	dialError := func(errno syscall.Errno) func(context.Context, string, string) (net.Conn, error) {
		return func(_ context.Context, network, _ string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: network, Err: os.NewSyscallError("connect", errno)}
		}
	}
	tests := []struct {
		name    string
		host    string
		dial    func(context.Context, string, string) (net.Conn, error)
		kind    profiles.Failure
		message string
	}{
		{"closed port", closed, nil, profiles.Refused, closed},
		{"closed port of localhost", "localhost:" + port, nil, profiles.Refused, "127.0.0.1:" + port + " and \\[::1]:" + port},
		{"localhost, however it is written", "LocalHost.:" + port, nil, profiles.Refused, "127.0.0.1:" + port + " and \\[::1]:" + port},
		{"no such name", "x.invalid", nil, profiles.DNS, "*x.invalid*"},
		{"no route", "192.0.2.1", dialError(syscall.EHOSTUNREACH), profiles.Unreachable, "no route to 192.0.2.1:80"},
		{"no network", "192.0.2.1", dialError(syscall.ENETUNREACH), profiles.Unreachable, "no route to 192.0.2.1:80"},
		{"reset", "192.0.2.1", dialError(syscall.ECONNRESET), profiles.Reset, "before the connection stood"},
		{"given up by the system", "192.0.2.1", dialError(syscall.ETIMEDOUT), profiles.ConnectTimeout, "no connection to 192.0.2.1:80"},
		{"not resolved in time", "slow.example", func(ctx context.Context, _, _ string) (net.Conn, error) {
			return nil, &net.DNSError{Err: "i/o timeout", Name: "slow.example", IsTimeout: true}
		}, profiles.DNS, "slow.example was not resolved: *"},
		{"hangs", "192.0.2.1", func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, profiles.ConnectTimeout, "no connection within 2 s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := sender(t, "kudos", "http://"+tt.host+"/")
			s.Timeout = 2 * time.Second
			s.Dial = tt.dial
			a, _ := first(t, s)
			checkFailure(t, a, tt.kind, tt.message)
			if a.Request != nil {
				t.Errorf("request %+v", a.Request)
			}
		})
	}
}

func TestNameNotResolvedInTimeIsDNS(t *testing.T) {
	d := &dialling{target: &target{host: "slow.example"}}
	got := d.failure(errLimit, context.Canceled, 8*time.Second)
	if want := (Failure{Kind: profiles.DNS, Message: "slow.example was not resolved within 8 s"}); !reflect.DeepEqual(*got, want) {
		t.Errorf("got %+v, want %+v", *got, want)
	}
}

func TestLocalhostIsReachedAtEitherAddress(t *testing.T) {
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("this machine has no ::1: ", err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	go func() {
		c, err := l.Accept()
		if err == nil {
			says("HTTP/1.1 204 No Content\r\n\r\n")(c)
			c.Close()
		}
	}()
	defer l.Close()
	a, _ := first(t, sender(t, "kudos", "http://localhost:"+port+"/"))
	if a.Response == nil || a.Response.Status != 204 {
		t.Errorf("failure %+v", a.Failure)
	}
}

func TestAnAddressThatHangsDoesNotHoldUpTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sender(t, "kudos", "http://localhost:3000/")
		_, stop := listenOnPipes(s, func(w http.ResponseWriter, _ *http.Request) {})
		defer stop()
		dial := s.Dial
		s.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			if address == "127.0.0.1:3000" {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return dial(ctx, network, address)
		}
		if a, _ := first(t, s); a.Response == nil || a.Took != headStart {
			t.Errorf("took %v, failure %+v", a.Took, a.Failure)
		}
	})
}

func TestClassify(t *testing.T) {
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	tests := []struct {
		err  error
		want profiles.Failure
	}{
		{&net.DNSError{IsNotFound: true}, profiles.DNS},
		{dial(&net.DNSError{IsTimeout: true}), profiles.DNS},
		{dial(syscall.ECONNREFUSED), profiles.Refused},
		{dial(syscall.EACCES), profiles.Unreachable},
		{dial(syscall.EADDRNOTAVAIL), profiles.Unreachable},
		{dial(syscall.EMFILE), profiles.Interrupted},
		{dial(syscall.ENOBUFS), profiles.Interrupted},
		{&net.DNSError{UnwrapErr: os.NewSyscallError("socket", syscall.ENFILE)}, profiles.Interrupted},
		{&LocalError{Ports: true, Err: dial(syscall.EADDRNOTAVAIL)}, profiles.Interrupted},
		{dial(os.ErrDeadlineExceeded), profiles.ConnectTimeout},
		{&net.OpError{Op: "read", Err: syscall.ECONNRESET}, profiles.Reset},
		{fmt.Errorf("write: %w", syscall.EPIPE), profiles.Reset},
		{&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, profiles.ReadTimeout},
		{context.DeadlineExceeded, profiles.ReadTimeout},
		{&net.OpError{Op: "remote error", Err: errors.New("tls: bad certificate")}, profiles.TLS},
		{&tls.CertificateVerificationError{Err: errors.New("x")}, profiles.TLS},
		{tls.RecordHeaderError{}, profiles.TLS},
		{io.EOF, profiles.Closed},
		{fmt.Errorf("half: %w", io.ErrUnexpectedEOF), profiles.Closed},
		{errors.New("http: server closed idle connection"), profiles.Protocol},
		{context.Canceled, profiles.Interrupted},
		{errors.New("malformed HTTP response"), profiles.Protocol},
	}
	for _, tt := range tests {
		if got := Classify(tt.err); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.err, got, tt.want)
		}
	}
}

func TestWhenAConnectionWasResetIsSaid(t *testing.T) {
	reset := &net.OpError{Op: "read", Err: syscall.ECONNRESET}
	half := []string{"HTTP/1.1 200 OK\r\nX: "}
	tests := []struct {
		read     []string
		readErr  error // nil: io.EOF
		writeErr error
		whole    bool
		want     Failure
	}{
		{nil, reset, nil, true, Failure{Kind: profiles.Reset, Message: "after the request was sent"}},
		{nil, reset, nil, false, Failure{Kind: profiles.Reset, Message: "while the request was sent"}},
		{nil, reset, syscall.EPIPE, true, Failure{Kind: profiles.Reset, Message: "while the request was sent"}},
		{half, reset, nil, true, Failure{Kind: profiles.Reset, Message: "inside the answer's header"}},
		// Writing was told of the reset, reading of an end.
		{nil, nil, syscall.ECONNRESET, true, Failure{Kind: profiles.Reset, Message: "while the request was sent"}},
		{half, nil, syscall.ECONNRESET, true, Failure{Kind: profiles.Reset, Message: "inside the answer's header"}},
		// The end came first.
		{nil, nil, syscall.EPIPE, true, Failure{Kind: profiles.Closed, Message: "no status line before the end"}},
	}
	for _, tt := range tests {
		l := NewLink(&scripted{parts: slices.Clone(tt.read), end: tt.readErr}, nil, 0)
		l.writeErr = tt.writeErr
		l.sent.Store(tt.whole && tt.writeErr == nil)
		io.Copy(io.Discard, l.conn)
		if got := l.failure(nil, io.EOF, time.Second); !reflect.DeepEqual(*got, tt.want) {
			t.Errorf("%+v, want %+v", *got, tt.want)
		}
	}
}
