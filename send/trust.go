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
	certificates := secure.ConnectionState().PeerCertificates
	if len(certificates) == 0 {
		return nil
	}
	between := x509.NewCertPool()
	for _, c := range certificates[1:] {
		between.AddCert(c)
	}
	_, err := certificates[0].Verify(x509.VerifyOptions{DNSName: host, Intermediates: between})
	return err
}

// distrustNote says what the provider makes of a certificate that only the
// Sender's TLS accepts.
func (s *Sender) distrustNote(err error) string {
	v := Judge(s.Profile, profiles.Outcome{Failure: profiles.TLS})
	return distrusted(err) + ", accepted here alone; in production " + s.Profile.Title + " makes of it: " + v.Item + " -> " + string(v.Then)
}
