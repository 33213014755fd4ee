package profiles

import (
	"slices"
	"testing"
)

func TestHeaderNameIsAToken(t *testing.T) {
	for name, want := range map[string]bool{
		"X-Signature": true, "x_1.a~!#$%&'*+^`|": true, "0": true, "AZaz09": true,
		"": false, "X Y": false, "X:": false, "X(1)": false, "@": false, "[": false, "{": false, "/": false, "x\n": false, "größe": false, "\xff": false, "\x7f": false,
	} {
		if got := IsHeaderName(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

func TestHeadersOfTheMessageAreNobodysToSet(t *testing.T) {
	for name, want := range map[string]bool{
		"Content-Length": true, "TRANSFER-encoding": true, "connection": true, "Trailer": true, "Expect": true, "upgrade": true,
		"Host": false, "User-Agent": false, "Content-Type": false, "": false,
	} {
		if got := IsMessageHeader(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

func TestAllHeadersAreThoseOfTheFirstAttemptThenOfRetries(t *testing.T) {
	p := &Profile{Headers: []Header{{Name: "A"}, {Name: "B"}}, RetryHeaders: []Header{{Name: "C"}, {Name: "D"}}}
	for stop, want := range map[string][]string{"A": {"A"}, "C": {"A", "B", "C"}, "": {"A", "B", "C", "D"}} {
		var got []string
		for h := range p.AllHeaders() {
			if got = append(got, h.Name); h.Name == stop {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("up to %q: %q, want %q", stop, got, want)
		}
	}
}
