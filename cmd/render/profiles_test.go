package render

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/profiles"
)

func drawList(t *testing.T, s Style, entries []profiles.Entry) string {
	t.Helper()
	var b bytes.Buffer
	if err := ProfileList(&b, s, entries); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func drawShow(t *testing.T, s Style, e profiles.Entry) string {
	t.Helper()
	var b bytes.Buffer
	if err := ProfileShow(&b, s, e); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// parsed is an entry of a profile in a file.
func parsed(t *testing.T, text string) profiles.Entry {
	t.Helper()
	const file = "./.hookctl/profiles/acme.yaml"
	p, err := profiles.Parse(file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return profiles.Entry{Profile: p, From: file}
}

const acme = `schema: 1
name: acme
title: Acme Pay
signature: { algorithm: hmac-sha256, content: "{body}" }
headers: { X-Acme-Signature: "{signature}" }
delivery: { timeout: 10s, rules: [{ on: [2xx], then: delivered }, { on: [any], then: retry }] }
retry: { waits: [30s, 2m, 10m] }
`

// full has every key of the schema that the built-in profiles lack.
const full = `schema: 1
name: full
title: Full House
docs: [{ says: one page }, { says: another, url: "https://docs.example.com/a/b" }]
secret: { encoding: base64, strip: whsec_, active: 2, none: error, where: in the dashboard }
signature: { algorithm: hmac-sha512, content: "{id}.{timestamp}.{body}", encoding: base64, separator: " " }
headers:
  webhook-id: "{id}"
  webhook-timestamp: "{timestamp}"
  webhook-signature: "v1,{signature}"
retry_headers: { webhook-retry: "{retry}" }
event: { id: id, type: type, object: data.id, updated: data.at, new_id: "msg_{hex:16}" }
delivery:
  timeout: { connect: 1s, read: 1m }
  max_body: 256KiB
  url: { https_only: true, refuse_private: true }
  rules:
    - { on: [2xx], then: delivered }
    - { on: [404, 500-504], then: retry, effects: [notify-owner, notify-admins] }
    - { on: [410], then: failed, effects: [delete-subscription], hint: 410 deletes the subscription }
    - { on: [blocked-address], then: failed }
    - { on: [read-timeout], then: failed, assumed: what a slow answer means }
    - { on: [timeout, connection], then: retry }
    - { on: [any], then: failed }
retry:
  waits: [1m, 1h, 1h, 1h, 1h, 1h]
  from: start
  jitter: 12.5%
  ceiling: 1d
  retry_after: { on: [429, 503], at_most: 90m }
  exhausted: { effects: [disable-webhook] }
  exact: false
say: { delete-subscription: make a new one, disable-webhook: switch it on }
promises: { order: type, dedupe: id }
reconcile: ask for the list
assumed:
  - { field: retry, note: when it tries again }
  - { field: event.new_id, note: what an id looks like }
  - { field: delivery.timeout, note: how long it waits }
not_emulated: [batches, the console]
events:
  a.b: '{"id":"{id}","type":"a.b"}'
`

// catalogue is that of the pictures: one file and three built-in profiles.
func catalogue(t *testing.T) []profiles.Entry {
	t.Helper()
	entries := []profiles.Entry{parsed(t, acme)}
	for _, name := range []string{"clodo", "kudos", "kustomer"} {
		e, err := profiles.Builtin().Get(name)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	return entries
}

// everyBuiltin is every built-in profile.
func everyBuiltin(t *testing.T) []profiles.Entry {
	t.Helper()
	all, err := profiles.Builtin().All()
	if err != nil || len(all) < 9 {
		t.Fatalf("%d profiles: %v", len(all), err)
	}
	return all
}

func TestProfileListLooksLikeItsPicture(t *testing.T) {
	for _, test := range []struct {
		name    string
		width   int
		entries []profiles.Entry
	}{
		{"profiles-list-60", 60, catalogue(t)}, {"profiles-list-80", 80, catalogue(t)}, {"profiles-list-120", 120, catalogue(t)},
		{"profiles-list-all-80", 80, everyBuiltin(t)}, {"profiles-list-all-120", 120, everyBuiltin(t)},
	} {
		s, entries := Style{Width: test.width}, test.entries
		got := drawList(t, s, entries)
		golden(t, test.name, []byte(got))
		if line := firstWide(got, test.width, "acme.yaml"); line != "" {
			t.Errorf("at %d a line is wider: %q", test.width, line)
		}
		s.Color = true
		if coloured := drawList(t, s, entries); stripped(coloured) != got || coloured == got {
			t.Errorf("at %d the colours do not only add:\n%s", test.width, coloured)
		}
	}
}

func TestProfilesReadLikeTheirPictures(t *testing.T) {
	for _, e := range append(everyBuiltin(t), parsed(t, acme), parsed(t, full)) {
		t.Run(e.Profile.Name, func(t *testing.T) {
			golden(t, "profiles-show-"+e.Profile.Name+"-80", []byte(drawShow(t, Style{Width: 80}, e)))
			for _, width := range []int{60, 80, 120} {
				plainText := drawShow(t, Style{Width: width}, e)
				if line := firstWide(plainText, width, "https://"); line != "" {
					t.Errorf("at %d a line is wider: %q", width, line)
				}
				coloured := drawShow(t, Style{Width: width, Color: true}, e)
				if stripped(coloured) != plainText || coloured == plainText {
					t.Errorf("at %d the colours do not only add:\n%s", width, coloured)
				}
				ascii := drawShow(t, Style{Width: width, ASCII: true}, e)
				if strings.ContainsFunc(ascii, func(r rune) bool { return r > '~' }) {
					t.Errorf("at %d not ASCII:\n%s", width, ascii)
				}
			}
		})
	}
}

func TestProfilesHaveColoursByMeaning(t *testing.T) {
	s := Style{Width: 80, Color: true}
	entry, err := profiles.Builtin().Get("clodo")
	if err != nil {
		t.Fatal(err)
	}
	got := drawShow(t, s, entry)
	for _, want := range []string{
		s.paint(strong, "Clodo") + ", built in", "bytes (" + s.paint(warn, "assumed") + ")", s.paint(dim, "5xx") + " -> " + s.paint(warn, "retry"),
		s.paint(dim, "2xx") + " -> " + s.paint(good, "delivered"), s.paint(dim, "4xx") + " -> " + s.paint(bad, "failed"),
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func TestEveryAssumptionIsCountedAndShown(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{"clodo", "5 points are assumed: the documentation does not say them\n"},
		{"kudos", "6 points are assumed: the documentation does not say them\n"},
		{"kustomer", "3 points are assumed: the documentation does not say them\n"},
		{"standard-webhooks", "7 points are assumed: the documentation does not say them\n"},
		{"svix", "3 points are assumed: the documentation does not say them\n"},
		{"stripe", "3 points are assumed: the documentation does not say them\n"},
		{"github", "2 points are assumed: the documentation does not say them\n"},
		{"slack", "2 points are assumed: the documentation does not say them\n"},
		{"shopify", "3 points are assumed: the documentation does not say them\n"},
	} {
		entry, err := profiles.Builtin().Get(test.name)
		if err != nil {
			t.Fatal(err)
		}
		got := drawShow(t, Style{Width: 80}, entry)
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: no %q in\n%s", test.name, test.want, got)
		}
		if strings.Contains(got, "among them") {
			t.Errorf("%s: an assumption has no mark in\n%s", test.name, got)
		}
	}
}

func TestProfileThatReplacesABuiltInSaysSo(t *testing.T) {
	e := parsed(t, acme)
	e.Replaces = true
	first, _, _ := strings.Cut(drawShow(t, Style{Width: 80}, e), "\n")
	if want := "Acme Pay, ./.hookctl/profiles/acme.yaml, in place of the built-in one"; first != want {
		t.Errorf("got %q, want %q", first, want)
	}
}

func TestProfilesTextIsEscaped(t *testing.T) {
	const evil = "a\x1b[2J\n\u202e\x9b\xff"
	for _, test := range []struct {
		place  string
		change func(e *profiles.Entry)
	}{
		{"name", func(e *profiles.Entry) { e.Profile.Name = evil }},
		{"title", func(e *profiles.Entry) { e.Profile.Title = evil }},
		{"file", func(e *profiles.Entry) { e.From = evil }},
		{"docs", func(e *profiles.Entry) { e.Profile.Docs = []profiles.Doc{{Says: evil, URL: "https://" + evil}} }},
		{"strip", func(e *profiles.Entry) { e.Profile.Secret.Strip = evil }},
		{"where", func(e *profiles.Entry) { e.Profile.Secret.Where = evil }},
		{"content", func(e *profiles.Entry) {
			e.Profile.Signature.Content.Parts = []profiles.Part{{Text: evil}, {Name: "body"}}
		}},
		{"separator", func(e *profiles.Entry) { e.Profile.Signature.Separator = evil }},
		{"header's name", func(e *profiles.Entry) {
			for i := range e.Profile.Headers {
				e.Profile.Headers[i].Name = evil
			}
		}},
		{"header's value", func(e *profiles.Entry) { e.Profile.RetryHeaders[0].Value.Parts = []profiles.Part{{Text: evil}} }},
		{"signature header", func(e *profiles.Entry) {
			e.Profile.Headers = []profiles.Header{{Name: evil, Value: profiles.Template{Parts: []profiles.Part{{Text: evil}, {Name: "timestamp"}, {Text: evil}, {Name: "signature"}}}}}
		}},
		{"rule", func(e *profiles.Entry) {
			e.Profile.Delivery.Rules[0] = profiles.Rule{On: []profiles.Item{{Text: evil}}, Effects: []profiles.Effect{evil}, Warn: evil, Hint: evil}
		}},
		{"effects", func(e *profiles.Entry) { e.Profile.Retry.Exhausted.Effects = []profiles.Effect{evil} }},
		{"say", func(e *profiles.Entry) { e.Profile.Say[profiles.DisableWebhook] = evil }},
		{"order", func(e *profiles.Entry) { e.Profile.Promises.Order = evil }},
		{"reconcile", func(e *profiles.Entry) { e.Profile.Reconcile = evil }},
		{"assumed", func(e *profiles.Entry) { e.Profile.Assumed = []profiles.Note{{Field: evil, Note: evil}} }},
		{"not emulated", func(e *profiles.Entry) { e.Profile.NotEmulated = []string{evil} }},
		{"replay", func(e *profiles.Entry) { e.Profile.Replay = &profiles.Replay{Started: evil, Completed: evil} }},
		{"paths", func(e *profiles.Entry) {
			e.Profile.Event = profiles.Event{ID: evil, Type: evil, Object: evil, Updated: evil}
		}},
		{"sample", func(e *profiles.Entry) { e.Profile.Samples[0].Type = evil }},
	} {
		t.Run(test.place, func(t *testing.T) {
			e := parsed(t, full)
			test.change(&e)
			got := drawShow(t, Style{Width: 80}, e) + drawList(t, Style{Width: 120}, []profiles.Entry{e})
			if bad := firstControl(got); bad != "" {
				t.Errorf("%s reaches the terminal:\n%q", bad, got)
			}
		})
	}
}

func TestProfilesReturnTheWritersError(t *testing.T) {
	entries := []profiles.Entry{parsed(t, acme)}
	if err := ProfileList(failing{}, Style{}, entries); !errors.Is(err, errFull) {
		t.Errorf("list: got %v, want %v", err, errFull)
	}
	if err := ProfileShow(failing{}, Style{}, entries[0]); !errors.Is(err, errFull) {
		t.Errorf("show: got %v, want %v", err, errFull)
	}
}
