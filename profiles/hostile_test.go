package profiles

import (
	"strings"
	"testing"
)

// Each of these once is, or would be, slow or deep in a careless reader. There is
// no clock here: a reader that takes quadratic time fails by the test's limit.
func TestHostileFilesAreReadInBoundedTime(t *testing.T) {
	const size = maxFile / 16
	fill := func(before, item, after string) string {
		n := (size - len(plain) - len(before) - len(after)) / len(item)
		return plain + before + strings.Repeat(item, n) + after
	}
	tests := map[string]string{
		"a long list in one line":           fill("not_emulated: [x", ",x", "]\n"),
		"a long list of odd letters":        fill("not_emulated: [x", ",é", "]\n"),
		"many rules":                        strings.Replace(plain, "  rules:\n", "  rules:\n"+strings.Repeat("    - { on: [100-999], then: retry }\n", 1500), 1),
		"many items":                        strings.Replace(plain, "[any]", "["+strings.Repeat("100-999, ", 6000)+"any]", 1),
		"many waits":                        fill("retry: { waits: [0", ",0", "] }\n"),
		"many notes":                        fill("assumed:\n", "  - { field: retry.form, note: x }\n", ""),
		"a long key":                        fill("", "k", ": 1\n"),
		"a long placeholder":                strings.Replace(plain, "{timestamp}", "{"+strings.Repeat("t", 120000)+"}", 1),
		"many open braces":                  strings.Replace(plain, "{timestamp}", strings.Repeat("{t", 60000), 1),
		"many anchors":                      fill("not_emulated: [x", ",&a x", "]\n"),
		"many aliases":                      fill("title: &a x\nnot_emulated: [x", ",*a", "]\n"),
		"many documents":                    fill("", "---\na: b\n", ""),
		"deep lists":                        fill("title: ", "[", ""),
		"deep mappings":                     fill("title: ", "{a: ", ""),
		"a quote that never ends":           fill("title: \"", "x\n", ""),
		"lines that end a file too early":   fill("", "]\n", ""),
		"many samples with many digits":     fill("events:\n  x: ", "{hex:128}", "\n"),
		"many headers, all spelled alike":   strings.Replace(plain, "headers:\n", "headers:\n"+strings.Repeat("  A: x\n", 6000), 1),
		"comments only":                     strings.Repeat("#\n", size/2),
		"carriage returns only":             strings.Repeat("\r", size),
		"a mapping that is one long line":   fill("say: { a: b", ", a: b", " }\n"),
		"blanks before nothing":             fill("", " ", "x"),
		"tabs":                              fill("", "\t", ""),
		"question marks":                    fill("", "? ", ""),
		"dashes":                            fill("", "- ", ""),
		"many sequences of explicit keys":   fill("", "? a\n", ""),
		"percent directives":                strings.Repeat("%Y\n", size/3),
		"literal text with odd indentation": fill("title: |", "\n \n  x", ""),
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			p, err := Parse("hostile.yaml", []byte(text))
			if (p == nil) == (err == nil) {
				t.Errorf("profile %v, error %v", p != nil, err != nil)
			}
		})
	}
}
