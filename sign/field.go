package sign

import (
	"bytes"
	"encoding/json"
	"strings"
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
// it finds what is whole before the cut. Nothing is found deeper than 1,000
// levels, nor at the empty path.
func Find(body []byte, path string) (Field, bool) {
	if path == "" {
		return Field{}, false
	}
	var wants [1]want
	wants[0].next(path)
	findAll(body, wants[:])
	f := wants[0].found()
	return f, f.Kind != 0
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

// maxPaths is how many paths are looked for at once.
const maxPaths = 4

// A want is a path that is being followed.
type want struct {
	head, tail string
	more       bool  // tail follows head
	at         Field // the value of head; Kind 0: not found
	whole      bool  // it is not cut
	place      int   // of the path among maxPaths
}

// found is the value at the end of the path; its Kind is 0 if there is none.
func (w *want) found() Field {
	if w.more || !w.whole {
		return Field{}
	}
	return w.at
}

// next takes the next name of the path.
func (w *want) next(path string) {
	w.at, w.whole = Field{}, false
	if strings.IndexByte(path, '\\') < 0 {
		w.head, w.tail, w.more = strings.Cut(path, ".")
		return
	}
	var name []byte
	for i := 0; i < len(path); i++ {
		c := path[i]
		if c == '.' {
			w.head, w.tail, w.more = string(name), path[i+1:], true
			return
		}
		if c == '\\' && i+1 < len(path) && (path[i+1] == '.' || path[i+1] == '\\') {
			i++
			c = path[i]
		}
		name = append(name, c)
	}
	w.head, w.tail, w.more = string(name), "", false
}

// index is the head as an index of an array, or -1.
func (w *want) index() int {
	if len(w.head) == 0 || len(w.head) > 9 || w.head[0] == '0' && len(w.head) > 1 {
		return -1
	}
	n := 0
	for i := range len(w.head) {
		if !isDigit(w.head[i]) {
			return -1
		}
		n = n*10 + int(w.head[i]-'0')
	}
	return n
}

// findAll finds what is wanted, all in one pass over the outermost level.
func findAll(body []byte, wants []want) {
	if len(wants) == 0 {
		return
	}
	scan(body, 0, wants)
	for i := range wants {
		w := &wants[i]
		for w.more && (w.at.Kind == '{' || w.at.Kind == '[') {
			start, end := w.at.Start, w.at.End
			w.next(w.tail)
			scan(body[:end], start, wants[i:i+1])
		}
	}
}
