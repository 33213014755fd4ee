package profiles

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf16"

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

// appendString appends a JSON string in which nothing can drive a terminal:
// control characters and those that turn the direction of text are escaped.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r < ' ' || r >= 0x7f && r < 0xa0 || turns(r):
			b = fmt.Appendf(b, `\u%04x`, r)
		case r > 0xffff && !strconv.IsPrint(r):
			high, low := utf16.EncodeRune(r)
			b = fmt.Appendf(b, `\u%04x\u%04x`, high, low)
		default:
			b = append(b, string(r)...)
		}
	}
	return append(b, '"')
}

// turns reports whether a character turns the direction of text or ends a line
// for some readers.
func turns(r rune) bool {
	return r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
