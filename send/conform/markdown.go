package conform

import (
	"fmt"
	"io"
	"strings"

	"github.com/hookctl/hookctl/send"
)

// WriteMarkdown writes the report for the summary of a CI run.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## hookctl check: %s\n\n%s, %s\n\n", markdown(r.Profile.Title), markdown(send.ShownURL(r.URL)), markdown(r.Verdict()))
	if r.Unreached != nil {
		fmt.Fprintf(&b, "Nothing answers: %s\n\n", markdown(string(r.Unreached.Kind)+": "+r.Unreached.Message))
	}
	b.WriteString("| state | check | level | what |\n| --- | --- | --- | --- |\n")
	for _, state := range []State{Fail, Inconclusive, Skip, Pass} {
		for _, c := range r.Results {
			if c.State == state {
				fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", state, c.ID, c.Level, markdown(what(c)))
			}
		}
	}
	for _, c := range r.Results {
		if c.State == Fail {
			fmt.Fprintf(&b, "\n### %s: %s\n\n", c.ID, markdown(c.Finding))
			for line := range strings.Lines(details(c)) {
				fmt.Fprintf(&b, "- %s\n", markdown(strings.TrimSuffix(line, "\n")))
			}
		}
	}
	if len(r.Rotation) > 0 {
		b.WriteString("\n| signed with | answer | |\n| --- | --- | --- |\n")
		for _, row := range r.Rotation {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", strings.ReplaceAll(row.SignedWith, "+", ", "), markdown(row.Answer), acceptedWord(row.Accepted))
		}
	}
	if c := r.Compared; c != nil {
		fmt.Fprintf(&b, "\nCompared with the baseline: fixed %s; regressed %s; same %d.\n", orNone(c.Fixed), orNone(c.Regressed), len(c.Same))
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// what is a result in one line.
func what(c Result) string {
	switch c.State {
	case Pass:
		return c.Title
	case Skip:
		return c.Why
	}
	return c.Finding
}

func acceptedWord(accepted bool) string {
	if accepted {
		return "accepted"
	}
	return "refused"
}

func orNone(ids []string) string {
	if len(ids) == 0 {
		return "none"
	}
	return strings.Join(ids, ", ")
}

// Verdict is how the run ended, in a few words: "failed: 2 of 14 required
// checks: raw-bytes, rotation", "passed: 14 of 14 required checks". Required
// checks that the run did not get to, or that could not tell, are named after it;
// those that another failure kept from being run are counted.
func (r *Report) Verdict() string {
	failed, counts := r.Failed(), r.Counts(Required)
	of := counts[Pass] + counts[Fail] + counts[Inconclusive]
	if r.Unreached != nil {
		return "failed: nothing answers"
	}
	var ids []string
	for _, c := range failed {
		ids = append(ids, c.ID)
	}
	switch {
	case r.Cut && len(failed) > 0:
		return fmt.Sprintf("interrupted: %d of %d required checks%s; failed: %s", counts[Pass], of, r.kept(), strings.Join(ids, ", "))
	case r.Cut:
		return fmt.Sprintf("interrupted: %d of %d required checks%s", counts[Pass], of, r.kept())
	case !r.Tried():
		return "failed: nothing was tried, 0 of 0 required checks"
	case of+r.late() == 0:
		return "passed: 0 of 0 required checks, none was run"
	case len(failed) == 0:
		return fmt.Sprintf("passed: %d of %d required checks%s", counts[Pass], of+r.late(), r.unsettled(true))
	}
	return fmt.Sprintf("failed: %d of %d required checks%s: %s%s", len(failed), of+r.late(), r.kept(), strings.Join(ids, ", "), r.unsettled(false))
}

// kept says how many required checks were kept from being run, by the first
// request or by an interruption, and are none of those counted.
func (r *Report) kept() string {
	n := 0
	for _, c := range r.Results {
		if c.Level == Required && c.State == Skip && (c.Why == notAccepted || c.Why == interrupted) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d not run", n)
}

// late is how many required checks were not begun when the time was up.
func (r *Report) late() int {
	n := 0
	for _, c := range r.Results {
		if c.Level == Required && c.State == Skip && c.Why == timeUp {
			n++
		}
	}
	return n
}

// unsettled names the required checks that were not run to their end, and with
// all those that could not tell.
func (r *Report) unsettled(all bool) string {
	var late, open []string
	for _, c := range r.Results {
		switch {
		case c.Level != Required:
		case c.State == Skip && c.Why == timeUp, c.State == Inconclusive && c.Finding == timeUp:
			late = append(late, c.ID)
		case c.State == Inconclusive && all:
			open = append(open, c.ID)
		}
	}
	text := ""
	if len(late) > 0 {
		text += "; not run: " + strings.Join(late, ", ")
	}
	if len(open) > 0 {
		text += "; inconclusive: " + strings.Join(open, ", ")
	}
	return text
}

// markdown makes text plain: what Markdown and HTML would read is escaped.
func markdown(s string) string {
	s = strings.ReplaceAll(xmlText(s), "\n", " ")
	return strings.NewReplacer(`\`, `\\`, "`", "\\`", "|", `\|`, "<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "&", "&amp;", "@", "&#64;").Replace(s)
}
