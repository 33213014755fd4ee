package render

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/hookctl/hookctl/send/conform"
)

// CheckReport draws the report of a run of checks: failures first, then what
// could not be judged, advice, what was skipped and what passed; the rehearsal
// of a rotation, the counts, and the result line.
func CheckReport(w io.Writer, s Style, r *conform.Report) error {
	d := &checkDrawing{style: s, report: r}
	for _, c := range r.Results {
		if c.Alone {
			d.results = append(d.results, c)
		}
	}
	d.head()
	if r.Unreached == nil {
		d.blocks()
		d.lists()
		d.requests()
		d.rotation()
		d.counts()
		d.compared()
		d.unseen()
	}
	d.text.WriteString(s.checkResult(r))
	return writeString(w, s.twins(d.text.String()))
}

// CheckResult writes the result line of a run alone.
func CheckResult(w io.Writer, s Style, r *conform.Report) error {
	return writeString(w, s.twins(s.checkResult(r)))
}

// Progress is the progress line of a check that begins.
func Progress(c conform.Check) string {
	return "check " + strconv.Itoa(c.Number) + " of " + strconv.Itoa(len(conform.Checks())) + ": " + c.ID
}

// A checkDrawing is a report as it is drawn.
type checkDrawing struct {
	style   Style
	report  *conform.Report
	results []conform.Result // those that were chosen
	text    strings.Builder
}

// line writes one line, or lines.
func (d *checkDrawing) line(text string) { d.text.WriteString(text + "\n") }

// head says what is tried, and where.
func (d *checkDrawing) head() {
	r := d.report
	d.line(d.style.paint(strong, Escape(r.Profile.Title)) + " -> " + Address(r.URL))
	items := []string{count(len(r.Results), "check")}
	if len(d.results) < len(r.Results) {
		items[0] = strconv.Itoa(len(d.results)) + " of " + items[0]
	}
	if r.Secrets > 1 {
		items = append(items, count(r.Secrets, "secret"))
	}
	if r.Probe {
		items = append(items, "with a probe")
	}
	items = append(items, "seed "+strconv.FormatUint(r.Seed, 10))
	d.text.WriteString(d.style.items(items) + "\n")
}

// blocks are the results that need words.
func (d *checkDrawing) blocks() {
	for _, c := range d.results {
		if c.State == conform.Fail && c.Level == conform.Required {
			d.block(strongBad, "fail", c, [][2]string{{"sent", c.Asked}, {"got", c.Came}, {"why", c.Why}, {"change", c.Fix}})
		}
	}
	d.open()
	for _, c := range d.results {
		if c.State == conform.Fail && c.Level == conform.Advice {
			d.block(warn, "advice", c, [][2]string{{"level", c.Because}, {"change", c.Fix}})
		}
	}
}

// open are the results that could not be judged. Those for one cause are one
// block.
func (d *checkDrawing) open() {
	same := map[[3]string][]string{}
	cause := func(c conform.Result) [3]string { return [3]string{c.Finding, c.Came, c.Fix} }
	for _, c := range d.results {
		if c.State == conform.Inconclusive {
			same[cause(c)] = append(same[cause(c)], c.ID)
		}
	}
	for _, c := range d.results {
		if ids := same[cause(c)]; c.State == conform.Inconclusive && ids[0] == c.ID {
			d.block(warn, "inconclusive", c, [][2]string{{"also", strings.Join(ids[1:], ", ")}, {"got", c.Came}, {"helps", c.Fix}})
		}
	}
}

// block is one result: its state and id, then its lines.
func (d *checkDrawing) block(state role, word string, c conform.Result, lines [][2]string) {
	text := d.style.wrap(word+": "+c.ID+": "+Escape(c.Finding), "  ")
	rest := strings.TrimPrefix(text, word+": "+c.ID)
	d.line(d.style.paint(state, word) + ": " + d.style.paint(strong, c.ID) + rest)
	for _, l := range lines {
		if l[1] != "" {
			d.line(d.style.labelled(l[0], Escape(l[1])))
		}
	}
	d.line("")
}

// labelled is a text beside its label, wrapped under itself.
func (s Style) labelled(label, text string) string {
	const column = 11
	return s.wrap("  "+padRight(label, column-2)+text, blanks(column))
}

// lists are what was skipped and what passed, each as one list.
func (d *checkDrawing) lists() {
	some := d.skipped()
	var passed, answers []string
	for _, level := range []conform.Level{conform.Required, conform.Advice} {
		for _, c := range d.results {
			if c.State == conform.Pass && c.Level == level {
				passed = append(passed, c.ID)
			}
		}
	}
	for _, c := range d.results {
		if c.State == conform.Pass && c.Answers {
			answers = append(answers, c.ID)
		}
	}
	if len(passed) > 0 {
		text := d.style.wrap("pass: "+strings.Join(passed, ", "), "  ")
		d.line(d.style.paint(good, "pass") + strings.TrimPrefix(text, "pass"))
		some = true
	}
	if some {
		d.line("")
	}
	if len(answers) > 0 {
		d.line(d.style.wrap("judged by the answers alone, for want of --probe: "+strings.Join(answers, ", "), "  "))
		d.line("")
	}
	for _, c := range d.results {
		if c.Warning != "" {
			d.line(d.style.wrap("note: "+c.ID+": "+Escape(c.Warning), "  "))
			d.line("")
		}
	}
}

// skipped lists what was skipped, by its causes.
func (d *checkDrawing) skipped() bool {
	var causes []string
	ids := map[string][]string{}
	for _, c := range d.results {
		if c.State == conform.Skip {
			if ids[c.Why] == nil {
				causes = append(causes, c.Why)
			}
			ids[c.Why] = append(ids[c.Why], c.ID)
		}
	}
	if len(causes) == 0 {
		return false
	}
	var parts []string
	for _, cause := range causes {
		parts = append(parts, strings.Join(ids[cause], ", ")+" ("+Escape(cause)+")")
	}
	text := d.style.wrap("skip: "+strings.Join(parts, ", "), "  ")
	d.line(d.style.paint(dim, "skip") + strings.TrimPrefix(text, "skip"))
	return true
}

// requests are, with -v, all requests and what came of them.
func (d *checkDrawing) requests() {
	if !d.style.Verbose {
		return
	}
	for _, c := range d.results {
		if len(c.Sent) == 0 && len(c.Notes) == 0 {
			continue
		}
		d.line(d.style.paint(strong, c.ID) + ": " + string(c.State) + ": " + Escape(c.Title))
		for i, sent := range c.Sent {
			d.line(d.style.paint(dim, "    > "+Escape(sent)))
			if i < len(c.Got) {
				d.line(d.style.paint(dim, "    < "+Escape(c.Got[i])))
			}
		}
		for _, note := range c.Notes {
			d.line(d.style.paint(dim, "    * "+Escape(note)))
		}
		d.line("")
	}
}

// checkResult is the result line.
func (s Style) checkResult(r *conform.Report) string {
	text := r.Verdict()
	state, rest, _ := strings.Cut(text, ":")
	if before, after, found := strings.Cut(rest, " required checks"); found {
		rest = before + " required checks in " + Duration(r.Elapsed) + after
	}
	if state == "passed" {
		pass, all := 0, 0
		for _, c := range r.Results {
			if c.Alone && c.Level == conform.Advice {
				all++
				if c.State == conform.Pass {
					pass++
				}
			}
		}
		if all > 0 {
			rest += "; advice: " + strconv.Itoa(pass) + " of " + strconv.Itoa(all)
		}
	}
	roles := map[string]role{"passed": strongGood, "failed": strongBad, "interrupted": strongWarn}
	return s.paint(roles[state], state) + ":" + rest + "\n"
}

// CheckList lists checks: a line each, or the requests of each.
func CheckList(w io.Writer, s Style, checks []conform.Check, requests bool) error {
	var b strings.Builder
	if !requests {
		widest := slices.MaxFunc(checks, func(a, b conform.Check) int { return len(a.ID) - len(b.ID) })
		b.WriteString(s.paint(dim, " #  "+padRight("check", len(widest.ID))+"  level     what passes") + "\n")
		for _, c := range checks {
			line := padLeft(strconv.Itoa(c.Number), 2) + "  " + padRight(s.paint(strong, c.ID), len(widest.ID)) + "  " + padRight(string(c.Level), 8) + "  "
			b.WriteString(s.wrap(line+passes(c), blanks(len(widest.ID)+16)) + "\n")
		}
		return writeString(w, b.String())
	}
	for i, c := range checks {
		if i > 0 {
			b.WriteByte('\n')
		}
		head := s.wrap(c.ID+" ("+strconv.Itoa(c.Number)+", "+string(c.Level)+"): "+passes(c), "  ")
		b.WriteString(s.paint(strong, c.ID) + strings.TrimPrefix(head, c.ID) + "\n")
		for _, q := range c.Requests {
			b.WriteString("    > " + Escape(q) + "\n")
		}
	}
	return writeString(w, b.String())
}

// passes is what passes a check, and what the profile makes of it.
func passes(c conform.Check) string {
	if c.Because == "" {
		return c.Title
	}
	return c.Title + " (" + Escape(c.Because) + ")"
}
