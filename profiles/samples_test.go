package profiles

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// filled is a sample with values of each placeholder's fixed width.
func filled(t *testing.T, s Sample, id string) string {
	t.Helper()
	text, err := s.Body.Expand(func(name string) (string, bool) {
		switch name {
		case "id":
			return id, true
		case "now", "since", "until":
			return "2026-01-02T10:03:03.000Z", true
		case "event_type":
			return "", true
		case "count":
			return "3", true
		case "timestamp":
			return "1767348183", true
		case "uuid":
			return "6717c2b1-e5b1-4000-92ab-351100000000", true
		}
		digits, ok := strings.CutPrefix(name, "hex:")
		n, err := strconv.Atoi(digits)
		return strings.Repeat("71c0aa52", 16)[:n], ok && err == nil
	})
	if err != nil {
		t.Fatalf("%s: %v", s.Type, err)
	}
	return text
}

func TestFirstSamplesAreTheWidthOfThePictures(t *testing.T) {
	tests := []struct {
		name, typ, id string
		bytes         int
		body          string
	}{
		{"kudos", "payment.succeeded", "evt_5d2f9b6ac1e04b7f", 108, `{"event_id":"evt_5d2f9b6ac1e04b7f","event_type":"payment.succeeded","data":{"amount":1200,"currency":"EUR"}}`},
		{"clodo", "job.completed", "wh_4f8e2c1ab97d3065", 132, `{"id":"wh_4f8e2c1ab97d3065","event_type":"job.completed","data":{"job_id":"job_71c0aa52","status":"succeeded","result":{"pages":3}}}`},
		{"kustomer", "kustomer.conversation.update", "6717c2b1e5b1f00012ab3511", 1178, ""},
	}
	for _, tt := range tests {
		first := builtin(t, tt.name).Samples[0]
		body := filled(t, first, tt.id)
		if first.Type != tt.typ || len(body) != tt.bytes {
			t.Errorf("%s: the first sample is %s of %d bytes, want %s of %d", tt.name, first.Type, len(body), tt.typ, tt.bytes)
		}
		if tt.body != "" && body != tt.body {
			t.Errorf("%s: got %s, want %s", tt.name, body, tt.body)
		}
	}
}

func TestSamplesAreJSONWithTheirIDAndType(t *testing.T) {
	for _, e := range all(t) {
		p := e.Profile
		for _, sample := range p.Samples {
			var body any
			if err := json.Unmarshal([]byte(filled(t, sample, "the-id")), &body); err != nil {
				t.Errorf("%s: %s: %v", p.Name, sample.Type, err)
				continue
			}
			if id := at(body, p.Event.ID); p.Event.ID != "" && id != "the-id" {
				t.Errorf("%s: %s has the id %v", p.Name, sample.Type, id)
			}
			if typ := at(body, p.Event.Type); p.Event.Type != "" && typ != sample.Type {
				t.Errorf("%s: %s has the type %v", p.Name, sample.Type, typ)
			}
			for _, path := range []string{p.Event.Object, p.Event.Updated} {
				if path != "" && at(body, path) == nil {
					t.Errorf("%s: %s has no %s", p.Name, sample.Type, path)
				}
			}
		}
	}
}

// at is the value at a dotted path of names, or nil.
func at(body any, path string) any {
	for _, name := range strings.Split(path, ".") {
		members, _ := body.(map[string]any)
		body = members[name]
	}
	return body
}

func TestIDAndTypeOfEachEventAreSent(t *testing.T) {
	for _, e := range all(t) {
		p := e.Profile
		sent := map[string]bool{"id": p.Event.ID != "", "type": p.Event.Type != ""}
		for h := range p.AllHeaders() {
			for _, part := range h.Value.Parts {
				sent[part.Name] = true
			}
		}
		if !sent["id"] || !sent["type"] {
			t.Errorf("%s sends neither in a header nor in the body one of id and type: %v", p.Name, sent)
		}
		if len(p.Samples) == 0 || p.Docs == nil {
			t.Errorf("%s has %d samples, %d pages", p.Name, len(p.Samples), len(p.Docs))
		}
	}
}

func TestEnvelopesOfAllTwelveEvents(t *testing.T) {
	var want []string
	for _, resource := range []string{"conversation", "customer", "message", "user", "team", "tag"} {
		for _, verb := range []string{"create", "update"} {
			want = append(want, "kustomer."+resource+"."+verb)
		}
	}
	var got []string
	for _, sample := range builtin(t, "kustomer").Samples {
		got = append(got, sample.Type)
		var e struct {
			Org, Partition, CreatedAt, Client, DataID string
			Persist                                   bool
			Meta                                      map[string]any
			Changes                                   json.RawMessage
			Data                                      struct {
				Type, ID      string
				Attributes    map[string]any
				Relationships map[string]any
				Links         map[string]string
			}
		}
		if err := json.Unmarshal([]byte(filled(t, sample, "the-id")), &e); err != nil {
			t.Fatal(err)
		}
		resource := strings.Split(sample.Type, ".")[1]
		if e.Data.Type != resource || e.Data.ID != e.DataID || len(e.DataID) != 24 || e.Data.Attributes["updatedAt"] != "2026-01-02T10:03:03.000Z" ||
			e.Org != e.Partition || len(e.Org) != 24 || e.CreatedAt == "" || e.Client == "" || !e.Persist || e.Meta["customChanged"] != false ||
			len(e.Data.Relationships) == 0 || e.Data.Links["self"] != "/v1/"+resource+"s/"+e.DataID {
			t.Errorf("%s: the envelope is %+v", sample.Type, e)
		}
		if created := strings.HasSuffix(sample.Type, ".create"); created != (string(e.Changes) == "null") {
			t.Errorf("%s: changes are %s", sample.Type, e.Changes)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
