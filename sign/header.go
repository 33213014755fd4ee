package sign

import "strings"

// SameName reports whether two names are of one header: case counts for
// nothing.
func SameName(a, b string) bool {
	// Of equal length, so that no letter outside ASCII folds to one inside.
	return len(a) == len(b) && (a == b || strings.EqualFold(a, b))
}

// Lookup is the value of the first line of a header, and how many lines it has;
// 0: it is not there.
func Lookup(header []Header, name string) (value string, lines int) {
	for i := range header {
		if h := &header[i]; SameName(h.Name, name) {
			if lines == 0 {
				value = h.Value
			}
			lines++
		}
	}
	return value, lines
}

// All are the values of a header's lines, in order; nil if it has none.
func All(header []Header, name string) []string {
	var values []string
	for _, h := range header {
		if SameName(h.Name, name) {
			values = append(values, h.Value)
		}
	}
	return values
}
