package conform

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/hookctl/hookctl/send"
)

// WriteJUnit writes the report as a JUnit file: a test case a check. It has
// failures where the verdict has: what is inconclusive, and advice that does not
// hold, is skipped, and says so.
func (r *Report) WriteJUnit(w io.Writer) error {
	failures, skipped := 0, 0
	var cases strings.Builder
	for _, c := range r.Results {
		var inside string
		switch {
		case c.State == Fail && c.Level == Advice:
			skipped++
			inside = fmt.Sprintf(`<skipped message="%s">%s</skipped>`, inXML("advice: "+c.Finding), inXML(details(c)))
		case c.State == Fail:
			failures++
			inside = fmt.Sprintf(`<failure message="%s" type="%s">%s</failure>`, inXML(c.Finding), inXML(string(c.Level)), inXML(details(c)))
		case c.State == Inconclusive:
			skipped++
			inside = fmt.Sprintf(`<skipped message="%s"></skipped>`, inXML("inconclusive: "+c.Finding))
		case c.State == Skip:
			skipped++
			inside = fmt.Sprintf(`<skipped message="%s"></skipped>`, inXML(c.Why))
		}
		if inside != "" {
			inside = "\n      " + inside + "\n    "
		}
		fmt.Fprintf(&cases, "    <testcase name=\"%s\" classname=\"hookctl.check.%s\" time=\"0\">%s</testcase>\n", inXML(c.ID), inXML(r.Profile.Name), inside)
	}
	totals := fmt.Sprintf(`tests="%d" failures="%d" errors="0" skipped="%d" time="%s"`, len(r.Results), failures, skipped, seconds(r.Elapsed))
	_, err := fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="hookctl check" %s>
  <testsuite name="hookctl check %s" %s>
%s  </testsuite>
</testsuites>
`, totals, inXML(r.Profile.Name), totals, cases.String())
	return err
}

// details are a failure's sentences, a line each.
func details(c Result) string {
	text := "sent: " + c.Asked + "\ngot: " + c.Came + "\nwhy: " + c.Why + "\nchange: " + c.Fix + "\n"
	if c.Level == Advice && c.Because != "" {
		text += "level: " + c.Because + "\n"
	}
	return text
}

func seconds(d time.Duration) string { return send.Seconds(d.Truncate(time.Millisecond)).String() }

// inXML is a text as it stands in an attribute or between tags. encoding/xml
// would write it too, at the price of a table of HTML's entities that the program
// would build each time it starts.
func inXML(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "\n", "&#xA;", "\t", "&#x9;").Replace(xmlText(s))
}

// xmlText replaces what XML forbids, and what could drive a terminal.
func xmlText(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < ' ', r >= 0x7f && r <= 0x9f, r == 0xfffe, r == 0xffff, hiddenRune(r):
			return '\ufffd'
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

// hiddenRune reports whether r turns the direction of text.
func hiddenRune(r rune) bool {
	return r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
