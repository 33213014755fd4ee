package explain

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/hookctl/hookctl/profiles"
)

// A target is a received digest, and what is wrong with its text.
type target struct {
	raw    []byte // the digest; if cut is set, nothing
	cut    string // the beginning of the digest's text, in the profile's encoding
	base64 bool   // that encoding
	faults []fault
}

// is reports whether the digest is the one received.
func (t *target) is(sum []byte) bool {
	if t.cut == "" {
		return bytes.Equal(t.raw, sum)
	}
	var room [128]byte
	var text []byte
	if t.base64 {
		text = base64.StdEncoding.AppendEncode(room[:0], sum)
	} else {
		text = hex.AppendEncode(room[:0], sum)
	}
	return len(text) > len(t.cut) && string(text[:len(t.cut)]) == t.cut
}

// leastDigits is how much of a digest must be there to be proof, in hex digits.
const leastDigits = 16

// longestDigest is the longest text that is read as a digest, in bytes.
const longestDigest = 512

// digests reads a signature's text in every form that a digest may have.
func digests(p *profiles.Profile, text string, faults []fault) []target {
	if len(text) > longestDigest {
		return nil
	}
	size := hashOf(p.Signature.Algorithm)().Size()
	asBase64 := p.Signature.Encoding == profiles.Base64
	var all []target
	add := func(raw []byte, kind Kind, detail string) {
		t := target{raw: raw, faults: faults}
		if kind != "" {
			t.faults = append(faults[:len(faults):len(faults)], fault{kind: kind, detail: detail})
		}
		all = append(all, t)
	}
	documented := func(raw []byte, isBase64 bool, detail string) {
		if isBase64 == asBase64 {
			add(raw, "", "")
		} else {
			add(raw, signatureBase64, detail)
		}
	}
	if raw, ok := unhex(text); ok && digestSize(len(raw)) {
		if lower := strings.ToLower(text) == text; lower || asBase64 {
			documented(raw, false, "hex")
		} else {
			add(raw, signatureCase, "")
		}
	}
	if raw, ok := unbase64(text); ok {
		if digestSize(len(raw)) {
			padded := strings.HasSuffix(text, "=") || len(raw)%3 == 0
			url := strings.ContainsAny(text, "-_") || !padded && !strings.ContainsAny(text, "+/")
			switch {
			case url:
				add(raw, signatureBase64URL, "base64url")
			case asBase64 && !padded:
				add(raw, signatureBase64URL, "base64 without its padding")
			default:
				documented(raw, true, "base64")
			}
		}
		if inner, ok := unhex(string(raw)); ok && digestSize(len(inner)) {
			add(inner, signatureBase64OfHex, "")
		}
	}
	least, whole := leastDigits, 2*size
	if asBase64 {
		least, whole = leastDigits*4/6+1, base64.StdEncoding.EncodedLen(size)
	}
	if text := strings.TrimRight(text, ".…"); len(text) >= least && len(text) < whole && isCut(text, asBase64) {
		all = append(all, target{cut: text, base64: asBase64, faults: append(faults[:len(faults):len(faults)], fault{kind: signatureTruncated})})
	}
	return all
}

func isCut(text string, asBase64 bool) bool {
	digits := "0123456789abcdef"
	if asBase64 {
		digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	}
	return strings.Trim(text, digits) == ""
}

// digestSize reports whether a known hash has digests of that many bytes.
func digestSize(n int) bool {
	switch n {
	case 16, 20, 28, 32, 48, 64:
		return true
	}
	return false
}

func unhex(text string) ([]byte, bool) {
	if text == "" || len(text)%2 != 0 {
		return nil, false
	}
	raw, err := hex.DecodeString(text)
	return raw, err == nil
}

// unbase64 reads both alphabets, padded or not.
func unbase64(text string) ([]byte, bool) {
	body := strings.TrimRight(text, "=")
	if body == "" || len(text)-len(body) > 2 || strings.ContainsAny(text, "\r\n") {
		return nil, false
	}
	e := base64.RawStdEncoding
	if strings.ContainsAny(body, "-_") {
		e = base64.RawURLEncoding
	}
	raw, err := e.DecodeString(body)
	return raw, err == nil && len(raw) > 0
}

// prefixed cuts a word such as "sha256=" or "v1:" off the front of a digest.
func prefixed(text string) (prefix, rest string, ok bool) {
	i := strings.IndexAny(text, "=:, ")
	if i < 1 || i > 20 || i+leastDigits > len(text) {
		return "", "", false
	}
	rest = strings.TrimLeft(text[i:], "=:, \t")
	return text[:i+1], rest, len(rest) >= leastDigits
}
