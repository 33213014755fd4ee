package conform

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// responseOf is an answer that net/http read.
func responseOf(r *http.Response, body []byte) *send.Response {
	a := &send.Response{Status: r.StatusCode, Proto: r.Proto, Body: body}
	for name, values := range r.Header {
		for _, v := range values {
			a.Header = append(a.Header, sign.Header{Name: name, Value: v})
		}
	}
	slices.SortStableFunc(a.Header, func(a, b sign.Header) int { return strings.Compare(a.Name, b.Name) })
	return a
}

// leastLeft is how long a certificate should still be valid. One that was made
// for less than briefLife is made anew by a machine, such as that of a listener
// for this run: it has only to be valid.
const (
	leastLeft = 14 * 24 * time.Hour
	briefLife = 48 * time.Hour
)

// tlsCheck looks at the certificate: is it one that senders trust?
func tlsCheck(ctx context.Context, r *run, t *tried) {
	t.Asked = "a TLS handshake, without fetching what is missing of the chain"
	chain, err := r.chain(ctx)
	if ctx.Err() != nil {
		return
	}
	t.Sent = append(t.Sent, "a TLS handshake with "+r.url.Hostname())
	if len(chain) == 0 {
		text := "no certificate came"
		if err != nil {
			text = send.Describe(err, nil).Message
		}
		t.Got = append(t.Got, text)
		t.fail("TLS does not begin: "+text, "see the receiver's log; TLS 1.2 or 1.3 with a certificate is needed")
		return
	}
	t.Got = append(t.Got, chainText(chain))
	t.Came = chainText(chain)
	if err := r.verifies(chain); err != nil {
		text := send.Describe(&tls.CertificateVerificationError{UnverifiedCertificates: chain, Err: err}, nil).Message
		fix := "serve the whole chain (fullchain.pem), for this name, from a public authority, and renew it in time"
		t.fail("the certificate does not verify: "+text, fix)
		return
	}
	if ends(chain[0], time.Now()) {
		t.fail("the certificate expires on "+chain[0].NotAfter.UTC().Format(time.DateOnly), "renew it, and automate that")
	}
}

// ends reports whether a certificate expires too soon.
func ends(c *x509.Certificate, now time.Time) bool {
	return c.NotAfter.Sub(c.NotBefore) >= briefLife && c.NotAfter.Sub(now) <= leastLeft
}

// chain is the chain as the receiver sends it, whether it verifies or not.
func (r *run) chain(ctx context.Context) ([]*x509.Certificate, error) {
	ctx, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	conn, err := r.dial(ctx, "")
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	config := r.tlsConfig()
	config.InsecureSkipVerify = true // verifies looks at it
	secure, err := send.Handshake(ctx, conn, config, config.ServerName)
	if err != nil {
		return nil, err
	}
	return secure.(*tls.Conn).ConnectionState().PeerCertificates, nil
}

// verifies tells why a chain does not lead to a trusted root: those of the
// system, or those that the user named.
func (r *run) verifies(chain []*x509.Certificate) error {
	options := x509.VerifyOptions{DNSName: r.tlsConfig().ServerName, Intermediates: x509.NewCertPool()}
	if r.o.TLS != nil {
		options.Roots = r.o.TLS.RootCAs
	}
	for _, c := range chain[1:] {
		options.Intermediates.AddCert(c)
	}
	_, err := chain[0].Verify(options)
	return err
}

// chainText shows a chain as it was sent.
func chainText(chain []*x509.Certificate) string {
	var all []string
	for _, c := range chain {
		name := c.Subject.CommonName
		if name == "" && len(c.DNSNames) > 0 {
			name = c.DNSNames[0]
		}
		all = append(all, clip(name, 80)+" (until "+c.NotAfter.UTC().Format(time.DateOnly)+")")
	}
	return "the chain as sent: " + strings.Join(all, " <- ")
}

// certificate blames the first request's failure on TLS.
func (r *run) certificate(ctx context.Context) {
	t := r.unblamed("tls")
	tlsCheck(ctx, r, t)
	if t.State != Fail {
		t.fail("the event cannot be sent: "+r.first.String(), "see the receiver's log; TLS 1.2 or 1.3 with a certificate is needed")
	}
	t.Level, t.Alone = Required, true
	t.ended(ctx)
}

// everyAddress sends to every address of the name.
func everyAddress(ctx context.Context, r *run, t *tried) {
	local := send.Local(r.url.Hostname())
	var good, bad []string
	var fault answer
	for _, at := range r.addresses {
		q := r.genuine(r.event())
		q.address = at
		a := r.exchange(ctx, q)
		if a.cut {
			return
		}
		if local && a.failure != nil && a.failure.Kind == profiles.Unreachable {
			continue // the machine has no such address
		}
		t.add("to "+at, q, a)
		host, _, _ := net.SplitHostPort(at)
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		if a.accepted() {
			good = append(good, host)
		} else {
			bad = append(bad, host)
			fault = a
		}
	}
	t.troubled = t.troubled && len(good) == 0
	t.Asked = "the event to each address of " + r.url.Hostname() + ": " + list(r.addresses)
	if len(bad) == 0 {
		return
	}
	t.Came = fault.String() + " from " + list(bad)
	does := "do"
	if len(bad) == 1 {
		does = "does"
	}
	finding := list(bad) + " " + does + " not answer"
	if fault.response != nil {
		finding = list(bad) + " " + map[bool]string{true: "answers ", false: "answer "}[len(bad) == 1] + fault.String()
	}
	if len(good) > 0 {
		finding = strings.TrimSuffix(finding, " answer") // "a answers, b does not"
		finding = list(good) + " " + map[bool]string{true: "answers", false: "answer"}[len(good) == 1] + ", " + finding
	}
	fix := "make every address that the name has take events, or take it out of the DNS"
	if local {
		fix = "listen on both, or give senders " + list(good) + " in place of localhost"
	}
	t.fail(finding, fix)
}
