package explain_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/sign/explain"
)

// An event as a Go program has it: the order of its fields is that of the
// sender.
type event struct {
	ID   string `json:"event_id"`
	Type string `json:"event_type"`
	Data struct {
		Note   string  `json:"note"`
		Amount int     `json:"amount"`
		Rate   float64 `json:"rate"`
	} `json:"data"`
}

// held is an event whose data stays as it was sent.
type held struct {
	ID   string          `json:"event_id"`
	Type string          `json:"event_type"`
	Data json.RawMessage `json:"data"`
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func unmarshal[T any](t *testing.T, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestGoIsNamed signs an original, writes it anew with encoding/json as
// receivers do, and wants that named.
func TestGoIsNamed(t *testing.T) {
	const compact = `{"event_id":"evt_41","event_type":"invoice.paid","data":{"note":"café <b>&</b>","amount":1250,"rate":2.5}}`
	const spaced = `{"event_id": "evt_41", "event_type": "invoice.paid", "data": {"note": "caf\u00e9 <b>&</b>", "amount": 1250, "rate": 2.5}}`
	for _, original := range []string{compact, spaced} {
		var encoded bytes.Buffer
		if err := json.NewEncoder(&encoded).Encode(unmarshal[map[string]any](t, original)); err != nil {
			t.Fatal(err)
		}
		indented, err := json.MarshalIndent(unmarshal[map[string]any](t, original), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct{ name, received, want string }{
			{"a map", marshal(t, unmarshal[map[string]any](t, original)), "Go's encoding/json of a map"},
			{"an encoder", encoded.String(), "Go's encoding/json of a map"},
			{"an indented map", string(indented), "Go's encoding/json, indented, of a map"},
			{"a struct", marshal(t, unmarshal[event](t, original)), "Go's encoding/json of a struct"},
			{"a raw message", marshal(t, json.RawMessage(original)), "Go's encoding/json"},
			{"a raw message inside", marshal(t, unmarshal[held](t, original)), "Go's encoding/json"},
		} {
			e := explain.Explain(stamped(t, []byte(test.received), mac(theSecret, theTime+"."+original)))
			if e == nil || e.Certainty != explain.Proven || !strings.HasPrefix(e.Serialiser, test.want) {
				t.Errorf("%s of %s:\n%+v\nwant the serialiser %s", test.name, original, e, test.want)
				continue
			}
			if !strings.Contains(e.Fix, "io.ReadAll(r.Body)") {
				t.Errorf("%s: the fix does not say how net/http gives the bytes: %s", test.name, e.Fix)
			}
		}
	}
}

func TestOrdersOfInnerNamesAreTried(t *testing.T) {
	for _, test := range []struct {
		name, signed, received string
		kind                   explain.Kind
	}{
		{"as they are", `{"b":{"z":1,"a":2},"a":{"y":3,"b":4}}`, `{"a":{"b":4,"y":3},"b":{"a":2,"z":1}}`, "json_key_order"},
		{"objects alike are ordered alike", `{"items":[{"z":1,"a":2},{"z":3,"a":4},{"z":5,"a":6}],"n":7}`,
			`{"items":[{"a":2,"z":1},{"a":4,"z":3},{"a":6,"z":5}],"n":7}`, "json_key_order"},
		{"in another layout", `{"b":{"z":1,"a":2},"a":3}`, `{"a": 3, "b": {"a": 2, "z": 1}}`, "json_key_order"},
		{"in another spelling", `{"z":"é","b":{"y":"/","a":2}}`, `{"b": {"a": 2, "y": "/"}, "z": "\u00e9"}`, "json_reserialised"},
		{"more orders than are tried", `{"h":1,"g":2,"f":3,"e":4,"d":5,"c":6,"a":7,"b":8}`, `{"a":7,"b":8,"c":6,"d":5,"e":4,"f":3,"g":2,"h":1}`, ""},
		{"empty objects that became arrays", `{"note":"a/b","meta":{},"tags":[]}`, `{"note":"a\/b","meta":[],"tags":[]}`, "json_reserialised"},
	} {
		e := explain.Explain(stamped(t, []byte(test.received), mac(theSecret, theTime+"."+test.signed)))
		if test.kind == "" {
			if e == nil || e.Certainty != explain.None && e.Kind != "json_key_order" {
				t.Errorf("%s: %+v", test.name, e)
			}
			continue
		}
		if e == nil || e.Kind != test.kind || e.Certainty != explain.Proven {
			t.Errorf("%s: %+v, want %s", test.name, e, test.kind)
		}
	}
}

func TestAllWhoWriteTheSameAreNamed(t *testing.T) {
	const js, python = "JSON.stringify", "Python's json.dumps"
	for _, test := range []struct{ name, signed, received, want string }{
		{"one", `{"a":1,"bb":2}`, `{"a": 1, "bb": 2}`, python},
		{"two", `{"b":1,"a":"é<"}`, "{\n\t\"b\": 1,\n\t\"a\": \"é<\"\n}", js + " with a tab as indent or " + python + " with a tab as indent and ensure_ascii=False"},
		{"many", `{ "b": 1 }`, `{"b":1}`, js + ", " + python + " with compact separators, Go's encoding/json of a map or another"},
		{"none", `{"b":1}`, `{ "b" :1}`, js + ", " + python + " with compact separators, Go's encoding/json of a map or another"}, // who wrote what was signed
	} {
		e := explain.Explain(stamped(t, []byte(test.received), mac(theSecret, theTime+"."+test.signed)))
		if e == nil || e.Serialiser != test.want {
			t.Errorf("%s: %+v, want the serialiser %q", test.name, e, test.want)
		}
	}
}

func TestPlaceholdersTellTheLanguage(t *testing.T) {
	body := []byte(`{"a":1}`)
	for text, want := range map[string]string{
		"[object Object]": "express.raw", "undefined": "express.raw", "None": "request.get_data()", "map[]": "io.ReadAll(r.Body)",
		"Array": "php://input", "System.Byte[]": "EnableBuffering", "null": "Lambda",
	} {
		in := stamped(t, body, mac(theSecret, theTime+"."+string(body)))
		in.App = mac(theSecret, theTime+"."+text)
		e := explain.Explain(in)
		if e == nil || e.Kind != "placeholder_body_signed" || !strings.Contains(e.Fix, want) {
			t.Errorf("%s: %+v, want a fix with %s", text, e, want)
		}
		if want != "Lambda" && strings.Contains(e.Fix, "Lambda") {
			t.Errorf("%s: the fix is that of every language: %s", text, e.Fix)
		}
	}
}
