package explain

import (
	"strings"

	"github.com/hookctl/hookctl/sign"
)

// emptySecret explains a configured secret with nothing in it.
func (s *search) emptySecret() *Explanation {
	for _, secret := range s.in.Secrets {
		if isBlank(strings.TrimPrefix(secret.Text, s.p.Secret.Strip)) {
			return s.told(fault{kind: secretEmpty})
		}
	}
	return nil
}

// clock asks whether the signature is right: then there is nothing to explain,
// or only its time.
func (s *search) clock() (e *Explanation, done bool) {
	var keys []*sign.Key
	for _, secret := range s.in.Secrets {
		if key, err := sign.NewKey(s.p, secret.Text); err == nil {
			keys = append(keys, key)
		} else {
			keys = append(keys, nil)
		}
	}
	res := sign.Verify(s.p, s.whole, s.in.Now, keys...)
	switch {
	case res.Verified:
		return nil, true
	case res.Reason == sign.TooOld:
		return s.aged(timestampTooOld, res), true
	case res.Reason == sign.InTheFuture:
		q, _ := sign.Parse(s.p, s.in.Received)
		if !q.Milliseconds && len(q.Time) >= 12 && len(q.Time) <= 14 {
			return s.aged(timestampMilliseconds, res), true
		}
		if e := s.fineUnit(q, res); e != nil {
			return e, true
		}
		return s.aged(timestampInFuture, res), true
	}
	return nil, false
}

// readApp fills s.reads with what the user's own code computed. It reports false
// if that is the right digest.
func (s *search) readApp() bool {
	text := strings.TrimSpace(s.in.App[:min(len(s.in.App), longestValue)])
	var q sign.Parts
	if name := sign.SignatureHeader(s.p).Name; name != "" {
		if len(digests(s.p, text, nil)) == 0 {
			s.readValue(text, fault{})
			s.readRepaired(text)
		}
		if values := s.lines(name); len(values) > 0 {
			q, _ = sign.Parse(s.p, s.in.Received)
		}
	}
	if s.timed() && q.Time == "" {
		s.add(&reading{}, text, []fault{{kind: schemeMismatchPlain}})
	} else if before, after, err := q.Content(s.p); err == nil {
		s.add(&reading{parts: q, time: q.Time, before: before, after: after, whole: true}, text, nil)
	}
	for _, r := range s.reads {
		for _, k := range s.keys {
			k.mac.Reset()
			k.mac.Write(r.before)
			k.mac.Write(s.body)
			k.mac.Write(r.after)
			s.sum = k.mac.Sum(s.sum[:0])
			for i := range r.targets {
				if r.targets[i].is(s.sum) && len(r.targets[i].faults) == 0 {
					return false
				}
			}
		}
	}
	return true
}

// asDocumented tries the configured secrets on the body as it is: only the
// headers or the digest's text are at fault.
func (s *search) asDocumented() bool {
	for _, r := range s.reads {
		for _, k := range s.keys {
			s.tried.Layouts++
			if s.try(r, k, r.before, s.body, r.after, nil) {
				return true
			}
		}
	}
	return false
}

// main are the readings that the long steps are tried on.
func (s *search) main() []*reading { return s.reads[:min(len(s.reads), 3)] }

// otherDeliveries tries the bodies of other captured requests, with the time of
// this one and with theirs. One that is this body written in another way is the
// same delivery.
func (s *search) otherDeliveries() bool {
	for i, other := range s.in.Others {
		if i == 64 {
			return false
		}
		name := "captured request " + number(i+1)
		if i < len(s.in.Names) && s.in.Names[i] != "" {
			name = escape(s.in.Names[i])
		}
		f := fault{kind: signatureOfOther, detail: name, signed: other.Body, other: true}
		q, _ := sign.Parse(s.p, other)
		before, after, err := q.Content(s.p)
		for _, r := range s.main() {
			for _, k := range s.keys {
				had := s.pending
				found := s.try(r, k, r.before, other.Body, r.after, &f)
				switch {
				case found:
					s.nameRewriting(s.found)
					return true
				case s.pending != had:
					s.nameRewriting(s.pending)
				}
				if err == nil && s.try(r, k, before, other.Body, after, &f) {
					return true
				}
			}
		}
	}
	return false
}

// secrets tries the other secrets, then what happens to secrets on their way.
func (s *search) secrets() bool {
	s.other = s.keyForms()
	s.tried.Secrets = len(s.other)
	for _, k := range s.other {
		for _, r := range s.main() {
			if s.try(r, k, r.before, s.body, r.after, nil) {
				return true
			}
		}
	}
	return false
}

// bodies tries what happens to bodies on their way, one change at a time.
func (s *search) bodies() bool {
	return s.tryBodies(s.distinct(s.old, s.simpleForms()...), s.keys, &s.tried.Bodies)
}

// rareBodies tries the changes that have many forms.
func (s *search) rareBodies() bool {
	return s.tryBodies(s.distinct(s.old, s.rareForms()...), s.keys, &s.tried.Bodies)
}

// wholeBodies tries what serialisers write.
func (s *search) wholeBodies() bool {
	return s.tryBodies(s.distinct(s.old, s.wholeForms()...), s.keys, &s.tried.Bodies)
}

// twoFaults tries each form of a secret with each form of the body and each
// layout. What the text of the digest adds was seen on the way.
func (s *search) twoFaults() bool {
	if s.pending != nil {
		return false
	}
	before, layouts := s.tried.Signatures, s.tried.Layouts
	defer func() { s.tried.Combined, s.tried.Layouts = s.tried.Signatures-before, layouts }()
	var n int
	var keys, known []*keyForm
	for _, k := range s.other {
		if k.fault.kind == senderPlaceholderSecret {
			known = append(known, k)
		} else {
			keys = append(keys, k)
		}
	}
	all := s.layoutForms()
	if s.withLayouts(all, keys) || s.withTimes(keys) || s.withHashes(keys) {
		return false
	}
	forms := append(s.simpleForms(), s.wholeForms()...)
	if len(s.outermost()) <= 4 {
		forms = append(forms, s.permutations)
	}
	s.tryBodies(s.distinct(newSeen(), forms...), keys, &n)
	// Well-known secrets are many: they are tried with a few second faults.
	if s.pending == nil && !s.withLayouts(common(all), known) {
		s.tryBodies(s.distinct(newSeen(), s.lineForms, s.spacedForms), known, &n)
	}
	return false
}
