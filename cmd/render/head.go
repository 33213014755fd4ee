package render

import (
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// A Head says who sends what to whom.
type Head struct {
	Profile *profiles.Profile
	To      string       // the URL, or what stands for it; userinfo is masked here
	Event   send.Message // in a plan without an id and a body
	Secrets int          // how many sign in one header; 2 is said
	Secret  int          // which secret has this delivery, from 1; 0: there is one delivery
	Of      int          // of how many
	Seed    uint64
	Speed   string // "instant", "real", or the factor as given; "": nothing is waited for

	Timeout time.Duration // the limit of one attempt in place of the profile's; 0: the profile's
	Strict  bool          // rules about addresses are applied

	Planned bool   // nothing is sent: no took, no headers
	Script  string // of a plan: how the endpoint answers

	Sensitive bool                   // with -v: do not mask authorisation and cookies
	Masked    func(name string) bool // with -v: further headers to mask; nil: none
}

// limit is the longest that one attempt may take.
func (h Head) limit() time.Duration {
	if h.Timeout > 0 {
		return h.Timeout
	}
	return h.Profile.Delivery.Limits.Longest()
}

// lines are the head above the table.
func (h Head) lines(s Style) string {
	first := s.paint(strong, Escape(h.Profile.Title))
	if h.Planned {
		first += ", answered " + Escape(h.Script)
	} else {
		first += " -> " + Address(h.To)
	}
	return first + "\n" + s.items(h.items())
}

// items are what the second line says, in order.
func (h Head) items() []string {
	var items []string
	add := func(item string) {
		if item != "" {
			items = append(items, item)
		}
	}
	add(Escape(h.Event.Type))
	add(Escape(h.Event.ID))
	if h.Planned {
		add("nothing is sent")
	} else {
		add(count(len(h.Event.Body), "byte"))
	}
	switch {
	case h.Secret > 0:
		add("secret " + strconv.Itoa(h.Secret) + " of " + strconv.Itoa(h.Of))
	case h.Secrets > 1:
		add(strconv.Itoa(h.Secrets) + " secrets")
	}
	add("seed " + strconv.FormatUint(h.Seed, 10))
	return items
}

// items puts items two blanks apart; one that does not fit goes to the next
// line whole.
func (s Style) items(items []string) string {
	var b strings.Builder
	used := 0
	for i, item := range items {
		w := columns(item)
		switch {
		case i == 0:
		case used+2+w > s.width():
			b.WriteByte('\n')
			used = 0
		default:
			b.WriteString("  ")
			used += 2
		}
		b.WriteString(item)
		used += w
	}
	b.WriteByte('\n')
	return b.String()
}

// Address is a URL as it is shown: escaped, and of its userinfo only the name.
func Address(url string) string { return Escape(send.ShownURL(url)) }
