package listen

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/hookctl/hookctl/send"
)

// passageKey finds the passage for which a connection is made.
type passageKey struct{}

// An appConn is a connection to the application. It keeps the head of the
// answer.
type appConn struct {
	*send.HeadConn
	some  atomic.Bool // something was answered
	ended atomic.Bool // and then no more
}

func (c *appConn) Read(p []byte) (int, error) {
	n, err := c.HeadConn.Read(p)
	if n > 0 {
		c.some.Store(true)
	}
	if err == io.EOF {
		c.ended.Store(true)
	}
	return n, err
}

// cutShort reports whether the connection ended inside the answer's header.
func (c *appConn) cutShort() bool {
	return c.some.Load() && c.ended.Load() && c.Head() == nil
}

// dialApp connects to the application.
func dialApp(ctx context.Context, network, address string) (net.Conn, error) {
	p := passageOf(ctx)
	c, err := dialEither(p, network, address)
	if err != nil {
		return nil, err
	}
	return p.connect(c), nil
}

// dialAppTLS is a dialApp that speaks TLS, and offers nothing but HTTP/1.1.
func dialAppTLS(config *tls.Config) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		p := passageOf(ctx)
		c, err := dialEither(p, network, address)
		if err != nil {
			return nil, err
		}
		own := &tls.Config{}
		if config != nil {
			own = config.Clone()
		}
		own.NextProtos = []string{"http/1.1"}
		if host, _, err := net.SplitHostPort(address); err == nil && own.ServerName == "" {
			own.ServerName = host
		}
		secure := tls.Client(c, own)
		if err := secure.HandshakeContext(p.ctx); err != nil {
			_ = c.Close()
			return nil, err
		}
		return p.connect(secure), nil
	}
}

// dialEither dials an address. localhost is both of its addresses, whatever the
// hosts file says.
func dialEither(p *passage, network, address string) (net.Conn, error) {
	addresses := []string{address}
	host, port, err := net.SplitHostPort(address)
	if err == nil && strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		addresses = []string{net.JoinHostPort("127.0.0.1", port), net.JoinHostPort("::1", port)}
	}
	var errs []error
	for _, a := range addresses {
		p.trying(a)
		var d net.Dialer
		c, err := d.DialContext(p.ctx, network, a)
		if err == nil {
			return c, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// passageOf is the passage for which a connection is made. Its context ends with
// the request; the one that net/http dials with does not.
func passageOf(ctx context.Context) *passage {
	p, _ := ctx.Value(passageKey{}).(*passage)
	return p
}

// trying notes an address that is dialled. A name stands for addresses that
// are not known here.
func (p *passage) trying(address string) {
	if host, _, err := net.SplitHostPort(address); err != nil || net.ParseIP(host) == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tried = append(p.tried, address)
}

// connect notes the connection.
func (p *passage) connect(c net.Conn) net.Conn {
	app := &appConn{HeadConn: send.AnswerHeads(c)}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.app = app
	return app
}

// dialled is what was dialled, and the connection.
func (p *passage) dialled() ([]string, *appConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.tried), p.app
}

// answerHead is the head of the answer; nil where it is not known.
func (p *passage) answerHead() []byte {
	if _, app := p.dialled(); app != nil {
		return app.Head()
	}
	return nil
}
