package send

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// headStart is how long one address may take before the next is tried beside it
// (RFC 8305, section 5).
const headStart = 250 * time.Millisecond

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
	conn, err := d.race(ctx, addrs)
	if err != nil || d.target.url.Scheme != "https" {
		return conn, err
	}
	d.stage = handshaking
	secure := tls.Client(conn, d.sender.tlsConfig(d.target.host))
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, handshakeFailed(err)
	}
	return secure, nil
}

// addresses are what to dial, as host:port. localhost is both of its addresses,
// whatever the hosts file says; other names are left to a Sender.Dial.
func (d *dialling) addresses(ctx context.Context) ([]string, error) {
	host, port := d.target.host, d.target.port
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return []string{net.JoinHostPort("127.0.0.1", port), net.JoinHostPort("::1", port)}, nil
	}
	if _, err := netip.ParseAddr(host); err == nil || d.sender.Dial != nil {
		return []string{net.JoinHostPort(host, port)}, nil
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	var addrs []string
	for _, a := range found {
		addr := net.JoinHostPort(a.Unmap().String(), port)
		if !slices.Contains(addrs, addr) {
			addrs = append(addrs, addr)
		}
	}
	return addrs, nil
}

// race dials the addresses in their order, the next one when one has failed or
// had its head start. The first connection wins.
func (d *dialling) race(ctx context.Context, addrs []string) (net.Conn, error) {
	if len(addrs) == 1 {
		d.tried = addrs
		return d.dial(ctx, addrs[0])
	}
	type result struct {
		conn net.Conn
		err  error
		at   int
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make(chan result)
	errs := make([]error, len(addrs))
	running := 0
	start := func() {
		at := len(d.tried)
		d.tried = append(d.tried, addrs[at])
		running++
		go func() {
			conn, err := d.dial(ctx, addrs[at])
			results <- result{conn, err, at}
		}()
	}
	start()
	var won net.Conn
	for running > 0 {
		var next <-chan time.Time
		if won == nil && len(d.tried) < len(addrs) && ctx.Err() == nil {
			next = time.After(headStart)
		}
		select {
		case <-next:
			start()
		case r := <-results:
			running--
			switch {
			case r.err != nil:
				errs[r.at] = r.err
				if won == nil && len(d.tried) < len(addrs) && ctx.Err() == nil {
					start()
				}
			case won == nil:
				won = r.conn
				cancel()
			default:
				r.conn.Close()
			}
		}
	}
	if won != nil {
		return won, nil
	}
	return nil, telling(errs)
}

// telling is the error that says most: that an address is blocked, then the
// first that is more than a missing route.
func telling(errs []error) error {
	var first, better error
	for _, err := range errs {
		var blocked *blockedError
		switch {
		case err == nil:
			continue
		case errors.As(err, &blocked):
			return err
		case first == nil:
			first = err
		}
		if better == nil && Classify(err) != profiles.Unreachable {
			better = err
		}
	}
	if better != nil {
		return better
	}
	return first
}

// dial connects to one address, unless the profile refuses it.
func (d *dialling) dial(ctx context.Context, addr string) (net.Conn, error) {
	refuse := d.sender.Strict && d.sender.Profile.Delivery.RefusePrivate
	if a, kind := kindOf(addr); refuse && kind != "" {
		return nil, &blockedError{a, kind}
	}
	if d.sender.Dial == nil {
		var dialer net.Dialer
		return dialer.DialContext(ctx, "tcp", addr)
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

// tlsConfig is the Sender's configuration for a host: HTTP/1.1 is all that is
// offered.
func (s *Sender) tlsConfig(host string) *tls.Config {
	config := &tls.Config{}
	if s.TLS != nil {
		config = s.TLS.Clone()
	}
	if config.ServerName == "" {
		config.ServerName = host
	}
	config.NextProtos = []string{"http/1.1"}
	return config
}
