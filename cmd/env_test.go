package cmd

import "testing"

func TestRelease(t *testing.T) {
	for in, want := range map[string]string{
		"v0.1.0":                               "0.1.0",
		"v1.2.3-rc.1":                          "1.2.3-rc.1",
		"(devel)":                              "dev",
		"":                                     "dev",
		"v0.0.0-20260102030405-abcdef012345":   "dev",
		"v0.1.1-0.20260102030405-abcdef012345": "dev",
		"v0.1.0+dirty":                         "dev",
	} {
		if got := release(in); got != want {
			t.Errorf("release(%q) = %q, want %q", in, got, want)
		}
	}
}
