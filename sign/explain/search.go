package explain

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// A Budget bounds a search. The zero Budget is 50,000 signatures and 64 MiB;
// where that is more, 16,384 times the body up to a GiB; and at least 4,096
// times the body, so that each single fault is tried. For a body over a MiB,
// which is not rewritten, it is 64 times the body.
type Budget struct {
	Candidates int   // signatures that may be computed
	Bytes      int64 // that may be hashed or written
}

const (
	mostCandidates = 50_000
	mostBytes      = 64 << 20
	// rewritten is the largest body that is rewritten, in bytes.
	rewritten = 1 << 20
)

// A search looks for the mistake behind one signature.
type search struct {
	in    Input
	whole sign.Received // with all its headers
	p     *profiles.Profile
	body  []byte
	words *words

	reads []*reading // what the headers may mean
	keys  []*keyForm // the configured secrets, as documented
	other []*keyForm // every other key
	left  Budget
	floor int64 // what the step must leave of left.Bytes
	spent bool  // the step's part of the budget did not last
	cut   bool  // a step was not finished
	tried Tried
	sum   []byte
	old   *seen     // bodies that were tried
	buf   []byte    // of the body that is tried
	doc   *document // the body, if it is JSON

	found   *match // one fault
	pending *match // two
}

// A fault is one mistake and what is said of it.
type fault struct {
	kind   Kind
	detail string // a phrase for the kind's words
	named  string // the secret of Input.Try
	signed []byte // the body that was signed, if it is another
	other  bool   // signed is set
}

// A match is a signature that was found, and the faults that lead to it.
type match struct {
	reading *reading
	target  target
	key     *keyForm
	faults  []fault
}

func newSearch(in Input) *search {
	s := &search{in: in, whole: in.Received, p: in.Profile, body: in.Received.Body, words: newWords(), left: in.Budget, old: newSeen()}
	if d, ok := parse(s.body); ok {
		s.doc = d
	}
	if h := s.in.Received.Header; len(h) > mostHeaders {
		name := sign.SignatureHeader(s.p).Name
		kept := slices.Clone(h[:mostHeaders])
		for _, line := range h[mostHeaders:] {
			if strings.EqualFold(line.Name, name) && len(kept) < 2*mostHeaders {
				kept = append(kept, line)
			}
		}
		s.in.Received.Header = kept
	}
	if s.left.Candidates <= 0 {
		s.left.Candidates = mostCandidates
	}
	if s.left.Bytes <= 0 {
		s.left.Bytes = bytesFor(int64(len(s.body)))
	}
	for i, secret := range in.Secrets {
		if key, ok := documentedKey(s.p, secret.Text); ok {
			s.keys = append(s.keys, s.newKey(key, i, nil))
		}
	}
	return s
}

// bytesFor is the budget's bytes for a body of n bytes.
func bytesFor(n int64) int64 {
	if n > rewritten {
		return max(mostBytes, 64*n)
	}
	return max(mostBytes, min(16_384*n, 1<<30), 4096*n)
}

// A keyForm is a key, and what is wrong with it; nil: nothing.
type keyForm struct {
	key    []byte
	secret int // its place in Input.Secrets; -1: in Input.Try, or nowhere
	fault  *fault
	mac    hash.Hash
}

func (s *search) newKey(key []byte, secret int, f *fault) *keyForm {
	return &keyForm{key: key, secret: secret, fault: f, mac: hmac.New(hashOf(s.p.Signature.Algorithm), key)}
}

func hashOf(a profiles.Algorithm) func() hash.Hash {
	switch a {
	case profiles.HMACSHA1:
		return sha1.New
	case profiles.HMACSHA512:
		return sha512.New
	}
	return sha256.New
}

// documentedKey is the key of a secret's text as the profile says.
func documentedKey(p *profiles.Profile, text string) ([]byte, bool) {
	if _, err := sign.NewKey(p, text); err != nil {
		return nil, false
	}
	text = strings.TrimPrefix(text, p.Secret.Strip)
	switch p.Secret.Encoding {
	case profiles.Hex:
		return unhex(text)
	case profiles.Base64:
		return unbase64(text)
	}
	return []byte(text), true
}

// work takes n bytes from the budget.
func (s *search) work(n int) bool {
	if s.left.Bytes-int64(n) < s.floor {
		s.spent, s.cut = true, true
		return false
	}
	s.left.Bytes -= int64(n)
	return true
}

// afford takes one signature over n bytes from the budget.
func (s *search) afford(n int) bool {
	if s.left.Candidates < 1 {
		s.spent, s.cut = true, true
		return false
	}
	if !s.work(n) {
		return false
	}
	s.left.Candidates--
	s.tried.Signatures++
	return true
}

// try signs before, body and after, and reports whether that is one fault's
// distance from what was received. A nil fault is none.
func (s *search) try(r *reading, k *keyForm, before, body, after []byte, f *fault) bool {
	if !s.afford(len(before) + len(body) + len(after)) {
		return false
	}
	k.mac.Reset()
	k.mac.Write(before)
	k.mac.Write(body)
	k.mac.Write(after)
	s.sum = k.mac.Sum(s.sum[:0])
	return s.compare(r, k, s.sum, f)
}

// compare looks for the digest among those received. It reports true for one
// that takes one fault; the first that takes two is kept.
func (s *search) compare(r *reading, k *keyForm, sum []byte, f *fault) bool {
	for i := range r.targets {
		t := &r.targets[i]
		if !t.is(sum) {
			continue
		}
		var faults []fault
		if k != nil && k.fault != nil {
			faults = append(faults, *k.fault)
		}
		if f != nil {
			faults = append(faults, *f)
		}
		faults = append(faults, t.faults...)
		switch m := (&match{reading: r, target: *t, key: k, faults: once(faults)}).keep(); {
		case len(m.faults) == 1:
			s.found = m
			return true
		case len(m.faults) == 2 && s.pending == nil:
			s.pending = m
		}
	}
	return false
}

// once leaves out a fault of the same kind as one before it: a time that is not
// in unix seconds is seen in the header, and again in what was signed.
func once(faults []fault) []fault {
	var kept []fault
	for _, f := range faults {
		if !slices.ContainsFunc(kept, func(k fault) bool { return k.kind == f.kind }) {
			kept = append(kept, f)
		}
	}
	return kept
}

// keep copies the body of each fault, whose buffer is used again.
func (m *match) keep() *match {
	for i := range m.faults {
		if m.faults[i].other {
			m.faults[i].signed = append([]byte{}, m.faults[i].signed...)
		}
	}
	return m
}

// A seen remembers texts, so that none is tried twice.
type seen struct {
	seed maphash.Seed
	have map[uint64]struct{}
}

func newSeen() *seen {
	return &seen{seed: maphash.MakeSeed(), have: map[uint64]struct{}{}}
}

// add reports whether the text is new.
func (s *seen) add(text []byte) bool {
	h := maphash.Bytes(s.seed, text)
	if _, old := s.have[h]; old {
		return false
	}
	s.have[h] = struct{}{}
	return true
}
