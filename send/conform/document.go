package conform

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/hookctl/hookctl/send"
)

// schema is that of a report as JSON.
const schema = "hookctl.check/1"

// document is a report as JSON.
type document struct {
	Schema         string        `json:"schema"`
	Profile        string        `json:"profile"`
	URL            string        `json:"url"`
	Seed           uint64        `json:"seed"`
	Passed         bool          `json:"passed"`
	FailedRequired int           `json:"failed_required"`
	Checks         []checkDoc    `json:"checks"`
	Rotation       []rotationDoc `json:"rotation"`
	Elapsed        send.Seconds  `json:"elapsed_s"`
	Error          *errorDoc     `json:"error"`
	Baseline       *Comparison   `json:"baseline"`
}

// errorDoc is the failure of a first request that reached nothing.
type errorDoc struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

type checkDoc struct {
	ID      string   `json:"id"`
	Number  int      `json:"number"`
	Level   Level    `json:"level"`
	State   State    `json:"state"`
	Title   string   `json:"title"`
	Finding *string  `json:"finding"`
	Sent    []string `json:"sent"`
	Got     []string `json:"got"`
	Why     string   `json:"why"`
	Fix     *string  `json:"fix"`
	Because *string  `json:"because"` // of a level that is not the check's own
	Notes   []string `json:"notes"`
	Warning *string  `json:"warning"`
}

type rotationDoc struct {
	SignedWith string `json:"signed_with"`
	Accepted   bool   `json:"accepted"`
	Answer     string `json:"answer"`
}

// MarshalJSON writes the report as one document, all checks in order. Userinfo
// is written as user:***@.
func (r *Report) MarshalJSON() ([]byte, error) {
	d := document{
		Schema: schema, Profile: r.Profile.Name, URL: send.ShownURL(r.URL), Seed: r.Seed, Passed: r.Passed(),
		FailedRequired: len(r.Failed()), Checks: []checkDoc{}, Rotation: []rotationDoc{}, Elapsed: send.Seconds(r.Elapsed), Baseline: r.Compared,
	}
	if r.Unreached != nil {
		d.Error = &errorDoc{string(r.Unreached.Kind), r.Unreached.Message}
	}
	for _, c := range r.Results {
		d.Checks = append(d.Checks, checkDoc{
			ID: c.ID, Number: c.Number, Level: c.Level, State: c.State, Title: c.Title, Finding: send.OrNull(c.Finding),
			Sent: orEmpty(c.Sent), Got: orEmpty(c.Got), Why: c.Why, Fix: send.OrNull(c.Fix), Because: send.OrNull(c.Because), Notes: orEmpty(c.Notes), Warning: send.OrNull(c.Warning),
		})
	}
	for _, row := range r.Rotation {
		d.Rotation = append(d.Rotation, rotationDoc(row))
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(d)
	return b.Bytes(), err
}

func orEmpty(all []string) []string {
	if all == nil {
		return []string{}
	}
	return all
}

// ListDocument is a list of checks as a document, for [send.WriteDocument].
func ListDocument(checks []Check) any {
	type listed struct {
		ID       string   `json:"id"`
		Number   int      `json:"number"`
		Level    Level    `json:"level"`
		Title    string   `json:"title"`
		Why      string   `json:"why"`
		Requests []string `json:"requests"`
		Because  *string  `json:"because"`
	}
	all := []listed{}
	for _, c := range checks {
		all = append(all, listed{c.ID, c.Number, c.Level, c.Title, general(c.Why), c.Requests, send.OrNull(c.Because)})
	}
	return struct {
		Schema string   `json:"schema"`
		Checks []listed `json:"checks"`
	}{"hookctl.checks/1", all}
}

// general is a text of a check that names no provider.
func general(s string) string { return strings.ReplaceAll(s, "{title}", "a provider") }
