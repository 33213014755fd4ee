package conform

import (
	"context"
	"crypto/tls"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// dialTime bounds a dial where another address can be tried, so that one that
// swallows packets leaves time for it.
const dialTime = 3 * time.Second

// resolve finds the addresses of the host, once for the run: what was judged is
// what is called. localhost is 127.0.0.1 and ::1.
func (r *run) resolve(ctx context.Context) error {
	port := r.url.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[r.url.Scheme]
	}
	host := r.url.Hostname()
	if send.Local(host) {
		r.addresses = []string{net.JoinHostPort("127.0.0.1", port), net.JoinHostPort("::1", port)}
		return nil
	}
	var found []netip.Addr
	if a, err := netip.ParseAddr(host); err == nil {
		found = []netip.Addr{a}
	} else {
		look, cancel := context.WithTimeout(ctx, r.limit)
		defer cancel()
		if found, err = net.DefaultResolver.LookupNetIP(look, "ip", host); err != nil {
			r.unresolved = err
			return nil
		}
	}
	for _, a := range found {
		a = a.Unmap()
		if send.Private(a) == "" {
			r.remote = true
			if !r.o.AllowRemote {
				return &RemoteError{Host: host, Address: a.String()}
			}
		}
		if send.Private(a) != "loopback" {
			r.far = true
		}
		if at := net.JoinHostPort(a.String(), port); !slices.Contains(r.addresses, at) {
			r.addresses = append(r.addresses, at)
		}
	}
	return nil
}

// open connects, with TLS where the URL says so: to the address, or to the one
// that answered first.
func (r *run) open(ctx context.Context, address string, deadline time.Time) (*line, error) {
	limited, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	conn, err := r.dial(limited, address)
	if err != nil {
		if f := send.Describe(err, nil); f.Local != nil {
			r.halt(f.Local)
		}
		return nil, err
	}
	if r.url.Scheme == "https" {
		if conn, err = send.Handshake(limited, conn, r.o.TLS, r.url.Hostname()); err != nil {
			return nil, err
		}
	}
	return newLine(ctx, conn, deadline), nil
}

// dial connects to an address, or to the first that answers.
func (r *run) dial(ctx context.Context, address string) (net.Conn, error) {
	if r.unresolved != nil {
		return nil, r.unresolved
	}
	if address == "" {
		address = r.chosen()
	}
	if address != "" {
		return send.Dial(ctx, address, nil)
	}
	var first error
	for i, at := range r.addresses {
		each, cancel := ctx, context.CancelFunc(func() {})
		if i+1 < len(r.addresses) {
			each, cancel = context.WithTimeout(ctx, dialTime)
		}
		conn, err := send.Dial(each, at, nil)
		cancel()
		if err == nil {
			r.choose(at)
			return conn, nil
		}
		r.note(at)
		if first == nil || send.Classify(first) == profiles.Unreachable {
			first = err
		}
		if send.Describe(err, nil).Local != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, first
}

// tlsConfig is that of the options, with the name that the certificate is for.
func (r *run) tlsConfig() *tls.Config {
	config := &tls.Config{}
	if r.o.TLS != nil {
		config = r.o.TLS.Clone()
	}
	if config.ServerName == "" {
		config.ServerName = r.url.Hostname()
	}
	return config
}
