package cmd

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
)

func TestSecretsComeFromOneSourceInTheirOrder(t *testing.T) {
	folder(t, map[string]string{
		"lf": "of-file\n", "crlf": "of-file\r\n", "bare": "of-file", "two": "of-file\n\n", "cr": "of-file\r", "blank": " of-file \n", "lines": "a\nb\n",
		"largest": strings.Repeat("x", 64<<10), "large": strings.Repeat("x", 64<<10+1),
	})
	env := func(more ...string) map[string]string {
		all := map[string]string{"A": "of-a", "B": "of-b", "EMPTY": ""}
		for i := 0; i+1 < len(more); i += 2 {
			all[more[i]] = more[i+1]
		}
		return all
	}
	conf := &config{files: []configFile{{profiles: map[string]configProfile{"kudos": {secrets: []secretSource{{"secret", "of-config", "c.yaml:1:1: value"}}}}}}}
	for _, test := range []struct {
		name  string
		env   map[string]string
		flags string
		stdin string
		want  []secret
		err   string
	}{
		{name: "one flag", env: env(), flags: "--secret text", want: []secret{{text: "text", from: "--secret"}}},
		{name: "the order is that of the flags", env: env(), flags: "--secret-env B --secret-file lf --secret text --secret-env A", want: []secret{
			{text: "of-b", from: "--secret-env"}, {text: "of-file", from: "--secret-file", newline: true}, {text: "text", from: "--secret"}, {text: "of-a", from: "--secret-env"}}},
		{name: "the same flag twice", env: env(), flags: "--secret-env B --secret-env A", want: []secret{{text: "of-b", from: "--secret-env"}, {text: "of-a", from: "--secret-env"}}},
		{name: "LF is dropped", env: env(), flags: "--secret-file lf", want: []secret{{text: "of-file", from: "--secret-file", newline: true}}},
		{name: "CRLF is dropped", env: env(), flags: "--secret-file crlf", want: []secret{{text: "of-file", from: "--secret-file", newline: true}}},
		{name: "no line end", env: env(), flags: "--secret-file bare", want: []secret{{text: "of-file", from: "--secret-file"}}},
		{name: "one line end only", env: env(), flags: "--secret-file two", want: []secret{{text: "of-file\n", from: "--secret-file", newline: true}}},
		{name: "CR stays", env: env(), flags: "--secret-file cr", want: []secret{{text: "of-file\r", from: "--secret-file"}}},
		{name: "blanks stay", env: env(), flags: "--secret-file blank", want: []secret{{text: " of-file ", from: "--secret-file", newline: true}}},
		{name: "a file is one secret", env: env(), flags: "--secret-file lines", want: []secret{{text: "a\nb", from: "--secret-file", newline: true}}},
		{name: "stdin", env: env(), flags: "--secret-file -", stdin: "of-stdin\n", want: []secret{{text: "of-stdin", from: "--secret-file", newline: true}}},
		{name: "stdin twice", env: env(), flags: "--secret-file - --secret-file -", stdin: "x", err: "standard input holds a secret; it cannot hold a secret too"},
		{name: "64 KiB", env: env(), flags: "--secret-file largest", want: []secret{{text: strings.Repeat("x", 64<<10), from: "--secret-file"}}},
		{name: "over 64 KiB", env: env(), flags: "--secret-file large", err: "--secret-file: .*(65536 bytes|64 KiB)"},
		{name: "endless stdin", env: env(), flags: "--secret-file -", stdin: strings.Repeat("x", 64<<10+1), err: "--secret-file: .*(65536 bytes|64 KiB)"},
		{name: "a missing file", env: env(), flags: "--secret-file none", err: "--secret-file: .*no such file or directory"},
		{name: "a folder", env: env(), flags: "--secret-file .", err: "--secret-file: .*is a directory"},
		{name: "an unset variable", env: env(), flags: "--secret-env A --secret-env hunter2", err: `--secret-env \(secret 2 of 2\): the environment variable is not set`},
		{name: "an empty variable", env: env(), flags: "--secret-env EMPTY", want: []secret{{from: "--secret-env"}}},

		{name: "HOOKCTL_SECRET", env: env("HOOKCTL_SECRET", "one"), want: []secret{{text: "one", from: "HOOKCTL_SECRET"}}},
		{name: "a line end after it", env: env("HOOKCTL_SECRET", "one\n"), want: []secret{{text: "one", from: "HOOKCTL_SECRET"}}},
		{name: "two lines", env: env("HOOKCTL_SECRET", "one\ntwo"), want: []secret{{text: "one", from: "HOOKCTL_SECRET"}, {text: "two", from: "HOOKCTL_SECRET"}}},
		{name: "two lines and CRLF", env: env("HOOKCTL_SECRET", "one\r\ntwo\r\n"), want: []secret{{text: "one", from: "HOOKCTL_SECRET"}, {text: "two", from: "HOOKCTL_SECRET"}}},
		{name: "an empty line counts", env: env("HOOKCTL_SECRET", "one\n\n"), want: []secret{{text: "one", from: "HOOKCTL_SECRET"}, {from: "HOOKCTL_SECRET"}}},
		{name: "three lines", env: env("HOOKCTL_SECRET", "one\ntwo\nthree"), err: "HOOKCTL_SECRET has 3 lines; at most two secrets can be in use"},
		{name: "flags replace the environment", env: env("HOOKCTL_SECRET", "one\ntwo"), flags: "--secret-env A", want: []secret{{text: "of-a", from: "--secret-env"}}},
		{name: "the environment replaces the config", env: env("HOOKCTL_SECRET", "one"), want: []secret{{text: "one", from: "HOOKCTL_SECRET"}}},
		{name: "the config", env: env(), want: []secret{{text: "of-config", from: "c.yaml:1:1: value"}}},
		{name: "an empty HOOKCTL_SECRET says nothing", env: env("HOOKCTL_SECRET", ""), want: []secret{{text: "of-config", from: "c.yaml:1:1: value"}}},
		{name: "--no-secret is none at all", env: env("HOOKCTL_SECRET", "one"), flags: "--no-secret", want: nil},
		{name: "--no-secret beside another", env: env(), flags: "--no-secret --secret x", err: "--no-secret excludes the other secret flags"},
	} {
		a, _, _ := world{env: test.env, stdin: strings.NewReader(test.stdin)}.app()
		c := a.sendCommand()
		if err := c.ParseFlags(strings.Fields(test.flags)); err != nil {
			t.Fatal(err)
		}
		var s secretFlags
		s.given = *c.Flags().Lookup("secret").Value.(*secretFlag).all
		s.none = c.Flags().Lookup("no-secret").Value.String() == "true"
		got, err := a.secrets(&s, conf, "kudos")
		if test.err != "" {
			if err == nil || !regexp.MustCompile("^"+test.err+"$").MatchString(err.Error()) {
				t.Errorf("%s: %v, want %s", test.name, err, test.err)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, %v, want %v", test.name, got, err, test.want)
		}
	}
}

func TestAnEmptySecretIsWrongUse(t *testing.T) {
	folder(t, map[string]string{"empty": "", "newline": "\n", ".hookctl.yaml": ""})
	for _, test := range []struct {
		env   map[string]string
		flags string
	}{
		{nil, "--secret="},
		{map[string]string{"EMPTY": ""}, "--secret-env EMPTY"},
		{nil, "--secret-file empty"},
		{nil, "--secret-file newline"},
		{map[string]string{"HOOKCTL_SECRET": "\n"}, ""},
		{map[string]string{"HOOKCTL_SECRET": "one\n\n"}, ""},
		{nil, "--secret one --secret="},
	} {
		for _, command := range []string{"send -p kudos --respond 200", "sign -p kudos -d x", "verify -p kudos -d x -H X-Kudos-Signature:t=1,v1=00"} {
			r := world{env: test.env}.run(append(strings.Fields(command), strings.Fields(test.flags)...)...)
			r.want(t, ExitUsage, `^hookctl: error: .*empty`)
		}
	}
}

func TestASecretThatTheProfileCannotReadIsWrongUse(t *testing.T) {
	folder(t, map[string]string{"b.yaml": strings.Replace(bare, "signature:", "secret: { encoding: base64, strip: whsec_ }\nsignature:", 1)})
	r := world{}.run("sign", "-p", "./b.yaml", "--secret", "whsec_"+canary+"!", "-d", "x")
	r.want(t, ExitUsage, `^hookctl: error: the secret \(--secret\): `)
	r.never(t, "Canary")
	r = world{env: map[string]string{"HOOKCTL_SECRET": "whsec_aGk=\nwhsec_" + canary + "!"}}.run("send", "-p", "./b.yaml", "--respond", "200")
	r.want(t, ExitUsage, `^hookctl: error: .*secret.* 2 .*HOOKCTL_SECRET`)
	r.never(t, "Canary")
}

// bare is a small profile.
const bare = `schema: 1
name: bare
signature: { content: "{body}", encoding: hex }
headers: { X-Bare-Signature: "{signature}" }
event: { id: id, type: type }
delivery:
  timeout: 8s
  rules:
    - { on: [2xx], then: delivered }
    - { on: [5xx, timeout, connection], then: retry }
    - { on: [any], then: failed }
retry: { waits: [1s, 2s] }
events:
  a.b: |
    {"id":"{id}","type":"a.b"}
`

func TestADroppedLineEndIsSaidWithVerboseOrAWrongSignature(t *testing.T) {
	folder(t, map[string]string{"s": "secret\n"})
	const said = "one line end was dropped from the secret of --secret-file"
	for _, test := range []struct {
		args string
		want bool
	}{
		{"sign -p kudos --secret-file s -d x", false},
		{"sign -p kudos --secret-file s -d x -v", true},
		{"send -p kudos --secret-file s --respond 200", false},
		{"send -p kudos --secret-file s --respond 200 -v", true},
		{"verify -p kustomer --secret-file s -d x -H X-Kustomer-Webhook-Signature:00", true},
		{"verify -p kustomer --secret-file s -d x -H X-Other:1", false},
		{"verify -p kustomer --secret-file s -d x -H X-Kustomer-Webhook-Signature:" + hexOf("secret", "x"), false},
		{"verify -p kustomer --secret-file s -d x -v -H X-Kustomer-Webhook-Signature:" + hexOf("secret", "x"), true},
	} {
		r := world{}.run(strings.Fields(test.args)...)
		if n := strings.Count(r.stderr, said); n != map[bool]int{true: 1}[test.want] {
			t.Errorf("%s: said %d times: %s", test.args, n, r.stderr)
		}
	}
}
