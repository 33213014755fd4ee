package sign

import (
	"bytes"
	"encoding/json"
)

// A Field is where a value stands in a JSON text.
type Field struct {
	Start, End int  // bytes of the value, quotes included
	Kind       byte // '"', '{', '[', '0' (a number), 't' (true or false), 'n' (null)
}

// Find finds the value at a dotted path ("data.items.0.id"; "\." is a dot in a
// name, "\\" a backslash) in a JSON text, without decoding the text. Of repeated
// names the last counts, as in most parsers. It reads no further than it must
// and copes with a text that is not JSON by not finding. In a text that is cut
// it finds what is whole before the cut. Nothing is found deeper than 1,024
// levels, nor at the empty path.
func Find(body []byte, path string) (Field, bool) {
	if path == "" {
		return Field{}, false
	}
	wants, fields := [1]want{wantOf(path, 0)}, [1]Field{}
	findAll(body, wants[:], fields[:])
	return fields[0], fields[0].Kind != 0
}

// FindString is the decoded string, or the text of the number, at the path; ""
// and false if there is none.
func FindString(body []byte, path string) (string, bool) {
	f, ok := Find(body, path)
	if !ok {
		return "", false
	}
	return f.text(body)
}

// text is the decoded string or the text of the number.
func (f Field) text(body []byte) (string, bool) {
	switch raw := body[f.Start:f.End]; f.Kind {
	case '"':
		return unquote(raw)
	case '0':
		if json.Valid(raw) {
			return string(raw), true
		}
	}
	return "", false
}

// unquote decodes a JSON string. What is not UTF-8 becomes U+FFFD.
func unquote(raw []byte) (string, bool) {
	plain := true
	for _, c := range raw {
		if c < 0x20 || c >= 0x80 || c == '\\' {
			plain = false
			break
		}
	}
	if plain {
		return string(raw[1 : len(raw)-1]), true
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return s, err == nil
}

// same reports whether the JSON string is the text, without an allocation in
// the common case.
func same(raw []byte, text string) bool {
	in := raw[1 : len(raw)-1]
	if len(in) <= len(text) || bytes.IndexByte(in, '\\') < 0 { // an escape is longer than what it stands for
		return string(in) == text
	}
	s, ok := unquote(raw)
	return ok && s == text
}
