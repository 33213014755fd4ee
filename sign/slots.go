package sign

import (
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"

	"github.com/hookctl/hookctl/profiles"
)

// The slots of the placeholders: their places in Parts.
const (
	slotID = iota
	slotType
	slotTime
	slotMillis
	slotURL
	slotAttempt
	slotRetry
	slotFirst
	slotSignature // this and the next are kept apart
	slotBody
	slotOther // of no request, such as random text
	slotText  // no placeholder

	slots = slotSignature
)

// slotOf is the slot of the part of that name.
func slotOf(name string) int {
	switch name {
	case "":
		return slotText
	case nameID:
		return slotID
	case nameType:
		return slotType
	case nameTime:
		return slotTime
	case nameMillis:
		return slotMillis
	case nameURL:
		return slotURL
	case nameAttempt:
		return slotAttempt
	case nameRetry:
		return slotRetry
	case nameFirst:
		return slotFirst
	case nameSignature:
		return slotSignature
	case nameBody:
		return slotBody
	}
	return slotOther
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
