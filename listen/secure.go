package listen

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"time"

	"github.com/hookctl/hookctl/send"
)

const handshakeTime = 10 * time.Second

// secure has the connection speak TLS: heads are seen in plain text, and the
// handshake comes with the first Read.
func (c *conn) secure(config *tls.Config) {
	own := config.Clone()
	own.NextProtos = []string{"http/1.1"}
	c.tls = tls.Server(c.accepted, own)
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
	if err == nil {
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
		c.countUnsecured(unsecured(err))
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
func unsecured(err error) error {
	const badCertificate, certificateUnknown, unknownCA = tls.AlertError(42), tls.AlertError(46), tls.AlertError(48)
	alert := (*net.OpError)(nil)
	if errors.As(err, &alert) && alert.Op == "remote error" {
		switch alert.Err.Error() {
		case badCertificate.Error(), certificateUnknown.Error(), unknownCA.Error():
			return ErrDistrust
		}
	}
	return err
}

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
