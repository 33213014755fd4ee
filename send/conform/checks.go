package conform

import (
	"context"
	"slices"
	"strconv"

	"github.com/hookctl/hookctl/profiles"
)

// A Check is one thing that is tried. The values of [Checks] are all there are.
type Check struct {
	ID       string
	Number   int    // from 1
	Level    Level  // unless the profile or the run says otherwise
	Title    string // what is looked at
	Why      string // why it matters
	Requests []string
	Because  string // why it is advice, or left out, by [Check.For]; else ""

	assumes []string // fields of the profile; if one is assumed the check is advice
	try     func(context.Context, *run, *tried)
}

// is reports whether the check goes by that id or number.
func (c Check) is(id string) bool { return c.ID == id || strconv.Itoa(c.Number) == id }

// For is the check as a profile makes it: what the profile merely assumes cannot
// be required, and what it does not have cannot be tried.
func (c Check) For(p *profiles.Profile) Check {
	c = c.assumed(p)
	switch {
	case c.ID == "clock" && !limited(p):
		c.Because = "skipped: " + noLimit
	case c.ID == "rotation" && p.Secret.Active < 2:
		c.Because = "skipped with one secret"
	}
	return c
}

// assumed is the check at the level that the profile's assumptions leave it.
func (c Check) assumed(p *profiles.Profile) Check {
	for _, a := range p.Assumed {
		if c.Level == Required && slices.Contains(c.assumes, a.Field) {
			c.Level, c.Because = Advice, "advice, since the documentation does not say "+a.Note
		}
	}
	return c
}

// Find is the check of an id or number. The error is an *UnknownError.
func Find(id string) (Check, error) {
	all := Checks()
	if i := slices.IndexFunc(all, func(c Check) bool { return c.is(id) }); i >= 0 {
		return all[i], nil
	}
	ids := make([]string, len(all))
	for i, c := range all {
		ids[i] = c.ID
	}
	return Check{}, &UnknownError{ID: id, Near: profiles.Near(id, ids)}
}

// Checks are all checks, by number.
func Checks() []Check {
	all := slices.Concat(signatureChecks(), deliveryChecks(), serverChecks())
	slices.SortFunc(all, func(a, b Check) int { return a.Number - b.Number })
	return all
}

// order is the order in which checks are run: those that tell most first, those
// that may break the receiver last, the leak after all refusals.
func order(results []*tried) []*tried {
	place := []int{10, 11, 9, 1, 2, 3, 4, 16, 14, 12, 6, 8, 7, 26, 27, 18, 24, 22, 21, 13, 19, 5, 15, 17, 25, 20, 23}
	sorted := slices.Clone(results)
	slices.SortFunc(sorted, func(a, b *tried) int { return slices.Index(place, a.Number) - slices.Index(place, b.Number) })
	return sorted
}
