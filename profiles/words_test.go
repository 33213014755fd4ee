package profiles

import (
	"testing"
	"time"
)

func TestListIsWrittenAsInASentence(t *testing.T) {
	for _, tt := range []struct {
		words       []string
		conjunction string
		want        string
	}{
		{nil, "and", ""},
		{[]string{"a"}, "and", "a"},
		{[]string{"a", "b"}, "or", "a or b"},
		{[]string{"a", "b", "c"}, "and", "a, b and c"},
	} {
		if got := List(tt.words, tt.conjunction); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.words, got, tt.want)
		}
	}
}

func TestLimitOfAPairOrOfTheWhole(t *testing.T) {
	const s = time.Second
	for _, tt := range []struct {
		limits                    Limits
		connect, answer, together time.Duration
	}{
		{Limits{Total: 8 * s}, 8 * s, 8 * s, 8 * s},
		{Limits{Connect: 5 * s, Read: 20 * s}, 5 * s, 20 * s, 25 * s},
		{Limits{}, 0, 0, 0},
	} {
		l := tt.limits
		if c, a, all := l.ForConnect(), l.ForAnswer(), l.Longest(); c != tt.connect || a != tt.answer || all != tt.together {
			t.Errorf("%+v: %s, %s, %s; want %s, %s, %s", l, c, a, all, tt.connect, tt.answer, tt.together)
		}
	}
}

func TestControlsInJSONAreEscaped(t *testing.T) {
	for in, want := range map[string]string{
		"":                                 "",
		`{"a":"größe 日本 \u0001"}`:          `{"a":"größe 日本 \u0001"}`,
		"\"a\x7fb\u0080c\u009fd\"":         `"a\u007fb\u0080c\u009fd"`,
		"\"\u061c\u200e\u200f\u202a\"":     `"\u061c\u200e\u200f\u202a"`,
		"\"\u2028\u2029\u202e\u2066\"":     `"\u2028\u2029\u202e\u2066"`,
		"\"\u2069\u206a\u2027\u202f\xa0\"": "\"\\u2069\u206a\u2027\u202f\\ufffd\"",
		"\"\xff\xfe\"":                     `"\ufffd\ufffd"`,
		"\"\ufffd\"":                       "\"\ufffd\"",
	} {
		if got := string(EscapeControls([]byte(in))); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
