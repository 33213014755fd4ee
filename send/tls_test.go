package send

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"math/big"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

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
		{"a message out of turn", outOfTurn, nil, profiles.TLS, "*message*"},
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
			want := map[string]TLSFault{
				"unknown authority": UnknownAuthority, "plain port": NotTLS,
				"expired": BadCertificate, "not yet valid": BadCertificate, "other name": BadCertificate,
			}[tt.name]
			if a.Failure.TLS != want {
				t.Errorf("the fault is %d, want %d", a.Failure.TLS, want)
			}
		})
	}
}

func TestTLSOffersHTTP1Alone(t *testing.T) {
	ca := newAuthority(t)
	offered := make(chan []string, 1)
	config := &tls.Config{
		Certificates: []tls.Certificate{ca.issue(t, "127.0.0.1", time.Now().Add(-time.Hour), time.Now().Add(time.Hour))},
		NextProtos:   []string{"h2", "http/1.1"},
		GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			offered <- hello.SupportedProtos
			return nil, nil
		},
	}
	s := sender(t, "kudos", "https://"+serve(t, func(c net.Conn) { says("HTTP/1.1 204 No Content\r\n\r\n")(tls.Server(c, config)) })+"/")
	s.TLS = &tls.Config{RootCAs: ca.pool(), NextProtos: []string{"h2"}}
	if a, _ := first(t, s); a.Response == nil || a.Response.Proto != "HTTP/1.1" {
		t.Fatalf("failure %+v", a.Failure)
	}
	if got := <-offered; !slices.Equal(got, []string{"http/1.1"}) {
		t.Errorf("offered %q", got)
	}
}

func TestFirstAttemptsShareSecureConnections(t *testing.T) {
	ca := newAuthority(t)
	var conns atomic.Int32
	s := sender(t, "kudos", "https://"+serve(t, ca.secure(t)(func(c net.Conn) {
		conns.Add(1)
		for from := bufio.NewReader(c); ; {
			r, err := http.ReadRequest(from)
			if err != nil {
				return
			}
			io.Copy(io.Discard, r.Body)
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		}
	})))
	s.TLS = &tls.Config{RootCAs: ca.pool()}
	b := &Burst{Sender: s, Messages: events(50), Events: 50, Concurrency: 2, KeepAlive: true}
	if sum, err := b.Run(t.Context()); err != nil || sum.Delivered != 50 || conns.Load() > 2 {
		t.Errorf("%s over %d connections, %v", counts(sum), conns.Load(), err)
	}
}

// outOfTurn answers a hello by the message that ends one.
func outOfTurn(c net.Conn) {
	drainHello(c)
	io.WriteString(c, "\x16\x03\x03\x00\x04\x0e\x00\x00\x00")
	untilGone(c)
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
		if ending.Certificate != want {
			t.Errorf("%q, want %q", ending.Certificate, want)
		}
	}
}
