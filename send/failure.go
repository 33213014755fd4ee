package send

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// maxQuote is how much of what is not HTTP is quoted, in bytes.
const maxQuote = 60

// Describe is the failure that an error of the network means, in words: for a
// request that was made elsewhere than in this package. The addresses that were
// dialled may be nil.
func Describe(err error, tried []string) *Failure {
	f := &Failure{Kind: Classify(err), Tried: tried, Local: local(err)}
	where := profiles.List(tried, "and")
	if where == "" {
		where = dialledAddress(err)
	}
	if f.Local != nil {
		f.Message = "not connected: " + f.Local.Error()
		return f
	}
	switch f.Kind {
	case profiles.DNS:
		f.Message = unresolved(err)
	case profiles.Refused:
		f.Message = where
	case profiles.Reset:
		f.Message = "after the request was sent"
	case profiles.Closed:
		f.Message = "no status line before the end"
	case profiles.TLS:
		f.Message, f.TLS = distrusted(err), faultOf(err)
	case profiles.Unreachable:
		f.Message = "no route to " + where
		if !noRoute(err) {
			f.Message = plain(err)
		}
	case profiles.ConnectTimeout:
		f.Message = "no connection to " + where
	case profiles.ReadTimeout:
		f.Message = "connected, but no answer in time"
	case profiles.Interrupted:
		f.Message = "ended before an answer"
	case profiles.BlockedAddress:
		f.Message = err.Error() + "; no request was sent"
	default:
		f.Message = plain(err)
	}
	return f
}

// failure says why no connection stands.
func (d *dialling) failure(cause, err error, limit time.Duration) *Failure {
	timedOut := errors.Is(cause, errLimit) || errors.Is(err, errLimit)
	switch {
	case timedOut && d.stage == resolving:
		return &Failure{Kind: profiles.DNS, Message: d.target.host + " was not resolved within " + spell(limit)}
	case timedOut:
		return &Failure{Kind: profiles.ConnectTimeout, Message: "no connection within " + spell(limit), Tried: d.tried}
	case cause != nil:
		return &Failure{Kind: profiles.Interrupted, Message: "ended before a connection", Tried: d.tried}
	}
	f := Describe(err, d.tried)
	if f.Kind == profiles.Protocol || f.Kind == profiles.ReadTimeout {
		f.Kind = profiles.Unreachable
	}
	if d.stage == handshaking && (f.Kind == profiles.Reset || f.Kind == profiles.Closed) {
		f.Message = "in the TLS handshake"
	} else if f.Kind == profiles.Reset || f.Kind == profiles.Closed {
		f.Message = "before the connection stood"
	}
	return f
}

// failure says why an exchange brought no answer, once the connection stood.
func (l *Link) failure(cause, err error, limit time.Duration) *Failure {
	switch {
	case errors.Is(cause, errLimit) || errors.Is(cause, errShortcut):
		return &Failure{Kind: profiles.ReadTimeout, Message: missing(l.begun(), l.sent.Load()) + " within " + spell(limit), Tried: l.tried}
	case cause != nil:
		return &Failure{Kind: profiles.Interrupted, Message: "ended before an answer", Tried: l.tried}
	}
	return l.NoAnswer(err)
}

// NoAnswer says why an exchange brought no answer, and closes the link. err is
// what [Link.Send] says; how the connection ended says more. Limits of time and
// the caller's own end are for the caller to tell.
func (l *Link) NoAnswer(err error) *Failure {
	sent := l.sent.Load()
	l.Close() // a write under way ends
	f := l.conn.noAnswer(err, sent)
	if f.Kind == profiles.Closed && isErrno(l.writeErr, syscall.ECONNRESET, 10054) {
		// The system tells of a reset once; here writing was told, and reading of an end.
		f = &Failure{Kind: profiles.Reset, Message: resetWhen(l.begun(), false)}
	}
	f.Tried = l.tried
	return f
}

// noAnswer says why nothing that was read is an answer. sent says that the
// request was written, body and all.
func (c *HeadConn) noAnswer(err error, sent bool) *Failure {
	head, complete, end := c.received()
	switch {
	case len(head) > 0 && !likeHTTP(head):
		return &Failure{Kind: profiles.Protocol, Message: `not an HTTP answer: "` + firstLine(head) + `"`}
	case !complete && len(head) > 0 && (errors.Is(end, io.EOF) || errors.Is(end, io.ErrUnexpectedEOF)):
		return &Failure{Kind: profiles.Closed, Message: "the answer ended inside its header"}
	case !complete && end != nil:
		err = end
	}
	f := Describe(err, nil)
	if f.Kind == profiles.Reset {
		f.Message = resetWhen(len(head) > 0, sent)
	}
	return f
}

// missing says what was not there when the time limit passed.
func missing(begun, sent bool) string {
	switch {
	case begun:
		return "an answer began, but its header did not end"
	case sent:
		return "connected and sent, but no answer"
	}
	return "connected, but the request was not taken"
}

// resetWhen says when a connection was reset.
func resetWhen(begun, sent bool) string {
	switch {
	case begun:
		return "inside the answer's header"
	case sent:
		return "after the request was sent"
	}
	return "while the request was sent"
}

// likeHTTP reports whether a head begins as HTTP/1.x does, as far as it goes.
func likeHTTP(head []byte) bool {
	head = bytes.TrimLeft(head, "\r\n")
	n := min(len(head), len("HTTP/"))
	return string(head[:n]) == "HTTP/"[:n]
}

// firstLine is the beginning of what was answered, cut at its first line end.
func firstLine(head []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n"), []byte("\n"))
	line = bytes.TrimRight(line, "\r")
	if len(line) > maxQuote {
		return strings.ToValidUTF8(string(line[:maxQuote]), "") + "…"
	}
	return string(line)
}

// unresolved says why a name has no address.
func unresolved(err error) string {
	var dns *net.DNSError
	switch {
	case !errors.As(err, &dns):
		return plain(err)
	case dns.IsNotFound:
		return "no such host: " + dns.Name
	case dns.IsTimeout:
		return dns.Name + " was not resolved: the name server does not answer"
	}
	return dns.Name + " was not resolved: " + dns.Err
}

// distrusted says what is wrong with a certificate or a handshake.
func distrusted(err error) string {
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	var unknown x509.UnknownAuthorityError
	var record tls.RecordHeaderError
	var op *net.OpError
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && invalid.Cert != nil:
		if now := time.Now(); now.Before(invalid.Cert.NotBefore) {
			return "certificate not valid before " + invalid.Cert.NotBefore.UTC().Format(time.DateOnly)
		}
		return "certificate expired " + invalid.Cert.NotAfter.UTC().Format(time.DateOnly)
	case errors.As(err, &host):
		return "certificate is not for " + host.Host + certifiedNames(host.Certificate)
	case errors.As(err, &unknown):
		return "certificate signed by an unknown authority"
	case errors.As(err, &record):
		return "the answer is not TLS; is it a plain http port?"
	case errors.As(err, &op) && op.Op == "remote error":
		return "the other side sent an alert: " + plain(op.Err)
	}
	return plain(err)
}

// faultOf is what a handshake failed of.
func faultOf(err error) TLSFault {
	var unknown x509.UnknownAuthorityError
	var bad *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &unknown):
		return UnknownAuthority
	case errors.As(err, &bad):
		return BadCertificate
	case errors.As(err, &record):
		return NotTLS
	}
	return OtherTLS
}

// certifiedNames are the names that a certificate is for.
func certifiedNames(c *x509.Certificate) string {
	if c == nil {
		return ""
	}
	names := append([]string(nil), c.DNSNames...)
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) == 0 || len(names) > 3 {
		return ""
	}
	return ", but for " + profiles.List(names, "and")
}

// dialledAddress is the address that an error of dialling names.
func dialledAddress(err error) string {
	var op *net.OpError
	if errors.As(err, &op) && op.Addr != nil {
		return op.Addr.String()
	}
	return "the address"
}

// plain is an error's text without the prefixes that say where in Go it arose.
func plain(err error) string {
	if err == nil {
		return "no answer"
	}
	text := err.Error()
	for {
		cut := text
		for _, prefix := range []string{"net/http: ", "http: ", "tls: ", "x509: ", "failed to verify certificate: "} {
			cut = strings.TrimPrefix(cut, prefix)
		}
		if cut == text {
			return text
		}
		text = cut
	}
}
