package cmd

import (
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// planOptions are the flags of plan.
type planOptions struct {
	profiles []string
	respond  string
	noJitter bool
	seed     *parsed[uint64]
	out      outputFlags
}

func (a *app) planCommand() *cobra.Command {
	o := &planOptions{seed: newSeed()}
	c := &cobra.Command{Use: "plan [flags]", Args: arguments(0)}
	f := flagsOf(c)
	f.in("Schedule:")
	f.texts(&o.profiles, "profile", "p", "NAME|FILE", "whose rules apply; may be repeated; all (default)")
	f.text(&o.respond, "respond", "", "SCRIPT", "the answers (hookctl help response-script)")
	f.yes(&o.noJitter, "no-jitter", "", "the bare schedule")
	f.value(o.seed, "seed", "", "N", "fixes jitter")
	f.in("Output:")
	a.addOutput(f, &o.out, "", "", "one hookctl.timeline/1 document a provider")
	c.RunE = func(*cobra.Command, []string) error { return a.plan(o) }
	return c
}

func (a *app) plan(o *planOptions) error {
	conf, err := a.config()
	if err != nil {
		return err
	}
	all, err := a.planned(o.profiles, conf)
	if err != nil {
		return err
	}
	var script *send.Script
	if o.respond != "" {
		if script, err = a.script("--respond", o.respond); err != nil {
			return err
		}
	}
	seed := seed(o.seed)
	var plans []render.Planned
	for _, p := range all {
		jitter := send.Seeded(p, seed, 0)
		if o.noJitter {
			bare := *p
			bare.Retry.Jitter = 0
			p = &bare
		}
		attempts, ending := send.Plan(p, script, jitter)
		plans = append(plans, render.Planned{Profile: p, Attempts: attempts, Ending: ending})
	}
	if o.out.json {
		return a.planDocuments(plans, seed, script == nil)
	}
	defer a.sayAssumed(plans)
	switch {
	case script == nil:
		return render.PlanBare(a.out, a.outStyle(), plans...)
	case len(plans) > 1:
		return render.PlanCompare(a.out, a.outStyle(), plans)
	}
	return a.planTimeline(plans[0], script, seed)
}

// sayAssumed names the profiles whose verdicts rest on assumptions.
func (a *app) sayAssumed(plans []render.Planned) {
	for _, p := range plans {
		if p.Profile.Retry.Shape {
			a.say(render.Note, p.Profile.Title+": "+shapeNote, "")
		}
		if text := assumedNote(p.Attempts); text != "" {
			if len(plans) > 1 {
				text = p.Profile.Title + ": " + text
			}
			a.say(render.Note, text+"; see:", programName+" profiles show "+p.Profile.Name)
		}
	}
}

// planned are the profiles of plan: those named, in their order; all; or all.
func (a *app) planned(flags []string, conf *config) ([]*profiles.Profile, error) {
	if len(flags) == 0 {
		if name := a.profileName("", conf); name != "" {
			flags = []string{name}
		}
	}
	if len(flags) == 0 || slices.Contains(flags, "all") {
		if len(flags) > 1 {
			return nil, misuse("-p all excludes other profiles")
		}
		return a.allProfiles()
	}
	var all []*profiles.Profile
	for _, name := range flags {
		p, err := a.profileNamed(name)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

func (a *app) planDocuments(plans []render.Planned, seed uint64, bare bool) error {
	for _, p := range plans {
		event := send.Message{} // a profile may have no sample
		if len(p.Profile.Samples) > 0 {
			var err error
			if event, err = send.Sample(p.Profile, "", "", dice(seed), time.Now()); err != nil {
				return err
			}
		}
		err := send.WriteDocument(a.out, send.Timeline{
			Profile: p.Profile.Name, Seed: seed, Event: event,
			Attempts: p.Attempts, Ending: p.Ending, Planned: true, Bare: bare,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// planTimeline draws one provider's plan as send draws a delivery.
func (a *app) planTimeline(p render.Planned, script *send.Script, seed uint64) error {
	h := render.Head{Profile: p.Profile, Seed: seed, Speed: "instant", Script: script.Text}
	return render.Plan(a.out, a.outStyle(), h, p.Attempts, p.Ending)
}
