package profiles

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Schema is the JSON Schema (draft 2020-12) of a profile file, for editors. What
// only the whole file can show, such as a rule that can never match, it does not
// hold.
func Schema() []byte {
	root := schemaOf(fileForm())
	root.Draft, root.Title = "https://json-schema.org/draft/2020-12/schema", "hookctl profile"
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if enc.Encode(root) != nil { // of plain values it cannot fail
		return nil
	}
	return b.Bytes()
}

// A schema is one JSON Schema, with the words that hookctl needs.
type schema struct {
	Draft       string      `json:"$schema,omitempty"`
	Title       string      `json:"title,omitempty"`
	Description string      `json:"description,omitempty"`
	Type        string      `json:"type,omitempty"`
	Enum        []any       `json:"enum,omitempty"`
	Default     any         `json:"default,omitempty"`
	Pattern     string      `json:"pattern,omitempty"`
	MinLength   int         `json:"minLength,omitempty"`
	Minimum     int         `json:"minimum,omitempty"`
	Maximum     int         `json:"maximum,omitempty"`
	AnyOf       []*schema   `json:"anyOf,omitempty"`
	Items       *schema     `json:"items,omitempty"`
	MinItems    int         `json:"minItems,omitempty"`
	MaxItems    int         `json:"maxItems,omitempty"`
	Unique      bool        `json:"uniqueItems,omitempty"`
	Required    []string    `json:"required,omitempty"`
	Properties  *properties `json:"properties,omitempty"`
	Names       *schema     `json:"propertyNames,omitempty"`
	Additional  any         `json:"additionalProperties,omitempty"`
}

// properties keep the order of the keys.
type properties struct {
	names []string
	of    []*schema
}

// MarshalJSON writes the properties in order.
func (p *properties) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, name := range p.names {
		if i > 0 {
			b = append(b, ',')
		}
		value, err := json.Marshal(p.of[i])
		if err != nil {
			return nil, err
		}
		b = append(append(appendString(b, name), ':'), value...)
	}
	return append(b, '}'), nil
}

// schemaOf is the JSON Schema of a form.
func schemaOf(f *form) *schema {
	s := &schema{}
	switch f.kind {
	case mappingKind:
		s.Type, s.Properties, s.Additional = "object", &properties{}, false
		for _, k := range f.keys {
			s.Properties.names = append(s.Properties.names, k.name)
			value := schemaOf(k.form)
			s.Properties.of = append(s.Properties.of, value)
			switch {
			case k.must:
				s.Required = append(s.Required, k.name)
			case len(value.Enum) > 1:
				value.Default = value.Enum[0]
			}
		}
	case openKind:
		s.Type, s.Additional, s.Names = "object", schemaOf(f.item), &schema{MinLength: 1}
		if f.words != nil {
			s.Names = &schema{Enum: enum(f.words)}
		}
	case listKind:
		s.Type, s.Items = "array", schemaOf(f.item)
		if f.some {
			s.MinItems = 1
		}
		switch f.item.kind {
		case wordKind, onKind, statusKind:
			s.Unique = true
		case waitKind:
			s.MaxItems = mostWaits
		}
	default:
		s = scalarSchema(f)
	}
	if f.or != nil {
		s = &schema{AnyOf: []*schema{s, schemaOf(f.or)}}
	}
	s.Description = f.about
	return s
}

// scalarSchema is the JSON Schema of a single value.
func scalarSchema(f *form) *schema {
	const (
		duration = `^(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h|d))+$`
		status   = `[1-9][0-9][0-9]`
	)
	statuses := &schema{Type: "integer", Minimum: 100, Maximum: 999}
	switch f.kind {
	case wordKind:
		return &schema{Enum: enum(f.words)}
	case numberKind:
		s := &schema{}
		for _, word := range f.words {
			if n, err := strconv.Atoi(word); err == nil {
				s.Enum = append(s.Enum, n)
			}
		}
		return s
	case boolKind:
		return &schema{Type: "boolean"}
	case nameKind:
		return &schema{Type: "string", Pattern: "^[a-z0-9][a-z0-9-]*$"}
	case durationKind:
		return &schema{Type: "string", Pattern: duration}
	case waitKind:
		return &schema{AnyOf: []*schema{{Type: "string", Pattern: duration}, {Enum: []any{0, "0"}}}}
	case sizeKind:
		return &schema{AnyOf: []*schema{{Type: "integer", Minimum: 1}, {Type: "string", Pattern: "^[0-9]+(KiB|MiB)?$"}}}
	case percentKind:
		return &schema{Type: "string", Pattern: `^([0-9]{1,2}(\.[0-9]*)?|\.[0-9]+)%$`}
	case statusKind:
		return statuses
	case onKind:
		words := []any{}
		for _, word := range itemWords() {
			words = append(words, word)
		}
		return &schema{AnyOf: []*schema{statuses, {Enum: words}, {Type: "string", Pattern: "^" + status + "(-" + status + ")?$"}}}
	default:
		return &schema{Type: "string", MinLength: 1}
	}
}

// enum is words as values.
func enum(words []string) []any {
	all := make([]any, len(words))
	for i, w := range words {
		all[i] = w
	}
	return all
}
