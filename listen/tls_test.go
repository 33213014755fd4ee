package listen

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hookctl/hookctl/sign"
)

// serveTLS serves https under localhost and 127.0.0.1 and returns what senders
// need.
func serveTLS(t *testing.T, r *Receiver) (address string, trust *tls.Config, garbage chan string, unsecured chan error) {
	t.Helper()
	c, authority, err := Certificate(time.Now(), "localhost", "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(authority) {
		t.Fatalf("no authority in %s", authority)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	garbage, unsecured = make(chan string, 10), make(chan error, 10)
	server := &Server{Receiver: r, TLS: &tls.Config{Certificates: []tls.Certificate{c}}, Garbage: func(remote string) { garbage <- remote },
		Unsecured: func(_ string, why error) { unsecured <- why }}
	go func() { done <- server.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String(), &tls.Config{RootCAs: pool, ServerName: "localhost"}, garbage, unsecured
}

func TestCertificateIsForTheServedNamesAndADay(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	c, authority, err := Certificate(now, "localhost", "127.0.0.1", "::1")
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(c.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	for _, test := range []struct {
		name string
		at   time.Time
		good bool
	}{
		{"localhost", now, true}, {"127.0.0.1", now, true}, {"[::1]", now, true}, {"example.com", now, false}, {"127.0.0.2", now, false},
		{"localhost", now.Add(23 * time.Hour), true}, {"localhost", now.Add(24*time.Hour + time.Second), false}, {"localhost", now.Add(-time.Hour), false},
	} {
		_, err := leaf.Verify(x509.VerifyOptions{DNSName: test.name, Roots: pool, CurrentTime: test.at})
		if (err == nil) != test.good {
			t.Errorf("%s at %v: %v, want good %v", test.name, test.at, err, test.good)
		}
	}
}

func TestAuthorityCanSignForNoOtherName(t *testing.T) {
	for _, names := range [][]string{{"localhost"}, {"127.0.0.1"}} {
		_, authority, err := Certificate(time.Now(), names...)
		if err != nil {
			t.Fatal(err)
		}
		root := parsePEM(t, authority)
		for _, name := range []string{"example.com", "192.0.2.1", "2001:db8::1"} {
			if permitted(root, name) {
				t.Errorf("the authority for %v could sign for %s", names, name)
			}
		}
	}
}

func TestHeadersKeepOrderAndSpellingUnderTLS(t *testing.T) {
	seen := make(chan Request, 1)
	address, trust, _, _ := serveTLS(t, &Receiver{Seen: func(q Request) { seen <- q }})
	c, err := tls.Dial("tcp", address, trust)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "POST /a HTTP/1.1\r\nx-b: 1\r\nHOST: h\r\nContent-Length: 1\r\n\r\nx"); err != nil {
		t.Fatal(err)
	}
	a, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil || a.StatusCode != 200 {
		t.Fatalf("answered %v, %v", a, err)
	}
	want := []sign.Header{{Name: "x-b", Value: "1"}, {Name: "HOST", Value: "h"}, {Name: "Content-Length", Value: "1"}}
	if q := <-seen; !slices.Equal(q.Header, want) || string(q.Body) != "x" || len(q.Sent) == 0 {
		t.Errorf("seen %q %q, sent %q", q.Header, q.Body, q.Sent)
	}
}

func TestTLSOffersHTTP11Only(t *testing.T) {
	address, trust, _, _ := serveTLS(t, &Receiver{})
	both := trust.Clone()
	both.NextProtos = []string{"h2", "http/1.1"}
	c, err := tls.Dial("tcp", address, both)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got := c.ConnectionState().NegotiatedProtocol; got != "http/1.1" {
		t.Errorf("negotiated %q", got)
	}
	only := trust.Clone()
	only.NextProtos = []string{"h2"}
	if c, err := tls.Dial("tcp", address, only); err == nil {
		c.Close()
		t.Error("h2 alone was taken")
	}
}

func TestPlainHTTPOnATLSPortIsAnswered400(t *testing.T) {
	address, _, garbage, unsecured := serveTLS(t, &Receiver{})
	for _, test := range []struct {
		text string
		http bool
	}{
		{raw("POST", "/", nil, "x"), true}, {raw("GET", "/", nil, ""), true}, {raw("OPTIONS", "*", nil, ""), true},
		{"hello there\r\n\r\n", false}, {"A / B\r\n\r\n", false},
	} {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, test.text); err != nil {
			t.Fatal(err)
		}
		_ = c.(*net.TCPConn).CloseWrite()
		got, err := io.ReadAll(c)
		if want := "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"; err != nil || string(got) != want {
			t.Errorf("%q is answered %q, %v; want %q", test.text, got, err, want)
		}
		if test.http && (len(garbage) != 0 || len(unsecured) != 1 || <-unsecured != ErrPlainHTTP) {
			t.Errorf("%q is not counted as plain http", test.text)
		}
		if !test.http && (len(unsecured) != 0 || len(garbage) != 1 || <-garbage == "") {
			t.Errorf("%q is not counted as garbage", test.text)
		}
	}
}

func TestHandshakesThatFailAreCounted(t *testing.T) {
	address, trust, garbage, unsecured := serveTLS(t, &Receiver{})
	elsewhere := trust.Clone()
	elsewhere.ServerName = "example.com"
	old := trust.Clone()
	old.MinVersion, old.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
	for _, test := range []struct {
		name string
		talk func(c net.Conn) error
		want string
	}{
		{"the authority", func(c net.Conn) error { return tls.Client(c, trust).Handshake() }, ""},
		{"silence", func(net.Conn) error { return nil }, ""},
		{"no authority", func(c net.Conn) error { return tls.Client(c, &tls.Config{ServerName: "localhost"}).Handshake() }, ErrDistrust.Error()},
		{"no authority, TLS 1.2", func(c net.Conn) error {
			return tls.Client(c, &tls.Config{ServerName: "localhost", MaxVersion: tls.VersionTLS12}).Handshake()
		}, ErrDistrust.Error()},
		{"no authority, as OpenSSL says it", func(c net.Conn) error {
			return tls.Client(&outspoken{Conn: c}, &tls.Config{ServerName: "localhost"}).Handshake()
		}, ErrDistrust.Error()},
		{"another name", func(c net.Conn) error { return tls.Client(c, elsewhere).Handshake() }, ErrDistrust.Error()},
		{"an old version", func(c net.Conn) error { return tls.Client(c, old).Handshake() }, "tls: client offered only unsupported versions: [302 301]"},
		{"no TLS", func(c net.Conn) error {
			_, err := c.Write([]byte{0, 1, 2, 3, 4, 5, 6, 7})
			return err
		}, "tls: first record does not look like a TLS handshake"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			err = test.talk(c)
			c.Close()
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				return // what comes next would find it
			}
			if why := <-unsecured; why.Error() != test.want {
				t.Errorf("counted as %q, want %q", why, test.want)
			}
		})
	}
	if len(unsecured) != 0 || len(garbage) != 0 {
		t.Errorf("%d handshakes and %d connections were counted that should not", len(unsecured), len(garbage))
	}
}

// An outspoken connection sends an alert in plain text in place of what comes after
// the hello.
type outspoken struct {
	net.Conn
	writes int
}

func (o *outspoken) Write(p []byte) (int, error) {
	const unknownCA = "\x15\x03\x03\x00\x02\x02\x30"
	switch o.writes++; o.writes {
	case 1:
		return o.Conn.Write(p)
	case 2:
		_, err := io.WriteString(o.Conn, unknownCA)
		return len(p), err
	}
	return len(p), nil
}

func TestHandshakeIsBoundedInTime(t *testing.T) {
	cert, _, err := Certificate(time.Now(), "localhost")
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		l := newPipeListener()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- (&Server{Receiver: &Receiver{}, TLS: &tls.Config{Certificates: []tls.Certificate{cert}}}).Serve(ctx, l)
		}()
		for _, text := range []string{"", "\x16\x03\x01", "\x16\x03\x01\x02\x00\x01"} {
			c := l.dial()
			begin := time.Now()
			if text != "" {
				write(t, c, text)
			}
			_, err := io.ReadAll(c)
			if took := time.Since(begin); took != handshakeTime || err != nil && !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("%q: ended after %v, %v; want %v", text, took, err, handshakeTime)
			}
			c.Close()
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func parsePEM(t *testing.T, text []byte) *x509.Certificate {
	t.Helper()
	block, _ := pem.Decode(text)
	if block == nil {
		t.Fatalf("no PEM: %s", text)
	}
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// permitted reports whether the constraints of an authority let it sign for a
// name.
func permitted(root *x509.Certificate, name string) bool {
	if ip := net.ParseIP(name); ip != nil {
		for _, no := range root.ExcludedIPRanges {
			if no.Contains(ip) {
				return false
			}
		}
		return len(root.PermittedIPRanges) == 0 || slices.ContainsFunc(root.PermittedIPRanges, func(n *net.IPNet) bool { return n.Contains(ip) })
	}
	if slices.Contains(root.ExcludedDNSDomains, "") {
		return false
	}
	return len(root.PermittedDNSDomains) == 0 || slices.ContainsFunc(root.PermittedDNSDomains, func(d string) bool { return strings.HasSuffix(name, d) })
}
