package listen

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
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
	var plain tls.RecordHeaderError
	if errors.As(err, &plain) && plain.Conn != nil && speaksPlain(plain.RecordHeader) && c.running.enter(c) {
		defer c.running.leave()
		c.HeadConn = send.RequestHeads(plain.Conn)
		c.refused = true
		c.countGarbage()
		_, _ = io.WriteString(plain.Conn, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		c.linger()
	}
	return io.EOF
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
