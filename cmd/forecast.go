package cmd

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/send/forecast"
)

// forecastOptions are the flags of forecast.
type forecastOptions struct {
	profiles               []string
	rate, capacity         *parsed[float64]
	down, span             *parsed[time.Duration]
	failWith, overCapacity string
	webhooks               *parsed[int]
	seed                   *parsed[uint64]
	csv, svg               string
	out                    outputFlags
}

func (a *app) forecastCommand() *cobra.Command {
	o := &forecastOptions{
		rate: newRate(), capacity: newRate(), down: newDuration(time.Millisecond), span: newDuration(time.Millisecond),
		webhooks: newCount(1, forecast.MaxWebhooks), seed: newSeed(),
	}
	c := &cobra.Command{Use: "forecast [flags]", Args: arguments(0)}
	f := flagsOf(c)
	f.in("Outage:")
	f.texts(&o.profiles, "profile", "p", "NAME|FILE", "whose rules apply; may be repeated; all (default)")
	f.value(o.down, "down", "", "DURATION", "how long the endpoint fails")
	f.text(&o.failWith, "fail-with", "", "STEP", "a step of the response script; default: refused")
	f.value(o.capacity, "capacity", "", "R", "requests a second it can answer after that")
	f.text(&o.overCapacity, "over-capacity", "", "STEP", "how those beyond fail; default: 503")
	f.in("Events:")
	f.value(o.rate, "rate", "", "R", "events a second; default: 1")
	f.value(o.span, "for", "", "DURATION", "they arrive for; default: --down and 3h")
	f.value(o.webhooks, "subscriptions", "", "N", "so many webhooks, each with that rate")
	f.value(o.seed, "seed", "", "N", "fixes jitter")
	f.in("Output:")
	f.text(&o.csv, "csv", "", "FILE", "write the load over time; - is stdout")
	f.text(&o.svg, "svg", "", "FILE", "write the plot; - is stdout")
	a.addOutput(f, &o.out, "", "", "one hookctl.forecast/1 document")
	c.RunE = func(c *cobra.Command, args []string) error { return a.forecast(o, lineOf(c, args)) }
	return c
}

func (a *app) forecast(o *forecastOptions, line *commandLine) error {
	outage, err := a.outage(o, line)
	if err != nil {
		return err
	}
	conf, err := a.config()
	if err != nil {
		return err
	}
	all, err := a.planned(o.profiles, conf)
	if err != nil {
		return err
	}
	f, err := forecast.Run(outage, all...)
	var limit *forecast.LimitError
	switch {
	case errors.As(err, &limit):
		return misuse("%s", limit.Text).with("what --down, --rate, --for and --subscriptions mean:", programName+" forecast --help")
	case err != nil:
		return err
	}
	return a.forecastReport(o, f)
}

// outage works the outage out of the flags.
func (a *app) outage(o *forecastOptions, line *commandLine) (forecast.Outage, error) {
	out := forecast.Outage{Down: o.down.value, Rate: 1, For: o.span.value, Capacity: o.capacity.value, Webhooks: o.webhooks.value, Seed: seed(o.seed)}
	if o.rate.set {
		out.Rate = o.rate.value
	}
	if !o.down.set {
		return out, misuse("--down is missing: how long the endpoint fails").with("for example:", line.with("--down", "40m").String())
	}
	if o.overCapacity != "" && !o.capacity.set {
		return out, misuse("--over-capacity needs --capacity")
	}
	var onStdout []string
	for _, f := range []struct {
		flag string
		is   bool
	}{{"--csv -", o.csv == "-"}, {"--svg -", o.svg == "-"}, {"--json", o.out.json}} {
		if f.is {
			onStdout = append(onStdout, f.flag)
		}
	}
	switch {
	case len(onStdout) > 1:
		return out, misuse("%s and %s both want standard output", onStdout[0], onStdout[1])
	case o.csv != "" && o.csv == o.svg:
		return out, misuse("--csv and --svg name the same file")
	}
	var err error
	if out.FailWith, err = a.scriptStep("--fail-with", o.failWith); err != nil {
		return out, err
	}
	out.OverCapacity, err = a.scriptStep("--over-capacity", o.overCapacity)
	return out, err
}

// scriptStep reads the one step that a flag takes; a zero one without a text.
func (a *app) scriptStep(flag, text string) (send.Step, error) {
	if text == "" {
		return send.Step{}, nil
	}
	s, err := a.script(flag, text)
	if err != nil {
		return send.Step{}, err
	}
	if len(s.Steps) > 1 || s.Steps[0].Times > 1 {
		return send.Step{}, misuse("%s takes one step, which is how every such request ends", flag)
	}
	return s.Steps[0], nil
}

// forecastReport writes a forecast to where the flags want it. CSV or SVG on
// stdout takes the place of the text.
func (a *app) forecastReport(o *forecastOptions, f *forecast.Forecast) error {
	if o.csv != "" {
		var b bytes.Buffer
		if err := f.WriteCSV(&b); err != nil {
			return err
		}
		if err := a.writeWhole(o.csv, b.Bytes()); err != nil {
			return cannot(err, "--csv: %s", pathError(err))
		}
	}
	if o.svg != "" {
		var b bytes.Buffer
		if err := render.ForecastSVG(&b, f); err != nil {
			return err
		}
		if err := a.writeWhole(o.svg, b.Bytes()); err != nil {
			return cannot(err, "--svg: %s", pathError(err))
		}
	}
	switch {
	case o.out.json:
		return send.WriteDocument(a.out, f)
	case o.csv == "-", o.svg == "-":
		return nil
	}
	if err := render.Forecast(a.out, a.outStyle(), f); err != nil {
		return err
	}
	a.sayForecast(o, f)
	return nil
}

// sayForecast says what the forecast rests on, and the seed that was chosen.
func (a *app) sayForecast(o *forecastOptions, f *forecast.Forecast) {
	drawn := false
	for _, r := range f.Results {
		drawn = drawn || r.Profile.Retry.Jitter > 0
		for _, note := range r.Notes {
			if told := r.Off > 0 && note == "assumed: "+r.Assumed; told { // in its sentence
				continue
			}
			if text, ok := strings.CutPrefix(note, "assumed: "); ok {
				note = "assumed: the documentation does not say " + text
			}
			a.say(render.Note, r.Profile.Title+": "+note, "")
		}
	}
	if drawn && !o.seed.set {
		a.say(render.Note, "jitter is drawn with --seed "+strconv.FormatUint(f.Outage.Seed, 10), "")
	}
}

// newRate reads a number a second.
func newRate() *parsed[float64] {
	return &parsed[float64]{takes: "a number above 0, such as 50 or 0.01", read: func(s string) (float64, error) {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || !(v > 0) || math.IsInf(v, 0) || strings.ContainsAny(s, "xXpP_") {
			return 0, errBadValue
		}
		return v, nil
	}}
}
