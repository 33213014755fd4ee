package cmd

import (
	"crypto/tls"
	"errors"
	"net"
	"os"
	"slices"
	"time"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/listen"
)

// tlsFlags are how listen speaks https.
type tlsFlags struct {
	on               bool
	cert, key, caOut string
}

func (t *tlsFlags) add(f *flags) {
	f.yes(&t.on, "tls", "", "serve https, with a certificate for this run alone")
	f.text(&t.caOut, "tls-ca-out", "", "FILE", "write the authority that senders are to trust")
	f.text(&t.cert, "tls-cert", "", "FILE", "serve https with this certificate")
	f.text(&t.key, "tls-key", "", "FILE", "and its key")
}

// check refuses what is only half said.
func (t *tlsFlags) check() error {
	switch {
	case (t.cert == "") != (t.key == ""):
		return misuse("--tls-cert and --tls-key need each other")
	case t.caOut != "" && t.cert != "":
		return misuse("--tls-ca-out and --tls-cert exclude each other")
	case t.caOut == "-":
		return misuse("--tls-ca-out takes a file")
	case t.caOut != "" && !t.on:
		return misuse("--tls-ca-out needs --tls")
	}
	t.on = t.on || t.cert != ""
	return nil
}

// scheme is that of the URL.
func (t *tlsFlags) scheme() string {
	if t.on {
		return "https"
	}
	return "http"
}

// config is what the server speaks TLS with; nil: it does not. The authority is
// written once all else is ready.
func (t *tlsFlags) config(addr string, sockets []net.Listener) (*tls.Config, error) {
	switch {
	case !t.on:
		return nil, nil
	case t.cert != "":
		c, err := t.load()
		if err != nil {
			return nil, err
		}
		return &tls.Config{Certificates: []tls.Certificate{c}}, nil
	}
	c, authority, err := listen.Certificate(time.Now(), servedNames(addr, sockets)...)
	if err != nil {
		return nil, cannot(err, "--tls: %s", oneLine(err.Error()))
	}
	if t.caOut != "" {
		if err := writeFile(t.caOut, authority); err != nil {
			return nil, cannot(err, "--tls-ca-out: %s", pathError(err))
		}
	}
	return &tls.Config{Certificates: []tls.Certificate{c}}, nil
}

// trust is how senders come to trust the certificate; "" where that is known to
// who made it.
func (t *tlsFlags) trust() string {
	switch {
	case !t.on || t.cert != "":
		return ""
	case t.caOut != "":
		return "senders are to trust " + oneLine(t.caOut) + " (curl --cacert, " + programName + " send --cacert)"
	}
	return "senders trust its certificate with what --tls-ca-out FILE writes, or accept any (curl -k, " + programName + " send -k)"
}

// unsecured counts a connection that ended before it spoke TLS. Who watches is
// told of the first of each sort.
func (l *listening) unsecured(_ string, why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, text := l.withoutTLS(why)
	if *n++; *n == 1 && l.app.errStyle().Terminal {
		l.app.say(render.Note, text, "")
	}
}

// withoutTLS is what is counted of such a connection, and what is said of it.
func (l *listening) withoutTLS(why error) (*int, string) {
	ended := "a connection ended in the TLS handshake: " + oneLine(why.Error())
	switch {
	case errors.Is(why, listen.ErrPlainHTTP):
		return &l.tally.PlainHTTP, why.Error() + ", answered 400; the URL is " + l.url
	case !errors.Is(why, listen.ErrDistrust):
		return &l.tally.NoTLS, ended
	}
	if how := l.o.tls.trust(); how != "" {
		ended += "; " + how
	}
	return &l.tally.Distrust, ended
}

// load reads the certificate and its key.
func (t *tlsFlags) load() (tls.Certificate, error) {
	cert, err := readFile(t.cert, maxCertificates)
	if err != nil {
		return tls.Certificate{}, cannot(err, "--tls-cert: %s", pathError(err))
	}
	key, err := readFile(t.key, maxCertificates)
	if err != nil {
		return tls.Certificate{}, cannot(err, "--tls-key: %s", pathError(err))
	}
	c, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return c, misuse("--tls-cert and --tls-key are no pair of a certificate and its key in PEM form")
	}
	return c, nil
}

// servedNames are the names under which senders reach the sockets.
func servedNames(addr string, sockets []net.Listener) []string {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	host, _, err := net.SplitHostPort(addr)
	if err == nil && net.ParseIP(host) == nil {
		add(host)
	}
	for _, s := range sockets {
		ip := s.Addr().(*net.TCPAddr).IP
		switch {
		case ip.IsUnspecified():
			add("localhost")
			name, _ := os.Hostname() // without one it has no name
			add(name)
			all, _ := net.InterfaceAddrs()
			for _, a := range all {
				if n, ok := a.(*net.IPNet); ok {
					add(n.IP.String())
				}
			}
		case ip.IsLoopback():
			add("localhost")
			add(ip.String())
		default:
			add(ip.String())
		}
	}
	return names
}
