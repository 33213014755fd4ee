package profiles

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestWhatIsNotSaidHasItsDefault(t *testing.T) {
	got, err := Parse("acme.yaml", []byte(plain))
	if err != nil {
		t.Fatal(err)
	}
	want := &Profile{
		Name: "acme", Title: "acme",
		Secret: Secret{Encoding: Raw, Active: 1},
		Signature: Signature{
			Algorithm: HMACSHA256, Content: Template{[]Part{{Name: "timestamp"}, {Text: "."}, {Name: "body"}}},
			Encoding: Hex, Separator: ",",
		},
		Headers:  []Header{{"Acme-Signature", Template{[]Part{{Text: "t="}, {Name: "timestamp"}, {Text: ",v1="}, {Name: "signature"}}}}},
		Event:    Event{NewID: Template{[]Part{{Name: "uuid"}}}},
		Delivery: Delivery{Limits: Limits{Total: 8 * time.Second}, MaxBody: 1 << 20, Rules: []Rule{{On: []Item{{Text: "any", Any: true}}, Then: Retried}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

func TestEveryKeyIsRead(t *testing.T) {
	got, err := Parse("acme.yaml", []byte(`schema: 1
name: acme-2
title: Acme Pay
docs: [{ says: Webhooks, url: "https://acme.example/docs" }, { says: more }]
secret: { encoding: base64, strip: whsec_, active: 2, none: failed, where: in the dashboard }
signature: { algorithm: hmac-sha512, content: "{body}", encoding: base64, separator: " ", tolerance: { past: 1m, future: 30s } }
headers: { Acme-Signature: "v1,{signature}" }
retry_headers: { Acme-Retry: "{retry}" }
event: { id: data.id, type: 'kind\.of', object: data.items.0.id, updated: data.at, new_id: "a_{hex:8}" }
delivery:
  timeout: { connect: 1s, read: 4s }
  max_body: 64KiB
  url: { https_only: true, refuse_private: true }
  rules:
    - { on: [2xx, 302, 303-305], then: delivered, warn: a warning }
    - { on: [no-secret, blocked-address, timeout, reset], then: failed, effects: [delete-subscription, notify-admins], because: why, hint: what, assumed: that }
    - { on: [404, any], then: retry }
retry:
  waits: [0, 1m, 1d]
  from: start
  jitter: 12.5%
  retry_after: { on: [429, 503], at_most: 1h }
  ceiling: 2d
  exhausted: { effects: [disable-webhook], assumed: when }
  exact: false
say: { disable-webhook: switch it on }
promises: { dedupe: id, order: type }
reconcile: ask
assumed: [{ field: headers.Acme-Signature, note: one }, { field: delivery.timeout.read, note: two }, { field: retry.from, note: three }]
not_emulated: [much]
replay: { started: s, completed: c }
events:
  e: "{count}\n\n"
  s: "{count}\n"
  c: "{count}"
`))
	if err != nil {
		t.Fatal(err)
	}
	want := &Profile{
		Name: "acme-2", Title: "Acme Pay",
		Docs:   []Doc{{"Webhooks", "https://acme.example/docs"}, {Says: "more"}},
		Secret: Secret{Base64, "whsec_", 2, true, "in the dashboard"},
		Signature: Signature{
			Algorithm: HMACSHA512, Content: Template{[]Part{{Name: "body"}}}, Encoding: Base64, Separator: " ",
			Tolerance: &Tolerance{time.Minute, 30 * time.Second},
		},
		Headers:      []Header{{"Acme-Signature", Template{[]Part{{Text: "v1,"}, {Name: "signature"}}}}},
		RetryHeaders: []Header{{"Acme-Retry", Template{[]Part{{Name: "retry"}}}}},
		Event:        Event{"data.id", `kind\.of`, "data.items.0.id", "data.at", Template{[]Part{{Text: "a_"}, {Name: "hex:8"}}}},
		Delivery: Delivery{
			Limits: Limits{Connect: time.Second, Read: 4 * time.Second}, MaxBody: 64 << 10, HTTPSOnly: true, RefusePrivate: true,
			Rules: []Rule{
				{On: []Item{{Text: "2xx", Low: 200, Up: 299}, {Text: "302", Low: 302, Up: 302}, {Text: "303-305", Low: 303, Up: 305}}, Then: Delivered, Warn: "a warning"},
				{
					On: []Item{
						{Text: "no-secret", Failures: []Failure{NoSecret}}, {Text: "blocked-address", Failures: []Failure{BlockedAddress}},
						{Text: "timeout", Failures: []Failure{ConnectTimeout, ReadTimeout}}, {Text: "reset", Failures: []Failure{Reset}},
					},
					Then: Failed, Effects: []Effect{DeleteSubscription, NotifyAdmins}, Because: "why", Hint: "what", Assumed: "that",
				},
				{On: []Item{{Text: "404", Low: 404, Up: 404}, {Text: "any", Any: true}}, Then: Retried},
			},
		},
		Retry: Retry{
			Waits: []time.Duration{0, time.Minute, 24 * time.Hour}, FromStart: true, Jitter: 0.125,
			RetryAfter: &RetryAfter{[]int{429, 503}, time.Hour}, Ceiling: 48 * time.Hour,
			Exhausted: Exhausted{[]Effect{DisableWebhook}, "when"}, Shape: true,
		},
		Say: map[Effect]string{DisableWebhook: "switch it on"}, Promises: Promises{"id", "type"}, Reconcile: "ask",
		Assumed:     []Note{{"headers.Acme-Signature", "one"}, {"delivery.timeout.read", "two"}, {"retry.from", "three"}},
		NotEmulated: []string{"much"}, Replay: &Replay{"s", "c"},
		Samples: []Sample{
			{"e", Template{[]Part{{Text: "{count}\n"}}}},
			{"s", Template{[]Part{{Name: "count"}}}},
			{"c", Template{[]Part{{Name: "count"}}}},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

func TestItemCoversWhatItSays(t *testing.T) {
	tests := []struct{ item, covers, not string }{
		{"404", "404", "403 405 dns"},
		{"4xx", "400 499", "399 500"},
		{"9xx", "900 999", "899"},
		{"500-504", "500 504", "499 505"},
		{"timeout", "connect-timeout read-timeout", "dns 504"},
		{"connection", "dns refused reset closed tls unreachable protocol", "connect-timeout no-secret blocked-address 500"},
		{"dns", "dns", "tls 200"},
		{"any", "101 200 999 dns no-secret", ""},
	}
	for _, tt := range tests {
		item, err := parseItem(tt.item)
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range []struct {
			outcomes string
			want     bool
		}{{tt.covers, true}, {tt.not, false}} {
			for _, text := range strings.Fields(list.outcomes) {
				o := Outcome{Failure: Failure(text)}
				if status, ok := parseStatus(text); ok {
					o = Outcome{Status: status}
				}
				if o.String() != text || item.Matches(o) != list.want {
					t.Errorf("%s, %s: got %v, want %v", tt.item, o, !list.want, list.want)
				}
			}
		}
	}
}
