package send

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hookctl/hookctl/sign"
)

// WriteDocument writes v as one line of JSON, in one call of Write. Control
// characters and bidirectional controls are escaped, nothing else that JSON
// leaves plain.
func WriteDocument(w io.Writer, v any) error {
	line, err := encode(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// encode is v as JSON on one line, without escapes for HTML but with those for
// what could drive a terminal.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return escapeControls(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// escapeControls escapes the controls that stand in strings of a JSON text, and
// replaces what is not UTF-8. C0 controls are escaped in JSON anyway.
func escapeControls(text []byte) []byte {
	var out []byte
	done := 0 // text[:done] is in out
	for i := 0; i < len(text); {
		if text[i] < 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if control(r) || r == utf8.RuneError && n == 1 {
			out = append(out, text[done:i]...)
			out = fmt.Appendf(out, `\u%04x`, r)
			done = i + n
		}
		i += n
	}
	if done == 0 {
		return text
	}
	return append(out, text[done:]...)
}

// control reports whether r is a control above ASCII's printable ones, a
// bidirectional control, or a line end that JSON leaves plain.
func control(r rune) bool {
	switch {
	case r >= 0x7f && r <= 0x9f:
	case r == 0x061c, r == 0x200e, r == 0x200f:
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
	case r == 0x2028, r == 0x2029:
	default:
		return false
	}
	return true
}

// Seconds is a length of time as JSON: a plain decimal number of seconds with
// at most 9 decimals.
type Seconds time.Duration

// MarshalJSON writes the number.
func (s Seconds) MarshalJSON() ([]byte, error) { return []byte(s.String()), nil }

// String is the number: "31.4", "0.0021", "0".
func (s Seconds) String() string {
	sign, n := "", uint64(s)
	if s < 0 {
		sign, n = "-", -n
	}
	whole, rest := n/uint64(time.Second), n%uint64(time.Second)
	text := sign + strconv.FormatUint(whole, 10)
	if rest == 0 {
		return text
	}
	return text + "." + strings.TrimRight(fmt.Sprintf("%09d", rest), "0")
}

// HeaderList is a header as JSON: [name, value] pairs in order; a value that is
// not UTF-8 has a third element, its bytes in base64.
type HeaderList []sign.Header

// MarshalJSON writes the pairs; a nil list is an empty one.
func (h HeaderList) MarshalJSON() ([]byte, error) {
	pairs := make([][]string, len(h))
	for i, line := range h {
		pairs[i] = []string{line.Name, line.Value}
		if !utf8.ValidString(line.Value) {
			pairs[i] = append(pairs[i], base64.StdEncoding.EncodeToString([]byte(line.Value)))
		}
	}
	return encode(pairs)
}

// Mask replaces the values of headers that hold credentials by ***: those of
// the contract's list and those that more, if not nil, names. The list given is
// not changed.
func Mask(h []sign.Header, more func(name string) bool) []sign.Header {
	masked := make([]sign.Header, len(h))
	for i, line := range h {
		if credential(line.Name) || more != nil && more(line.Name) {
			line.Value = "***"
		}
		masked[i] = line
	}
	return masked
}

// credential reports whether the header of that name holds a credential.
func credential(name string) bool {
	switch strings.ToLower(name) {
	case "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key":
		return true
	}
	return false
}

// headers is a header of the timeline as a document.
func (t Timeline) headers(h []sign.Header) HeaderList {
	if !t.Sensitive {
		h = Mask(h, t.Masked)
	}
	return HeaderList(h)
}
