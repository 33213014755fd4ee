package sign

import (
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"

	"github.com/hookctl/hookctl/profiles"
)

// The places of the placeholders in Parts.
const (
	slotID = iota
	slotType
	slotTime
	slotMillis
	slotURL
	slotAttempt
	slotRetry
	slotFirst
	slots

	slotSignature = slots // which is kept apart
)

func slotOf(name string) (int, bool) {
	switch name {
	case nameID:
		return slotID, true
	case nameType:
		return slotType, true
	case nameTime:
		return slotTime, true
	case nameMillis:
		return slotMillis, true
	case nameURL:
		return slotURL, true
	case nameAttempt:
		return slotAttempt, true
	case nameRetry:
		return slotRetry, true
	case nameFirst:
		return slotFirst, true
	}
	return 0, false
}

// slotWord is what warnings call the placeholder.
func slotWord(slot int) string {
	switch slot {
	case slotID:
		return "id"
	case slotType:
		return "type"
	case slotTime, slotMillis:
		return "time"
	case slotURL:
		return "address"
	case slotFirst:
		return "first time"
	}
	return "attempt"
}

// digestWidth is the length of an encoded signature.
func digestWidth(p *profiles.Profile) int {
	n := sha256.Size
	switch p.Signature.Algorithm {
	case profiles.HMACSHA1:
		n = sha1.Size
	case profiles.HMACSHA512:
		n = sha512.Size
	}
	if p.Signature.Encoding == profiles.Base64 {
		return base64.StdEncoding.EncodedLen(n)
	}
	return 2 * n
}
