package profiles

import (
	"reflect"
	"testing"
)

func TestHeaderTemplateIsTextAndPlaceholders(t *testing.T) {
	tests := []struct {
		in   string
		want []Part
	}{
		{"", nil},
		{"application/json", []Part{{Text: "application/json"}}},
		{"{id}", []Part{{Name: "id"}}},
		{"t={timestamp},v1={signature}", []Part{{Text: "t="}, {Name: "timestamp"}, {Text: ",v1="}, {Name: "signature"}}},
		{"{id}{type}", []Part{{Name: "id"}, {Name: "type"}}},
		{"{{id}}", []Part{{Text: "{"}, {Name: "id"}, {Text: "}"}}},
		{"{", []Part{{Text: "{"}}},
		{"{}", []Part{{Text: "{}"}}},
		{"{ id }", []Part{{Text: "{ id }"}}},
		{`{"id":1}`, []Part{{Text: `{"id":1}`}}},
		{"{id", []Part{{Text: "{id"}}},
		{"{größe}", []Part{{Text: "{größe}"}}},
	}
	for _, tt := range tests {
		got, err := ParseTemplate(tt.in)
		if err != nil || !reflect.DeepEqual(got.Parts, tt.want) {
			t.Errorf("%q: got %+v, %v, want %+v", tt.in, got.Parts, err, tt.want)
		}
		if got.String() != tt.in {
			t.Errorf("%q comes back as %q", tt.in, got)
		}
	}
}

func TestUnknownPlaceholderIsAnError(t *testing.T) {
	tests := []struct {
		in   string
		want PlaceholderError
		text string
	}{
		{"{timestmp}", PlaceholderError{"timestmp", "timestamp"}, `unknown placeholder "{timestmp}"`},
		{"{ID}", PlaceholderError{"ID", "id"}, `unknown placeholder "{ID}"`},
		{"{secret}", PlaceholderError{"secret", ""}, `unknown placeholder "{secret}"`},
		{"{hex:8}", PlaceholderError{"hex:8", ""}, `unknown placeholder "{hex:8}"`},
		{"{now}", PlaceholderError{"now", ""}, `unknown placeholder "{now}"`},
	}
	for _, tt := range tests {
		_, err := ParseTemplate(tt.in)
		got, ok := err.(*PlaceholderError)
		if !ok || *got != tt.want || got.Error() != tt.text {
			t.Errorf("%q: got %#v, want %#v", tt.in, err, tt.want)
		}
	}
}

func TestBracesOfASampleAreLiteral(t *testing.T) {
	tests := []struct {
		in     string
		replay bool
		want   []Part
	}{
		{`{"id":"{id}"}`, false, []Part{{Text: `{"id":"`}, {Name: "id"}, {Text: `"}`}}},
		{`{"n":{count}}`, true, []Part{{Text: `{"n":`}, {Name: "count"}, {Text: "}"}}},
		{`{"n":{count}}`, false, []Part{{Text: `{"n":{count}}`}}},
		{"{unknown} {signature} {}", false, []Part{{Text: "{unknown} {signature} {}"}}},
		{"{hex:8}{hex:128}{uuid}{now}{timestamp}{type}", false, []Part{{Name: "hex:8"}, {Name: "hex:128"}, {Name: "uuid"}, {Name: "now"}, {Name: "timestamp"}, {Name: "type"}}},
		{"{hex:0}{hex:129}{hex:08}{hex:-1}{hex:N}{hex}", false, []Part{{Text: "{hex:0}{hex:129}{hex:08}{hex:-1}{hex:N}{hex}"}}},
	}
	for _, tt := range tests {
		if got := parseSample(tt.in, tt.replay); !reflect.DeepEqual(got.Parts, tt.want) {
			t.Errorf("%q: got %+v, want %+v", tt.in, got.Parts, tt.want)
		}
	}
}

func TestMissingValueNamesItsPlaceholder(t *testing.T) {
	tmpl, err := ParseTemplate("{id}.{timestamp}")
	if err != nil {
		t.Fatal(err)
	}
	_, err = tmpl.Expand(func(name string) (string, bool) { return "x", name == "id" })
	if want := "no value for {timestamp}"; text(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
