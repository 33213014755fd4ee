package explain_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

// A worked is a case of testdata/explanations: a request, what is known, and
// what is wrong.
type worked struct {
	ID        string                         `json:"id"`
	Profile   string                         `json:"provider_style"`
	Secret    string                         `json:"secret_known_to_verifier"`
	Body      string                         `json:"body_received_b64"`
	Name      string                         `json:"header_name"`
	Value     string                         `json:"header_value"`
	More      map[string]string              `json:"extra_headers"`
	Length    *int                           `json:"content_length_header"`
	Now       int64                          `json:"now_unix"`
	Others    []struct{ Role, Value string } `json:"other_known_secrets"`
	Kind      explain.Kind                   `json:"expected_diagnosis"`
	Certainty explain.Certainty              `json:"expected_certainty"`
}

func (w worked) input(t *testing.T) explain.Input {
	t.Helper()
	body, err := base64.StdEncoding.DecodeString(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	in := explain.Input{
		Profile: builtin(t, w.Profile), Now: time.Unix(w.Now, 0), Secrets: []explain.Secret{{Text: w.Secret}},
		Received: sign.Received{Body: body, Header: []sign.Header{{Name: w.Name, Value: w.Value}}},
	}
	for _, name := range slices.Sorted(maps.Keys(w.More)) {
		in.Received.Header = append(in.Received.Header, sign.Header{Name: name, Value: w.More[name]})
	}
	if w.Length != nil {
		in.Received.Header = append(in.Received.Header, sign.Header{Name: "Content-Length", Value: strconv.Itoa(*w.Length)})
	}
	for _, o := range w.Others {
		in.Try = append(in.Try, explain.Secret{Name: o.Role, Text: o.Value})
	}
	return in
}

func builtin(tb testing.TB, name string) *profiles.Profile {
	tb.Helper()
	e, err := profiles.Builtin().Get(name)
	if err != nil {
		tb.Fatal(err)
	}
	return e.Profile
}

func workedCases(tb testing.TB) []worked {
	tb.Helper()
	f, err := os.Open("../../testdata/explanations/cases.jsonl")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var all []worked
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var w worked
		if err := json.Unmarshal(lines.Bytes(), &w); err != nil {
			tb.Fatal(err)
		}
		all = append(all, w)
	}
	if err := lines.Err(); err != nil || len(all) == 0 {
		tb.Fatalf("%d cases, %v", len(all), err)
	}
	return all
}

func TestWorkedCasesAreExplained(t *testing.T) {
	for _, w := range workedCases(t) {
		t.Run(w.ID, func(t *testing.T) {
			e := explain.Explain(w.input(t))
			if w.Kind == "ok" {
				if e != nil {
					t.Fatalf("explained as %s: %s", e.Kind, e.Summary)
				}
				return
			}
			if e == nil {
				t.Fatalf("not explained, want %s", w.Kind)
			}
			if e.Kind != w.Kind || e.Certainty != w.Certainty {
				t.Errorf("%s, %s; want %s, %s: %s", e.Kind, e.Certainty, w.Kind, w.Certainty, e.Summary)
			}
			if testing.Verbose() {
				t.Logf("%s %s %v\n%s\nfix %s\n%q %+v\n%s", e.Kind, e.Certainty, e.Faults, e.Summary, e.Fix, e.Serialiser, e.Difference, e.Tried)
			}
		})
	}
}
