package sign

import (
	"strings"

	"github.com/hookctl/hookctl/profiles"
)

// The placeholders of headers and signed text, as profiles.ParseTemplate reads
// them.
const (
	nameID        = "id"
	nameType      = "type"
	nameTime      = "timestamp"
	nameMillis    = "timestamp_ms"
	nameURL       = "url"
	nameAttempt   = "attempt"
	nameRetry     = "retry"
	nameFirst     = "first_sent_at"
	nameBody      = "body"
	nameSignature = "signature"
)

// separator stands between the items of the profile's signature header.
func separator(p *profiles.Profile) string {
	if p.Signature.Separator == "" {
		return ","
	}
	return p.Signature.Separator
}

// An item is a template, or the part of one that stands between separators.
type item []profiles.Part

// splitItems cuts a template at the separators in its text. It appends to parts,
// which may have room for them, and to ends, where each item ends in parts.
func splitItems(t profiles.Template, sep string, parts []profiles.Part, ends []int) ([]profiles.Part, []int) {
	for _, part := range t.Parts {
		rest, found := part.Text, part.Name == ""
		if !found {
			parts = append(parts, part)
		}
		for found {
			var text string
			text, rest, found = strings.Cut(rest, sep)
			if text != "" {
				parts = append(parts, profiles.Part{Text: text})
			}
			if found {
				ends = append(ends, len(parts))
			}
		}
	}
	return parts, append(ends, len(parts))
}

func (it item) has(name string) bool {
	return profiles.Template{Parts: it}.Has(name)
}

// literal is the number of constant bytes.
func (it item) literal() int {
	n := 0
	for i := range it {
		n += len(it[i].Text)
	}
	return n
}
