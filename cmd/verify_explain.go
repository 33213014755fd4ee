package cmd

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

// explainInput is all that may help to explain a refused signature.
func (a *app) explainInput(o *verifyOptions, p *profiles.Profile, r sign.Received, secrets []secret, now time.Time) (explain.Input, error) {
	judged := *p
	if o.tolerance.set {
		judged.Signature.Tolerance = nil
		if d := o.tolerance.value; d > 0 {
			judged.Signature.Tolerance = &profiles.Tolerance{Past: d, Future: d}
		}
	}
	in := explain.Input{Profile: &judged, Received: r, Now: now, App: o.app}
	for _, s := range secrets {
		in.Secrets = append(in.Secrets, explain.Secret{Text: s.text})
	}
	for _, text := range o.try {
		s, err := a.trySecret(text)
		if err != nil {
			return in, err
		}
		in.Try = append(in.Try, s)
	}
	for _, name := range o.others {
		raw, err := readFile(name, maxBody)
		if err != nil {
			return in, cannot(err, "--other-request: %s", pathError(err))
		}
		header, body, _, err := parseRequest(raw)
		if err != nil {
			return in, misuse("--other-request: %s: %s", oneLine(name), oneLine(err.Error()))
		}
		in.Others = append(in.Others, sign.Received{Header: header, Body: body, URL: o.url})
		in.Names = append(in.Names, strconv.Quote(name))
	}
	known, err := a.catalog().All()
	for _, e := range known {
		in.Known = append(in.Known, e.Profile)
	}
	return in, err
}

// trySecret reads NAME=TEXT, NAME=@FILE or NAME=env:VAR.
func (a *app) trySecret(text string) (explain.Secret, error) {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return explain.Secret{}, misuse("--try takes NAME=TEXT, NAME=@FILE or NAME=env:VAR")
	}
	source := secretSource{kind: "secret", text: value, from: "--try"}
	if path, ok := strings.CutPrefix(value, "@"); ok {
		source.kind, source.text = "secret-file", path
	} else if variable, ok := strings.CutPrefix(value, "env:"); ok {
		source.kind, source.text = "secret-env", variable
	}
	s, err := a.readSecret(source, "")
	if err == nil && s.text == "" {
		err = misuse("--try %s: the secret is empty", oneLine(name))
	}
	return explain.Secret{Name: name, Text: s.text}, err
}

// expected are the values that the signature header would need, one a key.
func expected(p *profiles.Profile, r sign.Received, result sign.Result, all []*sign.Key) []string {
	v := sign.Values{ID: result.Event.ID, Type: result.Event.Type, Time: result.Time, URL: r.URL, Attempt: 1}
	if v.Time.IsZero() && (needs(p, "timestamp") || needs(p, "timestamp_ms")) {
		return nil // the request says no time
	}
	only := *p
	only.Headers, only.RetryHeaders = []profiles.Header{sign.SignatureHeader(p)}, nil
	var values []string
	for _, k := range all {
		digests, err := sign.Signatures(p, v, bytes.NewReader(r.Body), k)
		if err != nil {
			continue // the request lacks what is signed
		}
		if headers, err := sign.Headers(&only, v, digests); err == nil {
			values = append(values, headers[0].Value)
		}
	}
	return slices.Compact(values)
}

// A verdict is what verify found out.
type verdict struct {
	profile     *profiles.Profile
	result      sign.Result
	explanation *explain.Explanation // of the refusal
	app         *explain.Explanation // of --app-computed
	expected    []string             // only with --show-expected
	now         time.Time
}

type verifyDocument struct {
	Schema        string               `json:"schema"`
	Profile       string               `json:"profile"`
	Verified      bool                 `json:"verified"`
	Reason        *string              `json:"reason"`
	MatchedSecret *int                 `json:"matched_secret"`
	Age           any                  `json:"age_s"`
	Event         eventDocument        `json:"event"`
	Warnings      []string             `json:"warnings"`
	Explanation   *explain.Explanation `json:"explanation"`       // of --app-computed, where that is wrong
	Refusal       *explain.Explanation `json:"refusal,omitempty"` // beside an explanation of --app-computed
	Expected      []string             `json:"expected,omitempty"`
}

// write writes the verdict as JSON.
func (v verdict) write(w io.Writer) error {
	r := v.result
	doc := verifyDocument{
		Schema: "hookctl.verify/1", Profile: v.profile.Name, Verified: r.Verified, Reason: send.OrNull(string(r.Reason)),
		Event: eventDocument{send.OrNull(r.Event.ID), send.OrNull(r.Event.Type)}, Warnings: append([]string{}, r.Warnings...),
		Explanation: v.explanation, Expected: v.expected,
	}
	if v.app != nil {
		doc.Explanation, doc.Refusal = v.app, v.explanation
	}
	if r.Secret > 0 {
		doc.MatchedSecret = &r.Secret
	}
	if !r.Time.IsZero() {
		doc.Age = age(r, v.now)
	}
	return send.WriteDocument(w, doc)
}

// age is a signature's age as a document has it, also where it is more than a
// time.Duration can be.
func age(r sign.Result, now time.Time) any {
	if r.Age != math.MaxInt64 && r.Age != math.MinInt64 {
		return send.Seconds(r.Age)
	}
	return now.Unix() - r.Time.Unix()
}
