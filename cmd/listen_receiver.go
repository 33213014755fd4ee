package cmd

import (
	"net"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// ofForwards is a flag given that does nothing without --forward-to; "" if there
// is none.
func (o *listenOptions) ofForwards() string {
	switch {
	case o.forwardAll:
		return "--forward-all"
	case o.insecure:
		return "--insecure"
	case o.caCert != "":
		return "--cacert"
	}
	return ""
}

// receiver is the receiver that the flags ask for.
func (l *listening) receiver(conf *config, line *commandLine) (*listen.Receiver, error) {
	o, a := l.o, l.app
	all, err := l.profiles(conf)
	if err != nil {
		return nil, err
	}
	r := &listen.Receiver{
		Profiles: all, Verify: o.verify, RejectStatus: o.reject.value, URL: o.url, MaxBody: o.maxBody.value, Seen: l.seen,
	}
	r.Brief = o.out.quiet && !o.out.json
	if o.respond != "" {
		if r.Script, err = a.playable(o.respond, line); err != nil {
			return nil, err
		}
	}
	if o.forward != "" {
		u, err := parseTarget(o.forward)
		if err != nil {
			return nil, err
		}
		trust, err := tlsConfig(o.insecure, o.caCert)
		if err != nil {
			return nil, err
		}
		r.Forward = &listen.Forward{URL: u.String(), All: o.forwardAll, TLS: trust}
	} else if flag := o.ofForwards(); flag != "" {
		return nil, misuse("%s needs --forward-to", flag)
	}
	if o.verify {
		r.Explain = explainLive
		if r.Keys, err = l.keys(conf, all, line); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// profiles are those that requests may fit.
func (l *listening) profiles(conf *config) ([]*profiles.Profile, error) {
	if name := l.app.profileName(l.o.profile, conf); name != "" {
		p, err := l.app.profileNamed(name)
		if err != nil {
			return nil, err
		}
		return []*profiles.Profile{p}, nil
	}
	return l.app.allProfiles()
}

// keys is how the receiver gets the keys for a profile.
func (l *listening) keys(conf *config, all []*profiles.Profile, line *commandLine) (func(*profiles.Profile) ([]*sign.Key, error), error) {
	byProfile := map[*profiles.Profile][]*sign.Key{}
	some := 0
	for _, p := range all {
		given, err := l.app.secrets(&l.o.secrets, conf, p.Name)
		if err != nil {
			return nil, err
		}
		if len(given) > 2 {
			return nil, misuse("%d secrets given; at most two can be in use", len(given))
		}
		l.app.sayDropped(given, l.o.out.verbose && p == all[0])
		if some = max(some, len(given)); len(given) == 0 {
			continue
		}
		ks, err := keys(p, given)
		if err != nil && len(all) == 1 {
			return nil, err
		}
		byProfile[p] = ks // none: such requests are refused, no secret
	}
	l.notes = append(l.notes, "verifying with "+count(some, "secret"))
	if some == 0 {
		if !l.developmentAddress() {
			if len(all) == 1 {
				return nil, l.app.missingSecret(all[0], line)
			}
			return nil, misuse("no secret to verify with").
				with("name the variable that holds it:", line.with("--secret-env", "SECRET").String())
		}
		l.development = true
		l.notes[len(l.notes)-1] = "verifying with the development secret"
		for _, p := range all {
			byProfile[p] = []*sign.Key{sign.DevelopmentKey(p)}
		}
	}
	return func(p *profiles.Profile) ([]*sign.Key, error) { return byProfile[p], nil }, nil
}

// developmentAddress reports whether the development secret may be used.
func (l *listening) developmentAddress() bool {
	if l.o.addr == "" {
		return true
	}
	host, port, err := net.SplitHostPort(l.o.addr)
	return err == nil && port == listenPort && loopbackHost(host)
}
