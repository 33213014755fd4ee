package cmd

import (
	"fmt"
	"strings"
	"testing"
)

// signed is a header of the profile with its signature over body.
func signed(t *testing.T, profile, secret string, at int64, body string) string {
	t.Helper()
	r := world{}.run("sign", "-p", profile, "--secret", secret, "--timestamp", fmt.Sprint(at), "-d", body, "--id", "e1", "--url", "http://h/x")
	r.want(t, ExitOK)
	return strings.TrimSpace(r.stdout)
}

func TestTheAgeIsJudgedAsOfNow(t *testing.T) {
	folder(t, nil)
	const at = 1700000000
	header := signed(t, "kudos", "secret", at, "x")
	for _, test := range []struct {
		now, flags string
		code       int
		reason     string
	}{
		{"1700000000", "", ExitOK, ""},
		{"1700000300", "", ExitOK, ""}, // the edge is inside
		{"1700000301", "", ExitNo, "too old"},
		{"1699999700", "", ExitOK, ""},
		{"1699999699", "", ExitNo, "in the future"},
		{"2023-11-14T22:18:20Z", "", ExitOK, ""},
		{"2023-11-14T22:18:21Z", "", ExitNo, "too old"},
		{"1700000010", "--tolerance 10s", ExitOK, ""},
		{"1700000011", "--tolerance 10s", ExitNo, "too old"},
		{"1699999990", "--tolerance 10s", ExitOK, ""},
		{"1699999989", "--tolerance 10s", ExitNo, "in the future"},
		{"1700086400", "--tolerance 1d", ExitOK, ""},
		{"1700086401", "--tolerance 1d", ExitNo, "too old"},
		{"1800000000", "--tolerance 0", ExitOK, ""},
		{"1000000000", "--tolerance 0s", ExitOK, ""},
	} {
		args := append([]string{"verify", "-p", "kudos", "--secret", "secret", "-d", "x", "-H", header, "--at", test.now}, strings.Fields(test.flags)...)
		r := world{}.run(args...)
		r.want(t, test.code)
		first, _, _ := strings.Cut(r.stdout, "\n")
		want := "verified  kudos  secret 1 of 1"
		if test.reason != "" {
			want = "refused  kudos  " + test.reason
		}
		if !strings.HasPrefix(first, want) {
			t.Errorf("at %s %s: %q, want %q", test.now, test.flags, first, want)
		}
		if strings.Contains(r.stderr, "--at") {
			t.Errorf("a hint with --at beside --at: %s", r.stderr)
		}
	}
	// Without --at the clock decides, and the hint repeats the command.
	r := world{}.run("verify", "-p", "kudos", "--secret", "secret", "-d", "x", "-H", header)
	r.want(t, ExitNo, `^hookctl: hint: to verify it as of its own time: hookctl verify -p kudos --secret-env NAME -d x -H 'X-Kudos-Signature: t=1700000000,v1=[0-9a-f]{64}' --at 1700000000$`)
	r = world{}.run("verify", "-p", "kudos", "--secret", "other", "-d", "x", "-H", header)
	r.want(t, ExitNo)
	if strings.Contains(r.stderr, "hint") || !strings.Contains(r.stdout, "no matching signature") {
		t.Errorf("%s%s", r.stdout, r.stderr)
	}
}

// twin has the signature header of another profile.
func twin(name, header string) string {
	return strings.NewReplacer("name: bare", "name: "+name, "X-Bare-Signature", header).Replace(bare)
}

func TestAProfileIsRecognisedByItsHeaders(t *testing.T) {
	folder(t, map[string]string{
		".hookctl/profiles/one.yaml": twin("one", "X-Shared"),
		".hookctl/profiles/two.yaml": twin("two", "X-Shared"),
		".hookctl/profiles/odd.yaml": twin("odd", "X-Odd"),
	})
	for _, test := range []struct{ name, header, want, err string }{
		{"its signature header", "X-Odd: 00", "refused  odd  ", ""},
		{"without case", "x-odd: 00", "refused  odd  ", ""},
		{"another header with a placeholder", "X-Kudos-Event-Id: e1", "refused  kudos  missing header", ""},
		{"the signature header comes first", "X-Kustomer-Webhook-Signature: 00", "refused  kustomer  no matching signature", ""},
		{"none", "X-Unknown: 1", "", `no profile has a header of this request\nhookctl: hint: name one: hookctl verify --secret-env NAME -d x -H 'X-Unknown: 1' -p NAME$`},
		{"a constant header is not looked at", "Content-Type: application/json", "", `no profile has a header of this request`},
		{"several", "X-Shared: 00", "", `the headers fit one and two\nhookctl: hint: name one: hookctl verify --secret-env NAME -d x -H 'X-Shared: 00' -p one$`},
	} {
		r := world{}.run("verify", "--secret", "secret", "-d", "x", "-H", test.header)
		if test.err != "" {
			r.want(t, ExitUsage, `^hookctl: error: `+test.err)
			continue
		}
		r.want(t, ExitNo)
		if !strings.HasPrefix(r.stdout, test.want) {
			t.Errorf("%s: %s, want %s", test.name, r.stdout, test.want)
		}
	}
	r := world{env: map[string]string{"HOOKCTL_PROFILE": "two"}}.run("verify", "--secret", "secret", "-d", "x", "-H", "X-Shared: 00")
	r.want(t, ExitNo)
	if !strings.HasPrefix(r.stdout, "refused  two  ") {
		t.Errorf("%s", r.stdout)
	}
}

func TestTheURLIsFilledInWhereItIsSigned(t *testing.T) {
	folder(t, map[string]string{"u.yaml": strings.Replace(bare, `"{body}"`, `"{url}{body}"`, 1)})
	header := signed(t, "./u.yaml", "secret", 1, "x")
	for url, code := range map[string]int{"http://h/x": ExitOK, "http://h/y": ExitNo, "https://h/x": ExitNo} {
		world{}.run("verify", "-p", "./u.yaml", "--secret", "secret", "-d", "x", "-H", header, "--url", url).want(t, code)
	}
}

func TestTheSecretThatMatchedIsNamedByItsPlace(t *testing.T) {
	folder(t, nil)
	header := signed(t, "clodo", "secret", 1700000000, "x")
	for _, test := range []struct {
		secrets, want string
		code          int
	}{
		{"--secret secret", "verified  clodo  secret 1 of 1", ExitOK},
		{"--secret secret --secret other", "verified  clodo  secret 1 of 2", ExitOK},
		{"--secret other --secret secret", "verified  clodo  secret 2 of 2", ExitOK},
		{"--secret other", "refused  clodo  no matching signature", ExitNo},
		{"--secret a --secret b --secret secret", "", ExitUsage},
		{"", "", ExitUsage},
	} {
		r := world{}.run(append([]string{"verify", "-p", "clodo", "-d", "x", "-H", header, "--at", "1700000000"}, strings.Fields(test.secrets)...)...)
		r.want(t, test.code)
		if !strings.HasPrefix(r.stdout, test.want) || test.want == "" && r.stdout != "" {
			t.Errorf("%s: %s, want %s", test.secrets, r.stdout, test.want)
		}
	}
	// Kustomer's header holds one signature, yet two secrets are taken.
	world{}.run("verify", "-p", "kustomer", "-d", "x", "-H", signed(t, "kustomer", "secret", 1, "x"), "--secret", "other", "--secret", "secret").want(t, ExitOK)
}

func TestStdinIsReadOnce(t *testing.T) {
	folder(t, map[string]string{"req": "POST / HTTP/1.1\nX-Kudos-Signature: t=1,v1=00\n\nx"})
	for _, args := range []string{
		"verify -p kudos --secret-file - -H X-Kudos-Signature:t=1,v1=00",
		"verify -p kudos --secret-file - -d @- -H X-Kudos-Signature:t=1,v1=00",
		"verify -p kudos --secret-file - --request -",
		"sign -p kudos --secret-file -",
		"sign -p kudos --secret-file - -d @-",
		"send -p kudos --respond 200 --secret-file - -d @-",
		"send -p kudos --respond 200 --secret-file - --secret-file -",
	} {
		r := world{stdin: strings.NewReader("POST / HTTP/1.1\nX-A: 1\n\nx")}.run(strings.Fields(args)...)
		r.want(t, ExitUsage, `^hookctl: error: standard input holds (a secret|the body|the request); it cannot hold (a secret|the body|the request) too$`)
	}
	world{stdin: strings.NewReader("secret")}.run("verify", "-p", "kudos", "--secret-file", "-", "--request", "req").want(t, ExitNo)
	for _, both := range []string{"-d x", "-H X-A:1", "-d="} {
		r := world{}.run(append([]string{"verify", "-p", "kudos", "--secret", "s", "--request", "req"}, strings.Fields(both)...)...)
		r.want(t, ExitUsage, `^hookctl: error: --request is a whole request: it excludes -d and -H$`)
	}
}

func TestAnEmptyBodyThatIsGivenIsNotReadFromStdin(t *testing.T) {
	folder(t, nil)
	stdin := func() world { return world{stdin: strings.NewReader("x")} }
	for body, code := range map[string]int{"": ExitOK, "x": ExitNo} {
		stdin().run("verify", "-p", "kustomer", "--secret", "s", "-d", "", "-H", signed(t, "kustomer", "s", 1, body)).want(t, code)
	}
	stdin().run("verify", "-p", "kustomer", "--secret", "s", "-H", signed(t, "kustomer", "s", 1, "x")).want(t, ExitOK)
	if r := stdin().run("sign", "-p", "kustomer", "--secret", "s", "-d", "", "-o", "value"); strings.TrimSpace(r.stdout) != hexOf("s", "") {
		t.Errorf("sign: %+v", r)
	}
	if r := stdin().run("send", "-p", "kudos", "--respond", "200", "-d", "", "--json"); !strings.Contains(r.stdout, `"bytes":0`) {
		t.Errorf("send: %+v", r)
	}
}

func TestARawRequestIsVerified(t *testing.T) {
	header := func(t *testing.T) string { return signed(t, "kudos", "secret", 1700000000, "x") }
	folder(t, nil)
	raw := "POST /h HTTP/1.1\r\n" + header(t) + "\r\nContent-Length: 1\r\n\r\nx"
	folder(t, map[string]string{"req": raw, "over": raw + "\n", "more": raw + "\n\n", "bad": "x"})
	args := func(file string) []string {
		return []string{"verify", "--secret", "secret", "--at", "1700000000", "--request", file}
	}
	world{}.run(args("req")...).want(t, ExitOK)
	world{}.run(args("over")...).want(t, ExitOK, `^hookctl: note: Content-Length is 1: one line end after the body is dropped$`)
	world{}.run(args("more")...).want(t, ExitNo)
	world{stdin: strings.NewReader(raw)}.run(args("-")...).want(t, ExitOK)
	world{}.run(args("bad")...).want(t, ExitUsage, `^hookctl: error: --request: bad: line 1 is not a request line`)
	world{}.run(args("none")...).want(t, ExitCannot, `^hookctl: error: --request: .*no such file`)
	world{}.run(args(".")...).want(t, ExitCannot, `^hookctl: error: --request: `)
}
