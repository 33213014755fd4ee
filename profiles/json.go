package profiles

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// JSON is the file's data as one JSON value, keys in the file's order; what is
// no JSON number is a string as written, so durations are. It returns [Errors]
// if the text is not plain YAML; it does not look for what a profile must have.
func JSON(data []byte) ([]byte, error) {
	s, root := load("profile", data)
	if err := s.result(); err != nil {
		return nil, err
	}
	return appendJSON(nil, root), nil
}

// appendJSON appends a node as JSON.
func appendJSON(b []byte, n *yaml.Node) []byte {
	switch n.Kind {
	case yaml.MappingNode:
		b = append(b, '{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendString(b, n.Content[i].Value)
			b = append(b, ':')
			b = appendJSON(b, n.Content[i+1])
		}
		return append(b, '}')
	case yaml.SequenceNode:
		b = append(b, '[')
		for i, item := range n.Content {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, item)
		}
		return append(b, ']')
	}
	switch n.Tag {
	case "!!null":
		return append(b, "null"...)
	case "!!bool":
		var v bool
		if n.Decode(&v) == nil {
			return strconv.AppendBool(b, v)
		}
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			return append(b, n.Value...)
		}
		var v any
		if n.Decode(&v) == nil {
			if number, err := json.Marshal(v); err == nil && !bytes.HasPrefix(number, []byte(`"`)) {
				return append(b, number...)
			}
		}
	}
	return appendString(b, n.Value)
}

// appendString appends a JSON string in which nothing can drive a terminal.
func appendString(b []byte, s string) []byte {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return append(b, `""`...) // no string is an error
	}
	return append(b, EscapeControls(bytes.TrimSuffix(text.Bytes(), []byte("\n")))...)
}

// EscapeControls escapes in a JSON text what its strings may hold plain and what
// could drive a terminal or turn the direction of text: U+007F to U+009F, the
// bidirectional controls, U+2028 and U+2029. What is not UTF-8 becomes U+FFFD.
// The controls below U+0020 are escaped in any JSON. The text given is not
// changed.
func EscapeControls(text []byte) []byte {
	var out []byte
	done := 0 // text[:done] is in out
	for i := 0; i < len(text); {
		if text[i] < 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if r < 0xa0 || turns(r) || r == utf8.RuneError && n == 1 {
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

// turns reports whether a character turns the direction of text or ends a line
// for some readers.
func turns(r rune) bool {
	return r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
