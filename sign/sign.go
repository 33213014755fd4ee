// Package sign makes and checks webhook signatures as a profile describes
// them. It is pure: no network, no clock, no files.
//
// A sender calls [Signatures] and then [Headers]; a receiver calls [Verify].
// Both need a [Key] from [NewKey].
package sign

import (
	"strconv"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// Values fill a profile's placeholders. A zero value is no value.
type Values struct {
	ID, Type  string
	Time      time.Time // {timestamp} in seconds, {timestamp_ms} in milliseconds
	URL       string
	Attempt   int       // from 1; {retry} is one less; 0: no value
	FirstSent time.Time // {first_sent_at}, in RFC 3339, whole seconds, UTC
}

// A Header is one header line, its name spelled as on the wire.
type Header struct {
	Name, Value string
}

// append adds the value of the placeholder to dst. It reports false if there
// is none.
func (v *Values) append(dst []byte, slot int) ([]byte, bool) {
	switch slot {
	case slotID:
		return append(dst, v.ID...), v.ID != ""
	case slotType:
		return append(dst, v.Type...), v.Type != ""
	case slotURL:
		return append(dst, v.URL...), v.URL != ""
	case slotTime:
		if !v.Time.IsZero() {
			return strconv.AppendInt(dst, v.Time.Unix(), 10), true
		}
	case slotMillis:
		if !v.Time.IsZero() {
			return strconv.AppendInt(dst, v.Time.UnixMilli(), 10), true
		}
	case slotAttempt:
		return strconv.AppendInt(dst, int64(v.Attempt), 10), v.Attempt > 0
	case slotRetry:
		return strconv.AppendInt(dst, int64(v.Attempt)-1, 10), v.Attempt > 0
	case slotFirst:
		if !v.FirstSent.IsZero() {
			return v.FirstSent.UTC().AppendFormat(dst, "2006-01-02T15:04:05Z"), true
		}
	}
	return dst, false
}

// appendFilled adds the item to dst, each placeholder filled by value. A
// placeholder that value does not have is a *profiles.MissingError.
func appendFilled(dst []byte, it item, value func(dst []byte, slot int) ([]byte, bool)) ([]byte, error) {
	for i := range it {
		if it[i].slot == slotText {
			dst = append(dst, it[i].Text...)
			continue
		}
		var ok bool
		if dst, ok = value(dst, it[i].slot); !ok {
			return dst, &profiles.MissingError{Name: it[i].Name}
		}
	}
	return dst, nil
}

// appendContent adds the signed text without its body to dst; the body belongs
// at cut. A content that does not hold the body exactly once is refused, for
// its signature would cover no body.
func appendContent(dst []byte, content item, value func(dst []byte, slot int) ([]byte, bool)) (buf []byte, cut int, err error) {
	for i := range content {
		if content[i].slot != slotBody {
			continue
		}
		if dst, err = appendFilled(dst, content[:i], value); err != nil {
			return dst, 0, err
		}
		cut = len(dst)
		dst, err = appendFilled(dst, content[i+1:], value)
		return dst, cut, err
	}
	return dst, 0, &profiles.MissingError{Name: nameBody}
}
