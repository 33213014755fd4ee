package cmd

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// written writes a file for one run and returns its name.
func written(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// yamlText is a text as YAML and JSON quote it.
func yamlText(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// hostileProfile is a profile whose every text is EVIL.
const hostileProfile = `schema: 1
name: acme
title: EVIL
docs: [{ says: EVIL, url: EVIL }]
secret: { encoding: raw, none: error, where: EVIL }
signature: { algorithm: hmac-sha256, content: "{body}", encoding: hex }
headers: { X-Acme-Id: "{id}", X-Acme-Type: "{type}", X-Acme-Signature: "{signature}" }
event: { id: id, type: type, new_id: EVIL }
delivery:
  timeout: 8s
  rules:
    - { on: [2xx], then: delivered, because: EVIL, warn: EVIL, assumed: EVIL }
    - { on: [404], then: failed, effects: [notify-owner, disable-webhook], because: EVIL, hint: EVIL, assumed: EVIL }
    - { on: [any], then: retry, because: EVIL, hint: EVIL, assumed: EVIL }
retry: { waits: [1s], exhausted: { effects: [notify-owner], assumed: EVIL }, exact: false }
say: { notify-owner: EVIL, disable-webhook: EVIL }
reconcile: EVIL
assumed: [{ field: retry.from, note: EVIL }]
not_emulated: [EVIL]
events: { EVIL: EVIL }
`

// The texts of a profile are shown escaped by every command that shows them.
func TestNoProfileDrivesTheTerminal(t *testing.T) {
	folder(t, nil)
	var places []place
	for _, form := range []struct {
		name string
		text func(evil string) string
	}{
		{"quoted", func(e string) string { return strings.ReplaceAll(hostileProfile, "EVIL", yamlText(t, e)) }},
		{"raw", func(e string) string { return strings.ReplaceAll(hostileProfile, "EVIL", e) }},
		{"unknown keys", func(e string) string {
			return "schema: 1\n" + yamlText(t, e) + ": 1\nsecret: { " + yamlText(t, e) + ": x }\n"
		}},
		{"wrong values", func(e string) string {
			return strings.NewReplacer("acme", yamlText(t, e), "hex", yamlText(t, e), "8s", yamlText(t, e), "[1s]", "["+yamlText(t, e)+"]",
				"[2xx]", "["+yamlText(t, e)+"]", "notify-owner", yamlText(t, e), "X-Acme-Id", yamlText(t, "X"+e)).Replace(strings.ReplaceAll(hostileProfile, "EVIL", "x"))
		}},
		{"placeholders", func(e string) string {
			return strings.ReplaceAll(hostileProfile, `"{type}"`, yamlText(t, "{typ} "+e))
		}},
		{"another document", func(e string) string { return "--- " + yamlText(t, e) + "\n--- &" + e + " !" + e + "\n*" + e }},
	} {
		for _, command := range []string{
			"profiles check ./p.yaml", "profiles show ./p.yaml", "profiles list", "plan -p ./p.yaml", "plan -p ./p.yaml -p kudos --respond 404",
			"plan -p ./p.yaml --respond 503", "send -p ./p.yaml --respond 404 -v", "send -p ./p.yaml --respond 200 --duplicate",
			"send -p ./p.yaml -e x --respond 200", "verify -p ./p.yaml -d x -H X-Acme-Signature:1", "check -p ./p.yaml --only unsigned :1", "sign -p ./p.yaml -o value -d x", "listen --for 1ms --addr 127.0.0.1:0",
		} {
			places = append(places, place{form.name + "/" + command, func(t *testing.T, evil string, more []string) ran {
				written(t, "p.yaml", form.text(evil))
				if strings.HasPrefix(command, "profiles list") || strings.HasPrefix(command, "listen") {
					folder(t, nil)
					if err := os.MkdirAll(localProfiles, 0o700); err != nil {
						t.Fatal(err)
					}
					written(t, localProfiles+"/acme.yaml", form.text(evil))
				}
				if len(more) > 0 && strings.HasPrefix(command, "profiles check") {
					more = nil // it has no document
				}
				return secretWorld.run(append(strings.Fields(command), more...)...)
			}})
		}
	}
	attack(t, places, "", "--json")
}

// So are the requests, bodies and names that verify is given.
func TestNoRequestDrivesTheTerminalOfVerify(t *testing.T) {
	folder(t, map[string]string{"other": "POST / HTTP/1.1\nX-Kudos-Signature: t=1,v1=2\n\n{}"})
	var places, others []place
	for name, request := range requestsOf() {
		places = append(places, place{name, func(t *testing.T, evil string, form []string) ran {
			args := []string{"verify", "--show-expected", "--app-computed", strings.Repeat("0f", 32), "--request", written(t, "request", request(evil))}
			return secretWorld.run(append(args, form...)...)
		}})
		others = append(others, place{name + " of another", func(t *testing.T, evil string, form []string) ran {
			args := []string{"verify", "-p", "kudos", "--request", "other", "--other-request", written(t, "request", request(evil)), "--try", evil + "=" + evil}
			return secretWorld.run(append(args, form...)...)
		}})
	}
	attack(t, places, "-v --color always", "--json")
	attack(t, others, "")
}
