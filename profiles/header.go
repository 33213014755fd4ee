package profiles

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// AllHeaders ranges over the profile's headers, then over those that retries
// add, in file order.
func (p *Profile) AllHeaders() iter.Seq[Header] {
	return func(yield func(Header) bool) {
		for _, h := range p.Headers {
			if !yield(h) {
				return
			}
		}
		for _, h := range p.RetryHeaders {
			if !yield(h) {
				return
			}
		}
	}
}

// IsHeaderName reports whether s can name a header: letters, digits and
// !#$%&'*+-.^_`|~, at least one of them (RFC 9110, section 5.1).
func IsHeaderName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (c < '0' || c > '9') && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}

// IsMessageHeader reports whether the header of that name, case ignored, says
// how a message goes over its connection, so that neither a profile nor a user
// sets it: Content-Length, Transfer-Encoding, Connection, Trailer, Expect,
// Upgrade.
func IsMessageHeader(name string) bool {
	return slices.Contains([]string{"content-length", "transfer-encoding", "connection", "trailer", "expect", "upgrade"}, strings.ToLower(name))
}

// headerName tells what is wrong with the name of a header in a profile. An
// empty one is told as a key.
func headerName(s string) error {
	switch {
	case s == "":
		return nil
	case IsMessageHeader(s), strings.EqualFold(s, "Host"):
		return fmt.Errorf("the header %s is not a profile's to set", s)
	case !IsHeaderName(s):
		return fmt.Errorf("%s is not the name of a header", quote(s))
	}
	return nil
}
