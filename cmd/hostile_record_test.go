package cmd

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// recordsOf are records whose texts are an attack, one a place: what listen
// wrote, what send wrote, and what is neither.
func recordsOf(t *testing.T) map[string]func(evil string) string {
	const request = `{"schema":"hookctl.request/1","number":1,"at":"2026-01-02T10:03:03Z","remote":"REMOTE","method":"METHOD","target":"TARGET","proto":"PROTO",` +
		`"headers":[["NAME","VALUE"],["Authorization","***"]],"body_base64":"BODY","profile":"PROFILE","event":{"id":"ID","type":"TYPE","attempt":null},` +
		`"verified":true,"reason":"REASON","matched_secret":1,"age_s":0,"seen":"SEEN","of":null,"explanation":null,"answer":{"status":503,"by":"BY"},"took_s":0,"error":null}`
	const delivery = `{"schema":"hookctl.timeline/1","profile":"PROFILE","url":"TARGET","seed":1,"speed":"REMOTE","secret":null,"event":{"id":"ID","type":"TYPE","bytes":2,"body_base64":"BODY"},` +
		`"attempts":[{"number":1,"due_s":0,"at":"2026-01-02T10:03:03Z","took_s":1,"waited":true,"request":{"headers":[["NAME","VALUE"]]},"response":null,` +
		`"error":{"kind":"SEEN","message":"REASON"},"verdict":"retry","rule":"BY","reason":"METHOD","assumed":false,"next":null}],"state":"failed","reason":"rule","effects":[],"elapsed_s":1,"notes":["PROTO"]}`
	usual := map[string]string{
		"REMOTE": "127.0.0.1:1", "METHOD": "POST", "TARGET": "/", "PROTO": "HTTP/1.1", "NAME": "X-A", "VALUE": "b", "BODY": "e30=",
		"PROFILE": "kudos", "ID": "evt_1", "TYPE": "t", "REASON": "too old", "SEEN": "new", "BY": "script",
	}
	filled := func(text, at, evil string) string {
		for word, value := range usual {
			if word == at {
				value = strings.Trim(yamlText(t, evil), `"`)
				if word == "BODY" {
					value = base64.StdEncoding.EncodeToString([]byte(`{"event_id":` + yamlText(t, evil) + "}"))
				}
			}
			text = strings.ReplaceAll(text, `"`+word+`"`, `"`+value+`"`)
		}
		return text
	}
	records := map[string]func(string) string{
		"no record": func(evil string) string { return evil + "\n" },
		"wrong values": func(evil string) string {
			return strings.Replace(filled(request, "", ""), `"number":1`, `"number":`+yamlText(t, evil), 1)
		},
	}
	for word := range usual {
		records["request "+word] = func(evil string) string { return filled(request, word, evil) + "\n" + filled(request, "", "") + "\n" }
		records["delivery "+word] = func(evil string) string { return filled(delivery, word, evil) + "\n" + filled(delivery, "", "") + "\n" }
	}
	return records
}

// What a record holds is shown escaped, whoever reads it.
func TestNoRecordDrivesTheTerminal(t *testing.T) {
	folder(t, nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) }))
	defer server.Close()
	var places, documents []place
	for name, text := range recordsOf(t) {
		for _, command := range []string{
			"replay r " + server.URL, "replay r --as-recorded --number 1 " + server.URL, "replay r -p kudos --export har", "replay r --export curl",
			"verify --from r --number 1", "verify --from r --number 2", "listen --verify --dedupe --record r --for 1ms --addr 127.0.0.1:0",
		} {
			p := place{name + "/" + command, func(t *testing.T, evil string, form []string) ran {
				written(t, "r", text(evil))
				return secretWorld.run(append(strings.Fields(command), form...)...)
			}}
			switch {
			case strings.Contains(command, "--export"):
				documents = append(documents, place{p.name, func(t *testing.T, evil string, form []string) ran {
					r := p.run(t, evil, form)
					r.stdout = "" // for programs: exact
					return r
				}})
			default:
				places = append(places, p)
			}
		}
	}
	attack(t, places, "", "--json")
	attack(t, documents, "")
}
