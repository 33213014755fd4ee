package send

import (
	"context"
	"crypto/tls"
	"net"
)

// A stage is how far a connection has come.
type stage int

const (
	resolving stage = iota
	connecting
	handshaking
	connected
)

// A dialling is the making of one connection.
type dialling struct {
	sender *Sender
	target *target
	stage  stage
	tried  []string // addresses, in the order in which they were dialled
}

// A blockedError is an address that the provider does not call.
type blockedError struct {
	addr, kind string
}

func (e *blockedError) Error() string { return e.addr + " is " + e.kind }

// connect resolves the name, dials, and speaks TLS where the URL says so.
func (d *dialling) connect(ctx context.Context) (net.Conn, error) {
	addrs, err := d.addresses(ctx)
	if err != nil {
		return nil, err
	}
	d.stage = connecting
	conn, err := race(ctx, addrs, d.dial, func(addr string) { d.tried = append(d.tried, addr) })
	if err != nil || d.target.url.Scheme != "https" {
		return conn, err
	}
	d.stage = handshaking
	return Handshake(ctx, conn, d.sender.TLS, d.target.host)
}

// addresses are what to dial, as host:port. Names but localhost are left to a
// Sender.Dial.
func (d *dialling) addresses(ctx context.Context) ([]string, error) {
	host, port := d.target.host, d.target.port
	if d.sender.Dial != nil && !Local(host) {
		return []string{net.JoinHostPort(host, port)}, nil
	}
	return resolve(ctx, host, port)
}

// dial connects to one address, unless the profile refuses it.
func (d *dialling) dial(ctx context.Context, addr string) (net.Conn, error) {
	refuse := d.sender.Strict && d.sender.Profile.Delivery.RefusePrivate
	if a, kind := kindOf(addr); refuse && kind != "" {
		return nil, &blockedError{a, kind}
	}
	if d.sender.Dial == nil {
		return dialTCP(ctx, addr)
	}
	conn, err := d.sender.Dial(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	if a, kind := kindOf(conn.RemoteAddr().String()); refuse && kind != "" {
		conn.Close()
		return nil, &blockedError{a, kind}
	}
	return conn, nil
}

// Handshake speaks TLS on a connection as a Sender does: HTTP/1.1 is all that is
// offered, and the certificate must be for host, unless config has another
// ServerName. A nil config is that of the system's authorities. Where the
// handshake fails the connection is closed; for the error see [Classify].
func Handshake(ctx context.Context, conn net.Conn, config *tls.Config, host string) (net.Conn, error) {
	own := &tls.Config{}
	if config != nil {
		own = config.Clone()
	}
	if own.ServerName == "" {
		own.ServerName = host
	}
	own.NextProtos = []string{"http/1.1"}
	secure := tls.Client(conn, own)
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, handshakeFailed(err)
	}
	return secure, nil
}
