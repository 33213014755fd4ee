package cmd

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// signOptions are the flags of sign.
type signOptions struct {
	profile, data, id, event, url string
	hasData                       bool
	secrets                       secretFlags
	timestamp, firstSent          *parsed[time.Time]
	attempt                       *parsed[int]
	seed                          *parsed[uint64]
	output                        *parsed[string]
	all                           bool
	out                           outputFlags
}

func (a *app) signCommand() *cobra.Command {
	o := &signOptions{timestamp: newTime(true), firstSent: newTime(false), attempt: newCount(1, 1000), seed: newSeed(),
		output: newWord("headers", "value", "env", "curl", "json")}
	c := &cobra.Command{Use: "sign [flags]", Args: arguments(0)}
	f := flagsOf(c)
	f.in("Event:")
	f.profile(&o.profile, "whose scheme signs (hookctl profiles list)")
	f.text(&o.data, "data", "d", "TEXT|@FILE|@-", "the body, byte for byte; default: standard input")
	f.text(&o.id, "id", "", "ID", "the event id; default: the body's")
	f.text(&o.event, "event", "e", "TYPE", "the event type; default: the body's")
	f.value(o.timestamp, "timestamp", "", "TIME", "signing time: unix seconds, RFC 3339 or now")
	f.value(o.attempt, "attempt", "", "N", "sign as attempt N; default: 1")
	f.value(o.firstSent, "first-sent", "", "TIME", "time of the first attempt; default: as signed")
	f.text(&o.url, "url", "", "URL", "the endpoint, where it is signed or printed")
	f.value(o.seed, "seed", "", "N", "fixes an id that is made up")
	o.secrets.add(f, "")
	f.in("Output:")
	f.value(o.output, "output", "o", "FORM", "headers (default), value, env, curl or json")
	f.yes(&o.all, "all-headers", "", "every header that the profile sends")
	a.addOutput(f, &o.out, "", "say what was dropped from a secret", "the same as -o json: hookctl.sign/1")
	c.RunE = func(c *cobra.Command, args []string) error {
		o.hasData = c.Flags().Changed("data")
		if o.out.json {
			if o.output.set && o.output.value != "json" {
				return misuse("--json excludes -o %s", o.output.value)
			}
			o.output.value = "json"
		}
		return a.sign(o, lineOf(c, args))
	}
	return c
}

// A signing is one body signed.
type signing struct {
	o       *signOptions
	profile *profiles.Profile
	values  sign.Values
	body    *signedBody
	url     string
}

func (a *app) sign(o *signOptions, line *commandLine) error {
	conf, err := a.config()
	if err != nil {
		return err
	}
	s := &signing{o: o}
	if s.profile, err = a.profile(o.profile, conf, line); err != nil {
		return err
	}
	secrets, err := a.secrets(&o.secrets, conf, s.profile.Name)
	if err != nil {
		return err
	}
	if len(secrets) == 0 {
		return a.missingSecret(s.profile, line)
	}
	a.sayDropped(secrets, o.out.verbose)
	all, err := keys(s.profile, secrets)
	if err != nil {
		return err
	}
	groups, err := perHeader(s.profile, all)
	if err != nil {
		return err
	}
	target, err := a.target(nonEmpty(o.url), conf, s.profile.Name)
	if err != nil {
		return err
	}
	s.url = target.String()
	if s.body, err = a.openBody(o); err != nil {
		return err
	}
	defer s.body.close()
	if err := a.signValues(s); err != nil {
		return err
	}
	digests, err := s.body.sign(s.profile, s.values, all)
	if err != nil {
		return err
	}
	if s.body.newline() {
		a.say(render.Warning, s.body.name()+" ends in a newline, which is part of what is signed", "")
	}
	if len(groups) > 1 {
		a.say(render.Note, s.profile.Title+" puts one signature in a header and rotates with a second webhook: two deliveries, the older secret first", "")
	}
	for i, group := range groups {
		which := 0
		if len(groups) > 1 {
			which = i + 1
		}
		if err := a.printSignature(s, digests[:len(group)], which); err != nil {
			return err
		}
		digests = digests[len(group):]
	}
	return nil
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// sayDropped tells of line ends that were dropped from secrets.
func (a *app) sayDropped(secrets []secret, verbose bool) {
	for _, s := range secrets {
		if s.newline && verbose {
			a.say(render.Note, "one line end was dropped from the secret of "+s.from, "")
		}
	}
}

// signValues fills the placeholders from flags and the body.
func (a *app) signValues(s *signing) error {
	o, p := s.o, s.profile
	v := &s.values
	v.Time, v.Attempt, v.URL = o.timestamp.value, max(o.attempt.value, 1), s.url
	if v.Time.IsZero() {
		v.Time = time.Now()
	}
	if v.FirstSent = o.firstSent.value; v.FirstSent.IsZero() {
		v.FirstSent = v.Time
	}
	id, typ := o.id, o.event
	if s.wants("id") || s.wants("type") {
		head, err := s.body.peek()
		if err != nil {
			return err
		}
		var notes []string
		id, typ, notes = identity(p, head, o.id, o.event)
		for _, n := range notes {
			a.say(render.Note, n, "")
		}
	}
	if id == "" && s.wants("id") {
		id = send.NewID(p, dice(seed(o.seed)))
		a.say(render.Note, "the event id "+oneLine(id)+" is made up: the body has none; --id gives one", "")
	}
	s.body.named = o.id != "" || !p.Signature.Content.Has("id")
	v.ID, v.Type = id, typ
	return nil
}

// wants reports whether the signed text or a printed header holds a placeholder.
func (s *signing) wants(placeholder string) bool {
	if s.o.all || s.o.output.value == "json" || s.o.output.value == "curl" {
		return needs(s.profile, placeholder)
	}
	if s.profile.Signature.Content.Has(placeholder) {
		return true
	}
	for _, h := range s.profile.Headers {
		if s.carries(h) && h.Value.Has(placeholder) {
			return true
		}
	}
	return false
}

// carries reports whether a header is the signature's or carries what the signed
// text uses.
func (s *signing) carries(h profiles.Header) bool {
	if h.Value.Has("signature") {
		return true
	}
	for _, part := range s.profile.Signature.Content.Parts {
		if part.Name != "" && part.Name != "body" && part.Name != "url" && h.Value.Has(part.Name) {
			return true
		}
	}
	return false
}
