package render

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// A VerifyReport is the verdict on one captured request.
type VerifyReport struct {
	Profile *profiles.Profile
	Result  sign.Result
	Secrets int // how many keys were tried
}

// Verify draws a verdict: one line that begins with verified or refused and,
// where the signature is right and only its time is not, why.
func Verify(w io.Writer, s Style, v VerifyReport) error {
	p := printer{w: w}
	if v.Result.Verified {
		p.line(items(s.paint(strongGood, "verified"), Escape(v.Profile.Name), v.secret(), v.age(),
			Escape(v.Result.Event.Type), Escape(v.Result.Event.ID)))
		return p.err
	}
	p.line(items(s.paint(strongBad, "refused"), Escape(v.Profile.Name), Escape(string(v.Result.Reason)),
		Escape(v.Result.Event.Type), Escape(v.Result.Event.ID)))
	if lines := v.explain(s); len(lines) > 0 {
		p.line("")
		for _, line := range lines {
			p.line(line)
		}
	}
	return p.err
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

// explain is what is known about a refusal, in lines with a gutter. A right
// signature at a wrong time is one sentence. Other explanations belong here.
func (v VerifyReport) explain(s Style) []string {
	limit := v.Profile.Signature.Tolerance
	if limit == nil {
		return nil
	}
	var age, allowed, fix string
	switch v.Result.Reason {
	case sign.TooOld:
		age, allowed = Duration(v.Result.Age)+" old", Duration(limit.Past)
		fix = "A capture that is sent again needs a fresh signature."
	case sign.InTheFuture:
		age, allowed = ahead(v.Result.Age), Duration(limit.Future)
		fix = "Set the clocks of both sides; the time of a signature is in unix seconds."
	default:
		return nil
	}
	text := "The signature is right (" + v.secret() + "), but " + age + "; " +
		Escape(v.Profile.Title) + " allows " + allowed + "."
	return []string{
		s.gutter(0, strong, "proven", text),
		s.gutter(0, plain, "fix", fix),
	}
}

// ahead says by how much a negative age is ahead of the clock.
func ahead(age time.Duration) string {
	return strings.TrimPrefix(Duration(age), "-") + " ahead of the clock"
}
