package conform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// A Comparison is what changed since an earlier report.
type Comparison struct {
	Fixed     []string `json:"fixed"`     // ids of checks that failed and do not
	Regressed []string `json:"regressed"` // ids of checks that did not fail and do
	Same      []string `json:"same"`      // ids of all others that were run, now and then
}

// A Baseline is the states of an earlier report, by the ids of its checks.
type Baseline map[string]State

// errBaseline says that a text is no report.
var errBaseline = errors.New("not a report of check --json")

// ParseBaseline reads an earlier report, as [Report.MarshalJSON] writes it.
func ParseBaseline(data []byte) (Baseline, error) {
	var d struct {
		Schema string `json:"schema"`
		Checks []struct {
			ID    string `json:"id"`
			State State  `json:"state"`
		} `json:"checks"`
	}
	line := bytes.TrimSpace(data)
	if err := json.NewDecoder(bytes.NewReader(line)).Decode(&d); err != nil || d.Schema == "" {
		return nil, errBaseline
	}
	if d.Schema != schema {
		return nil, fmt.Errorf("%w: its schema is %q", errBaseline, clip(d.Schema, 40))
	}
	b := Baseline{}
	for _, c := range d.Checks {
		b[c.ID] = c.State
	}
	return b, nil
}

// Compare notes what changed since the baseline. A check that was skipped then
// or now is left out, unless it fails now or failed then and passes now.
func (r *Report) Compare(b Baseline) {
	c := &Comparison{Fixed: []string{}, Regressed: []string{}, Same: []string{}}
	for _, result := range r.Results {
		before, known := b[result.ID]
		switch {
		case !known || before == Skip || result.State == Skip:
		case before == Fail && result.State == Pass:
			c.Fixed = append(c.Fixed, result.ID)
		case before != Fail && result.State == Fail:
			c.Regressed = append(c.Regressed, result.ID)
		default:
			c.Same = append(c.Same, result.ID)
		}
	}
	r.Compared = c
}
