package cmd

import (
	"errors"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/listen"
)

func TestConnectionsWithoutTLSAreTold(t *testing.T) {
	for _, test := range []struct {
		tls   tlsFlags
		why   error
		want  string
		count func(l *listening) int
	}{
		{tlsFlags{on: true}, listen.ErrPlainHTTP, "plain http on the https port, answered 400; the URL is https://127.0.0.1:4665/",
			func(l *listening) int { return l.tally.PlainHTTP }},
		{tlsFlags{on: true}, listen.ErrDistrust, "a connection ended in the TLS handshake: the sender does not trust the certificate; " +
			"senders trust its certificate with what --tls-ca-out FILE writes, or accept any (curl -k, hookctl send -k)",
			func(l *listening) int { return l.tally.Distrust }},
		{tlsFlags{on: true, caOut: "ca.pem"}, listen.ErrDistrust, "a connection ended in the TLS handshake: the sender does not trust the certificate; " +
			"senders are to trust ca.pem (curl --cacert, hookctl send --cacert)",
			func(l *listening) int { return l.tally.Distrust }},
		{tlsFlags{on: true, cert: "own.pem"}, listen.ErrDistrust, "a connection ended in the TLS handshake: the sender does not trust the certificate",
			func(l *listening) int { return l.tally.Distrust }},
		{tlsFlags{on: true}, errors.New("tls: odd \x1b"), "a connection ended in the TLS handshake: tls: odd \\x1b",
			func(l *listening) int { return l.tally.NoTLS }},
	} {
		l := &listening{o: &listenOptions{tls: test.tls}, url: "https://127.0.0.1:4665/"}
		n, text := l.withoutTLS(test.why)
		if *n++; text != test.want || test.count(l) != 1 {
			t.Errorf("%v: said %q, counted %+v; want %q", test.why, text, l.tally, test.want)
		}
	}
}

func TestPlainHTTPOnTheHTTPSPortIsInTheSummary(t *testing.T) {
	requests := []string{"GET / HTTP/1.1\r\nHost: h\r\n\r\n", "not HTTP at all\r\n\r\n", "\x00\x01\x02\x03\x04\x05"}
	r := world{}.listens(t, requests, "--tls")
	_, summary, _ := strings.Cut(r.stderr, "0 requests in ")
	_, summary, _ = strings.Cut(summary, "\n")
	const want = "  garbage     1  no HTTP that can be read; answered 400, 417 or 501\n" +
		"  plain       1  http on the https port, answered 400; the URL begins with https://\n" +
		"  no TLS      1  ended in the TLS handshake\n"
	if summary != want || r.stdout != "" {
		t.Errorf("summary\n%swant\n%sstdout %q", summary, want, r.stdout)
	}
	const note = "\nhookctl: note: senders trust its certificate with what --tls-ca-out FILE writes, or accept any (curl -k, hookctl send -k)\n"
	if !strings.Contains(r.stderr, note) {
		t.Errorf("not told how to be trusted:\n%s", r.stderr)
	}
}
