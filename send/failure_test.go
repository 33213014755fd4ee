package send

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
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
		}, profiles.Reset, "inside the answer's header"},
		{"closed before an answer", takeRequest, profiles.Closed, "no status line before the end"},
		{"closed at once", func(net.Conn) {}, profiles.Closed, "no status line before the end"},
		{"half a status line", says("HTTP/1."), profiles.Closed, "the answer ended inside its header"},
		{"half a head", says("HTTP/1.1 200 OK\r\nContent-Le"), profiles.Closed, "the answer ended inside its header"},
		{"a head without its end", says("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"), profiles.Closed, "the answer ended inside its header"},
		{"only 1xx, then the end", says("HTTP/1.1 103 Early Hints\r\n\r\n"), profiles.Closed, "no status line before the end"},
		{"an SSH banner before the request", func(c net.Conn) { io.WriteString(c, "SSH-2.0-OpenSSH_9.6\r\n"); untilGone(c) }, profiles.Protocol, `not an HTTP answer: "SSH-2.0-OpenSSH_9.6"`},
		{"garbage", says("\x00\x01\xff\n\n"), profiles.Protocol, "not an HTTP answer: \"\x00\x01\xff\""},
		{"garbage without a line end", says("hello"), profiles.Protocol, `not an HTTP answer: "hello"`},
		{"a long line of garbage", says(strings.Repeat("x", 500) + "\r\n"), profiles.Protocol, `not an HTTP answer: "` + strings.Repeat("x", 60) + `…"`},
		{"a status that is no number", says("HTTP/1.1 abc OK\r\n\r\n"), profiles.Protocol, "malformed*"},
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

func TestFullAcceptQueueIsConnectTimeout(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("how a full accept queue behaves is known for Linux only")
	}
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	addr := fmt.Sprintf("127.0.0.1:%d", name.(*syscall.SockaddrInet4).Port)
	full := false
	for range 64 {
		c, err := net.DialTimeout("tcp", addr, 100*time.Millisecond)
		if err != nil {
			full = true
			break
		}
		defer c.Close()
	}
	if !full {
		t.Skip("the accept queue of this system does not fill")
	}
	s := sender(t, "clodo", "http://"+addr+"/")
	s.Timeout = 200 * time.Millisecond
	a, _ := first(t, s)
	checkFailure(t, a, profiles.ConnectTimeout, "no connection within 0.2 s")
}

// authority makes certificates for tests.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := authority{key: key, certificate: &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"},
		NotBefore: time.Now().Add(-240 * time.Hour), NotAfter: time.Now().Add(240 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}}
	der, err := x509.CreateCertificate(rand.Reader, a.certificate, a.certificate, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	if a.certificate, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	return a
}

// issue makes a certificate for 127.0.0.1, or another name.
func (a authority) issue(t *testing.T, name string, from, to time.Time) tls.Certificate {
	t.Helper()
	c := &x509.Certificate{SerialNumber: big.NewInt(2), NotBefore: from, NotAfter: to}
	if ip := net.ParseIP(name); ip != nil {
		c.IPAddresses = []net.IP{ip}
	} else {
		c.DNSNames = []string{name}
	}
	der, err := x509.CreateCertificate(rand.Reader, c, a.certificate, a.key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: a.key}
}

func (a authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.certificate)
	return pool
}

func TestTLS(t *testing.T) {
	ca := newAuthority(t)
	day := 24 * time.Hour
	now := time.Now()
	good := ca.issue(t, "127.0.0.1", now.Add(-day), now.Add(day))
	secure := func(config *tls.Config) func(net.Conn) {
		return func(c net.Conn) {
			says("HTTP/1.1 204 No Content\r\n\r\n")(tls.Server(c, config))
		}
	}
	with := func(c tls.Certificate) func(net.Conn) {
		return secure(&tls.Config{Certificates: []tls.Certificate{c}})
	}
	tests := []struct {
		name    string
		handle  func(net.Conn)
		trust   *tls.Config
		kind    profiles.Failure // "": 204
		message string
	}{
		{"right", with(good), &tls.Config{RootCAs: ca.pool()}, "", ""},
		{"expired", with(ca.issue(t, "127.0.0.1", now.Add(-5*day), now.Add(-day))), &tls.Config{RootCAs: ca.pool()}, profiles.TLS,
			"certificate expired " + now.Add(-day).UTC().Format(time.DateOnly)},
		{"not yet valid", with(ca.issue(t, "127.0.0.1", now.Add(2*day), now.Add(5*day))), &tls.Config{RootCAs: ca.pool()}, profiles.TLS,
			"certificate not valid before " + now.Add(2*day).UTC().Format(time.DateOnly)},
		{"other name", with(ca.issue(t, "other.example", now.Add(-day), now.Add(day))), &tls.Config{RootCAs: ca.pool()}, profiles.TLS,
			"certificate is not for 127.0.0.1, but for other.example"},
		{"unknown authority", with(good), nil, profiles.TLS, "certificate signed by an unknown authority"},
		{"plain port", func(c net.Conn) { io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n"); untilGone(c) }, nil, profiles.TLS, "the answer is not TLS; is it a plain http port\\?"},
		{"alert", secure(&tls.Config{Certificates: []tls.Certificate{good}, MaxVersion: tls.VersionTLS10}), nil, profiles.TLS, "*protocol version*"},
		{"client certificate wanted", secure(&tls.Config{Certificates: []tls.Certificate{good}, ClientAuth: tls.RequireAnyClientCert}), &tls.Config{RootCAs: ca.pool()}, profiles.TLS, "*certificate required"},
		{"reset", func(c net.Conn) { takeByte(c); reset(c) }, nil, profiles.Reset, "in the TLS handshake"},
		{"closed", func(c net.Conn) { drainHello(c) }, nil, profiles.Closed, "in the TLS handshake"},
		{"hangs", untilGone, nil, profiles.ConnectTimeout, "no connection within 0.2 s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := sender(t, "kudos", "https://"+serve(t, tt.handle)+"/")
			s.TLS = tt.trust
			s.Timeout = 5 * time.Second
			if tt.kind == profiles.ConnectTimeout {
				s.Timeout = 200 * time.Millisecond
			}
			a, _ := first(t, s)
			if tt.kind == "" {
				if a.Response == nil || a.Response.Status != 204 {
					t.Errorf("%+v, failure %+v", a, a.Failure)
				}
				return
			}
			checkFailure(t, a, tt.kind, tt.message)
		})
	}
}

// drainHello reads a whole TLS record.
func drainHello(c net.Conn) {
	head := make([]byte, 5)
	if _, err := io.ReadFull(c, head); err == nil {
		io.CopyN(io.Discard, c, int64(head[3])<<8|int64(head[4]))
	}
}

func TestCertificateAcceptedHereAloneIsNoted(t *testing.T) {
	ca := newAuthority(t)
	certificate := ca.issue(t, "127.0.0.1", time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	addr := serve(t, func(c net.Conn) {
		says("HTTP/1.1 204 No Content\r\n\r\n")(tls.Server(c, &tls.Config{Certificates: []tls.Certificate{certificate}}))
	})
	for _, config := range []*tls.Config{{RootCAs: ca.pool()}, {InsecureSkipVerify: true}} {
		s := sender(t, "clodo", "https://"+addr+"/")
		s.TLS = config
		_, ending := all(t.Context(), s)
		want := "certificate signed by an unknown authority, accepted here alone; in production Clodo makes of it: tls -> failed"
		if n := strings.Count(strings.Join(ending.Notes, "\n"), want); n != 1 {
			t.Errorf("%d times in %q", n, ending.Notes)
		}
	}
}
