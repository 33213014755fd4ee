package render

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/send/forecast"
)

// forecastOf is what an outage does under some built-in profiles.
func forecastOf(t *testing.T, o forecast.Outage, names ...string) *forecast.Forecast {
	t.Helper()
	var all []*profiles.Profile
	for _, name := range names {
		all = append(all, builtin(t, name))
	}
	f, err := forecast.Run(o, all...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// pictured is the forecast of the picture; what depends on the draws of jitter
// has its figures.
func pictured(t *testing.T) *forecast.Forecast {
	f := forecastOf(t, forecast.Outage{Down: 40 * time.Minute, Rate: 50, Seed: 7}, "kudos", "clodo", "kustomer")
	kudos, kustomer := &f.Results[0], &f.Results[2]
	kudos.LateBy, kudos.Attempts, kudos.PeakDown, kudos.PeakAfter = 6480*time.Second, 1_096_301, 225, 217
	kustomer.LateBy, kustomer.Backlog, kustomer.Attempts = 4020*time.Second, 1976*time.Second, 1_293_014
	kustomer.PeakDown, kustomer.PeakAfter = 362, 355
	return f
}

func step(t *testing.T, text string) send.Step {
	t.Helper()
	script, err := send.ParseScript(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return script.Steps[0]
}

func drawForecast(t *testing.T, s Style, f *forecast.Forecast) string {
	t.Helper()
	var b bytes.Buffer
	if err := Forecast(&b, s, f); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestForecastsLookLikeTheirPictures(t *testing.T) {
	picture := pictured(t)
	kudos := func(o forecast.Outage) *forecast.Forecast { return forecastOf(t, o, "kudos") }
	for _, test := range []struct {
		name     string
		style    Style
		forecast *forecast.Forecast
	}{
		{"forecast-60", Style{Width: 60}, picture},
		{"forecast-80", Style{Width: 80}, picture},
		{"forecast-120", Style{Width: 120}, picture},
		{"forecast-80-ascii", Style{Width: 80, ASCII: true}, picture},
		{"forecast-80-dumb", Style{Width: 80, Dumb: true}, picture},
		{"forecast-80-colour", Style{Width: 80, Color: true}, picture},
		{"forecast-disabled-80", Style{Width: 80}, forecastOf(t, forecast.Outage{Down: 3 * time.Hour, Rate: 5, Seed: 7}, "kustomer")},
		{"forecast-paused-80", Style{Width: 80}, forecastOf(t, forecast.Outage{Down: time.Minute, Rate: 2, Webhooks: 10, FailWith: step(t, "410")}, "kudos", "clodo")},
		{"forecast-capacity-80", Style{Width: 80}, kudos(forecast.Outage{Down: 10 * time.Minute, Rate: 5, For: 40 * time.Minute, Capacity: 8, Seed: 7})},
		{"forecast-rare-80", Style{Width: 80}, kudos(forecast.Outage{Down: 24 * time.Hour, Rate: 1.0 / 60, FailWith: step(t, "429:retry-after=60"), Seed: 7})},
		{"forecast-hourly-80", Style{Width: 80}, kudos(forecast.Outage{Down: 5 * time.Minute, Rate: 1e-9, Seed: 7})},
		{"forecast-many-80", Style{Width: 80}, forecastOf(t, forecast.Outage{Down: time.Minute, Rate: 1, Seed: 7}, "clodo", "kudos", "kustomer", "clodo")},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := drawForecast(t, test.style, test.forecast)
			golden(t, test.name, []byte(got))
			if line := firstWide(got, test.style.Width); line != "" {
				t.Errorf("a line is wider: %q", line)
			}
		})
	}
}

func TestForecastsInEveryStyleSayTheSame(t *testing.T) {
	f := pictured(t)
	for _, width := range []int{60, 80, 120, 200} {
		want := drawForecast(t, Style{Width: width}, f)
		coloured := drawForecast(t, Style{Width: width, Color: true}, f)
		if stripped(coloured) != want || coloured == want {
			t.Errorf("at %d: the colours do not only add", width)
		}
		var twins strings.Builder
		for line := range strings.Lines(asciiTwins(want)) {
			twins.WriteString(strings.TrimRight(line, " \n") + "\n")
		}
		if got := drawForecast(t, Style{Width: width, ASCII: true}, f); got != twins.String() {
			t.Errorf("at %d: ASCII differs in more than the twins:\n%s\nwant\n%s", width, got, twins.String())
		}
		if dumb := drawForecast(t, Style{Width: width, Dumb: true}, f); !strings.HasPrefix(want, dumb) || strings.ContainsAny(dumb, "─━░█") {
			t.Errorf("at %d: a dumb terminal has\n%s", width, dumb)
		}
	}
}

func TestForecastsHaveColoursByMeaning(t *testing.T) {
	s := Style{Width: 80, Color: true}
	got := drawForecast(t, s, pictured(t))
	for _, want := range []string{
		s.paint(strongBad, "104,750"), s.paint(strong, "Kudos CRM") + "  nothing lost", s.paint(dim, "──────────") + s.paint(strongBad, "━━━━━━━━━━━━━"),
		"▄▄▄" + s.paint(bad, "█████████████") + "████████▇▇", s.paint(dim, "░") + s.paint(bad, "▇███████████") + "██▄▂", s.paint(dim, "-30 m"),
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func TestTheTopOfAPlotIsRound(t *testing.T) {
	for _, test := range []struct{ v, want float64 }{{0, 1}, {1, 1}, {1.01, 2}, {150, 200}, {350, 400}, {401, 500}, {0.7, 0.8}, {9.5, 10}, {6e6, 6e6}, {81, 100}} {
		if got := roundUp(test.v); got < test.want*(1-1e-9) || got > test.want*(1+1e-9) {
			t.Errorf("above %v: %v, want %v", test.v, got, test.want)
		}
	}
}

func TestAnSVGIsWholeForEveryReader(t *testing.T) {
	var b bytes.Buffer
	f := pictured(t)
	evil := *f.Results[1].Profile
	evil.Title = "<script>&\"'\x1b\u202e"
	f.Results[1].Profile = &evil
	if err := ForecastSVG(&b, f); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	elements := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if e, ok := token.(xml.StartElement); ok {
			elements[e.Name.Local]++
		}
	}
	// A load a provider, in both colours; an axis each; a dashed line where there is jitter.
	if elements["use"] != 6 || elements["path"] != 3+3+2 || elements["script"] != 0 {
		t.Errorf("elements %v", elements)
	}
	for _, want := range []string{"prefers-color-scheme:dark", "Kustomer: nothing lost", "of the first 34 m 55 s are lost (104,750)", ">400/s<", ">1 h 20 m<"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if bad := firstControl(text); bad != "" || strings.Contains(text, "http://") && strings.Count(text, "http://") != 1 || strings.Contains(text, "url(http") {
		t.Errorf("%s in it, or something from elsewhere", bad)
	}
}

func TestProfilesTextInForecastsIsEscaped(t *testing.T) {
	const evil = "a\x1b[2J\n\u202e\x9b\xff"
	p := *builtin(t, "kustomer")
	p.Title, p.Name, p.Reconcile, p.Retry.Exhausted.Assumed = evil, evil, evil, evil
	p.Say = map[profiles.Effect]string{profiles.DisableWebhook: evil}
	o := forecast.Outage{Down: 3 * time.Hour, Rate: 0.1, FailWith: step(t, "503"), Capacity: 1}
	o.FailWith.Text, o.OverCapacity = evil, step(t, "503")
	o.OverCapacity.Text = evil
	f, err := forecast.Run(o, &p)
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{60, 80, 120} {
		if bad := firstControl(drawForecast(t, Style{Width: width}, f)); bad != "" {
			t.Errorf("at %d %s reaches the terminal", width, bad)
		}
	}
}

func TestForecastsReturnTheWritersError(t *testing.T) {
	if err := Forecast(failing{}, Style{}, pictured(t)); !errors.Is(err, errFull) {
		t.Errorf("got %v, want %v", err, errFull)
	}
	if err := ForecastSVG(failing{}, pictured(t)); !errors.Is(err, errFull) {
		t.Errorf("SVG: got %v, want %v", err, errFull)
	}
}
