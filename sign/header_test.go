package sign_test

import (
	"slices"
	"testing"

	"github.com/hookctl/hookctl/sign"
)

func TestHeaderIsFoundInAnyCase(t *testing.T) {
	header := []sign.Header{{Name: "X-Kind", Value: "1"}, {Name: "x-other", Value: "2"}, {Name: "x-kIND", Value: ""}, {Name: "X-\u212aind", Value: "3"}}
	for _, tt := range []struct {
		name  string
		first string
		all   []string
	}{
		{"X-KIND", "1", []string{"1", ""}},
		{"X-Other", "2", []string{"2"}},
		{"X-Kin", "", nil},
		{"", "", nil},
	} {
		first, lines := sign.Lookup(header, tt.name)
		if all := sign.All(header, tt.name); first != tt.first || lines != len(tt.all) || !slices.Equal(all, tt.all) {
			t.Errorf("%s: %q of %d, %q; want %q, %q", tt.name, first, lines, all, tt.first, tt.all)
		}
	}
}

func TestNamesAreTheSameInASCIIOnly(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"Host", "hOST", true}, {"", "", true}, {"Host", "Hos", false}, {"k", "\u212a", false}, {"ss", "\u017f", false},
	} {
		if got := sign.SameName(tt.a, tt.b); got != tt.want {
			t.Errorf("%q and %q: %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}
