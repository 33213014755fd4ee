package cmd

import (
	"errors"
	"testing"
)

// The text is not a URL, so nobody knows where a password ends in it.
func TestNoPasswordIsShownOfWhatIsNoURL(t *testing.T) {
	for text, want := range map[string]string{
		"http://u:s3cret/x@127.0.0.1:9/": `"http://u:***@127.0.0.1:9/" is not a URL`,
		"http://u:s3cret#x@h/":           `"http://u:***@h/" is not a URL`,
		"http://u:s3cret?@h/":            `"http://u:***@h/" is not a URL`,
		"//u:s3cret@h/":                  `"//u:***@h/" is not a URL`,
		"https//u:s3cret@h/":             `"https//u:***@h/" is not a URL`,
		"u:s3cret@h:99999":               `"u:***@h:99999" has no port from 1 to 65535`,
		"https/hooks":                    `"https/hooks" is not a URL`,
		"a\nb":                           `"a\nb" is not a URL`,
	} {
		_, err := parseTarget(text)
		var f *fault
		if !errors.As(err, &f) || f.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}
