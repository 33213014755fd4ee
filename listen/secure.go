package listen

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"slices"
	"time"

	"github.com/hookctl/hookctl/send"
)

const (
	handshakeTime = 10 * time.Second
	alertSize     = 7 // bytes of an alert in plain text
)

// secure has the connection speak TLS: heads are seen in plain text, and the
// handshake comes with the first Read.
func (c *conn) secure(config *tls.Config) {
	own := config.Clone()
	own.NextProtos = []string{"http/1.1"}
	c.heard = &hearing{Conn: c.accepted}
	c.tls = tls.Server(c.heard, own)
	c.HeadConn = send.RequestHeads(c.tls)
}

// Why a connection ended before it spoke TLS, beside what crypto/tls says.
var (
	ErrPlainHTTP = errors.New("plain http on the https port")
	ErrDistrust  = errors.New("the sender does not trust the certificate")
)

// handshake makes the connection ready for its first bytes. It fails with io.EOF,
// so that net/http says nothing on it; who speaks HTTP without TLS is answered
// 400.
func (c *conn) handshake() error {
	ctx, cancel := context.WithTimeout(context.Background(), handshakeTime)
	defer cancel()
	err := c.tls.HandshakeContext(ctx)
	if c.heard.over = true; err == nil {
		return nil
	}
	if !c.running.enter(c) {
		return io.EOF
	}
	defer c.running.leave()
	var plain tls.RecordHeaderError
	switch begun := c.tls.ConnectionState().Version != 0; {
	case errors.As(err, &plain) && plain.Conn != nil && speaksPlain(plain.RecordHeader):
		c.answerPlain(plain)
	case begun || !ended(err) && !errors.Is(err, context.DeadlineExceeded):
		c.countUnsecured(unsecured(err, c.heard.last))
	}
	return io.EOF
}

// answerPlain answers who sent text in place of TLS.
func (c *conn) answerPlain(plain tls.RecordHeaderError) {
	c.HeadConn = send.RequestHeads(plain.Conn)
	c.refused = true
	if beginsRequest(plain.RecordHeader) {
		c.countUnsecured(ErrPlainHTTP) // before the client knows, as garbage is
	} else {
		c.countGarbage()
	}
	_, _ = io.WriteString(plain.Conn, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	c.linger()
}

// countUnsecured tells the server about a connection that ended before it spoke
// TLS.
func (c *conn) countUnsecured(why error) {
	if unsecured := c.running.server.Unsecured; unsecured != nil {
		unsecured(c.remote, why)
	}
}

// unsecured is why a handshake failed: distrust where the sender's alert says so.
// last are the bytes that came last: OpenSSL sends that alert in plain text, where
// crypto/tls expects it encrypted.
func unsecured(err error, last []byte) error {
	const badCertificate, certificateUnknown, unknownCA = tls.AlertError(42), tls.AlertError(46), tls.AlertError(48)
	said := ""
	if alert := (*net.OpError)(nil); errors.As(err, &alert) && alert.Op == "remote error" {
		said = alert.Err.Error()
	} else if n := len(last) - 1; n >= 0 && bytes.Equal(last[:n], []byte{21, 3, 3, 0, 2, 2}) { // a fatal alert
		said = tls.AlertError(last[n]).Error()
		err = errors.New("remote error: " + said)
	}
	switch said {
	case badCertificate.Error(), certificateUnknown.Error(), unknownCA.Error():
		return ErrDistrust
	}
	return err
}

// A hearing keeps what came last, as much as an alert has.
type hearing struct {
	net.Conn
	last []byte
	over bool // nothing is kept any more
}

func (h *hearing) Read(p []byte) (int, error) {
	n, err := h.Conn.Read(p)
	if !h.over {
		h.last = append(h.last, p[:n]...)
		h.last = slices.Delete(h.last, 0, max(0, len(h.last)-alertSize))
	}
	return n, err
}

// NetConn is the connection below.
func (h *hearing) NetConn() net.Conn { return h.Conn }

// speaksPlain reports whether what came in place of a TLS record is text, such
// as the beginning of a request.
func speaksPlain(head [5]byte) bool {
	for _, b := range head {
		if b < ' ' || b > '~' {
			return false
		}
	}
	return true
}

// beginsRequest reports whether a text begins with a method, or most of one.
func beginsRequest(head [5]byte) bool {
	method, _, _ := bytes.Cut(head[:], []byte(" "))
	return len(method) >= 3 && bytes.IndexFunc(method, func(r rune) bool { return r < 'A' || r > 'Z' }) < 0
}
