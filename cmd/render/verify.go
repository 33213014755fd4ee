package render

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

// A VerifyReport is the verdict on one captured request.
type VerifyReport struct {
	Profile *profiles.Profile
	Result  sign.Result
	Secrets int // how many keys were tried

	Explanation *explain.Explanation // why it is refused; nil: not known
	Took        time.Duration        // to find that out
	App         *explain.Explanation // what is wrong with the digest of the user's own code; nil: nothing, or none was given
	Expected    []string             // values of the signature header that would be right, or none
}

// Verify draws a verdict: one line that begins with verified or refused and,
// where the signature is right and only its time is not, why.
func Verify(w io.Writer, s Style, v VerifyReport) error {
	p := printer{w: w}
	if v.Result.Verified {
		p.line(items(s.paint(strongGood, "verified"), Escape(v.Profile.Name), v.secret(), v.age(),
			Escape(v.Result.Event.Type), Escape(v.Result.Event.ID)))
		v.rest(&p, s)
		return p.err
	}
	p.line(items(s.paint(strongBad, "refused"), Escape(v.Profile.Name), Escape(string(v.Result.Reason)),
		Escape(v.Result.Event.Type), Escape(v.Result.Event.ID)))
	v.rest(&p, s)
	return p.err
}

// rest is what stands below the verdict, after a blank line.
func (v VerifyReport) rest(p *printer, s Style) {
	var lines []string
	if v.Explanation != nil {
		lines = s.explained(0, v.Explanation, bySender, v.Took)
	}
	if v.App != nil {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, s.gutter(0, plain, "about", "the digest that your own code computed"))
		lines = append(lines, s.explained(0, v.App, byApp, v.Took)...)
	}
	for _, value := range v.Expected {
		lines = append(lines, padRight("expected", gutterWidth)+Escape(value))
	}
	if len(lines) > 0 {
		p.line("")
	}
	for _, line := range lines {
		p.line(line)
	}
}

// items joins what is there, two blanks apart.
func items(all ...string) string {
	kept := all[:0]
	for _, item := range all {
		if item != "" {
			kept = append(kept, item)
		}
	}
	return strings.Join(kept, "  ")
}

func (v VerifyReport) secret() string {
	return "secret " + strconv.Itoa(v.Result.Secret) + " of " + strconv.Itoa(v.Secrets)
}

// age says how old the signature is; nothing where the scheme has no time.
func (v VerifyReport) age() string {
	switch {
	case v.Result.Time.IsZero():
		return ""
	case v.Result.Age < 0:
		return ahead(v.Result.Age)
	}
	return Duration(v.Result.Age) + " old"
}

// ahead says by how much a negative age is ahead of the clock.
func ahead(age time.Duration) string {
	return strings.TrimPrefix(Duration(age), "-") + " ahead of the clock"
}
