package explain_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

// after is an input where a request with another body came before, under the same
// header.
func after(t *testing.T, m made, before string) explain.Input {
	t.Helper()
	in := m.input(t)
	in.Others = []sign.Received{{Header: in.Received.Header, Body: []byte(before)}}
	in.Names = []string{"#1"}
	return in
}

// What is said of a body that was rewritten does not depend on whether the
// right one came as well.
func TestRewritingIsNamedWhereTheRightBodyCameBefore(t *testing.T) {
	said := 0
	for _, m := range bodyKinds() {
		_, signed, ok := strings.Cut(m.content, ".")
		if m.kind == "empty_body_signed" || m.kind == "placeholder_body_signed" || !ok || m.profile != "" || m.certainty != "" {
			continue
		}
		said++
		t.Run(string(m.kind)+"/"+m.fact, func(t *testing.T) {
			want, got := explain.Explain(m.input(t)), explain.Explain(after(t, m, signed))
			if got == nil || got.Kind != want.Kind || got.Summary != want.Summary || got.Fix != want.Fix || got.Serialiser != want.Serialiser || !slices.Equal(got.Faults, want.Faults) {
				t.Errorf("%+v,\nwant %+v", got, want)
			}
		})
	}
	if said < 40 {
		t.Errorf("%d kinds", said)
	}
}

func TestBodyOfAnotherRequestIsTheSameOrAnother(t *testing.T) {
	for _, c := range []struct {
		fact, received, signed string
		want                   explain.Kind
		says                   string
	}{
		{"json.dumps", `{"id": "evt_1", "n": 1}`, `{"id":"evt_1","n":1}`, "json_whitespace", "Python's json.dumps writes it like this."},
		{"a layout of its own", "{\"id\":\n\n \"evt_1\"   ,\"n\":1}", "{  \"id\":\"evt_1\",\t\"n\": 1}", "json_whitespace", "in another layout: as in #1, "},
		{"all of it", `{"n":[ 1,2],"id":"\u00e9"}`, `{ "id":  "é","n":[1,   2] }`, "json_reserialised", "from the same JSON as the sender of #1 writes it."},
		{"another id", `{"id":"evt_2"}`, `{"id":"evt_1"}`, "signature_from_other_delivery", "from the body of #1."},
		{"another number", `{"id":"evt_1","n":1}`, `{"id":"evt_1","n":2}`, "signature_from_other_delivery", "from the body of #1."},
		{"another text that is no UTF-8", "{\"x\":\"\xff\", \"a\":1}", "{\"a\":1,\"x\":\"\xfe\"}", "signature_from_other_delivery", "from the body of #1."},
		{"no JSON", "a b", "a  b", "signature_from_other_delivery", "from the body of #1."},
		{"nothing", `{"id":"evt_1"}`, "", "signature_from_other_delivery", "from the body of #1."},
		{"a placeholder", `{"id":"evt_1"}`, "{}", "signature_from_other_delivery", "from the body of #1."},
	} {
		t.Run(c.fact, func(t *testing.T) {
			e := explain.Explain(after(t, made{body: c.received, content: at + "." + c.signed}, c.signed))
			if e == nil || e.Kind != c.want || e.Certainty != explain.Proven || !strings.Contains(e.Summary, c.says) || strings.HasPrefix(e.Serialiser, "the ") {
				t.Errorf("%+v, want %s: %s", e, c.want, c.says)
			}
		})
	}
}

func TestTimeOfAnotherRequestIsNoRewriting(t *testing.T) {
	in := made{body: `{"id": "evt_1"}`, content: `1759990000.{"id":"evt_1"}`, change: func(in *explain.Input, d string) {
		in.Others = []sign.Received{{Header: []sign.Header{{Name: "X-Kudos-Signature", Value: "t=1759990000,v1=" + d}}, Body: []byte(`{"id":"evt_1"}`)}}
	}}.input(t)
	if e := explain.Explain(in); e == nil || e.Kind != "signature_from_other_delivery" {
		t.Errorf("%+v, want the other delivery", e)
	}
}
