package profiles

import (
	"fmt"
	"strconv"
	"strings"
)

// placeholders are the names that a header or the signed text may hold.
func placeholders() []string {
	return []string{"id", "type", "timestamp", "timestamp_ms", "body", "url", "attempt", "retry", "first_sent_at", "signature"}
}

// PlaceholderError says that a text holds a placeholder that does not exist.
type PlaceholderError struct {
	Name string // without the braces
	Near string // what may have been meant, or ""
}

func (e *PlaceholderError) Error() string { return "unknown placeholder " + quote("{"+e.Name+"}") }

// ParseTemplate reads a header's value or the signed text: {id} {type}
// {timestamp} {timestamp_ms} {body} {url} {attempt} {retry} {first_sent_at}
// {signature}. Another {word} is a [*PlaceholderError], every other brace is
// literal.
func ParseTemplate(text string) (Template, error) {
	return parseTemplate(text, placeholders(), true)
}

// MaxHex is the largest N of {hex:N}, the digits of a random number.
const MaxHex = 128

// parseSample reads the body of an event: {id} {type} {timestamp} {now} {uuid}
// {hex:N} with N from 1 to MaxHex and, in an event that brackets a replay, {since}
// {until} {event_type} {count}. Every other brace is literal.
func parseSample(text string, replay bool) Template {
	names := []string{"id", "type", "timestamp", "now", "uuid", "hex:N"}
	if replay {
		names = append(names, "since", "until", "event_type", "count")
	}
	t, _ := parseTemplate(text, names, false)
	return t
}

// parseNewID reads the form of new ids, which must have something new in it.
func parseNewID(text string) (Template, error) {
	t, err := parseTemplate(text, []string{"uuid", "hex:N"}, true)
	if err == nil && t.Constant() {
		err = fmt.Errorf("new_id has neither {uuid} nor {hex:N}, so all ids would be the same")
	}
	return t, err
}

// parseTemplate parts a text. With strict, a word in braces that is none of the
// names is an error.
func parseTemplate(text string, names []string, strict bool) (Template, error) {
	var t Template
	literal := 0 // where the literal text begins that is not yet a part
	for at := 0; at < len(text); at++ {
		if text[at] != '{' {
			continue
		}
		n := 0
		for at+1+n < len(text) && wordByte(text[at+1+n]) {
			n++
		}
		end := at + 1 + n
		if n == 0 || end == len(text) || text[end] != '}' {
			continue
		}
		word := text[at+1 : end]
		if !known(word, names) {
			if strict {
				return Template{}, &PlaceholderError{Name: word, Near: Near(word, names)}
			}
			continue
		}
		if literal < at {
			t.Parts = append(t.Parts, Part{Text: text[literal:at]})
		}
		t.Parts = append(t.Parts, Part{Name: word})
		literal, at = end+1, end
	}
	if literal < len(text) {
		t.Parts = append(t.Parts, Part{Text: text[literal:]})
	}
	return t, nil
}

// wordByte reports whether the byte may stand in the name of a placeholder.
func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == ':' || c == '-'
}

// known reports whether the word is one of the names; "hex:N" stands for all
// numbers of digits.
func known(word string, names []string) bool {
	for _, name := range names {
		if word == name && name != "hex:N" {
			return true
		}
		if digits, ok := strings.CutPrefix(word, "hex:"); ok && name == "hex:N" {
			n, err := strconv.Atoi(digits)
			if err == nil && n >= 1 && n <= MaxHex && digits == strconv.Itoa(n) {
				return true
			}
		}
	}
	return false
}
