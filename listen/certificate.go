package listen

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"
)

// certificateTime is how long a Certificate is valid, from a minute before now.
const certificateTime = 24 * time.Hour

// Certificate makes a certificate for a Server's TLS, valid for a day for the
// given names and IP addresses, and an authority that has signed it and can sign
// for no others. authority is what senders are to trust, in PEM form; its key is
// forgotten at once.
func Certificate(now time.Time, names ...string) (c tls.Certificate, authority []byte, err error) {
	from := now.Add(-time.Minute)
	root := &x509.Certificate{
		SerialNumber: big.NewInt(from.UnixNano()), Subject: pkix.Name{CommonName: "hookctl, for one run"},
		NotBefore: from, NotAfter: now.Add(certificateTime),
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign,
		PermittedDNSDomainsCritical: true,
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(from.UnixNano() + 1), Subject: pkix.Name{CommonName: "hookctl listen"},
		NotBefore: from, NotAfter: root.NotAfter, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, name := range names {
		ip := net.ParseIP(name)
		if ip == nil {
			leaf.DNSNames = append(leaf.DNSNames, name)
			root.PermittedDNSDomains = append(root.PermittedDNSDomains, name)
			continue
		}
		if four := ip.To4(); four != nil {
			ip = four
		}
		leaf.IPAddresses = append(leaf.IPAddresses, ip)
		root.PermittedIPRanges = append(root.PermittedIPRanges, &net.IPNet{IP: ip, Mask: net.CIDRMask(8*len(ip), 8*len(ip))})
	}
	// Of a kind that is not served nothing at all: a constraint that is not there
	// would permit all.
	if len(leaf.DNSNames) == 0 {
		root.ExcludedDNSDomains = []string{""}
	}
	if len(leaf.IPAddresses) == 0 {
		root.ExcludedIPRanges = []*net.IPNet{
			{IP: net.IPv4zero.To4(), Mask: net.CIDRMask(0, 32)}, {IP: net.IPv6zero, Mask: net.CIDRMask(0, 128)},
		}
	}
	rootKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return c, nil, fmt.Errorf("make a key: %w", err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return c, nil, fmt.Errorf("make a key: %w", err)
	}
	rootDER, err := x509.CreateCertificate(rand.Reader, root, root, rootKey.Public(), rootKey)
	if err != nil {
		return c, nil, fmt.Errorf("make an authority: %w", err)
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, root, key.Public(), rootKey)
	if err != nil {
		return c, nil, fmt.Errorf("make a certificate: %w", err)
	}
	c = tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
	return c, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: rootDER}), nil
}
