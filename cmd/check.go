package cmd

import (
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/send/conform"
	"github.com/hookctl/hookctl/sign"
)

// checkOptions are the flags of check.
type checkOptions struct {
	profile, event, data      string
	set, headers              []string
	secrets                   secretFlags
	seed                      *parsed[uint64]
	only, skip                []string
	list, slow                bool
	maxTime                   *parsed[time.Duration]
	probe, breaks, heal       string
	allowRemote, insecure     bool
	caCert                    string
	junit, markdown, baseline string
	out                       outputFlags
}

func (a *app) checkCommand() *cobra.Command {
	o := &checkOptions{seed: newSeed(), maxTime: newDuration(time.Millisecond)}
	c := &cobra.Command{Use: "check [URL] [flags]", Args: cobra.ArbitraryArgs}
	f := flagsOf(c)
	f.in("Event:")
	f.profile(&o.profile, "whose rules apply (hookctl profiles list)")
	f.text(&o.event, "event", "e", "TYPE", "a sample of the profile; default: its first")
	f.text(&o.data, "data", "d", "TEXT|@FILE|@-", "this body instead; only its event id is replaced")
	f.texts(&o.set, "set", "", "PATH=VALUE", "change a field of the sample; PATH:=JSON for JSON")
	f.texts(&o.headers, "header", "H", "'NAME: VALUE'", "one more header; may be repeated")
	o.secrets.add(f, "")
	f.in("Checks:")
	f.yes(&o.list, "list", "", "list the checks; with ids: their requests")
	f.texts(&o.only, "only", "", "ID,...", "these checks, by id or number")
	f.texts(&o.skip, "skip", "", "ID,...", "all but these")
	f.yes(&o.slow, "slow", "", "idle and long timing checks too")
	f.value(o.maxTime, "max-time", "", "DURATION", "of the whole run; default: 60s, with --slow 10m")
	f.text(&o.probe, "probe", "", "CMD", "prints how often $HOOKCTL_EVENT_ID had its effect")
	f.text(&o.breaks, "break", "", "CMD", "stops something that the receiver depends on")
	f.text(&o.heal, "heal", "", "CMD", "brings it back")
	f.value(o.seed, "seed", "", "N", "fixes ids")
	f.in("Target:")
	f.yes(&o.allowRemote, "allow-remote", "", "a host that is neither loopback nor private")
	f.yes(&o.insecure, "insecure", "k", "accept any certificate")
	f.text(&o.caCert, "cacert", "", "FILE", "trust this authority")
	f.in("Output:")
	f.text(&o.junit, "junit", "", "FILE", "write the report as JUnit; - is stdout")
	f.text(&o.markdown, "markdown", "", "FILE", "append the report as Markdown, for a CI summary")
	f.text(&o.baseline, "baseline", "", "FILE", "compare with an earlier --json")
	a.addOutput(f, &o.out, "the result line only", "every request and its answer", "one hookctl.check/1 document")
	c.RunE = func(c *cobra.Command, args []string) error {
		if o.list {
			return a.checkList(o, args, lineOf(c, args))
		}
		if err := arguments(1)(c, args); err != nil {
			return err
		}
		return a.check(c, o, args)
	}
	return c
}

func (a *app) check(c *cobra.Command, o *checkOptions, args []string) error {
	line := lineOf(c, args)
	options, target, err := a.checkSetup(c, o, args, line)
	if err != nil {
		return err
	}
	baseline, err := readBaseline(o.baseline)
	if err != nil {
		return err
	}
	a.untilStopped()
	progress := render.NewPending(a.Stderr, a.outStyle(), a.errStyle())
	options.Started = func(c conform.Check) { _ = progress.Line(render.Progress(c)) }
	report, err := conform.Run(a.ctx, *options)
	if clearing := progress.Clear(); err == nil {
		err = clearing
	}
	if err != nil {
		return checkFault(err, line)
	}
	if baseline != nil {
		report.Compare(baseline)
	}
	if err := a.checkReport(o, report); err != nil {
		return err
	}
	switch {
	case a.ctx.Err() != nil:
		return errInterrupted
	case report.Unreached != nil:
		return a.unreached(target, report.Unreached)
	case !report.Tried():
		return untried(report)
	case !report.Passed():
		return errNo
	}
	return nil
}

// checkSetup works the options out of the flags.
func (a *app) checkSetup(c *cobra.Command, o *checkOptions, args []string, line *commandLine) (*conform.Options, *url.URL, error) {
	if (o.breaks == "") != (o.heal == "") {
		return nil, nil, misuse("--break and --heal need each other")
	}
	switch {
	case o.junit == "-" && o.markdown == "-":
		return nil, nil, misuse("--junit - and --markdown - both want standard output")
	case o.out.json && o.junit == "-":
		return nil, nil, misuse("--junit - and --json both want standard output")
	case o.out.json && o.markdown == "-":
		return nil, nil, misuse("--markdown - and --json both want standard output")
	}
	if o.maxTime.set && o.maxTime.value == 0 {
		return nil, nil, misuse("--max-time takes a duration above 0")
	}
	conf, err := a.config()
	if err != nil {
		return nil, nil, err
	}
	p, err := a.profile(o.profile, conf, line)
	if err != nil {
		return nil, nil, err
	}
	target, err := a.target(args, conf, p.Name)
	if err != nil {
		return nil, nil, err
	}
	given, err := a.secrets(&o.secrets, conf, p.Name)
	if err != nil {
		return nil, nil, err
	}
	signers, err := a.checkKeys(p, given, target, line)
	if err != nil {
		return nil, nil, err
	}
	s := &sending{
		o:    &sendOptions{event: o.event, data: o.data, hasData: c.Flags().Changed("data"), set: o.set, headers: o.headers, out: o.out},
		line: line, profile: p, url: target, seed: seed(o.seed),
	}
	if err := a.checkMessage(s); err != nil {
		return nil, nil, err
	}
	headers, _, err := a.sendHeaders(s, conf)
	if err != nil {
		return nil, nil, err
	}
	trust, err := tlsConfig(o.insecure, o.caCert)
	if err != nil {
		return nil, nil, err
	}
	options := &conform.Options{
		Profile: p, URL: target.String(), Keys: signers, Event: s.message, Header: headers, UserAgent: programName + "/" + a.version(),
		Seed: s.seed, TLS: trust, Only: idList(o.only), Skip: idList(o.skip), Slow: o.slow, AllowRemote: o.allowRemote, MaxTime: o.maxTime.value,
	}
	a.checkCommands(o, options)
	return options, target, nil
}

// checkMessage makes the event: a sample, or the body that was given, whose id
// is replaced for each request.
func (a *app) checkMessage(s *sending) error {
	if !s.o.hasData || len(s.o.set) > 0 {
		return a.sendMessage(s)
	}
	body, err := a.readData(s.o.data)
	if err != nil {
		return err
	}
	id, typ, notes := identity(s.profile, body, "", s.o.event)
	for _, n := range notes {
		a.note(s, n)
	}
	if id == "" { // any will do where only a header holds it
		id = send.NewID(s.profile, dice(s.seed))
	}
	s.message = send.Message{ID: id, Type: typ, Body: body}
	return nil
}

// checkKeys are the one or two keys of a run.
func (a *app) checkKeys(p *profiles.Profile, given []secret, target *url.URL, line *commandLine) ([]*sign.Key, error) {
	switch {
	case len(given) == 0 && developmentTarget(target):
		a.say(render.Note, "no secret given: using the development secret, as listen does", "")
		return []*sign.Key{sign.DevelopmentKey(p)}, nil
	case len(given) == 0:
		return nil, a.missingSecret(p, line)
	case len(given) > 2:
		return nil, misuse("%d secrets given; a rotation has at most 2", len(given))
	}
	return keys(p, given)
}

// idList are the ids of flags that may be repeated and hold several.
func idList(flags []string) []string {
	var all []string
	for _, f := range flags {
		for id := range strings.SplitSeq(f, ",") {
			if id = strings.TrimSpace(id); id != "" {
				all = append(all, id)
			}
		}
	}
	return all
}

// checkFault gives the errors of conform their words.
func checkFault(err error, line *commandLine) error {
	var (
		remote  *conform.RemoteError
		unknown *conform.UnknownError
		body    *conform.BodyError
	)
	switch {
	case errors.As(err, &remote):
		return misuse("%s", oneLine(remote.Error())).with("valid events have real effects there; if that is meant:", line.with("--allow-remote", "").String())
	case errors.As(err, &unknown):
		return unknownCheck(unknown)
	case errors.As(err, &body):
		return misuse("%s", oneLine(body.Error())).with("every request has an event id of its own: the body needs one that can be replaced", "")
	}
	return err
}

func unknownCheck(e *conform.UnknownError) error {
	text := "no check is called " + quoted(e.ID)
	if e.Near != "" {
		text += "; did you mean " + e.Near + "?"
	}
	return misuse("%s", text).with("see all of them:", programName+" check --list")
}

// untried is the fault of a run in which every check was left out.
func untried(r *conform.Report) error {
	text := "nothing was tried"
	for _, c := range r.Results {
		if c.Alone {
			text += ": " + c.ID + ": " + c.Why
			break
		}
	}
	return misuse("%s", text)
}

// unreached is the fault of a run whose first request reached nothing.
func (a *app) unreached(target *url.URL, f *send.Failure) error {
	text := string(f.Kind)
	if f.Message != "" {
		text += ": " + f.Message
	}
	fault := cannot(nil, "nothing answers at %s: %s", oneLine(send.ShownURL(target.String())), oneLine(text))
	if f.Kind == profiles.Refused && loopbackHost(target.Hostname()) {
		fault.with("start the receiver first", "")
	}
	return fault
}
