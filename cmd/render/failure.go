package render

import (
	"strings"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// failureText says why there was no answer: the kind, a colon and the details.
func failureText(f *send.Failure) string {
	kind, details := string(f.Kind), f.Message
	if f.Kind == profiles.Refused && len(f.Tried) > 0 {
		details = profiles.List(f.Tried, "and")
	}
	details = strings.TrimPrefix(details, kind+": ")
	if details == "" || details == kind {
		return Escape(kind)
	}
	return Escape(kind + ": " + details)
}

// unsent reports whether a failure came before anything was sent.
func unsent(f *send.Failure) bool {
	if f == nil {
		return false
	}
	switch f.Kind {
	case profiles.DNS, profiles.Refused, profiles.TLS, profiles.Unreachable,
		profiles.ConnectTimeout, profiles.BlockedAddress, profiles.NoSecret:
		return true
	}
	return false
}
