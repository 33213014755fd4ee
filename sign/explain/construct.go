package explain

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"strings"

	"github.com/hookctl/hookctl/profiles"
)

// An algorithm is a hash under the name that users know.
type algorithm struct {
	name string
	make func() hash.Hash
}

func algorithmList() []algorithm {
	return []algorithm{
		{"HMAC-SHA1", sha1.New}, {"HMAC-SHA256", sha256.New}, {"HMAC-SHA512", sha512.New},
		{"HMAC-SHA224", sha256.New224}, {"HMAC-SHA384", sha512.New384}, {"HMAC-MD5", md5.New},
		{"HMAC-SHA512/256", sha512.New512_256},
	}
}

// algorithmName is a profile's algorithm under the name that users know.
func algorithmName(a profiles.Algorithm) string {
	return "HMAC-" + strings.ToUpper(strings.TrimPrefix(string(a), "hmac-"))
}

// algorithms tries the other hashes on the documented text.
func (s *search) algorithms() bool {
	own := algorithmName(s.p.Signature.Algorithm)
	for _, a := range algorithmList() {
		if a.name == own {
			continue
		}
		f := fault{kind: algorithmMismatch, detail: a.name}
		for _, r := range s.main() {
			for _, k := range s.keys {
				if s.hashed(r, k, hmac.New(a.make, k.key), &f, r.before, s.body, r.after) {
					return true
				}
			}
		}
	}
	return false
}

// hashed compares what a hash makes of the parts. A signature under the name of
// another version needs no second fault for that version's hash.
func (s *search) hashed(r *reading, k *keyForm, h hash.Hash, f *fault, parts ...[]byte) bool {
	n := 0
	for _, part := range parts {
		n += len(part)
	}
	if !s.afford(n) {
		return false
	}
	s.tried.Layouts++
	for _, part := range parts {
		h.Write(part)
	}
	s.sum = h.Sum(s.sum[:0])
	if f.kind == algorithmMismatch {
		for i := range r.targets {
			t := &r.targets[i]
			if len(t.faults) == 1 && t.faults[0].kind == headerWrongVersionOnly && t.is(s.sum) &&
				strings.Contains(f.detail, strings.ToUpper(strings.Trim(t.faults[0].detail, `"=:,`))) {
				said := t.faults[0]
				said.detail += ", with " + f.detail
				s.found = &match{reading: r, target: *t, key: k, faults: []fault{said}}
				return true
			}
		}
	}
	return s.compare(r, k, s.sum, f)
}

// argumentOrder tries the message as the key and the key as the message.
func (s *search) argumentOrder() bool {
	f := fault{kind: hmacArgsSwapped}
	for _, r := range s.main() {
		message := append(append(append([]byte{}, r.before...), s.body...), r.after...)
		for _, k := range s.keys {
			if s.hashed(r, k, hmac.New(hashOf(s.p.Signature.Algorithm), message), &f, k.key) {
				return true
			}
			if len(message) > len(s.body) && s.hashed(r, k, hmac.New(hashOf(s.p.Signature.Algorithm), s.body), &f, k.key) {
				return true
			}
		}
	}
	return false
}

// hashes tries hashes without HMAC.
func (s *search) hashes() bool {
	fresh := hashOf(s.p.Signature.Algorithm)
	dot := []byte(".")
	for _, r := range s.main() {
		for _, k := range s.keys {
			for _, form := range [...]struct {
				detail string
				parts  [][]byte
			}{
				{"of the secret and the text after it", [][]byte{k.key, r.before, s.body, r.after}},
				{"of the text and the secret after it", [][]byte{r.before, s.body, r.after, k.key}},
				{"of the text alone: there is no secret in it", [][]byte{r.before, s.body, r.after}},
				{"of the secret and the body after it", [][]byte{k.key, s.body}},
				{"of the body and the secret after it", [][]byte{s.body, k.key}},
				{"of the secret, a dot and the body", [][]byte{k.key, dot, s.body}},
				{"of the body, a dot and the secret", [][]byte{s.body, dot, k.key}},
				{"of the body alone: there is no secret in it", [][]byte{s.body}},
			} {
				if s.hashed(r, k, fresh(), &fault{kind: plainHash, detail: form.detail}, form.parts...) {
					return true
				}
			}
		}
	}
	return false
}
