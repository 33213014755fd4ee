package sign_test

import (
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// Every built-in profile is known by its own request: by the signature, and
// without it by any other header that is the profile's.
func TestBuiltinProfilesAreRecognisedAlone(t *testing.T) {
	entries, err := profiles.Builtin().All()
	if err != nil || len(entries) == 0 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	var all []*profiles.Profile
	for _, e := range entries {
		all = append(all, e.Profile)
	}
	now := time.Unix(1700000000, 0)
	for _, p := range all {
		v := sign.Values{ID: "an-id", Type: "a.type", Time: now, Attempt: 2, FirstSent: now}
		lines, err := sign.Headers(p, v, []string{"signature"})
		if err != nil {
			t.Fatal(err)
		}
		only := func(what string, header []sign.Header) {
			if got := sign.Recognise(all, header); len(got) != 1 || got[0] != p {
				t.Errorf("%s, %s: recognised as %s", p.Name, what, named(got))
			}
		}
		only("a whole request", lines)
		templates := append(p.Headers[:len(p.Headers):len(p.Headers)], p.RetryHeaders...)
		for i, h := range lines {
			if !templates[i].Value.Constant() {
				only(h.Name+" alone", []sign.Header{{Name: "Content-Type", Value: "application/json"}, h})
			}
		}
	}
}

func named(all []*profiles.Profile) (names []string) {
	for _, p := range all {
		names = append(names, p.Name)
	}
	return names
}
