package cmd

import (
	"crypto/tls"
	"crypto/x509"
	"net/url"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/listen/record"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// sendOptions are the flags of send.
type sendOptions struct {
	profile, event, data, id string
	hasData                  bool
	set, headers             []string
	secrets                  secretFlags
	speed                    *parsed[speed]
	timeout                  *parsed[time.Duration]
	noJitter                 bool
	seed                     *parsed[uint64]
	timestamp                *parsed[time.Time]
	burst                    burstOptions
	respond                  string
	strict, duplicate        bool
	recorded                 bool // replay: the headers are those of the record
	insecure                 bool
	caCert                   string
	out                      outputFlags
}

func (a *app) sendCommand() *cobra.Command {
	o := &sendOptions{speed: newSpeed(), timeout: newDuration(time.Millisecond), seed: newSeed(), timestamp: newTime(true), burst: newBurst()}
	c := &cobra.Command{Use: "send [URL] [flags]", Args: arguments(1)}
	f := flagsOf(c)
	f.in("Event:")
	f.profile(&o.profile, "whose rules apply (hookctl profiles list)")
	f.text(&o.event, "event", "e", "TYPE", "a sample of the profile; default: its first")
	f.text(&o.data, "data", "d", "TEXT|@FILE|@-", "this body instead, byte for byte")
	f.texts(&o.set, "set", "", "PATH=VALUE", "change a field of the sample; PATH:=JSON for JSON")
	f.text(&o.id, "id", "", "ID", "the event id")
	f.texts(&o.headers, "header", "H", "'NAME: VALUE'", "one more header; may be repeated")
	o.secrets.add(f, "send as an account with no active secret")
	o.addTime(f)
	f.in("Target:")
	f.text(&o.respond, "respond", "", "SCRIPT", "answer from inside (hookctl help response-script)")
	f.yes(&o.strict, "strict", "", "the provider's rules about URLs as well")
	f.yes(&o.duplicate, "duplicate", "", "after success, send the same bytes once more")
	f.yes(&o.insecure, "insecure", "k", "accept any certificate")
	f.text(&o.caCert, "cacert", "", "FILE", "trust this authority")
	f.in("Burst:")
	o.burst.add(f)
	f.in("Output:")
	a.addOutput(f, &o.out, "the result line only", "all headers and bodies, nothing shortened", "one hookctl.timeline/1 document a delivery",
		func() { f.addRecord(&o.out, "timeline") }, func() { f.addSensitive(&o.out) })
	c.RunE = func(c *cobra.Command, args []string) error { return a.send(c, o, args) }
	return c
}

// addTime adds the flags of the group Time.
func (o *sendOptions) addTime(f *flags) {
	f.in("Time:")
	f.value(o.speed, "speed", "", "SPEED", "instant (default), real, or a factor such as 60")
	f.value(o.timeout, "timeout", "", "DURATION", "in place of the provider's time limit")
	f.yes(&o.noJitter, "no-jitter", "", "the bare schedule")
	f.value(o.seed, "seed", "", "N", "fixes jitter and ids")
	f.value(o.timestamp, "timestamp", "", "TIME", "signing time: unix seconds, RFC 3339 or now")
}

// A sending is what send has worked out of its flags.
type sending struct {
	o       *sendOptions
	line    *commandLine
	profile *profiles.Profile
	url     *url.URL
	script  *send.Script // nil: a real endpoint
	seed    uint64
	message send.Message
	headers []sign.Header // of -H and of the config
	masked  func(string) bool
	record  *record.Writer // nil: nothing is recorded
	notes   []string       // said on stderr and in each document
	tls     *tls.Config
	then    then // of a replay: what became of the message when it was recorded
}

func (a *app) send(c *cobra.Command, o *sendOptions, args []string) error {
	a.untilStopped()
	a.quiet = o.out.quiet
	o.hasData = c.Flags().Changed("data")
	s := &sending{o: o, line: lineOf(c, args), seed: seed(o.seed)}
	if err := o.out.checkRecord(); err != nil {
		return err
	}
	if o.respond != "" && len(args) > 0 {
		return misuse("--respond answers from inside hookctl: it takes no URL")
	}
	if o.respond != "" && o.strict {
		return misuse("--respond answers on a loopback address: it excludes --strict")
	}
	conf, err := a.config()
	if err != nil {
		return err
	}
	if s.profile, err = a.profile(o.profile, conf, s.line); err != nil {
		if c.Flags().NFlag() == 0 && len(args) == 0 {
			return firstSteps(err)
		}
		return err
	}
	if o.respond != "" {
		if s.script, err = a.playable(o.respond, s.line); err != nil {
			return err
		}
	} else if s.url, err = a.target(args, conf, s.profile.Name); err != nil {
		return err
	}
	if s.headers, s.masked, err = a.sendHeaders(s, conf); err != nil {
		return err
	}
	if err := o.burst.check(c.Flags()); err != nil {
		return err
	}
	if err := a.sendMessage(s); err != nil {
		return err
	}
	given, err := a.secrets(&o.secrets, conf, s.profile.Name)
	if err != nil {
		return err
	}
	a.sayDropped(given, o.out.verbose)
	signers, err := a.sendKeys(s, given)
	if err != nil {
		return err
	}
	if s.tls, err = tlsConfig(o.insecure, o.caCert); err != nil {
		return err
	}
	a.sayTimestamp(s)
	if path := o.out.record; path != "" {
		if s.record, err = a.openRecord(path, false); err != nil {
			return err
		}
		defer s.record.Close()
		a.sayRecord(path, s.record)
	}
	if o.burst.many() {
		return a.deliverMany(s, signers)
	}
	return a.deliverAll(s, signers)
}

// note says something that each document repeats.
func (a *app) note(s *sending, text string) {
	a.say(render.Note, text, "")
	s.notes = append(s.notes, text)
}

// sendKeys are the keys of each delivery: all secrets sign in one header where
// the profile allows it, else each secret has a delivery of its own.
func (a *app) sendKeys(s *sending, given []secret) ([][]*sign.Key, error) {
	p := s.profile
	if len(given) == 0 && !s.o.secrets.none && (s.script != nil || developmentTarget(s.url)) {
		a.note(s, "no secret given: using the development secret, as listen does")
		return [][]*sign.Key{{sign.DevelopmentKey(p)}}, nil
	}
	if len(given) == 0 {
		if p.Secret.NoneFail {
			return [][]*sign.Key{nil}, nil
		}
		return nil, a.missingSecret(p, s.line)
	}
	all, err := keys(p, given)
	if err != nil {
		return nil, err
	}
	return perHeader(p, all)
}

// perHeader groups keys into those that sign in one header.
func perHeader(p *profiles.Profile, all []*sign.Key) ([][]*sign.Key, error) {
	switch {
	case len(all) <= p.Secret.Active:
		return [][]*sign.Key{all}, nil
	case p.Secret.Active > 1:
		return nil, misuse("%d secrets given; %s signs with at most %d at once", len(all), p.Title, p.Secret.Active)
	case len(all) > 2:
		return nil, misuse("%d secrets given; a rotation has at most 2", len(all))
	}
	return [][]*sign.Key{all[:1], all[1:]}, nil
}

// playable reads a script and refuses steps that no receiver can play.
func (a *app) playable(text string, line *commandLine) (*send.Script, error) {
	script, err := a.script("--respond", text)
	if err != nil {
		return nil, err
	}
	for _, step := range script.Steps {
		if !step.Playable() {
			plan := line.only(programName+" plan", "-p")
			return nil, misuse("--respond: no receiver can play %s", step.Outcome).
				with("imagine it instead:", plan.with("--respond", text).String())
		}
	}
	return script, nil
}

// sendHeaders are the headers of the config and of -H, and which of them are
// masked in what is written.
func (a *app) sendHeaders(s *sending, conf *config) ([]sign.Header, func(string) bool, error) {
	given, err := headerFlags(s.o.headers)
	if err != nil {
		return nil, nil, err
	}
	own := func(name string) bool {
		return slices.ContainsFunc(given, func(h sign.Header) bool { return sign.SameName(h.Name, name) })
	}
	var all []sign.Header
	var hidden []string
	for _, h := range conf.headers(s.profile.Name) {
		if !own(h.Name) { // a flag comes first
			all = append(all, h)
			hidden = append(hidden, h.Name)
		}
	}
	masked := func(name string) bool {
		return slices.ContainsFunc(hidden, func(h string) bool { return sign.SameName(h, name) })
	}
	return append(all, given...), masked, nil
}

// tlsConfig is the trust that the flags ask for; nil is the system's.
func tlsConfig(insecure bool, caCert string) (*tls.Config, error) {
	if !insecure && caCert == "" {
		return nil, nil
	}
	c := &tls.Config{InsecureSkipVerify: insecure}
	if caCert != "" {
		pem, err := readFile(caCert, maxCertificates)
		if err != nil {
			return nil, cannot(err, "--cacert: %s", pathError(err))
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(pem) {
			return nil, misuse("--cacert: no certificate in PEM form in the file")
		}
	}
	return c, nil
}

// sayTimestamp says that no attempt is signed as of its own time.
func (a *app) sayTimestamp(s *sending) {
	if s.o.timestamp.set && (needs(s.profile, "timestamp") || needs(s.profile, "timestamp_ms")) {
		a.note(s, "every attempt is signed as of "+s.o.timestamp.value.UTC().Format(time.RFC3339))
	}
}
