package explain

import (
	"bytes"
	"encoding/json"
)

// Tried counts what was tried.
type Tried struct {
	Secrets    int  // forms of the secret, the other secrets among them
	Bodies     int  // forms of the body
	Times      int  // other times
	Layouts    int  // other signed texts
	Combined   int  // signatures with a form of the secret and one of the body or of the signed text
	Signatures int  // all that were computed
	Large      bool // the body is over a MiB: it was not rewritten
	Cut        bool // the budget did not last for everything
}

// String says what was tried:
// "33 forms of the secret, 59 of the body, ...: 4,253 signatures".
func (t Tried) String() string {
	var text string
	if t.Large {
		text = "nothing that rewrites a body over 1 MiB; "
	}
	text += number(t.Secrets) + " forms of the secret"
	if t.Bodies > 0 {
		text += ", " + number(t.Bodies) + " of the body"
	}
	if t.Times > 0 {
		text += ", " + number(t.Times) + " times"
	}
	if t.Layouts > 0 {
		text += ", " + number(t.Layouts) + " layouts"
	}
	switch {
	case t.Combined > 0 && t.Combined == t.Secrets*t.Bodies:
		text += ", and each form of the secret with each of the body"
	case t.Combined > 0:
		text += ", and " + number(t.Combined) + " combinations"
	}
	if t.Cut {
		text += "; the rest would take too long"
	}
	return text + ": " + number(t.Signatures) + " signatures"
}

// Told is the summary and, where nothing matched, in a second sentence how much
// was tried, and what was not.
func (e *Explanation) Told() string {
	if e.Certainty != None || e.Tried.Signatures == 0 {
		return e.Summary
	}
	text := number(e.Tried.Signatures) + " signatures were tried"
	if e.Tried.Signatures == 1 {
		text = "1 signature was tried"
	}
	if e.Tried.Large {
		text += "; a body over 1 MiB is not rewritten"
	}
	if e.Tried.Cut {
		text += "; more would take too long"
	}
	return e.Summary + " " + text + "."
}

// MarshalJSON writes the explanation as it stands in hookctl's documents.
func (e *Explanation) MarshalJSON() ([]byte, error) {
	type difference struct {
		Offset   int    `json:"offset"`
		Received string `json:"received"`
		Signed   string `json:"signed"`
	}
	doc := struct {
		Kind       Kind        `json:"kind"`
		Certainty  Certainty   `json:"certainty"`
		Summary    string      `json:"summary"`
		Fix        string      `json:"fix"`
		Faults     []Kind      `json:"faults"`
		Named      *string     `json:"named"`
		Serialiser *string     `json:"serialiser"`
		Difference *difference `json:"difference"`
	}{Kind: e.Kind, Certainty: e.Certainty, Summary: e.Told(), Fix: e.Fix, Faults: append([]Kind{}, e.Faults...)}
	if e.Named != "" {
		doc.Named = &e.Named
	}
	if e.Serialiser != "" {
		doc.Serialiser = &e.Serialiser
	}
	if d := e.Difference; d != nil {
		doc.Difference = &difference{d.Offset, d.Received, d.Signed}
	}
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	err := w.Encode(doc)
	return b.Bytes(), err
}
