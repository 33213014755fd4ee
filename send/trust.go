package send

import (
	"crypto/tls"
	"crypto/x509"
	"net"

	"github.com/hookctl/hookctl/profiles"
)

// distrust is why the certificate of a connection would be refused by the
// system's authorities, where the Sender trusts more than these; else nil.
func (s *Sender) distrust(conn net.Conn, host string) error {
	secure, ok := conn.(*tls.Conn)
	if !ok || s.TLS == nil || (!s.TLS.InsecureSkipVerify && s.TLS.RootCAs == nil) {
		return nil
	}
	return refusedBy(nil, secure.ConnectionState().PeerCertificates, host)
}

// refusedBy is why the authorities, nil for the system's, would refuse a chain
// for that host; else nil.
func refusedBy(authorities *x509.CertPool, chain []*x509.Certificate, host string) error {
	if len(chain) == 0 {
		return nil
	}
	between := x509.NewCertPool()
	for _, c := range chain[1:] {
		between.AddCert(c)
	}
	_, err := chain[0].Verify(x509.VerifyOptions{DNSName: host, Intermediates: between, Roots: authorities})
	return err
}

// distrustNote says what the provider makes of a certificate that only the
// Sender's TLS accepts.
func (s *Sender) distrustNote(err error) string {
	v := Judge(s.Profile, profiles.Outcome{Failure: profiles.TLS})
	return distrusted(err) + ", accepted here alone; in production " + s.Profile.Title + " makes of it: " + v.Item + " -> " + string(v.Then)
}
