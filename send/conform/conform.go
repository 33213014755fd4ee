// Package conform tries a receiver of webhooks against what providers do to
// one, from the outside: forged and odd signatures, bodies written another way,
// repeats, races, lost answers, redirects, walls.
//
// Fill [Options] and call [Run]; [Checks] lists what is tried. [Report] has a
// [Result] for each check and writes itself as JSON, JUnit and Markdown.
package conform

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// Level says whether a check decides the verdict.
type Level string

// The levels.
const (
	Required Level = "required"
	Advice   Level = "advice"
)

// State is how a check ended.
type State string

// The states. Inconclusive: the outside cannot tell.
const (
	Pass         State = "pass"
	Fail         State = "fail"
	Inconclusive State = "inconclusive"
	Skip         State = "skip"
)

// The longest that a run takes where Options.MaxTime is 0.
const (
	DefaultTime = 60 * time.Second
	SlowTime    = 10 * time.Minute // with Options.Slow
)

// Options say what to try, and how.
type Options struct {
	Profile   *profiles.Profile
	URL       string        // absolute, http or https; userinfo becomes Basic authorisation
	Keys      []*sign.Key   // one, or the two of a rotation, older first
	Event     send.Message  // an event that the receiver accepts; its id is replaced for each request
	Header    []sign.Header // further headers of every request, spelled as given
	UserAgent string        // "" sends none
	Seed      uint64        // of ids and of random keys
	TLS       *tls.Config   // nil: the system's authorities

	// Probe tells how often the event of that id had its effect; nil: only the
	// answers are judged. An error makes a check inconclusive.
	Probe func(ctx context.Context, id string) (int, error)
	// Break and Heal stop and restore something that the receiver depends on;
	// both or none.
	Break, Heal func(ctx context.Context) error

	Only, Skip  []string      // ids of checks; Only nil: all
	Slow        bool          // idle and long timing checks too
	AllowRemote bool          // hosts that are neither loopback nor private
	MaxTime     time.Duration // of the whole run; 0: DefaultTime, or SlowTime

	// Wait waits between requests where a check needs a pause; nil:
	// [send.RealWait].
	Wait func(ctx context.Context, d time.Duration) error
	// Started, if set, is called as each check begins.
	Started func(Check)
}

// A Result is how one check ended.
type Result struct {
	Check
	Level   Level // for this profile and this run
	State   State
	Finding string   // what a failure is, in one line; "" for a check that passed
	Asked   string   // what was sent, in one sentence
	Came    string   // what came back, in one sentence
	Sent    []string // a text a request
	Got     []string // what came back, a text a request
	Why     string   // why it matters; of a skipped check, why it was skipped
	Fix     string   // what to change; of an inconclusive one, what would help
	Notes   []string // what else was seen
	Warning string   // what deserves a look though the check passed, or ""
	Answers bool     // judged by the answers alone, for want of a probe
	Alone   bool     // chosen by Options.Only, or there is no Only
}

// A Rotated is how a delivery was answered that was signed with some of the two
// secrets of a rotation.
type Rotated struct {
	SignedWith string // "old", "old+new", "new+old", "new"
	Accepted   bool
	Answer     string // "200", "401", "no answer within 8 s"
}

// A Report is how a run ended.
type Report struct {
	Profile   *profiles.Profile
	URL       string // userinfo is not masked
	Secrets   int
	Probe     bool
	Seed      uint64
	Results   []Result // all checks, by number
	Rotation  []Rotated
	Elapsed   time.Duration
	Unreached *send.Failure // the first request reached nothing: no check was run
	Cut       bool          // the context ended the run
	Compared  *Comparison   // with an earlier report, or nil
}

// Counts are how many results of a level ended in each state.
func (r *Report) Counts(l Level) map[State]int {
	counts := map[State]int{}
	for _, result := range r.Results {
		if result.Level == l {
			counts[result.State]++
		}
	}
	return counts
}

// Failed are the required checks that failed, by number.
func (r *Report) Failed() []Result {
	var failed []Result
	for _, result := range r.Results {
		if result.Level == Required && result.State == Fail {
			failed = append(failed, result)
		}
	}
	return failed
}

// Passed reports whether the receiver was reached, something was tried, and no
// required check failed.
func (r *Report) Passed() bool {
	return r.Unreached == nil && !r.Cut && r.Tried() && len(r.Failed()) == 0
}

// Tried reports whether any check was run.
func (r *Report) Tried() bool {
	return slices.ContainsFunc(r.Results, func(c Result) bool { return c.State != Skip })
}

// A RemoteError says that the host is neither loopback nor private, and
// Options.AllowRemote is not set.
type RemoteError struct {
	Host, Address string
}

func (e *RemoteError) Error() string {
	if e.Host == e.Address {
		return e.Host + " is neither a loopback nor a private address"
	}
	return fmt.Sprintf("%s is %s, neither a loopback nor a private address", e.Host, e.Address)
}

// An UnknownError says that no check has the id.
type UnknownError struct {
	ID   string
	Near string // what may have been meant, or ""
}

func (e *UnknownError) Error() string { return fmt.Sprintf("no check is called %q", e.ID) }

// A BodyError says that the event's body has no id to replace.
type BodyError struct {
	Path string // of the id
}

func (e *BodyError) Error() string { return "the body has no event id at " + e.Path }

// Run tries the receiver. It returns within Options.MaxTime and a little, and
// leaves no goroutine behind. The error is a *RemoteError, an *UnknownError, a
// *BodyError, what [send.Sender.Check] says of the target and the headers, or a
// [*send.LocalError]; a receiver that cannot be reached is no error but
// Report.Unreached.
func Run(ctx context.Context, o Options) (*Report, error) {
	r, err := prepare(&o)
	if err != nil {
		return nil, err
	}
	limit := o.MaxTime
	switch {
	case limit > 0:
	case o.Slow:
		limit = SlowTime
	default:
		limit = DefaultTime
	}
	start := time.Now()
	timed, cancel := context.WithTimeoutCause(ctx, limit, errTimeUp)
	defer cancel()
	timed, r.halt = context.WithCancelCause(timed)
	defer r.halt(nil)
	if err := r.resolve(timed); err != nil {
		return nil, err
	}
	r.all(timed)
	var local *send.LocalError
	if errors.As(context.Cause(timed), &local) {
		return nil, local
	}
	report := r.report()
	report.Elapsed = time.Since(start)
	report.Cut = ctx.Err() != nil
	return report, nil
}
