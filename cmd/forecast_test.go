package cmd

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestAForecastIsWrittenInFourForms(t *testing.T) {
	folder(t, nil)
	const line = "forecast -p clodo --down 40m --rate 50 --seed 7"
	r := world{}.run(strings.Fields(line)...)
	r.want(t, ExitOK, "")
	for _, want := range []string{
		"Down for 40 m (refused), 50 events a second from 30 m before to 2 h 30 m after:\n660,000 events, 120,000 of them in the outage.\n",
		"\nClodo  lost: the events of the first 34 m 55 s; fetch the result: GET\n", "\nattempts a second; the thick line is the outage\n",
	} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%q is not in\n%s", want, r.stdout)
		}
	}
	r = world{}.run(strings.Fields(line + " --json --csv load.csv --svg load.svg")...)
	r.want(t, ExitOK, "")
	var doc struct {
		Schema   string
		Profiles []struct{ Lost int }
	}
	if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil || doc.Schema != "hookctl.forecast/1" || len(doc.Profiles) != 1 || doc.Profiles[0].Lost != 104_750 {
		t.Errorf("%v: %+v of %s", err, doc, r.stdout)
	}
	for file, want := range map[string]string{"load.csv": "profile,from_s,to_s,attempts,failed,attempts_no_jitter\nclodo,-1800,-1790,500,0,500\n", "load.svg": "<svg xmlns="} {
		text, err := os.ReadFile(file)
		if err != nil || !strings.HasPrefix(string(text), want) {
			t.Errorf("%s: %v, %.100s", file, err, text)
		}
		r := world{}.run(strings.Fields(line + " --" + file[len("load."):] + " -")...)
		r.want(t, ExitOK, "")
		if r.stdout != string(text) {
			t.Errorf("%s on stdout differs from the file", file)
		}
	}
}

func TestASeedFixesAForecast(t *testing.T) {
	folder(t, nil)
	const line = "forecast -p kudos --down 40m --rate 2"
	first, again, other := world{}.run(strings.Fields(line+" --seed 7")...), world{}.run(strings.Fields(line+" --seed 7")...), world{}.run(strings.Fields(line+" --seed 8")...)
	first.want(t, ExitOK, "")
	if first.stdout != again.stdout || first.stdout == other.stdout {
		t.Errorf("seeds 7, 7 and 8:\n%s\n%s\n%s", first.stdout, again.stdout, other.stdout)
	}
	world{}.run(strings.Fields(line)...).want(t, ExitOK, `^hookctl: note: jitter is drawn with --seed \d+\n$`)
	world{}.run(strings.Fields("forecast -p clodo --down 40m")...).want(t, ExitOK, "") // it has none
}

func TestWhatAForecastRestsOnIsSaid(t *testing.T) {
	folder(t, map[string]string{".hookctl/profiles/bare.yaml": bare})
	for line, want := range map[string]string{
		"-p kudos --fail-with tls --seed 1":             `note: Kudos CRM: assumed: the documentation does not say whether names and certificates count as connection errors`,
		"-p kudos --fail-with 503:retry-after=9":        `note: Kudos CRM: Retry-After ignored: only 429 is asked`,
		"-p kudos --fail-with 429:retry-after=9h":       `note: Kudos CRM: Retry-After ignored: "9h" is neither seconds nor a date`,
		"-p kustomer --fail-with 302":                   `note: Kustomer: Kustomer counts a redirect as delivered`,
		"-p kustomer --down 3h --rate 0.1 --seed 1":     `note: Kustomer: assumed: the documentation does not say whether deliveries under way stop with the webhook`,
		"-p kudos --capacity 5 --over-capacity timeout": `note: jitter is drawn`,
		"-p bare": `note: using \./\.hookctl/profiles/bare\.yaml`,
	} {
		if !strings.Contains(line, "--down") {
			line += " --down 5m"
		}
		world{}.run(strings.Fields("forecast "+line)...).want(t, ExitOK, want)
	}
}

func TestWrongForecastsAreRefused(t *testing.T) {
	folder(t, nil)
	for line, want := range map[string]string{
		"":                                          `error: --down is missing: how long the endpoint fails\n.*hint: for example: hookctl forecast --down 40m\n`,
		"-p kudos --rate 5":                         `hint: for example: hookctl forecast -p kudos --rate 5 --down 40m\n`,
		"--down 0":                                  `error: --down takes a duration such as`,
		"--down -5m":                                `error: --down takes a duration such as`,
		"--down 100y":                               `error: --down takes a duration such as`,
		"--down 36500d":                             `error: 36500\.1 days are more than can be simulated, 90\n.*hint: .*hookctl forecast --help\n`,
		"--down 200y --rate 1e12":                   `error: --down takes`,
		"--down 106751d --rate 1e300":               `error: 106751\.1 days are more`,
		"--down 40m --rate 1e12":                    `error: 1\.32e\+16 events are more than can be simulated, 100000000\n`,
		"--down 40m --rate 0":                       `error: --rate takes a number above 0, such as 50 or 0\.01\n`,
		"--down 40m --rate nan":                     `error: --rate takes a number above 0`,
		"--down 40m --rate inf":                     `error: --rate takes a number above 0`,
		"--down 40m --rate -1":                      `error: --rate takes a number above 0`,
		"--down 40m --capacity 0":                   `error: --capacity takes a number above 0`,
		"--down 40m --over-capacity 503":            `error: --over-capacity needs --capacity\n`,
		"--down 40m --for 30m":                      `error: events arrive from 300 s before the outage for 1800 s, and it does not end meanwhile\n`,
		"--down 40m --fail-with refusd":             `error: --fail-with: step 1 of 1: .*\n.*\n.*did you mean "refused"\?\n.*hint: .*help response-script\n`,
		"--down 40m --fail-with 503,200":            `error: --fail-with takes one step, which is how every such request ends\n`,
		"--down 40m --fail-with 503x2":              `error: --fail-with takes one step`,
		"--down 40m --capacity 5 --over-capacity x": `error: --over-capacity: step 1 of 1: `,
		"--down 40m --subscriptions 0":              `error: --subscriptions takes a whole number from 1 to 10000000\n`,
		"--down 40m --csv - --svg -":                `error: --csv - and --svg - both want standard output\n`,
		"--down 40m --csv load --svg load":          `error: --csv and --svg name the same file\n`,
		"--down 40m --svg - --json":                 `error: --svg - and --json both want standard output\n`,
		"--down 40m now":                            `error: hookctl forecast takes no argument\n`,
		"--down 40m -p kudoz":                       `error: no profile named "kudoz"; did you mean kudos\?\n`,
	} {
		r := world{}.run(append([]string{"forecast"}, strings.Fields(line)...)...)
		r.want(t, ExitUsage, want)
		if r.stdout != "" {
			t.Errorf("%s: stdout %q", line, r.stdout)
		}
	}
	world{}.run("forecast", "--down", "1m", "-p", "clodo", "--csv", "no/such/folder.csv").want(t, ExitCannot, `error: --csv: .*no such file`)
	world{}.run("forecast", "--down", "1m", "-p", "clodo", "--svg", "no/such/folder.svg").want(t, ExitCannot, `error: --svg: .*no such file`)
}
