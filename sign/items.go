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

// A piece is a part of a template and its slot.
type piece struct {
	profiles.Part
	slot int
}

// An item is a template, or what stands of one between separators.
type item []piece

// appendItem adds a template to dst.
func appendItem(dst item, t profiles.Template) item {
	for _, part := range t.Parts {
		dst = append(dst, piece{part, slotOf(part.Name)})
	}
	return dst
}

// A span is where an item stands among others.
type span struct{ from, to int }

// splitItems cuts a template at the separators in its text. It appends to dst
// and to spans, where each item stands in dst.
func splitItems(t profiles.Template, sep string, dst item, spans []span) (item, []span) {
	from := len(dst)
	for _, part := range t.Parts {
		rest, found := part.Text, part.Name == ""
		if !found {
			dst = append(dst, piece{part, slotOf(part.Name)})
		}
		for found {
			var text string
			text, rest, found = strings.Cut(rest, sep)
			if text != "" {
				dst = append(dst, piece{profiles.Part{Text: text}, slotText})
			}
			if found {
				spans = append(spans, span{from, len(dst)})
				from = len(dst)
			}
		}
	}
	return dst, append(spans, span{from, len(dst)})
}

func (it item) has(slot int) bool {
	for i := range it {
		if it[i].slot == slot {
			return true
		}
	}
	return false
}

// literal is the number of constant bytes.
func (it item) literal() int {
	n := 0
	for i := range it {
		n += len(it[i].Text)
	}
	return n
}
