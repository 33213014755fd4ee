package send

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// Set changes one value in a JSON body: path=value gives the value the JSON
// type that it has there (null and a new field: string), path:=JSON any JSON. A
// path is dotted, with indexes for arrays and \. for a dot in a name. Order and
// all other bytes stay.
//
// A member that is missing is added at the end of its object, with the objects
// that lead to it; an index equal to an array's length appends. The profile's
// event id cannot be set.
func Set(p *profiles.Profile, body []byte, assignment string) ([]byte, error) {
	path, text, raw, err := splitAssignment(assignment)
	if err != nil {
		return nil, err
	}
	if holdsID(p, path.names) {
		return nil, fmt.Errorf("%s is the event's id, which cannot be set like this", path)
	}
	if !json.Valid(body) {
		return nil, fmt.Errorf("cannot set %s: the body is not JSON", path)
	}
	if raw && !json.Valid([]byte(text)) {
		return nil, fmt.Errorf("%s:=%s: what follows := is not JSON", path, clip(text))
	}
	if !raw && !utf8.ValidString(text) {
		return nil, fmt.Errorf("the text for %s is not UTF-8", path)
	}
	if f, ok := sign.Find(body, path.text); ok {
		if !raw {
			if text, err = typed(path, f.Kind, text); err != nil {
				return nil, err
			}
		}
		return splice(body, f.Start, f.End, text), nil
	}
	if !raw {
		text = jsonText(text)
	}
	return insert(body, path, text)
}

// A path is a dotted path as written and its names.
type path struct {
	text  string
	names []string
	ends  []int // where each name ends in text
}

func (p path) String() string { return clip(p.text) }

// prefix is the path to the first n names.
func (p path) prefix(n int) path {
	return path{text: p.text[:p.ends[n-1]], names: p.names[:n], ends: p.ends[:n]}
}

// splitAssignment takes PATH=VALUE or PATH:=JSON apart.
func splitAssignment(s string) (p path, value string, raw bool, err error) {
	text, value, ok := strings.Cut(s, "=")
	if !ok {
		return path{}, "", false, fmt.Errorf("no = in %s: PATH=VALUE or PATH:=JSON", clip(s))
	}
	text, raw = strings.CutSuffix(text, ":")
	if raw {
		value = strings.TrimSpace(value)
	}
	p, err = splitPath(text)
	return p, value, raw, err
}

// splitPath takes a dotted path apart.
func splitPath(text string) (path, error) {
	p := path{text: text}
	var name strings.Builder
	for i := 0; i <= len(text); i++ {
		switch {
		case i == len(text) || text[i] == '.':
			if name.Len() == 0 {
				return path{}, fmt.Errorf("an empty name in the path %s", clip(strconv.Quote(text)))
			}
			p.names, p.ends = append(p.names, name.String()), append(p.ends, i)
			name.Reset()
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == '.':
			i++
			name.WriteByte('.')
		default:
			name.WriteByte(text[i])
		}
	}
	if !utf8.ValidString(text) {
		return path{}, fmt.Errorf("the path %s is not UTF-8", strconv.Quote(text))
	}
	return p, nil
}

// holdsID reports whether the names lead to the profile's event id or to
// something that holds it.
func holdsID(p *profiles.Profile, names []string) bool {
	if p == nil || p.Event.ID == "" {
		return false
	}
	id, err := splitPath(p.Event.ID)
	if err != nil || len(names) > len(id.names) {
		return false
	}
	for i, name := range names {
		if name != id.names[i] {
			return false
		}
	}
	return true
}

// typed is text as JSON of the kind that stands at the path.
func typed(p path, kind byte, text string) (string, error) {
	wrong := func(is string) error {
		return fmt.Errorf("%s is %s and %s is not; %s:=JSON sets any JSON", p, is, strconv.Quote(clip(text)), p)
	}
	switch kind {
	case '0':
		if !number(text) {
			return "", wrong("a number")
		}
		return text, nil
	case 't':
		if text != "true" && text != "false" {
			return "", wrong("true or false")
		}
		return text, nil
	case 'n':
		if text == "null" {
			return text, nil
		}
	case '{', '[':
		return "", fmt.Errorf("%s is %s; %s:=JSON sets it", p, kindName(kind), p)
	}
	return jsonText(text), nil
}

// number reports whether text is a JSON number.
func number(text string) bool {
	if text == "" || text[0] != '-' && !digits(text[:1]) {
		return false
	}
	return digits(text[len(text)-1:]) && json.Valid([]byte(text))
}

// insert adds the value at a path that is not there.
func insert(body []byte, p path, value string) ([]byte, error) {
	n := len(p.names) - 1 // how many names lead to something that is there
	var at sign.Field
	for ; n > 0; n-- {
		f, ok := sign.Find(body, p.prefix(n).text)
		if ok {
			at = f
			break
		}
	}
	where := "the body"
	if n > 0 {
		where = p.prefix(n).String()
	} else {
		at = root(body)
	}
	for i := len(p.names) - 1; i > n; i-- {
		value = "{" + jsonText(p.names[i]) + ":" + value + "}"
	}
	name := p.names[n]
	switch at.Kind {
	case '{':
		value = jsonText(name) + ":" + value
	case '[':
		if err := appends(body, p.prefix(n+1), where); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("%s is %s and has no %s", where, kindName(at.Kind), strconv.Quote(clip(name)))
	}
	end := at.End - 1
	for strings.IndexByte(" \t\r\n", body[end-1]) >= 0 {
		end--
	}
	if end > at.Start+1 {
		value = "," + value
	}
	return splice(body, end, end, value), nil
}

// appends tells why the last name of the path, which is not there, is not the
// index after the last of its array; nil if it is.
func appends(body []byte, p path, where string) error {
	last := p.names[len(p.names)-1]
	i, err := strconv.Atoi(last)
	if err != nil || strconv.Itoa(i) != last || i < 0 {
		return fmt.Errorf("%s is an array and %s is no index", where, strconv.Quote(clip(last)))
	}
	if i == 0 {
		return nil
	}
	before := strconv.Itoa(i - 1)
	if len(p.names) > 1 {
		before = p.prefix(len(p.names)-1).text + "." + before
	}
	if _, ok := sign.Find(body, before); !ok {
		return fmt.Errorf("%s is an array that ends before index %d", where, i)
	}
	return nil
}

// root is the whole value of a JSON text.
func root(body []byte) sign.Field {
	f := sign.Field{End: len(body)}
	for strings.IndexByte(" \t\r\n", body[f.Start]) >= 0 {
		f.Start++
	}
	for strings.IndexByte(" \t\r\n", body[f.End-1]) >= 0 {
		f.End--
	}
	f.Kind = body[f.Start]
	switch {
	case f.Kind == '-' || digits(string(f.Kind)):
		f.Kind = '0'
	case f.Kind == 'f':
		f.Kind = 't'
	}
	return f
}

// kindName names a kind of JSON value.
func kindName(kind byte) string {
	switch kind {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 't':
		return "true or false"
	}
	return "null"
}

// splice puts text in place of body[start:end], in a new slice.
func splice(body []byte, start, end int, text string) []byte {
	out := make([]byte, 0, len(body)-(end-start)+len(text))
	out = append(out, body[:start]...)
	out = append(out, text...)
	return append(out, body[end:]...)
}

// jsonText is s as a JSON string. Only what JSON demands is escaped, and
// controls.
func jsonText(s string) string {
	text, err := encode(s)
	if err != nil {
		return `""` // a string always encodes
	}
	return string(text)
}

// clip cuts a text to its first 60 bytes, between characters.
func clip(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "..."
	}
	return s
}
