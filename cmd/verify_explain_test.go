package cmd

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// A worked is a case of testdata/explanations as verify is told of it.
type worked struct {
	ID        string                         `json:"id"`
	Profile   string                         `json:"provider_style"`
	Secret    string                         `json:"secret_known_to_verifier"`
	Used      string                         `json:"secret_used_by_sender"`
	Body      []byte                         `json:"body_received_b64"`
	Name      string                         `json:"header_name"`
	Value     string                         `json:"header_value"`
	More      map[string]string              `json:"extra_headers"`
	Length    json.Number                    `json:"content_length_header"`
	Now       json.Number                    `json:"now_unix"`
	Secrets   []struct{ Role, Value string } `json:"other_known_secrets"`
	Kind      string                         `json:"expected_diagnosis"`
	Certainty string                         `json:"expected_certainty"`
}

func workedCases(t *testing.T) []worked {
	t.Helper()
	f, err := os.Open("../testdata/explanations/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []worked
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var w worked
		if err := json.Unmarshal(lines.Bytes(), &w); err != nil {
			t.Fatal(err)
		}
		all = append(all, w)
	}
	if lines.Err() != nil || len(all) < 60 {
		t.Fatalf("%d cases, %v", len(all), lines.Err())
	}
	return all
}

// args are the flags of verify for the case. The secrets come from the
// environment, so that no command line has them.
func (w worked) args() (args []string, env map[string]string) {
	env = map[string]string{"OWN": w.Secret}
	args = []string{"verify", "-p", w.Profile, "--secret-env", "OWN", "-d", "@body", "--at", w.Now.String()}
	if w.Name != "" && w.Value != "" {
		args = append(args, "-H", w.Name+": "+w.Value)
	}
	for name, value := range w.More {
		args = append(args, "-H", name+": "+value)
	}
	if w.Length != "" {
		args = append(args, "-H", "Content-Length: "+w.Length.String())
	}
	for i, s := range w.Secrets {
		env["OTHER"+itoa(i)] = s.Value
		args = append(args, "--try", s.Role+"=env:OTHER"+itoa(i))
	}
	return args, env
}

func TestAnExplanationChangesNoVerdict(t *testing.T) {
	folder(t, nil)
	// Another delivery cannot explain what is verified, and no flag that only
	// helps to explain makes a refused request a verified one.
	const at, body = 1700000000, `{"event_id":"e1"}`
	right := signed(t, "kudos", "a-secret-of-16-bytes", at, body)
	wrong := signed(t, "kudos", "another-secret-of-it", at, body)
	for _, test := range []struct {
		name, header string
		flags        []string
		code         int
		verified     bool
		kind         string
	}{
		{"right, another secret to try", right, []string{"--try", "live=another-secret-of-it"}, ExitOK, true, ""},
		{"right, the app's digest is another", right, []string{"--app-computed", strings.Repeat("0", 64)}, ExitOK, true, "no_candidate_matched"},
		{"wrong, the secret is one to try", wrong, []string{"--try", "live=another-secret-of-it"}, ExitNo, false, "secret_test_live_mixup"},
		{"wrong, the app's digest is right", wrong, []string{"--app-computed", strings.TrimPrefix(right, "X-Kudos-Signature: ")}, ExitNo, false, "no_candidate_matched"},
		{"wrong, the right one is shown", wrong, []string{"--show-expected"}, ExitNo, false, "no_candidate_matched"},
	} {
		args := append([]string{"verify", "-p", "kudos", "--secret", "a-secret-of-16-bytes", "-d", body, "-H", test.header, "--at", "1700000000"}, test.flags...)
		r := world{}.run(append(args, "--json")...)
		r.want(t, test.code)
		doc := readVerdict(t, r.stdout)
		if doc.Verified != test.verified || doc.kind() != test.kind {
			t.Errorf("%s: verified %v, kind %q, want %v, %q", test.name, doc.Verified, doc.kind(), test.verified, test.kind)
		}
	}
}

// readVerdict reads the one document that verify writes.
func readVerdict(t *testing.T, stdout string) (v verdictRead) {
	t.Helper()
	if err := json.Unmarshal([]byte(stdout), &v); err != nil || strings.Count(stdout, "\n") != 1 {
		t.Fatalf("%v: %q", err, stdout)
	}
	return v
}

type verdictRead struct {
	Verified    bool
	Reason      *string
	Explanation *struct{ Kind, Certainty string }
}

func (v verdictRead) kind() string {
	if v.Explanation == nil {
		return ""
	}
	return v.Explanation.Kind
}

func TestRolesOfSecretsChooseTheKind(t *testing.T) {
	folder(t, map[string]string{"secret": "the-secret-that-signs\n"})
	header := signed(t, "kudos", "the-secret-that-signs", 1700000000, "x")
	for role, want := range map[string]string{
		"dashboard": "secret_cli_vs_dashboard", "cli": "secret_cli_vs_dashboard", "test": "secret_test_live_mixup", "live": "secret_test_live_mixup",
		"previous": "secret_rotated_previous", "next": "secret_rotated_next", "shop": "secret_other_endpoint",
	} {
		for _, source := range []string{"the-secret-that-signs", "@secret", "env:IT"} {
			r := world{env: map[string]string{"IT": "the-secret-that-signs", "OWN": "another-secret-0001"}}.run("verify", "-p", "kudos", "--secret-env", "OWN",
				"-d", "x", "-H", header, "--at", "1700000000", "--try", "wrong=nothing-of-it", "--try", role+"="+source, "--json")
			r.want(t, ExitNo)
			if got := readVerdict(t, r.stdout).kind(); got != want {
				t.Errorf("--try %s=%s: %s, want %s", role, source, got, want)
			}
			if !strings.Contains(r.stdout, `"named":"`+role+`"`) {
				t.Errorf("--try %s is not named: %s", role, r.stdout)
			}
			r.never(t, "the-secret-that-signs", "another-secret-0001")
		}
	}
	for _, bad := range []string{"live", "=x", "live=env:NOTSET", "live=@missing"} {
		r := world{}.run("verify", "-p", "kudos", "--secret", "s", "-d", "x", "-H", header, "--try", bad)
		if r.code != ExitUsage && r.code != ExitCannot || r.stdout != "" {
			t.Errorf("--try %s: exit code %d, %q", bad, r.code, r.stdout)
		}
	}
}

func TestOtherRequestsExplain(t *testing.T) {
	header := signed(t, "kudos", "a-secret-of-16-bytes", 1700000000, "that body")
	folder(t, map[string]string{
		"one": "POST / HTTP/1.1\nHost: h\n\nnot that", "two": "POST / HTTP/1.1\nHost: h\n\nthat body", "three": "not a request",
	})
	args := []string{"verify", "-p", "kudos", "--secret", "a-secret-of-16-bytes", "-d", "this body", "-H", header, "--at", "1700000000"}
	for _, test := range []struct {
		files []string
		code  int
		kind  string
	}{
		{nil, ExitNo, "no_candidate_matched"},
		{[]string{"one"}, ExitNo, "no_candidate_matched"},
		{[]string{"one", "two"}, ExitNo, "signature_from_other_delivery"},
	} {
		all := args
		for _, f := range test.files {
			all = append(all, "--other-request", f)
		}
		r := world{}.run(append(all, "--json")...)
		r.want(t, test.code)
		if got := readVerdict(t, r.stdout).kind(); got != test.kind {
			t.Errorf("with %v: %s, want %s", test.files, got, test.kind)
		}
	}
	r := world{}.run(append(args, "--other-request", "one", "--other-request", "two")...)
	if want := `The signature was made from the body of "two".`; !strings.Contains(r.stdout, want) {
		t.Errorf("no %q in\n%s", want, r.stdout)
	}
	world{}.run(append(args, "--other-request", "three")...).want(t, ExitUsage, `--other-request: three: `)
	world{}.run(append(args, "--other-request", "none")...).want(t, ExitCannot, `--other-request: none: no such file`)
}

func TestTheAddressExplains(t *testing.T) {
	folder(t, nil)
	body := `{"id":1}`
	header := "X-Kustomer-Webhook-Signature: " + hexOf("a-secret-of-16-bytes", "https://h.example/x"+body)
	args := []string{"verify", "-p", "kustomer", "--secret", "a-secret-of-16-bytes", "-d", body, "-H", header, "--json"}
	if got := readVerdict(t, world{}.run(args...).stdout).kind(); got != "no_candidate_matched" {
		t.Errorf("without the address: %s", got)
	}
	if got := readVerdict(t, world{}.run(append(args, "--url", "http://h.example/x/")...).stdout).kind(); got != "url_signed" {
		t.Errorf("with the address: %s, want url_signed", got)
	}
}

func TestSecretsThatAreNone(t *testing.T) {
	folder(t, nil)
	header := signed(t, "kudos", "a-secret-of-16-bytes", 1700000000, "x")
	args := []string{"verify", "-p", "kudos", "-d", "x", "-H", header, "--at", "1700000000", "--json"}
	for _, test := range []struct {
		name string
		more []string
		kind string
	}{
		{"none", nil, ""},
		{"none, one to try", []string{"--try", "live=a-secret-of-16-bytes"}, ""},
		{"empty", []string{"--secret", ""}, "secret_empty"},
		{"blank", []string{"--secret", " \t"}, "secret_empty"},
		{"one of two", []string{"--secret", "a-secret-of-16-bytes", "--secret", ""}, "secret_empty"},
	} {
		r := world{}.run(append(args, test.more...)...)
		r.want(t, ExitUsage, "^hookctl: error: ")
		doc := readVerdict(t, r.stdout)
		if doc.Verified || doc.Reason == nil || *doc.Reason != "no secret" || doc.kind() != test.kind {
			t.Errorf("%s: %s, want the reason no secret and the kind %q", test.name, r.stdout, test.kind)
		}
	}
}

// TestNoSecretAndNoExpectedSignatureIsShown goes through every worked case, as
// text, as JSON, and with all that -v adds.
func TestNoSecretAndNoExpectedSignatureIsShown(t *testing.T) {
	all := workedCases(t)
	folder(t, nil)
	for _, w := range all {
		if err := os.WriteFile("body", w.Body, 0o600); err != nil {
			t.Fatal(err)
		}
		args, env := w.args()
		shown := world{env: env}.run(append(args, "--show-expected", "--json")...).stdout
		var doc struct{ Expected []string }
		if shown != "" {
			if err := json.Unmarshal([]byte(shown), &doc); err != nil {
				t.Fatalf("%s: %v", w.ID, err)
			}
		}
		hidden := []string{w.Secret, w.Used}
		for _, s := range w.Secrets {
			hidden = append(hidden, s.Value)
		}
		for _, value := range doc.Expected {
			digest := value[max(strings.LastIndexByte(value, '='), -1)+1:]
			if raw, err := base64.StdEncoding.DecodeString(digest); err != nil || len(raw) == 0 {
				t.Fatalf("%s: no digest in %q", w.ID, value)
			}
			if !strings.Contains(strings.ToLower(w.Value), digest) { // else it is what was received
				hidden = append(hidden, digest)
			}
		}
		for _, how := range [][]string{nil, {"-v"}, {"--json"}} {
			r := world{env: env}.run(append(args, how...)...)
			for _, text := range hidden {
				if len(strings.TrimSpace(text)) >= 8 && strings.Contains(r.stdout+r.stderr, strings.TrimSpace(text)) {
					t.Errorf("%s %v shows what it must hide:\n%s%s", w.ID, how, r.stdout, r.stderr)
				}
			}
		}
	}
}
