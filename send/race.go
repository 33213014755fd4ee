package send

import (
	"context"
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

// Local reports whether a host is the name localhost, in any case and with a
// final dot or without. An address such as 127.0.0.1 is none.
func Local(host string) bool {
	return strings.EqualFold(strings.TrimSuffix(host, "."), "localhost")
}

// Dial connects to host:port by TCP as a Sender does: localhost is 127.0.0.1 and
// ::1, whatever the hosts file says; of several addresses the next is dialled
// when one has failed or had 250 ms, and the first connection wins. tried, if not
// nil, is called with each address that is dialled, before Dial returns. For an
// error, see [Classify] and [Describe].
func Dial(ctx context.Context, address string, tried func(address string)) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	addrs, err := resolve(ctx, host, port)
	if err != nil {
		return nil, err
	}
	if tried == nil {
		tried = func(string) {}
	}
	return race(ctx, addrs, dialTCP, tried)
}

// resolve are the addresses of a host, with the port.
func resolve(ctx context.Context, host, port string) ([]string, error) {
	if Local(host) {
		return []string{net.JoinHostPort("127.0.0.1", port), net.JoinHostPort("::1", port)}, nil
	}
	if _, err := netip.ParseAddr(host); err == nil {
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

// dialTCP connects to one address.
func dialTCP(ctx context.Context, addr string) (net.Conn, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, withoutPort(err, addr)
	}
	return conn, nil
}

// race dials the addresses in their order, the next one when one has failed or
// had its head start. The first connection wins. tried is called with each
// address that is dialled.
func race(ctx context.Context, addrs []string, dial func(ctx context.Context, addr string) (net.Conn, error), tried func(addr string)) (net.Conn, error) {
	if len(addrs) == 1 {
		tried(addrs[0])
		return dial(ctx, addrs[0])
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
	running, begun := 0, 0
	start := func() {
		at := begun
		tried(addrs[at])
		running, begun = running+1, begun+1
		go func() {
			conn, err := dial(ctx, addrs[at])
			results <- result{conn, err, at}
		}()
	}
	start()
	var won net.Conn
	for running > 0 {
		var next <-chan time.Time
		if won == nil && begun < len(addrs) && ctx.Err() == nil {
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
				if won == nil && begun < len(addrs) && ctx.Err() == nil {
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

// telling is the error that says most: that an address is blocked, or was not
// tried for want of something here, then the first that is more than a missing
// route.
func telling(errs []error) error {
	var first, better error
	for _, err := range errs {
		var blocked *blockedError
		switch {
		case err == nil:
			continue
		case errors.As(err, &blocked), local(err) != nil:
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
