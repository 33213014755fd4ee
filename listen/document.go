package listen

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"time"

	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// MarshalJSON writes the document hookctl.request/1, with credentials masked
// unless Sensitive. What is not known is null.
func (r Request) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

// AppendJSON appends what MarshalJSON writes: one line, in which nothing can
// drive a terminal.
func (r Request) AppendJSON(b []byte) ([]byte, error) {
	b = append(b, `{"schema":"hookctl.request/1","number":`...)
	b = strconv.AppendInt(b, int64(r.Number), 10)
	b = append(b, `,"at":"`...)
	b = send.AppendInstant(b, r.At)
	b = append(b, `","remote":`...)
	b = appendText(b, r.Remote)
	b = append(b, `,"method":`...)
	b = appendText(b, r.Method)
	b = append(b, `,"target":`...)
	b = appendText(b, r.Target)
	b = append(b, `,"proto":`...)
	b = appendText(b, r.Proto)
	b = append(b, `,"headers":`...)
	b, err := r.appendHeader(b)
	if err != nil {
		return nil, err
	}
	b = append(b, `,"body_base64":`...)
	if r.BodyRead {
		b = append(b, '"')
		b = base64.StdEncoding.AppendEncode(b, r.Body)
		b = append(b, '"')
	} else {
		b = append(b, "null"...)
	}
	name := ""
	if r.Profile != nil {
		name = r.Profile.Name
	}
	b = append(b, `,"profile":`...)
	b = appendKnown(b, name)
	b = append(b, `,"event":{"id":`...)
	b = appendKnown(b, r.Event.ID)
	b = append(b, `,"type":`...)
	b = appendKnown(b, r.Event.Type)
	b = append(b, `,"attempt":`...)
	b = appendCount(b, r.Event.Attempt)
	b = append(b, '}')
	b = r.appendVerdict(b)
	b = append(b, `,"seen":`...)
	b = appendText(b, string(r.Seen))
	b = append(b, `,"of":`...)
	b = appendCount(b, r.Of)
	b = append(b, `,"explanation":`...)
	if r.Explanation == nil {
		b = append(b, "null"...)
	} else if b, err = appendDocument(b, r.Explanation); err != nil {
		return nil, err
	}
	b = append(b, `,"answer":{"status":`...)
	b = appendCount(b, r.Answer.Status)
	b = append(b, `,"by":`...)
	b = appendText(b, string(r.Answer.By))
	b = append(b, `},"took_s":`...)
	b = append(b, send.Seconds(r.Took).String()...)
	b = append(b, `,"error":`...)
	if r.Failure == nil {
		b = append(b, "null"...)
	} else if b, err = appendDocument(b, send.FailureDoc{Kind: r.Failure.Kind, Message: r.Failure.Message}); err != nil {
		return nil, err
	}
	return append(b, '}'), nil
}

// appendHeader appends the request's header as it may be shown.
func (r Request) appendHeader(b []byte) ([]byte, error) {
	start := len(b)
	b = append(b, '[')
	for i, h := range r.Header {
		if !r.Sensitive {
			h = send.MaskHeader(h, r.Masked)
		}
		if !plain(h.Name) || !plain(h.Value) {
			return r.appendOddHeader(b[:start])
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `["`...)
		b = append(b, h.Name...)
		b = append(b, `","`...)
		b = append(b, h.Value...)
		b = append(b, `"]`...)
	}
	return append(b, ']'), nil
}

// appendOddHeader is appendHeader for any bytes.
func (r Request) appendOddHeader(b []byte) ([]byte, error) {
	header := r.Header
	if !r.Sensitive {
		header = send.Mask(header, r.Masked)
	}
	return appendDocument(b, send.HeaderList(header))
}

// appendVerdict appends what the signature is; null where it was not judged.
func (r Request) appendVerdict(b []byte) []byte {
	if r.Result == nil {
		return append(b, `,"verified":null,"reason":null,"matched_secret":null,"age_s":null`...)
	}
	b = append(b, `,"verified":`...)
	b = strconv.AppendBool(b, r.Result.Verified)
	b = append(b, `,"reason":`...)
	b = appendKnown(b, string(r.Result.Reason))
	b = append(b, `,"matched_secret":`...)
	b = appendCount(b, r.Result.Secret)
	b = append(b, `,"age_s":`...)
	return append(b, age(r.Result, r.At)...)
}

// age is the age of the signature when the request came, to the millisecond as
// that is written; null where it has no time.
func age(result *sign.Result, at time.Time) json.Number {
	if result.Time.IsZero() {
		return "null"
	}
	return send.Between(result.Time, at.Truncate(time.Millisecond))
}

// appendKnown appends a string; an empty one is not known: null.
func appendKnown(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return appendText(b, s)
}

// appendCount appends a number; 0 is null.
func appendCount(b []byte, n int) []byte {
	if n == 0 {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, int64(n), 10)
}

// appendText appends a JSON string.
func appendText(b []byte, s string) []byte {
	if plain(s) {
		b = append(b, '"')
		b = append(b, s...)
		return append(b, '"')
	}
	b, _ = appendDocument(b, s) // no string is an error
	return b
}

// plain reports whether a string stands in JSON as it is.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// appendDocument appends any value as [send.WriteDocument] writes it.
func appendDocument(b []byte, v any) ([]byte, error) {
	var text bytes.Buffer
	err := send.WriteDocument(&text, v)
	return append(b, bytes.TrimSuffix(text.Bytes(), []byte("\n"))...), err
}
