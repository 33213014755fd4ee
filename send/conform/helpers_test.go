package conform

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

const (
	oldSecret = "old-secret-0001"
	newSecret = "new-secret-0002"
)

// text is a profile with two secrets, a time, and an id.
const text = `schema: 1
name: acme
title: Acme Pay
secret: { encoding: raw, active: 2 }
signature: { content: "{timestamp}.{body}", tolerance: { past: 5m, future: 5m } }
headers:
  Content-Type: application/json
  X-Acme-Signature: "t={timestamp},v1={signature}"
event: { id: id, type: type, new_id: "evt_{hex:16}" }
delivery:
  timeout: 8s
  rules:
    - { on: [2xx], then: delivered }
    - { on: [410], then: failed, effects: [pause-subscription] }
    - { on: [5xx, timeout, connection], then: retry }
    - { on: [any], then: failed }
promises: { dedupe: id }
events:
  paid: |
    {"id":"{id}","type":"paid","data":{"amount":1200,"currency":"EUR"}}
`

// profile is the profile of the text, with changes.
func profile(t testing.TB, changes ...string) *profiles.Profile {
	t.Helper()
	changed := strings.NewReplacer(changes...).Replace(text)
	if len(changes) > 0 && changed == text {
		t.Fatalf("nothing changed: %q", changes)
	}
	p, err := profiles.Parse("acme.yaml", []byte(changed))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// plainProfile has neither a time nor a second secret.
func plainProfile(t *testing.T) *profiles.Profile {
	return profile(t, "active: 2", "active: 1", `"{timestamp}.{body}", tolerance: { past: 5m, future: 5m }`, `"{body}"`, `"t={timestamp},v1={signature}"`, `"{signature}"`)
}

// options try a URL under a profile, without pauses.
func options(t *testing.T, p *profiles.Profile, url string, secrets ...string) Options {
	t.Helper()
	o := Options{Profile: p, URL: url, Seed: 7, Wait: noWait}
	for _, s := range secrets {
		k, err := sign.NewKey(p, s)
		if err != nil {
			t.Fatal(err)
		}
		o.Keys = append(o.Keys, k)
	}
	body := `{"id":"evt_1","type":"paid","data":{"amount":1200,"currency":"EUR"}}`
	o.Event = send.Message{ID: "evt_1", Type: "paid", Body: []byte(body)}
	return o
}

// noWait does not pause, but lets others run.
func noWait(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// check runs the checks.
func check(t *testing.T, o Options) *Report {
	t.Helper()
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// only is the result of one check.
func only(t *testing.T, r *Report, id string) Result {
	t.Helper()
	for _, c := range r.Results {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no check %s in the report", id)
	return Result{}
}

// ids are the checks of a level that are in a state.
func ids(r *Report, l Level, s State) string {
	var all []string
	for _, c := range r.Results {
		if c.Level == l && c.State == s {
			all = append(all, c.ID)
		}
	}
	return strings.Join(all, " ")
}

// serve serves until the test ends.
func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL + "/hooks"
}

// right is a receiver that verifies what the profile signs, and accepts it.
func right(t *testing.T, o *Options) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return
		}
		var header []sign.Header
		for name, values := range req.Header {
			for _, v := range values {
				header = append(header, sign.Header{Name: name, Value: v})
			}
		}
		switch result := sign.Verify(o.Profile, sign.Received{Header: header, Body: body}, time.Now(), o.Keys...); {
		case req.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case !result.Verified:
			w.WriteHeader(http.StatusUnauthorized)
		}
	}
}

var receivers = filepath.Join("..", "..", "testdata", "receivers")

// built builds the faulty receiver once.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "faulty")
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "faulty.exe")
	out, err := exec.Command("go", "build", "-o", program, filepath.Join("..", "..", "testdata", "receivers", "faulty")).CombinedOutput()
	if err != nil {
		return string(out), err
	}
	return program, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if program, err := built(); err == nil {
		os.RemoveAll(filepath.Dir(program))
	}
	os.Exit(code)
}

// start starts a small receiver and returns its URL.
func start(t *testing.T, p *profiles.Profile, id string, env []string, program ...string) string {
	t.Helper()
	scheme := "hex"
	if p.Signature.Tolerance != nil {
		scheme = "t-v1"
	}
	c := exec.Command(program[0], program[1:]...)
	c.Env = append(c.Environ(), "SCHEME="+scheme, "HEADER="+sign.SignatureHeader(p).Name, "ID="+id)
	c.Env = append(c.Env, env...)
	stdin, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		_ = c.Wait() // some of them crash
	})
	in := bufio.NewReader(stdout)
	line, err := in.ReadString('\n')
	port, ok := strings.CutPrefix(strings.TrimSpace(line), "listening ")
	if err != nil || !ok {
		t.Fatalf("%s said %q: %v", program[0], line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, in) }()
	return "http://127.0.0.1:" + port + "/hooks"
}
