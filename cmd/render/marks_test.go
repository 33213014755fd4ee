package render

import "testing"

func TestCombiningMarksAreWrittenAsEscapes(t *testing.T) {
	for text, want := range map[string]string{"cafe\u0301": `cafe\u0301`, "café \u00e9": "café é", "a\U0001e000": `a\U0001e000`, "": ""} {
		if got := bareMarks(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
