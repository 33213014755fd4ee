package cmd_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// readme are the commands of the README, and how far each can be run here: those
// of its sh blocks, and of its recipes for CI those that begin with hookctl. APP
// is an application that answers. A changed README fails until its lines stand
// here too.
var readme = []struct{ line, run string }{
	{"go run . send --profile kudos --respond 503,429:retry-after=120,200", "hookctl send --profile kudos --respond 503,429:retry-after=120,200"},
	{"go test ./...", ""}, // this
	{"go install github.com/hookctl/hookctl@latest", ""},
	{"hookctl completion bash > hookctl.bash   # or zsh, fish, powershell: hookctl completion --help", "hookctl completion bash > hookctl.bash"},
	{"hookctl man ./man                        # then: man ./man/hookctl-send.1", "hookctl man ./man"},
	{"hookctl send -p kudos --secret-env KUDOS_SECRET :3000/hooks", "hookctl send -p kudos --secret-env KUDOS_SECRET APP/hooks"},
	{"hookctl send -p kudos --secret-env KUDOS_SECRET --count 500 --concurrency 20 :3000/hooks", "hookctl send -p kudos --secret-env KUDOS_SECRET --count 500 --concurrency 20 APP/hooks"},
	{"hookctl listen --verify --secret-env KUDOS_SECRET --dedupe --record hooks.ndjson --forward-to :3000",
		"hookctl listen --verify --secret-env KUDOS_SECRET --dedupe --record hooks.ndjson --forward-to APP --addr 127.0.0.1:0 --for 1ms"},
	{"hookctl replay hooks.ndjson --secret-env KUDOS_SECRET :3000/hooks", "hookctl replay hooks.ndjson --secret-env KUDOS_SECRET APP/hooks"},
	{"hookctl replay hooks.ndjson --secret-env KUDOS_SECRET --number 3 --export curl :3000/hooks", "hookctl replay hooks.ndjson --secret-env KUDOS_SECRET --number 3 --export curl APP/hooks"},
	{"hookctl verify --secret-env KUDOS_SECRET --request request.txt   # its head, a blank line, its body, as they arrived", "hookctl verify --secret-env KUDOS_SECRET --request request.txt --at 1767348183"},
	{"hookctl verify --secret-env KUDOS_SECRET --from hooks.ndjson --number 3", "hookctl verify --secret-env KUDOS_SECRET --from hooks.ndjson --number 3"},
	{"hookctl check -p kudos --secret-env KUDOS_SECRET http://localhost:3000/hooks", "hookctl check -p kudos --list"},
	{"hookctl plan -p all --respond 503x5,200", "hookctl plan -p all --respond 503x5,200"},
	{"hookctl forecast -p kudos -p clodo -p kustomer --down 40m --rate 50", "hookctl forecast -p kudos -p clodo -p kustomer --down 40m --rate 50"},
	{"hookctl profiles new acme > acme.yaml", "hookctl profiles new acme > acme.yaml"},
	{"hookctl profiles check ./acme.yaml", "hookctl profiles check ./acme.yaml"},
	{"hookctl send -p ./acme.yaml --respond 500x2,200", "hookctl send -p ./acme.yaml --respond 500x2,200"},
	{"curl --data-binary @event.json -H @<(hookctl sign -p kudos --secret-env KUDOS_SECRET -d @event.json) localhost:3000/hooks", "hookctl sign -p kudos --secret-env KUDOS_SECRET -d @event.json"},
	{`hookctl check -p kudos --secret-env KUDOS_SECRET --junit webhooks.xml --markdown "$GITHUB_STEP_SUMMARY" :3000/hooks`, ciCheck + " --markdown summary.md"},
	{"hookctl listen -p kudos --verify --secret-env KUDOS_SECRET --ready-file ready --exit-after 3 --for 30s --expect verified &",
		"! hookctl listen -p kudos --verify --secret-env KUDOS_SECRET --ready-file ready --exit-after 3 --for 1ms --expect verified --addr 127.0.0.1:0"}, // nobody sends
	{"hookctl check -p kudos --secret-env KUDOS_SECRET --junit webhooks.xml :3000/hooks", ciCheck},
}

// ciCheck is a check as in CI. Nothing answers at port 1.
const ciCheck = "!3 hookctl check -p kudos --secret-env KUDOS_SECRET --junit webhooks.xml http://127.0.0.1:1/hooks"

func TestTheCommandsOfTheREADMERun(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, block := range regexp.MustCompile("(?ms)^```(sh|yaml)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		for line := range strings.Lines(block[2]) {
			line = strings.TrimSuffix(line, "\n")
			if block[1] == "yaml" {
				if line = strings.TrimLeft(line, " -"); !strings.HasPrefix(line, "hookctl ") {
					continue
				}
			}
			lines = append(lines, line)
		}
	}
	for i, line := range lines {
		if i >= len(readme) || line != readme[i].line {
			t.Fatalf("command %d of the README is %q, which this test does not know", i+1, line)
		}
	}
	if len(lines) != len(readme) {
		t.Fatalf("the README has %d commands, want %d", len(lines), len(readme))
	}
	t.Chdir(t.TempDir())
	env := append(os.Environ(), "HOME="+t.TempDir(), "HOOKCTL_CONFIG=", "HOOKCTL_SECRET=", "HOOKCTL_PROFILE=", "HOOKCTL_URL=", "XDG_CONFIG_HOME=", "KUDOS_SECRET=new-kudos-secret")
	const body = `{"event_id":"evt_5d2f9b6ac1e04b7f","event_type":"payment.succeeded","data":{"amount":1200,"currency":"EUR"}}`
	const value = "t=1767348183,v1=22be340f8276bcf71bcf2433f462c27e7e98995a3f646a329674280bc34ecd0a"
	recorded, err := listen.Request{
		Number: 3, At: time.Unix(1767348183, 0), Method: "POST", Header: []sign.Header{{Name: "X-Kudos-Signature", Value: value}},
		Body: []byte(body), BodyRead: true, Profile: &profiles.Profile{Name: "kudos"},
	}.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"event.json": body, "hooks.ndjson": string(recorded) + "\n",
		"request.txt": "POST /hooks HTTP/1.1\nX-Kudos-Signature: " + value + "\n\n" + body,
	} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	app := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	defer app.Close()
	for _, c := range readme {
		words := strings.Fields(strings.ReplaceAll(c.run, "APP", app.URL))
		if len(words) == 0 {
			continue
		}
		want := map[string]int{"!": 1, "!3": 3}[words[0]]
		if want > 0 {
			words = words[1:]
		}
		var into string
		if n := len(words); n > 2 && words[n-2] == ">" {
			into, words = words[n-1], words[:n-2]
		}
		p := exec.Command(words[0], words[1:]...)
		var stderr strings.Builder
		p.Env, p.Stderr = env, &stderr
		out, _ := p.Output()
		if code := p.ProcessState.ExitCode(); code != want {
			t.Errorf("%s: exit code %d, want %d: %s", c.run, code, want, &stderr)
		}
		if into != "" {
			if err := os.WriteFile(into, out, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestTheREADMEIsShort(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n >= 250 {
		t.Errorf("%d lines, want fewer than 250", n)
	}
}

// The first two commands are those that a stranger types.
func TestTheREADMEBeginsWithTwoCommandsThatNeedNothing(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	rest := string(text)
	for _, command := range []string{"go run . send --profile kudos --respond 503,429:retry-after=120,200", "go test ./..."} {
		_, after, ok := strings.Cut(rest, "```sh\n"+command+"\n```\n")
		if !ok {
			t.Fatalf("no block with %q alone", command)
		}
		if strings.Contains(strings.TrimSuffix(rest, after), "```sh\n") && strings.Count(strings.TrimSuffix(rest, after), "```sh\n") != 1 {
			t.Errorf("another command stands before %q", command)
		}
		rest = after
	}
}

// The tables of the providers have the figures of the list.
func TestTheTablesOfTheREADMEAreTrue(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := run(t, nil, "profiles", "list")
	rows := strings.Split(strings.TrimSuffix(list, "\n"), "\n")[1:]
	if len(rows) < 9 {
		t.Fatalf("only %d profiles", len(rows))
	}
	for _, row := range rows {
		cells := regexp.MustCompile("  +").Split(row, -1) // name, title, attempts, over, limit, from
		want := cells[2] + " over " + cells[3]
		if cells[3] == "0 s" {
			want = "| " + cells[2] + " |"
		}
		line := regexp.MustCompile("(?m)^\\| `" + cells[0] + "` .*$").FindString(string(text))
		if line == "" { // a column of the large table
			line = regexp.MustCompile(`(?m)^\| attempts .*$`).FindString(string(text))
		}
		if !strings.Contains(line, want) {
			t.Errorf("%s: %q does not say %q", cells[1], line, want)
		}
	}
}

// The picture below the first command is what it prints, but for what differs
// from run to run.
func TestTheFirstPictureIsGolden(t *testing.T) {
	t.Setenv("LANG", "C.UTF-8")
	code, stdout, stderr := run(t, nil, "send", "--profile", "kudos", "--respond", "503,429:retry-after=120,200", "--seed", "29")
	if code != 0 || stderr != "hookctl: note: no secret given: using the development secret, as listen does\n" {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	golden(t, "first-picture", masked(stdout))
	checkWidth(t, stdout)

	text, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, picture, _ := strings.Cut(string(text), "```text\n")
	picture, _, _ = strings.Cut(picture, "```\n")
	seed := regexp.MustCompile(`  108 bytes  seed ([0-9]+)\n`).FindStringSubmatch(picture)
	if seed == nil {
		t.Fatalf("the README shows no seed: %s", picture)
	}
	_, stdout, stderr = run(t, nil, "send", "--profile", "kudos", "--respond", "503,429:retry-after=120,200", "--seed", seed[1])
	if got, want := masked(picture), masked(stderr+stdout); got != want {
		t.Errorf("the README shows\n%s\nhookctl prints\n%s", got, want)
	}
}

// masked is a picture without the times of this run and what follows from them.
func masked(picture string) string {
	for _, m := range []struct{ pattern, mask string }{
		{`(  (?:503|429|200))(?:[ 0-9<.]{10} ms|[ 0-9.]{11} s)`, "${1}         TOOK"},
		{`t=[0-9]{10},v1=[0-9a-f]{8}…[0-9a-f]{4}`, "t=SECONDS,v1=DIGEST"},
		{`(?m)^( 2 +|    0 s +)3[12]\.[0-9] s`, "${1}31.6 s"}, // attempts take a moment, more on a busy machine
		{`2 m 3[1-3] s`, "2 m 31 s"},
		{`First-Sent-At: 20[0-9-]{8}T[0-9:]{8}Z`, "First-Sent-At: TIME"},
	} {
		picture = regexp.MustCompile(m.pattern).ReplaceAllString(picture, m.mask)
	}
	return picture
}
