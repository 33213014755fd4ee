package cmd

import (
	"regexp"
	"strings"
	"testing"
)

func TestWhichProfilesArePlanned(t *testing.T) {
	const everyOne = "clodo github kudos kustomer shopify slack standard-webhooks stripe svix"
	local := map[string]string{".hookctl.yaml": "profile: clodo\n", ".hookctl/profiles/bare.yaml": bare}
	for _, test := range []struct {
		name  string
		env   map[string]string
		files map[string]string
		flags string
		want  string // the names, in order; "": refused
		says  string
	}{
		{"none named: all", nil, nil, "", everyOne, ""},
		{"all", nil, nil, "-p all", everyOne, ""},
		{"all, with one's own", nil, map[string]string{".hookctl/profiles/bare.yaml": bare}, "-p all", "bare " + everyOne, `note: using \./\.hookctl/profiles/bare\.yaml`},
		{"one", nil, nil, "-p kudos", "kudos", ""},
		{"several, as given", nil, nil, "-p kustomer -p clodo -p kudos", "kustomer clodo kudos", ""},
		{"one twice", nil, nil, "-p kudos -p kudos", "kudos kudos", ""},
		{"of the environment", map[string]string{"HOOKCTL_PROFILE": "kustomer"}, local, "", "kustomer", ""},
		{"all of the environment", map[string]string{"HOOKCTL_PROFILE": "all"}, nil, "", everyOne, ""},
		{"of the config", nil, local, "", "clodo", `note: using \./\.hookctl\.yaml`},
		{"flags come first", map[string]string{"HOOKCTL_PROFILE": "kustomer"}, local, "-p kudos", "kudos", ""},
		{"all and another", nil, nil, "-p all -p kudos", "", `error: -p all excludes other profiles`},
		{"another and all", nil, nil, "-p kudos -p all", "", `error: -p all excludes other profiles`},
		{"an unknown one", nil, nil, "-p kudos -p kudoz", "", `error: no profile named "kudoz"; did you mean kudos\?`},
		{"an empty one", nil, nil, "-p kudos --profile=", "", `error: -p/--profile is given an empty value`},
	} {
		folder(t, test.files)
		r := world{env: test.env}.run(append([]string{"plan", "--json"}, strings.Fields(test.flags)...)...)
		code := ExitOK
		if test.want == "" {
			code = ExitUsage
		}
		r.want(t, code, test.says)
		var names []string
		for _, m := range regexp.MustCompile(`(?m)^\{"schema":"hookctl\.timeline/1","profile":"([a-z-]+)"`).FindAllStringSubmatch(r.stdout, -1) {
			names = append(names, m[1])
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestAPlanIsShownInThreeForms(t *testing.T) {
	folder(t, nil)
	for args, want := range map[string]string{
		"plan -p kudos":                                 `^Kudos CRM, if every attempt fails\n`,
		"plan -p kudos -p clodo":                        `^Kudos CRM, if every attempt fails\n(?s:.*)\nClodo, if every attempt fails\n`,
		"plan -p kudos --respond 503,200":               `^Kudos CRM, answered 503,200\n.*nothing is sent`,
		"plan -p kudos -p clodo --respond 503,200":      `^ +Kudos CRM +Clodo\n #  answer `,
		"plan -p kudos --respond dns,200":               `\n 1        0 s  dns `,
		"plan -p kudos --respond 503x5,200 --seed 7 ":   `\ndelivered: 200 at attempt 6 of 6, after `,
		"plan -p kudos --respond 503,200 --no-jitter":   ` 30 s\n`,
		"plan -p clodo --respond 301":                   `\nfailed: 301 at attempt 1 of 3\n$`,
		"plan -p kudos --respond 429:retry-after=5,200": ` 5 s = Retry-After\n`,
	} {
		r := world{}.run(strings.Fields(args)...)
		r.want(t, ExitOK)
		if !regexp.MustCompile(want).MatchString(r.stdout) {
			t.Errorf("%s: no %s in\n%s", args, want, r.stdout)
		}
	}
	const see = "hookctl: note: 1 verdict is assumed: the documentation does not say what a redirect does; see: hookctl profiles show clodo\n"
	if r := (world{}).run("plan", "-p", "clodo", "--respond", "301"); r.stderr != see {
		t.Errorf("stderr %q", r.stderr)
	}
	if r := (world{}).run("plan", "-p", "clodo", "-p", "kudos", "--respond", "301"); r.stderr != strings.Replace(see, "note: ", "note: Clodo: ", 1) {
		t.Errorf("stderr %q", r.stderr)
	}
}

// The same seed gives the same waits in plan and in send.
func TestAPlanIsWhatIsSent(t *testing.T) {
	folder(t, nil)
	waits := regexp.MustCompile(`"wait_s":([0-9.]+)`)
	for _, profile := range []string{"kudos", "clodo", "kustomer"} {
		for _, more := range []string{"", "--no-jitter"} {
			args := append([]string{"-p", profile, "--respond", "503", "--seed", "7", "--json"}, strings.Fields(more)...)
			plan := waits.FindAllString(world{}.run(append([]string{"plan"}, args...)...).stdout, -1)
			sent := waits.FindAllString(world{}.run(append([]string{"send"}, args...)...).stdout, -1)
			if len(plan) < 2 || strings.Join(plan, " ") != strings.Join(sent, " ") {
				t.Errorf("%s %s: plan %v, send %v", profile, more, plan, sent)
			}
		}
		other := waits.FindAllString(world{}.run("plan", "-p", profile, "--respond", "503", "--seed", "8", "--json").stdout, -1)
		same := waits.FindAllString(world{}.run("plan", "-p", profile, "--respond", "503", "--seed", "7", "--json").stdout, -1)
		if profile != "clodo" && strings.Join(other, " ") == strings.Join(same, " ") {
			t.Errorf("%s: the seed changes nothing: %v", profile, same)
		}
	}
}
