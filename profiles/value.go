package profiles

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// IsName reports whether s may be a profile's name: small letters, digits and
// dashes, not a dash first. The word all is none: it stands for every profile.
func IsName(s string) bool {
	return s != "" && s != "all" && s[0] != '-' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// parseStatus reads three digits from 100 on.
func parseStatus(s string) (int, bool) {
	if len(s) != 3 || strings.Trim(s, "0123456789") != "" || s[0] == '0' {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// parseItem reads one entry of a rule's "on".
func parseItem(s string) (Item, error) {
	if s == "any" {
		return Item{Text: s, Any: true}, nil
	}
	if n, ok := parseStatus(s); ok {
		return Item{Text: s, Low: n, Up: n}, nil
	}
	if class, ok := strings.CutSuffix(s, "xx"); ok && len(class) == 1 && class[0] >= '1' && class[0] <= '9' {
		low := 100 * int(class[0]-'0')
		return Item{Text: s, Low: low, Up: low + 99}, nil
	}
	if from, to, ok := strings.Cut(s, "-"); ok {
		low, lowOK := parseStatus(from)
		up, upOK := parseStatus(to)
		if lowOK && upOK {
			if low > up {
				return Item{}, fmt.Errorf("the range %s ends before it begins", quote(s))
			}
			return Item{Text: s, Low: low, Up: up}, nil
		}
	}
	if failures := failuresOf(s); failures != nil {
		return Item{Text: s, Failures: failures}, nil
	}
	return Item{}, fmt.Errorf("%s is no status (404), class (4xx), range (500-504), failure or any", quote(s))
}

// failuresOf is what the name of a failure or of a group of them stands for; nil
// if it is none.
func failuresOf(s string) []Failure {
	switch s {
	case "timeout":
		return []Failure{ConnectTimeout, ReadTimeout}
	case "connection":
		return []Failure{DNS, Refused, Reset, Closed, TLS, Unreachable, Protocol}
	}
	if slices.Contains(failures(), Failure(s)) {
		return []Failure{Failure(s)}
	}
	return nil
}

// failures are those that reach the rules.
func failures() []Failure {
	return []Failure{DNS, Refused, Reset, Closed, TLS, Unreachable, Protocol, ConnectTimeout, ReadTimeout, BlockedAddress, NoSecret}
}

// itemWords are the words that "on" takes, for did-you-mean.
func itemWords() []string {
	words := []string{"any", "timeout", "connection"}
	for _, f := range failures() {
		words = append(words, string(f))
	}
	for class := '1'; class <= '9'; class++ {
		words = append(words, string(class)+"xx")
	}
	return words
}

// parseValue reads a header's value.
func parseValue(s string) (Template, error) {
	switch {
	case s == "":
		return Template{}, errors.New("it is empty")
	case control(s):
		return Template{}, errors.New("a header's value may hold no control character")
	case strings.Trim(s, " ") != s:
		return Template{}, errors.New("a header's value neither begins nor ends with a blank")
	}
	t, err := ParseTemplate(s)
	switch {
	case err != nil:
		return Template{}, err
	case t.Has("body"):
		return Template{}, errors.New("a header cannot hold {body}")
	}
	return t, nil
}

// parseContent reads the signed text.
func parseContent(s string) (Template, error) {
	t, err := ParseTemplate(s)
	switch {
	case err != nil:
		return Template{}, err
	case t.Has("signature"):
		return Template{}, errors.New("the signed text cannot hold {signature}")
	case count(t, "body") != 1:
		return Template{}, errors.New("the signed text must hold {body} exactly once")
	}
	return t, nil
}

// count is how often a placeholder occurs.
func count(t Template, name string) int {
	n := 0
	for _, p := range t.Parts {
		if p.Name == name {
			n++
		}
	}
	return n
}

// checkPath tells what is wrong with a dotted path; "\." is a dot in a name.
func checkPath(s string) error {
	empty := true
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			empty = false
		case s[i] == '.':
			if empty {
				return fmt.Errorf("%s is not a path (data.items.0.id)", quote(s))
			}
			empty = true
		default:
			empty = false
		}
	}
	if empty {
		return fmt.Errorf("%s is not a path (data.items.0.id)", quote(s))
	}
	return nil
}

// control reports whether a text has a control character.
func control(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 })
}
