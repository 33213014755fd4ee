package sign

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/hookctl/hookctl/profiles"
)

// DevelopmentSecret signs where no secret is given and nothing but this machine
// is reached. Its bytes are the key, whatever a profile's encoding.
const DevelopmentSecret = "hookctl-development-secret"

// ErrEmptySecret refuses a secret that is empty, blank, or nothing but the
// prefix that is not part of the key: anyone could sign with such a key.
var ErrEmptySecret = errors.New("the secret is empty or blank")

// A Key is a signing secret ready for use with one profile, which must not change
// from then on. It is safe for concurrent use and never prints its secret. Copies
// share their state; the zero Key is no key.
type Key struct {
	m func() *material
}

// material stands behind a function: package fmt follows pointers, also in
// fields whose methods it cannot call, but never looks into a function.
type material struct {
	text     string
	key      []byte
	newHash  func() hash.Hash
	pool     sync.Pool            // of *signer
	lastPlan atomic.Pointer[plan] // of the profile that was used last
}

// NewKey makes a key of the secret's text as the profile's secret.encoding and
// secret.strip say. Base64 is the standard alphabet, with padding or without;
// hex has digits of either case. The error says what is wrong and holds nothing
// of the text; it is [ErrEmptySecret] if there is no secret in it.
func NewKey(p *profiles.Profile, secret string) (*Key, error) {
	text := strings.TrimPrefix(secret, p.Secret.Strip)
	if strings.TrimSpace(text) == "" {
		return nil, ErrEmptySecret
	}
	newHash, err := hashOf(p.Signature.Algorithm)
	if err != nil {
		return nil, err
	}
	key, err := decodeSecret(p.Secret.Encoding, text)
	if err != nil {
		return nil, err
	}
	if len(key) == 0 {
		return nil, ErrEmptySecret
	}
	return newKey(&material{text: secret, key: key, newHash: newHash}), nil
}

// DevelopmentKey is the key of [DevelopmentSecret] for a profile.
func DevelopmentKey(p *profiles.Profile) *Key {
	newHash, err := hashOf(p.Signature.Algorithm)
	if err != nil {
		newHash = sha256.New
	}
	return newKey(&material{text: DevelopmentSecret, key: []byte(DevelopmentSecret), newHash: newHash})
}

func newKey(m *material) *Key {
	return &Key{m: func() *material { return m }}
}

func hashOf(a profiles.Algorithm) (func() hash.Hash, error) {
	switch a {
	case profiles.HMACSHA256, "":
		return sha256.New, nil
	case profiles.HMACSHA1:
		return sha1.New, nil
	case profiles.HMACSHA512:
		return sha512.New, nil
	}
	return nil, fmt.Errorf("unknown signature algorithm %q", string(a))
}

func decodeSecret(e profiles.Encoding, text string) ([]byte, error) {
	switch e {
	case profiles.Raw, "":
		return []byte(text), nil
	case profiles.Hex:
		if key, err := hex.DecodeString(text); err == nil {
			return key, nil
		}
		return nil, errors.New("the secret is not hex, as the profile says it is")
	case profiles.Base64:
		// The decoder skips line ends; a secret has none.
		body := strings.TrimRight(text, "=")
		padded := len(text) > len(body)
		if body != "" && !strings.ContainsAny(text, "\r\n") && (!padded || len(text)%4 == 0) {
			if key, err := base64.RawStdEncoding.DecodeString(body); err == nil {
				return key, nil
			}
		}
		return nil, errors.New("the secret is not base64, as the profile says it is")
	}
	return nil, fmt.Errorf("unknown secret encoding %q", string(e))
}

// Reveal is the secret's text as it was given, for those who try variants of
// it to explain a signature. It must never be shown, not even in part.
func (k Key) Reveal() string {
	if k.m == nil {
		return ""
	}
	return k.m().text
}

// Size is the length of the key in bytes; 0 for the zero Key.
func (k Key) Size() int {
	if k.m == nil {
		return 0
	}
	return len(k.m().key)
}

const hidden = "[secret]"

// String is a fixed text: a key is never printed.
func (Key) String() string { return hidden }

// GoString is a fixed text: a key is never printed.
func (Key) GoString() string { return hidden }

// Format writes a fixed text under every verb: a key is never printed.
func (Key) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(hidden)) }

// MarshalText is a fixed text: a key is never written to a document.
func (Key) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// A signer is a keyed hash and the buffer that belongs to it.
type signer struct {
	hash hash.Hash
	buf  []byte // the signed text but its body; then the digest and its text
}

// keepBuffer is how large a signer's buffer may be to be kept, in bytes.
const keepBuffer = 16 << 10

func (m *material) get() *signer {
	if s, ok := m.pool.Get().(*signer); ok {
		s.hash.Reset()
		return s
	}
	return &signer{hash: hmac.New(m.newHash, m.key), buf: make([]byte, 0, 512)}
}

func (m *material) put(s *signer) {
	if cap(s.buf) > keepBuffer {
		s.buf = nil
	}
	m.pool.Put(s)
}

// digest ends the signature and returns it encoded. The bytes are the signer's
// own, valid until it is used again.
func (s *signer) digest(e profiles.Encoding) []byte {
	s.buf = s.hash.Sum(s.buf[:0])
	n := len(s.buf)
	if e == profiles.Base64 {
		s.buf = base64.StdEncoding.AppendEncode(s.buf, s.buf)
	} else {
		s.buf = hex.AppendEncode(s.buf, s.buf)
	}
	return s.buf[n:]
}
