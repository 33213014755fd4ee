package profiles

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// validate is as much of JSON Schema as Schema uses; a word that it does not
// know fails.
func validate(schema, value any, at string) []string {
	s, ok := schema.(map[string]any)
	if !ok {
		if schema == false {
			return []string{at + ": not allowed"}
		}
		return []string{at + ": the schema is no object"}
	}
	var faults []string
	wrong := func(format string, args ...any) {
		faults = append(faults, at+": "+fmt.Sprintf(format, args...))
	}
	text, isText := value.(string)
	number, isNumber := value.(float64)
	items, isList := value.([]any)
	object, isObject := value.(map[string]any)
	for _, word := range slices.Sorted(maps.Keys(s)) {
		want := s[word]
		switch word {
		case "$schema", "title", "description", "default":
		case "type":
			got := map[any]bool{"string": isText, "array": isList, "object": isObject, "integer": isNumber && number == math.Trunc(number), "boolean": value == true || value == false}
			if !got[want] {
				wrong("%v is not of type %v", value, want)
			}
		case "enum":
			if !slices.ContainsFunc(want.([]any), func(v any) bool { return reflect.DeepEqual(v, value) }) {
				wrong("%v is none of %v", value, want)
			}
		case "pattern":
			if isText && !regexp.MustCompile(want.(string)).MatchString(text) {
				wrong("%q does not match %s", text, want)
			}
		case "minLength":
			if isText && float64(len(text)) < want.(float64) {
				wrong("too short")
			}
		case "minimum":
			if isNumber && number < want.(float64) {
				wrong("%v is too small", number)
			}
		case "maximum":
			if isNumber && number > want.(float64) {
				wrong("%v is too large", number)
			}
		case "minItems":
			if isList && float64(len(items)) < want.(float64) {
				wrong("too few items")
			}
		case "maxItems":
			if isList && float64(len(items)) > want.(float64) {
				wrong("too many items")
			}
		case "uniqueItems":
			for i := range items {
				for j := range i {
					if reflect.DeepEqual(items[i], items[j]) {
						wrong("%v is there twice", items[i])
					}
				}
			}
		case "items":
			for i, item := range items {
				faults = append(faults, validate(want, item, fmt.Sprintf("%s[%d]", at, i))...)
			}
		case "anyOf":
			var all []string
			fits := slices.ContainsFunc(want.([]any), func(one any) bool {
				found := validate(one, value, at)
				all = append(all, found...)
				return len(found) == 0
			})
			if !fits {
				faults = append(faults, all...)
			}
		case "required":
			for _, name := range want.([]any) {
				if _, ok := object[name.(string)]; isObject && !ok {
					wrong("%v is missing", name)
				}
			}
		case "properties", "additionalProperties", "propertyNames":
		default:
			wrong("unknown word %q in the schema", word)
		}
	}
	known, _ := s["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		switch {
		case known[name] != nil:
			faults = append(faults, validate(known[name], object[name], at+"."+name)...)
		case s["additionalProperties"] != nil:
			faults = append(faults, validate(s["additionalProperties"], object[name], at+"."+name)...)
		}
		if s["propertyNames"] != nil {
			faults = append(faults, validate(s["propertyNames"], name, at+"."+name)...)
		}
	}
	return faults
}

// schemaFaults validates a profile file against Schema.
func schemaFaults(t *testing.T, data []byte) []string {
	t.Helper()
	var schema, value any
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	text, err := JSON(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	return validate(schema, value, "profile")
}

func TestBuiltinAndNewProfilesFitTheSchema(t *testing.T) {
	for _, from := range append([]string{""}, builtins...) {
		data, err := New("acme-pay", from)
		if err != nil {
			t.Fatal(err)
		}
		if faults := schemaFaults(t, data); len(faults) > 0 {
			t.Errorf("new from %q: %s", from, strings.Join(faults, "\n"))
		}
	}
	for _, e := range all(t) {
		if faults := schemaFaults(t, e.Source()); len(faults) > 0 {
			t.Errorf("%s: %s", e.Profile.Name, strings.Join(faults, "\n"))
		}
	}
}

func TestSchemaRefusesWhatParseRefuses(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"unknown key", "timeout: 8s", "timeuot: 8s", "profile.delivery: timeout is missing; profile.delivery.timeuot: not allowed"},
		{"no unit", "timeout: 8s", `timeout: "8"`, `profile.delivery.timeout: "8" does not match ^(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h|d))+$; profile.delivery.timeout: 8 is not of type object`},
		{"unknown verdict", "then: retry", "then: rety", "profile.delivery.rules[0].then: rety is none of [delivered retry failed]"},
		{"unknown item", "[any]", "[6x]", "profile.delivery.rules[0].on[0]: 6x is not of type integer; profile.delivery.rules[0].on[0]: 6x is none of"},
		{"twice", "[any]", "[404, 404]", "profile.delivery.rules[0].on: 404 is there twice"},
		{"a list that must not be empty", "[any]", "[]", "profile.delivery.rules[0].on: too few items"},
		{"name", "name: acme", "name: Acme", `profile.name: "Acme" does not match ^[a-z0-9][a-z0-9-]*$`},
		{"version", "schema: 1", "schema: 2", "profile.schema: 2 is none of [1]"},
		{"number as text", "name: acme", "name: acme\ntitle: 1", "profile.title: 1 is not of type string"},
		{"unknown effect", "name: acme", "name: acme\nsay: { notify: x }", "profile.say.notify: notify is none of"},
	}
	for _, tt := range tests {
		broken := strings.Replace(plain, tt.old, tt.new, 1)
		if got := strings.Join(schemaFaults(t, []byte(broken)), "; "); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
		if _, err := Parse("acme.yaml", []byte(broken)); err == nil {
			t.Errorf("%s: Parse accepts it", tt.name)
		}
	}
}

func TestSchemaSaysWhichDraftAndKeepsTheOrder(t *testing.T) {
	text := string(Schema())
	if !strings.HasPrefix(text, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n") {
		t.Errorf("it begins with %.100s", text)
	}
	at := 0
	for _, name := range []string{"schema", "name", "title", "docs", "secret", "signature", "headers", "retry_headers", "event", "delivery", "retry", "say", "promises", "reconcile", "assumed", "not_emulated", "replay", "events"} {
		next := strings.Index(text, "\n    \""+name+"\": {")
		if next <= at {
			t.Errorf("%s stands at %d, after %d", name, next, at)
		}
		at = next
	}
}
