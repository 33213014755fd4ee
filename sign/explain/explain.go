// Package explain says why a signature does not match. It tries what senders,
// proxies and receivers do wrong, one mistake at a time and then two, and calls
// an explanation proven only if the HMAC under that mistake is the received one.
//
// Call [Explain] with a request that was refused. It is pure: no clock, no
// network, no files; how much it works is bounded by a [Budget].
package explain

import (
	"fmt"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// An Input is a request and all that may help to explain it.
type Input struct {
	Profile  *profiles.Profile // its tolerance is the one that is judged by
	Received sign.Received     // the URL, if given, is also tried as signed text
	Now      time.Time
	Secrets  []Secret // the configured ones, one or two; a Name is not needed

	// What follows only helps to explain.

	Try    []Secret            // other secrets that may be in play, named by their role
	Others []sign.Received     // other requests that were captured; 64 at most are tried
	Names  []string            // of Others, as the user knows them: "req-2.txt"; may be shorter
	Known  []*profiles.Profile // all profiles, to know the signature headers of others
	App    string              // a digest, or a header value, that the user's own code computed
	Budget Budget
}

// A Secret is a secret's text under a name. It never prints its text.
//
// In Input.Try the names dashboard, cli, test, live, previous and next are roles
// that choose the explanation; every other name is another endpoint.
type Secret struct {
	Name string
	Text string // as it was given; must never be shown
}

// Format writes a fixed text under every verb: a secret is never printed.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("[secret]")) }

// MarshalText is a fixed text: a secret is never written to a document.
func (s Secret) MarshalText() ([]byte, error) { return []byte("[secret]"), nil }

// An Explanation is why a signature does not match.
type Explanation struct {
	Kind       Kind
	Certainty  Certainty
	Summary    string      // sentences; bytes from outside stand in them as Go escapes them
	Fix        string      // what to change; with Warning, what to beware of
	Warning    bool        // a forger could have made the signature
	Faults     []Kind      // one, or both of two_faults
	Named      string      // the name of the secret of Input.Try that matched, or ""
	Serialiser string      // who writes JSON like this, such as "Python's json.dumps", or ""
	Difference *Difference // nil: the body was signed as received, or not at all
	Tried      Tried
	Helps      []Help // what would help; only where nothing matched
}

// A Difference is the first place where the signed body differs from the
// received one.
type Difference struct {
	Offset   int    // of the first byte that differs, from 0
	Start    int    // of the windows in both bodies, at most 24 bytes before
	Received string // a window of the received body, raw bytes, at most 192
	Signed   string // the same of the signed one
}

// A Help is something that the user may add, and how.
type Help struct {
	Says string // "the secret of another environment"
	Flag string // "--try live=env:NAME"
}

// Explain says why the request is refused: the first explanation that is found,
// cheap and specific ones first, one fault before two. It is nil if the request
// verifies (with Input.App: if that is the right digest), and without a secret.
func Explain(in Input) *Explanation {
	if len(in.Secrets) == 0 && len(in.Try) == 0 {
		return nil
	}
	s := newSearch(in)
	if e := s.emptySecret(); e != nil {
		return e
	}
	if in.App == "" {
		if e, done := s.clock(); done {
			return e
		}
		s.read()
	} else if !s.readApp() {
		return nil
	}
	return s.run()
}

// A step is a part of the search. It reports whether it found one fault.
type step struct {
	run    func(*search) bool
	leaves float64 // the part of the budget that later steps can rely on
}

// steps are the search in its order: cheap and specific first.
func steps() []step {
	return []step{
		{(*search).asDocumented, 0},
		{(*search).otherDeliveries, 0.8},
		{(*search).secrets, 0.5},
		{(*search).algorithms, 0},
		{(*search).argumentOrder, 0},
		{(*search).hashes, 0},
		{(*search).layouts, 0.5},
		{(*search).largeBody, 0},
		{(*search).times, 0.4}, // of a large body the nearest times must do
		{(*search).bodies, 0},
		{(*search).rareBodies, 0.6},
		{(*search).wholeBodies, 0},
		{(*search).twoFaults, 0},
	}
}

// run is the search.
func (s *search) run() *Explanation {
	for _, step := range steps() {
		s.spent, s.floor = false, int64(step.leaves*float64(s.left.Bytes))
		if step.run(s) {
			return s.proven(s.found)
		}
	}
	if s.pending != nil {
		return s.proven(s.pending)
	}
	return s.unproven()
}
