package send

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"math/big"
	"testing"
	"time"
)

func TestChainIsTrustedThroughWhatStandsBetween(t *testing.T) {
	root := newAuthority(t)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(3), Subject: pkix.Name{CommonName: "between"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}, root.certificate, key.Public(), root.key)
	if err != nil {
		t.Fatal(err)
	}
	between := authority{key: key}
	if between.certificate, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(between.issue(t, "a.example", time.Now().Add(-time.Hour), time.Now().Add(time.Hour)).Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	whole := []*x509.Certificate{leaf, between.certificate}
	if err := refusedBy(root.pool(), whole, "a.example"); err != nil {
		t.Errorf("the whole chain: %v", err)
	}
	var unknown x509.UnknownAuthorityError
	if err := refusedBy(root.pool(), whole[:1], "a.example"); !errors.As(err, &unknown) {
		t.Errorf("without what stands between: %v, want an unknown authority", err)
	}
	var host x509.HostnameError
	if err := refusedBy(root.pool(), whole, "b.example"); !errors.As(err, &host) {
		t.Errorf("for another host: %v, want a wrong name", err)
	}
	if err := refusedBy(nil, whole, "a.example"); !errors.As(err, &unknown) {
		t.Errorf("by the system: %v, want an unknown authority", err)
	}
	if err := refusedBy(nil, nil, "a.example"); err != nil {
		t.Errorf("no chain: %v", err)
	}
}
