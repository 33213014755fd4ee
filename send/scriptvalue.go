package send

import (
	"net/http"
	"strings"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// header reads Name=value, where the whole or the value alone may be quoted.
func (s *scanner) header(step *Step) *ScriptError {
	from := s.at
	if s.at < len(s.text) && s.text[s.at] == '"' {
		whole, err := s.value()
		if err != nil {
			return err
		}
		name, value, ok := strings.Cut(whole, "=")
		return addHeader(step, name, value, ok, from, s.at)
	}
	end := s.until(from, ",:=")
	name := s.text[from:end]
	s.at = end
	if end == len(s.text) || s.text[end] != '=' {
		return addHeader(step, name, "", false, from, s.at)
	}
	s.at++
	value, err := s.value()
	if err != nil {
		return err
	}
	return addHeader(step, name, value, true, from, s.at)
}

// addHeader adds a header line to the step.
func addHeader(step *Step, name, value string, complete bool, from, to int) *ScriptError {
	switch {
	case !complete:
		return fault(from, to, "header wants Name=value")
	case !profiles.IsHeaderName(name):
		return fault(from, to, "%s is no name of a header", quoted(name))
	}
	switch http.CanonicalHeaderKey(name) {
	case "Content-Length", "Transfer-Encoding":
		return fault(from, to, "header %s follows from the body", name)
	}
	step.Header = append(step.Header, sign.Header{Name: name, Value: value})
	return headerValue(value, from, to)
}

// headerValue tells which control a header's value cannot hold.
func headerValue(value string, from, to int) *ScriptError {
	if i := controlIn(value); i >= 0 {
		return fault(from, to, "a header cannot hold the control character %#02x", value[i])
	}
	return nil
}

// value reads a value up to where it ends.
func (s *scanner) value() (string, *ScriptError) {
	if s.at < len(s.text) && s.text[s.at] == '"' {
		return s.quotedValue()
	}
	start := s.at
	for ; s.at < len(s.text) && s.text[s.at] != ','; s.at++ {
		if s.text[s.at] == ':' && optionFollows(s.text[s.at+1:]) {
			break
		}
	}
	return s.text[start:s.at], nil
}

// optionFollows reports whether text begins with the name of an option and "=".
func optionFollows(text string) bool {
	for _, name := range options() {
		if strings.HasPrefix(text, name) && strings.HasPrefix(text[len(name):], "=") {
			return true
		}
	}
	return false
}

// quotedValue reads a value in double quotes.
func (s *scanner) quotedValue() (string, *ScriptError) {
	start := s.at
	var b strings.Builder
	for s.at++; s.at < len(s.text); s.at++ {
		c := s.text[s.at]
		switch {
		case c == '"':
			s.at++
			if s.at < len(s.text) && s.text[s.at] != ',' && s.text[s.at] != ':' {
				return "", fault(s.at, s.at+1, "after a closing quote only a comma or a colon may stand")
			}
			return b.String(), nil
		case c == '\\' && s.at+1 < len(s.text) && (s.text[s.at+1] == '"' || s.text[s.at+1] == '\\'):
			s.at++
			c = s.text[s.at]
		}
		b.WriteByte(c)
	}
	return "", fault(start, len(s.text), "no closing quote")
}
