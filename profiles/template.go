package profiles

import "strings"

// A Template is a text with placeholders: a known name in braces. Every other
// brace is literal.
type Template struct {
	Parts []Part
}

// A Part is either Text or, with a Name, the placeholder of that name.
type Part struct {
	Text string
	Name string // "id", "timestamp", "hex:16", ... without the braces
}

// String is the template as the file has it.
func (t Template) String() string {
	var b strings.Builder
	for _, p := range t.Parts {
		if p.Name != "" {
			b.WriteString("{" + p.Name + "}")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// Has reports whether the placeholder of that name occurs.
func (t Template) Has(name string) bool {
	for _, p := range t.Parts {
		if p.Name == name {
			return true
		}
	}
	return false
}

// Constant reports whether there is no placeholder at all.
func (t Template) Constant() bool {
	for _, p := range t.Parts {
		if p.Name != "" {
			return false
		}
	}
	return true
}

// Expand fills each placeholder with what value gives for its name. A name that
// value does not have is a [*MissingError].
func (t Template) Expand(value func(name string) (string, bool)) (string, error) {
	var b strings.Builder
	for _, p := range t.Parts {
		if p.Name == "" {
			b.WriteString(p.Text)
			continue
		}
		v, ok := value(p.Name)
		if !ok {
			return "", &MissingError{Name: p.Name}
		}
		b.WriteString(v)
	}
	return b.String(), nil
}

// MissingError says that a placeholder has no value.
type MissingError struct {
	Name string
}

func (e *MissingError) Error() string { return "no value for {" + e.Name + "}" }
