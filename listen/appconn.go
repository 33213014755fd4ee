package listen

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"

	"github.com/hookctl/hookctl/send"
)

// passageKey finds the passage for which a connection is made.
type passageKey struct{}

// dialApp connects to the application.
func dialApp(ctx context.Context, _, address string) (net.Conn, error) {
	p := passageOf(ctx)
	c, err := send.Dial(p.ctx, address, p.trying)
	if err != nil {
		return nil, err
	}
	return p.connect(c), nil
}

// dialAppTLS is a dialApp that speaks TLS, and offers nothing but HTTP/1.1.
func dialAppTLS(config *tls.Config) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, _, address string) (net.Conn, error) {
		p := passageOf(ctx)
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		c, err := send.Dial(p.ctx, address, p.trying)
		if err != nil {
			return nil, err
		}
		secure, err := send.Handshake(p.ctx, c, config, host)
		if err != nil {
			return nil, err
		}
		return p.connect(secure), nil
	}
}

// passageOf is the passage for which a connection is made. Its context ends with
// the request; the one that net/http dials with does not.
func passageOf(ctx context.Context) *passage {
	p, _ := ctx.Value(passageKey{}).(*passage)
	return p
}

// trying notes an address that is dialled.
func (p *passage) trying(address string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tried = append(p.tried, address)
}

// connect notes the connection, which keeps the head of the answer.
func (p *passage) connect(c net.Conn) net.Conn {
	app := send.AnswerHeads(c)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.app = app
	return app
}

// use notes the connection that has the request: the one that was dialled for
// it, or another.
func (p *passage) use(got httptrace.GotConnInfo) {
	app, ok := got.Conn.(*send.HeadConn)
	if !ok {
		return
	}
	if got.Reused {
		app.Reset()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.app, p.reused = app, got.Reused
}

// stale reports whether a request failed because its connection was used before
// and the application had closed it: it gave no byte of an answer. The request
// can be sent again on a new one.
func (p *passage) stale() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reused && p.ctx.Err() == nil && p.app.Head() == nil && len(p.app.Unfinished(1)) == 0
}

// whole reports whether all of an answer is there already.
func (p *passage) whole(answer *http.Response) bool {
	_, app := p.dialled()
	return app != nil && answer.ContentLength >= 0 && int64(app.Beyond()) >= answer.ContentLength
}

// dialled is what was dialled, and the connection.
func (p *passage) dialled() ([]string, *send.HeadConn) {
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
