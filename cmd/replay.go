package cmd

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/hookctl/hookctl/sign"
)

// replayOptions are the flags of replay. What it shares with send is in the
// options of send, which makes the deliveries.
type replayOptions struct {
	sendOptions
	filter  replayFilter
	bracket bool
	export  *parsed[string]
	number  *parsed[span]
	since   *parsed[time.Time]
	until   *parsed[time.Time]
}

func (a *app) replayCommand() *cobra.Command {
	o := &replayOptions{
		sendOptions: sendOptions{speed: newSpeed(), timeout: newDuration(time.Millisecond), seed: newSeed(), timestamp: newTime(true), burst: newBurst()},
		number:      newSpan(), since: newTime(false), until: newTime(false), export: newWord(append([]string{""}, exportFormats()...)...),
	}
	o.export.takes = "curl, hurl, har or vegeta"
	c := &cobra.Command{Use: "replay FILE [URL] [flags]", Args: replayArguments}
	f := flagsOf(c)
	f.in("Requests:")
	f.value(o.number, "number", "", "N[-M]", "these; of deliveries by their place in the file")
	f.texts(&o.filter.ids, "id", "", "ID", "with this event id; may be repeated")
	f.texts(&o.filter.types, "event", "e", "TYPE", "of this event type; may be repeated")
	f.value(o.since, "since", "", "TIME", "recorded then or later")
	f.value(o.until, "until", "", "TIME", "recorded then or before")
	f.yes(&o.bracket, "burst", "", "between the events that begin and end a replay")
	f.yes(&o.recorded, "as-recorded", "", "with the recorded headers, not signed afresh")
	f.in("Delivery:")
	f.profile(&o.profile, "whose rules apply; default: as recorded")
	f.texts(&o.headers, "header", "H", "'NAME: VALUE'", "one more header; may be repeated")
	o.burst.addPace(f)
	f.yes(&o.strict, "strict", "", "the provider's rules about URLs as well")
	f.yes(&o.insecure, "insecure", "k", "accept any certificate")
	f.text(&o.caCert, "cacert", "", "FILE", "trust this authority")
	o.secrets.add(f, "send as an account with no active secret")
	o.addTime(f)
	f.in("Output:")
	f.value(o.export, "export", "", "FORM", "write the requests: curl, hurl, har or vegeta")
	a.addOutput(f, &o.out, "the result line only", "all headers and bodies, nothing shortened", "hookctl.timeline/1, last hookctl.summary/1",
		func() { f.addSensitive(&o.out) })
	c.RunE = func(c *cobra.Command, args []string) error { return a.replay(c, o, args) }
	return c
}

// replayArguments wants a file and allows a URL.
func replayArguments(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return misuse("which record?").with("name a file of --record, or one raw request:", c.CommandPath()+" FILE [URL]")
	}
	return arguments(2)(c, args)
}

func (a *app) replay(c *cobra.Command, o *replayOptions, args []string) error {
	a.untilStopped()
	a.quiet = o.out.quiet
	if err := o.check(c); err != nil {
		return err
	}
	o.filter.number, o.filter.since, o.filter.until = o.number.value, o.since.value, o.until.value
	conf, err := a.config()
	if err != nil {
		return err
	}
	s := &sending{o: &o.sendOptions, line: lineOf(c, args), seed: seed(o.seed)}
	s.line.fixed = 1 // the record
	r := &replaying{sending: s, app: a, o: o}
	if r.tape, err = openTape(args[0]); err != nil {
		return err
	}
	if err := r.survey(conf); err != nil {
		return err
	}
	if s.url, err = a.target(args[1:], conf, s.profile.Name); err != nil {
		return err
	}
	if s.headers, s.masked, err = a.sendHeaders(s, conf); err != nil {
		return err
	}
	signers := [][]*sign.Key{nil}
	if !o.recorded {
		given, err := a.secrets(&o.secrets, conf, s.profile.Name)
		if err != nil {
			return err
		}
		a.sayDropped(given, o.out.verbose)
		if signers, err = a.sendKeys(s, given); err != nil {
			return err
		}
	}
	if s.tls, err = tlsConfig(o.insecure, o.caCert); err != nil {
		return err
	}
	if o.export.set {
		return r.export(signers)
	}
	a.sayTimestamp(s)
	return r.deliver(signers)
}

// check refuses flags that exclude each other.
func (o *replayOptions) check(c *cobra.Command) error {
	exclude := func(with string, names ...string) error {
		for _, name := range names {
			if c.Flags().Changed(name) {
				return misuse("--%s excludes --%s", with, name)
			}
		}
		return nil
	}
	if o.since.set && o.until.set && o.until.value.Before(o.since.value) {
		return misuse("--until is before --since")
	}
	if o.recorded {
		if err := exclude("as-recorded", "header", "timestamp", "secret", "secret-env", "secret-file", "no-secret", "burst"); err != nil {
			return err
		}
	}
	if o.export.set {
		return exclude("export", "rate", "concurrency", "no-keep-alive", "json", "quiet", "verbose", "speed", "timeout", "no-jitter", "strict", "insecure", "cacert")
	}
	return nil
}
