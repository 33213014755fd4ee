package cmd

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/sign"
)

func TestAConfigFileIsRead(t *testing.T) {
	got, hasValue, err := parseConfig("c.yaml", []byte(`# what is mine
profile: kudos
profiles:
  kudos:
    url: :3000/hooks
    secrets: [{ env: OLD }, { file: new.txt }]
    headers: { X-B: one, X-A: two }
  acme:
    secrets:
      - value: text
`))
	want := configFile{path: "c.yaml", profile: "kudos", profiles: map[string]configProfile{
		"kudos": {
			url:     ":3000/hooks",
			secrets: []secretSource{{"secret-env", "OLD", "c.yaml:6:22: env"}, {"secret-file", "new.txt", "c.yaml:6:37: file"}},
			headers: []sign.Header{{Name: "X-B", Value: "one"}, {Name: "X-A", Value: "two"}},
		},
		"acme": {secrets: []secretSource{{"secret", "text", "c.yaml:10:16: value"}}},
	}}
	if err != nil || !hasValue || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\n%v, %v, want\n%+v", got, hasValue, err, want)
	}
	for _, empty := range []string{"", "\n", "# nothing\n"} {
		got, hasValue, err := parseConfig("c.yaml", []byte(empty))
		if err != nil || hasValue || !reflect.DeepEqual(got, configFile{path: "c.yaml", profiles: map[string]configProfile{}}) {
			t.Errorf("%q: %+v, %v, %v", empty, got, hasValue, err)
		}
	}
}

// canary stands where a secret may stand. No error may repeat it.
const canary = "whsec_CanaryThatIsSecret"

func TestAConfigFileIsStrictAndKeepsItsSecrets(t *testing.T) {
	for name, test := range map[string]struct{ file, want string }{
		"not YAML":                     {"profile: [" + canary, `c.yaml: not readable as YAML: line 1`},
		"not YAML, with a line":        {"profile: kudos\nprofiles:\n\t" + canary, `c.yaml: not readable as YAML: line 3`},
		"an alias of nothing":          {"profile: *" + canary, `c.yaml: not readable as YAML`},
		"a tag of nothing":             {"profile: !" + canary + "!x y", `c.yaml: not readable as YAML`},
		"a wrong escape":               {"profile: \"" + canary + "\\q\"", `c.yaml: not readable as YAML`},
		"a reserved sign":              {"profile: @" + canary, `c.yaml: not readable as YAML`},
		"a second document":            {"profile: kudos\n---\n" + canary + "\n", `c.yaml: more than one document`},
		"an empty second document":     {"profile: kudos\n---\n", `c.yaml: more than one document`},
		"a text":                       {canary, `c.yaml:1:1: the file must be a mapping`},
		"null":                         {"~", `c.yaml:1:1: the file must be a mapping`},
		"a list":                       {"- " + canary, `c.yaml:1:1: the file must be a mapping`},
		"an unknown key":               {canary + ": x", `c.yaml:1:1: unknown key in the file, which has profile and profiles`},
		"a key nearly right":           {"profil: " + canary, `c.yaml:1:1: unknown key "profil" in the file, which has profile and profiles; did you mean "profile"?`},
		"a key twice":                  {"profile: a\nprofile: " + canary, `c.yaml:2:1: a key of the file stands twice`},
		"a profile twice":              {"profiles:\n  a: { url: x }\n  a: { url: " + canary + " }", `c.yaml:3:3: a key of profiles stands twice`},
		"a key that is a list":         {"? [" + canary + "]\n: x", `c.yaml:1:3: a key of the file must be a plain word`},
		"a merge key":                  {"profiles:\n  a: { <<: { url: " + canary + " } }", `c.yaml:2:8: a key of profiles.a must be a plain word`},
		"an anchor on a text":          {"profile: &a " + canary, `c.yaml:1:10: profile must be a text`},
		"an anchor on a mapping":       {"profiles: &a { b: { url: " + canary + " } }", `c.yaml:1:11: profiles must be a mapping`},
		"an anchor on a key":           {"&a profile: " + canary, `c.yaml:1:1: a key of the file must be a plain word`},
		"an alias of a mapping":        {"profiles:\n  a: &x { url: " + canary + " }\n  b: *x", `c.yaml:2:6: profiles.a must be a mapping`},
		"an alias of a text":           {"profile: &x " + canary + "\nprofiles:\n  b: { url: *x }", `c.yaml:1:10: profile must be a text`},
		"a tag on a text":              {"profile: !!str " + canary, `c.yaml:1:10: profile must be a text`},
		"a binary text":                {"profile: !!binary " + canary, `c.yaml:1:10: profile must be a text`},
		"a tag on a mapping":           {"profiles: !!map { b: { url: " + canary + " } }", `c.yaml:1:11: profiles must be a mapping`},
		"no value":                     {"profile:", `c.yaml:1:9: profile must be a text`},
		"null as a text":               {"profile: ~", `c.yaml:1:10: profile must be a text`},
		"an empty text":                {`profile: ""`, `c.yaml:1:10: profile must be a text`},
		"a list as a text":             {"profile: [" + canary + "]", `c.yaml:1:10: profile must be a text`},
		"a text as profiles":           {"profiles: " + canary, `c.yaml:1:11: profiles must be a mapping`},
		"a text as a profile":          {"profiles: { kudos: " + canary + " }", `c.yaml:1:20: profiles.kudos must be a mapping`},
		"a secret as a key":            {"profiles: { kudos: { " + canary + ": x } }", `c.yaml:1:22: unknown key in profiles.kudos, which has url, secrets and headers`},
		"secrets as a text":            {"profiles: { kudos: { secrets: " + canary + " } }", `c.yaml:1:31: profiles.kudos.secrets must be a list of { env: NAME }, { file: PATH } or { value: TEXT }`},
		"secrets as a mapping":         {"profiles: { kudos: { secrets: { value: " + canary + " } } }", `c.yaml:1:31: profiles.kudos.secrets must be a list of { env: NAME }, { file: PATH } or { value: TEXT }`},
		"secrets with an anchor":       {"profiles: { kudos: { secrets: &a [{ value: " + canary + " }] } }", `c.yaml:1:31: profiles.kudos.secrets must be a list of { env: NAME }, { file: PATH } or { value: TEXT }`},
		"a bare secret":                {"profiles: { kudos: { secrets: [" + canary + "] } }", `c.yaml:1:32: an entry of profiles.kudos.secrets must be a mapping`},
		"a secret in a list":           {"profiles: { kudos: { secrets: [{ value: [" + canary + "] }] } }", `c.yaml:1:41: an entry of profiles.kudos.secrets must be a text`},
		"a secret that is null":        {"profiles: { kudos: { secrets: [{ value: null }] } }", `c.yaml:1:41: an entry of profiles.kudos.secrets must be a text`},
		"a secret that is empty":       {"profiles: { kudos: { secrets: [{ value: '' }] } }", `c.yaml:1:41: an entry of profiles.kudos.secrets must be a text`},
		"a secret with a wrong key":    {"profiles: { kudos: { secrets: [{ vlaue: " + canary + " }] } }", `c.yaml:1:34: unknown key "vlaue" in an entry of profiles.kudos.secrets, which has env, file and value; did you mean "value"?`},
		"a secret twice":               {"profiles: { kudos: { secrets: [{ value: " + canary + ", env: A }] } }", `c.yaml:1:32: an entry of profiles.kudos.secrets has one of env, file and value`},
		"an empty entry":               {"profiles: { kudos: { secrets: [{}] } }", `c.yaml:1:32: an entry of profiles.kudos.secrets has one of env, file and value`},
		"a header in a list":           {"profiles: { kudos: { headers: { X: [" + canary + "] } } }", `c.yaml:1:36: profiles.kudos.headers must be a text`},
		"headers in a list":            {"profiles: { kudos: { headers: [" + canary + "] } }", `c.yaml:1:31: profiles.kudos.headers must be a mapping`},
		"a header twice":               {"profiles: { kudos: { headers: { X: a, X: " + canary + " } } }", `c.yaml:1:39: a key of profiles.kudos.headers stands twice`},
		"a header in another case":     {"profiles: { kudos: { headers: { X-a: a, x-A: " + canary + " } } }", `c.yaml:1:46: a header of profiles.kudos.headers stands twice: case does not count`},
		"a URL in a mapping":           {"profiles: { kudos: { url: { a: " + canary + " } } }", `c.yaml:1:27: profiles.kudos.url must be a text`},
		"a secret in a profile's name": {"profiles: { " + canary + ": x }", `c.yaml:1:39: an entry of profiles must be a mapping`},
	} {
		_, _, err := parseConfig("c.yaml", []byte(test.file))
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		if got := err.Error(); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, test.want)
		}
		if f, ok := err.(*fault); !ok || f.code != ExitUsage {
			t.Errorf("%s: %#v is not wrong use", name, err)
		}
		if strings.Contains(err.Error(), "Canary") {
			t.Errorf("%s: the secret is in %v", name, err)
		}
	}
}

func TestAHomeThatIsNoFolderHoldsNoConfig(t *testing.T) {
	folder(t, map[string]string{"file": ""})
	w := world{env: map[string]string{"HOME": "file"}}
	w.run("sign", "-p", "kudos", "--secret", "s", "-d", "{}", "--id", "x").want(t, ExitOK)
	w.run("profiles", "list").want(t, ExitOK)
}

// The nearest source that has a value gives it, value by value.
func TestTheNearestSourceGivesEachValue(t *testing.T) {
	const (
		local = "profile: clodo\nprofiles:\n  clodo: { url: http://127.0.0.1:1/local, secrets: [{ value: local }], headers: { X-From: local } }\n"
		user  = "profile: kustomer\nprofiles:\n  clodo: { url: http://127.0.0.1:1/user, secrets: [{ value: user }], headers: { X-From: user } }\n" +
			"  kudos: { url: http://127.0.0.1:1/kudos, secrets: [{ value: user }] }\n"
		named = "profiles: { clodo: { secrets: [{ value: named }] } }\n"
	)
	digest := func(secret string) string {
		r := world{}.run("sign", "-p", "clodo", "--secret", secret, "--timestamp", "1", "-d", "x", "-o", "value")
		return strings.TrimSpace(r.stdout)
	}
	folder(t, nil)
	digests := map[string]string{}
	for _, s := range []string{"flag", "env", "local", "user", "named"} {
		digests[digest(s)] = s
	}
	for _, test := range []struct {
		name        string
		env         map[string]string
		local, user string
		args        string
		secret      string // whose secret signs
		url         string // the path of the target
		stderr      string
	}{
		{"the flags", map[string]string{"HOOKCTL_SECRET": "env", "HOOKCTL_URL": ":1/env", "HOOKCTL_PROFILE": "kudos"}, local, user,
			"-p clodo --secret flag --url :1/flag", "flag", "/flag", "using ./.hookctl.yaml"},
		{"the environment", map[string]string{"HOOKCTL_SECRET": "env", "HOOKCTL_URL": ":1/env", "HOOKCTL_PROFILE": "clodo"}, strings.Replace(local, "clodo", "kudos", 1), user,
			"", "env", "/env", "using ./.hookctl.yaml"},
		{"an empty variable says nothing", map[string]string{"HOOKCTL_SECRET": "", "HOOKCTL_URL": "", "HOOKCTL_PROFILE": ""}, local, user,
			"", "local", "/local", "using ./.hookctl.yaml"},
		{"the working directory's file", nil, local, user, "", "local", "/local", "using ./.hookctl.yaml"},
		{"the user's file", nil, "", strings.Replace(user, "kustomer", "clodo", 1), "", "user", "/user", ""},
		{"value by value", nil, "profile: clodo\nprofiles: { clodo: { url: http://127.0.0.1:1/local } }\n", user, "", "user", "/local", "using ./.hookctl.yaml"},
		{"what the nearer file lacks", nil, "profiles: { clodo: { secrets: [{ value: local }] } }\n", strings.Replace(user, "kustomer", "clodo", 1), "", "local", "/user", "using ./.hookctl.yaml"},
		{"nothing: the defaults", map[string]string{"HOOKCTL_SECRET": "env"}, "", "", "-p clodo", "env", "/", ""},
		{"HOOKCTL_CONFIG alone", map[string]string{"HOOKCTL_CONFIG": "named.yaml"}, local, user, "-p clodo", "named", "/", ""},
	} {
		files := map[string]string{"named.yaml": named}
		if test.local != "" {
			files[".hookctl.yaml"] = test.local
		}
		if test.user != "" {
			files["home/hookctl/config.yaml"] = test.user
		}
		folder(t, files)
		env := map[string]string{"XDG_CONFIG_HOME": t.TempDir()}
		if test.user != "" {
			env["XDG_CONFIG_HOME"] = abs(t, "home")
		}
		for name, v := range test.env {
			env[name] = v
		}
		args := append([]string{"sign", "--timestamp", "1", "-d", "x", "-o", "value"}, strings.Fields(test.args)...)
		r := world{env: env}.run(args...)
		r.want(t, ExitOK)
		if got := digests[strings.TrimSpace(r.stdout)]; got != test.secret {
			t.Errorf("%s: signed with the secret of %q, want %q", test.name, got, test.secret)
		}
		if got := r.stderr; got != map[bool]string{true: "hookctl: note: " + test.stderr + "\n"}[test.stderr != ""] {
			t.Errorf("%s: stderr %q, want %q", test.name, got, test.stderr)
		}
		args[len(strings.Fields("sign --timestamp 1 -d x -o value"))-1] = "curl"
		r = world{env: env}.run(append(args, "--id", "1")...)
		if !strings.HasSuffix(r.stdout, test.url+"\n") {
			t.Errorf("%s: the target is %q, want a path %q", test.name, r.stdout, test.url)
		}
	}
}

func TestHeadersOfTheConfigAreMaskedAndAFlagBeatsThem(t *testing.T) {
	folder(t, map[string]string{".hookctl.yaml": "profiles: { kudos: { headers: { X-Mine: " + canary + ", X-Other: " + canary + " } } }\n"})
	for _, form := range []string{"--json", "-v"} {
		r := world{}.run("send", "-p", "kudos", "--respond", "200", form, "-H", "x-mine: from-the-flag")
		r.want(t, ExitOK)
		r.never(t, "Canary")
		for _, want := range []string{"from-the-flag", "X-Other", "***"} {
			if !strings.Contains(r.stdout, want) {
				t.Errorf("%s: no %s in %s", form, want, r.stdout)
			}
		}
		r = world{}.run("send", "-p", "kudos", "--respond", "404", form)
		r.want(t, ExitNo)
		r.never(t, "Canary", "from-the-flag")
	}
}

// configs are files into which a secret is put at every place.
var configs = []string{
	"profile: kudos\nprofiles:\n  kudos:\n    url: :3000\n    secrets: [{ env: A }, { file: b }, { value: c }]\n    headers: { X-A: b }\n",
	"profiles:\n  kudos:\n    secrets:\n      - value: &a x\n      - value: *a\n      - { <<: *a }\n",
	"profile: !!str x\n---\n# end\n", "%YAML 1.2\n---\nprofile: |\n  x\n", "? [a, b]\n: \"c\\q\"\n", "profile: 'x", "profile: !a!b c",
}

// keepsItsSecret reads a config with a secret at a place. An error does not
// repeat it and quotes no line.
func keepsItsSecret(t *testing.T, text string, at int) {
	t.Helper()
	_, _, err := parseConfig("c.yaml", []byte(text[:at]+canary+text[at:]))
	if err == nil {
		return
	}
	if strings.Contains(err.Error(), "Canary") {
		t.Error(err)
	}
	if f, ok := err.(*fault); !ok || f.code != ExitUsage || len(f.source) > 0 {
		t.Errorf("%#v is not wrong use without a quote", err)
	}
}

func TestNoErrorOfAConfigRepeatsASecret(t *testing.T) {
	for _, text := range configs {
		for at := range len(text) + 1 {
			keepsItsSecret(t, text, at)
		}
	}
}

func FuzzConfig(f *testing.F) {
	for i, text := range configs {
		f.Add(text, uint(7*i))
	}
	f.Fuzz(func(t *testing.T, text string, at uint) { keepsItsSecret(t, text, int(at%uint(len(text)+1))) })
}
