package cmd

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

// verifyOptions are the flags of verify.
type verifyOptions struct {
	profile, data, request, url string
	hasData                     bool
	from                        string
	number                      *parsed[int]
	headers, try, others        []string
	app                         string
	expected                    bool
	at                          *parsed[time.Time]
	tolerance                   *parsed[time.Duration]
	secrets                     secretFlags
	out                         outputFlags
}

func (a *app) verifyCommand() *cobra.Command {
	o := &verifyOptions{at: newTime(true), tolerance: newDuration(0), number: newCount(1, math.MaxInt)}
	c := &cobra.Command{Use: "verify [flags]", Args: arguments(0)}
	f := flagsOf(c)
	f.in("Request:")
	f.profile(&o.profile, "whose scheme; default: recognised by the headers")
	f.text(&o.request, "request", "", "FILE|-", "a raw HTTP/1.1 request as text")
	f.text(&o.data, "data", "d", "TEXT|@FILE|@-", "or the body; default: standard input")
	f.texts(&o.headers, "header", "H", "'NAME: VALUE'", "and its headers; may be repeated")
	f.text(&o.from, "from", "", "FILE|-", "or a record of listen --record, with")
	f.value(o.number, "number", "", "N", "the number of the request in it")
	f.text(&o.url, "url", "", "URL", "the address that was called, where it is signed")
	f.in("Time:")
	f.value(o.at, "at", "", "TIME", "what counts as now: unix seconds or RFC 3339")
	f.value(o.tolerance, "tolerance", "", "DURATION", "in place of the profile's window; 0: any age")
	o.secrets.add(f, "")
	f.in("Only to explain a refused signature:")
	f.texts(&o.try, "try", "", "NAME=SECRET", "another one: NAME=TEXT, NAME=@FILE, NAME=env:VAR")
	f.text(&o.app, "app-computed", "", "HEX", "the digest that your own code computed")
	f.texts(&o.others, "other-request", "", "FILE", "a raw request of another delivery")
	f.yes(&o.expected, "show-expected", "", "print the signature that would be right")
	f.in("Output:")
	a.addOutput(f, &o.out, "", "say what was dropped from a secret", "one hookctl.verify/1 document")
	c.RunE = func(c *cobra.Command, args []string) error {
		o.hasData = c.Flags().Changed("data")
		return a.verify(o, lineOf(c, args))
	}
	return c
}

func (a *app) verify(o *verifyOptions, line *commandLine) error {
	conf, err := a.config()
	if err != nil {
		return err
	}
	received, at, notes, err := a.received(o)
	if err != nil {
		return err
	}
	for _, n := range notes {
		a.say(render.Note, n, "")
	}
	p, err := a.verifyProfile(o, conf, received, line)
	if err != nil {
		return err
	}
	if name := sign.SignatureHeader(p).Name; o.from != "" && isMasked(received.Header, name) {
		return misuse("the header %s of request %d was masked when it was recorded", name, o.number.value).
			with("record it again with listen --record-sensitive", "")
	}
	secrets, err := a.secrets(&o.secrets, conf, p.Name)
	if err != nil {
		return err
	}
	now := cmp.Or(o.at.value, at)
	if now.IsZero() {
		now = time.Now()
	}
	in, err := a.explainInput(o, p, received, secrets, now)
	if err != nil {
		return err
	}
	if fault := a.verifySecrets(p, secrets, line); fault != nil {
		if o.out.json && len(secrets) <= 2 {
			v := verdict{profile: p, result: refusedForSecret(p, received), now: now}
			if len(secrets) > 0 {
				v.explanation = explain.Explain(in)
			}
			if err := v.write(a.out); err != nil {
				return err
			}
		}
		return fault
	}
	a.sayDropped(secrets, o.out.verbose)
	all, err := keys(p, secrets)
	if err != nil {
		return err
	}
	v := verdict{profile: p, result: sign.Verify(in.Profile, received, now, all...), now: now}
	start := time.Now()
	if in.App != "" {
		v.app = explain.Explain(in)
		in.App = ""
	}
	if v.explanation = explain.Explain(in); v.result.Verified {
		v.result.Warnings = append(v.result.Warnings, explain.Cautions(p, received.Body, in.Secrets)...)
	}
	took := time.Since(start)
	if o.expected {
		v.expected = expected(p, received, v.result, all)
	}
	if o.out.json {
		err = v.write(a.out)
	} else {
		err = render.Verify(a.out, a.outStyle(), render.VerifyReport{Profile: in.Profile, Result: v.result, Secrets: len(all),
			Explanation: v.explanation, App: v.app, Took: took, Expected: v.expected})
	}
	if err != nil {
		return err
	}
	a.afterVerify(v, secrets, o, line)
	if !v.result.Verified {
		return errNo
	}
	return nil
}

// verifySecrets refuses none, more than two and unusable ones.
func (a *app) verifySecrets(p *profiles.Profile, secrets []secret, line *commandLine) *fault {
	if len(secrets) == 0 {
		return a.missingSecret(p, line)
	}
	if len(secrets) > 2 {
		return misuse("%d secrets given; at most two can be in use", len(secrets))
	}
	for _, s := range secrets {
		if strings.TrimSpace(s.text) == "" {
			return misuse("an empty secret (%s) verifies nothing: an empty key can be used by anyone", s.from)
		}
	}
	return nil
}

// refusedForSecret is the verdict on a request for which there is no usable
// secret.
func refusedForSecret(p *profiles.Profile, r sign.Received) sign.Result {
	event, warnings := sign.ReadEvent(p, r)
	return sign.Result{Reason: sign.NoSecret, Event: event, Warnings: warnings}
}

// afterVerify says on stderr what the verdict does not.
func (a *app) afterVerify(v verdict, secrets []secret, o *verifyOptions, line *commandLine) {
	r := v.result
	for _, w := range r.Warnings {
		a.say(render.Warning, oneLine(w), "")
	}
	switch {
	case o.app == "" || v.app != nil:
	case r.Verified:
		a.say(render.Note, "--app-computed is the right signature: if your code refuses it, look at how it compares", "")
	default:
		a.say(render.Note, "--app-computed is right for this body: your code refuses what does not match, as it should", "")
	}
	if r.Verified {
		return
	}
	if !o.out.verbose {
		a.sayDropped(secrets, r.Reason == sign.NoMatchingSignature)
	}
	if onlyAge(v) && !o.at.set && o.from == "" {
		a.say(render.Hint, "to verify it as of its own time:", line.with("--at", fmt.Sprint(r.Time.Unix())).String())
	}
}

// onlyAge reports whether nothing but the age is wrong: at its own time the
// signature verifies.
func onlyAge(v verdict) bool {
	r := v.result
	return (r.Reason == sign.TooOld || r.Reason == sign.InTheFuture) && !r.Time.IsZero() &&
		(v.explanation == nil || v.explanation.Kind != "timestamp_in_milliseconds")
}

// verifyProfile is the profile that is named, or the one that the headers fit.
func (a *app) verifyProfile(o *verifyOptions, conf *config, r sign.Received, line *commandLine) (*profiles.Profile, error) {
	if name := a.profileName(o.profile, conf); name != "" {
		return a.profileNamed(name)
	}
	if len(r.Header) == 0 {
		return nil, misuse("the request has no headers").with("give them with -H, or all of it as a file:", line.without("-d").with("--request", "FILE").String())
	}
	return a.fittingProfile(r.Header, line)
}

// fittingProfile is the profile that the headers of a request fit.
func (a *app) fittingProfile(header []sign.Header, line *commandLine) (*profiles.Profile, error) {
	all, err := a.allProfiles()
	if err != nil {
		return nil, err
	}
	switch fitting := sign.Recognise(all, header); len(fitting) {
	case 1:
		return fitting[0], nil
	case 0:
		return nil, misuse("no profile has a header of this request").with("name one:", line.with("-p", "NAME").String())
	default:
		var names []string
		for _, p := range fitting {
			names = append(names, p.Name)
		}
		return nil, misuse("the headers fit %s", list(names)).with("name one:", line.with("-p", names[0]).String())
	}
}

// received is the request to judge: of a record, with the time it came; raw; or
// its body and headers.
func (a *app) received(o *verifyOptions) (sign.Received, time.Time, []string, error) {
	if o.from != "" {
		if o.hasData || len(o.headers) > 0 || o.request != "" {
			return sign.Received{}, time.Time{}, nil, misuse("--from is a whole request: it excludes --request, -d and -H")
		}
		q, notes, err := a.recorded(o)
		if err != nil {
			return sign.Received{}, time.Time{}, nil, err
		}
		return sign.Received{Header: q.Header, Body: q.Body, URL: o.url}, q.At, notes, nil
	}
	if o.number.set {
		return sign.Received{}, time.Time{}, nil, misuse("--number needs --from, the record of that request")
	}
	r, notes, err := a.given(o)
	return r, time.Time{}, notes, err
}

// given is a request that is given raw, or as its body and headers.
func (a *app) given(o *verifyOptions) (sign.Received, []string, error) {
	if o.request == "" {
		headers, err := headerFlags(o.headers)
		if err != nil {
			return sign.Received{}, nil, err
		}
		var body []byte
		if o.hasData {
			body, err = a.readData(o.data)
		} else {
			body, err = a.readStdin("the body")
		}
		return sign.Received{Header: headers, Body: body, URL: o.url}, nil, err
	}
	if o.hasData || len(o.headers) > 0 {
		return sign.Received{}, nil, misuse("--request is a whole request: it excludes -d and -H")
	}
	var raw []byte
	var err error
	if o.request == "-" {
		raw, err = a.readStdin("the request")
	} else if raw, err = readFile(o.request, maxBody); err != nil {
		err = cannot(err, "--request: %s", pathError(err))
	}
	if err != nil {
		return sign.Received{}, nil, err
	}
	header, body, notes, err := parseRequest(raw)
	if err != nil {
		return sign.Received{}, nil, misuse("--request: %s: %s", oneLine(o.request), oneLine(err.Error()))
	}
	return sign.Received{Header: header, Body: body, URL: o.url}, notes, nil
}
