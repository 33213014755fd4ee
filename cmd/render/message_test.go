package render

import (
	"bytes"
	"strings"
	"testing"
)

// say is what the messages print.
func say(t *testing.T, s Style, messages ...Message) string {
	t.Helper()
	var b bytes.Buffer
	for _, m := range messages {
		if err := Say(&b, s, m); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func TestMessagesLookLikeTheirPictures(t *testing.T) {
	noProfile := []Message{
		{Kind: Error, Text: `no profile named "kudoz"; did you mean kudos?`},
		{Kind: Hint, Text: "see all of them", Command: "hookctl profiles list"},
	}
	terminal := Style{Width: 80, Terminal: true}
	tests := []struct {
		name     string
		style    Style
		messages []Message
	}{
		{"say-no-profile-80", terminal, noProfile},
		{"say-no-profile-pipe", Style{Width: 80}, noProfile},
		{"say-bad-key-80", terminal, []Message{
			{Kind: Error, Text: `./acme.yaml:14:3: unknown key "timeuot" in delivery`, Source: []string{
				"14 |   timeuot: 8s",
				`   |   ^^^^^^^ did you mean "timeout"?`,
			}},
			{Kind: Hint, Text: "after the change:", Command: "hookctl profiles check ./acme.yaml"},
		}},
		{"say-no-secret-80", terminal, []Message{
			{Kind: Error, Text: "no secret for kudos"},
			{
				Kind: Hint, Text: "it is in the CRM console; name the variable that holds it",
				Command: "hookctl send -p kudos --secret-env KUDOS_SECRET http://localhost:3000/hooks",
			},
		}},
		{"say-port-in-use-80", terminal, []Message{
			{Kind: Error, Text: "cannot listen on 127.0.0.1:4665: address already in use"},
			{
				Kind: Hint, Text: "another hookctl may be running there; any free port",
				Command: "hookctl listen --verify --addr 127.0.0.1:0",
			},
		}},
		{"say-bad-script-80", terminal, []Message{
			{Kind: Error, Text: `--respond: step 2 of 3: unknown option "retryafter"`, Source: []string{
				"503x2,429:retryafter=120,200",
				`          ^^^^^^^^^^ did you mean "retry-after"?`,
			}},
			{Kind: Hint, Text: "all steps and options", Command: "hookctl help response-script"},
		}},
		{"say-gone-80", terminal, []Message{
			{Kind: Note, Text: "re-arm the subscription in Settings when you are ready; the CRM's delivery log can send any delivery again"},
			{Kind: Hint, Text: "410 is how a receiver deregisters itself; to refuse one event only, answer another 4xx"},
		}},
		{"say-assumed-80", terminal, []Message{
			{Kind: Note, Text: "fetch the result: GET /v1/<endpoint>/{job_id}/ (Async Polling)"},
			{
				Kind: Note, Text: "1 verdict is assumed: the documentation does not say what a redirect does; see",
				Command: "hookctl profiles show clodo",
			},
			{Kind: Hint, Text: "send to where it points", Command: "hookctl send -p clodo http://localhost:3000/hooks/clodo/"},
		}},
		{"say-kustomer-failed-80", terminal, []Message{
			{Kind: Note, Text: "events are not queued while the webhook is off; switch it on again in Settings, Platform, Outbound webhooks; fetch what changed by a search with an updated_at window that starts before the outage"},
			{
				Kind: Hint, Text: "401 every time: most often the signature check hashes parsed JSON in place of the raw body; try",
				Command: "hookctl check -p kustomer --only raw-bytes,wall http://localhost:3000/kustomer",
			},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := say(t, test.style, test.messages...)
			golden(t, test.name, []byte(got))
			test.style.Color = true
			if coloured := say(t, test.style, test.messages...); stripped(coloured) != got || coloured == got {
				t.Errorf("with colour: %q", coloured)
			}
		})
	}
}

func TestMessageIsOneLineInAPipe(t *testing.T) {
	long := strings.Repeat("word ", 40) + "end"
	want := "hookctl: warning: " + long + ": hookctl listen\n"
	if got := say(t, Style{Width: 80}, Message{Kind: Warning, Text: long, Command: "hookctl listen"}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMessageIsPaintedByItsKind(t *testing.T) {
	s := Style{Width: 80, Color: true}
	for kind, word := range map[Kind]role{Error: strongBad, Warning: warn, Note: dim, Hint: strong, "": plain} {
		want := "hookctl: text\n"
		if kind != "" {
			want = "hookctl: " + s.paint(word, string(kind)) + ": text\n"
		}
		if got := say(t, s, Message{Kind: kind, Text: "text"}); got != want {
			t.Errorf("%q: got %q, want %q", kind, got, want)
		}
	}
	got := say(t, s, Message{Kind: Error, Text: "x^y", Source: []string{"1 | a^b", "  |  ^^ c^d"}})
	want := "hookctl: " + s.paint(strongBad, "error") + ": x^y\n    1 | a^b\n      |  " + s.paint(strongBad, "^^") + " c^d\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMessageIsEscaped(t *testing.T) {
	got := say(t, Style{Width: 80, Terminal: true},
		Message{Kind: Error, Text: "a\nb\x1b", Command: "c\x1bd", Source: []string{"e\x1bf", "g\nh"}})
	want := "hookctl: error: a\\nb\\x1b:\n  c\\x1bd\n    e\\x1bf\n    g\\nh\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCommandIsNeverBroken(t *testing.T) {
	command := "hookctl send " + strings.Repeat("http://localhost/ ", 10) + "end"
	want := "hookctl: hint: try:\n  " + command + "\n"
	if got := say(t, Style{Width: 60, Terminal: true}, Message{Kind: Hint, Text: "try", Command: command}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
