package conform

import (
	"encoding/xml"
	"io"
	"strings"
	"time"

	"github.com/hookctl/hookctl/send"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitFailure `xml:"failure"`
	Skipped *junitSkipped `xml:"skipped"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

// WriteJUnit writes the report as a JUnit file: a test case a check. A failure
// has its level as type; what is inconclusive is skipped, and says so.
func (r *Report) WriteJUnit(w io.Writer) error {
	suite := junitSuite{Name: "hookctl check " + xmlText(r.Profile.Name), Tests: len(r.Results), Time: seconds(r.Elapsed)}
	for _, c := range r.Results {
		one := junitCase{Name: c.ID, Class: "hookctl.check." + xmlText(r.Profile.Name), Time: "0"}
		switch c.State {
		case Fail:
			suite.Failures++
			one.Failure = &junitFailure{Message: xmlText(c.Finding), Type: string(c.Level), Text: xmlText(details(c))}
		case Inconclusive:
			suite.Skipped++
			one.Skipped = &junitSkipped{Message: xmlText("inconclusive: " + c.Finding)}
		case Skip:
			suite.Skipped++
			one.Skipped = &junitSkipped{Message: xmlText(c.Why)}
		}
		suite.Cases = append(suite.Cases, one)
	}
	all := junitSuites{
		Name: "hookctl check", Tests: suite.Tests, Failures: suite.Failures, Skipped: suite.Skipped, Time: suite.Time, Suites: []junitSuite{suite},
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// details are a failure's sentences, a line each.
func details(c Result) string {
	return "sent: " + c.Asked + "\ngot: " + c.Came + "\nwhy: " + c.Why + "\nchange: " + c.Fix + "\n"
}

func seconds(d time.Duration) string { return send.Seconds(d.Truncate(time.Millisecond)).String() }

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
