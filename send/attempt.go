package send

import (
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// An Attempt is one try of a delivery: what was sent, what came back, what the
// provider makes of it, what follows.
type Attempt struct {
	Number   int           // from 1
	Due      time.Duration // start, in provider time since the first attempt
	At       time.Time     // start, on this machine's clock
	Took     time.Duration // from dialling to the end of the answer's header, or to the failure
	Waited   bool          // false: Took is provider time that was not waited for
	Request  *Request      // nil: none was made
	Response *Response     // nil: no answer
	Failure  *Failure      // nil: there was an answer
	Verdict  Verdict       // zero when interrupted
	Next     *Wait         // nil: nothing follows
	Notes    []string      // about Retry-After, an assumption, this target in production
}

// Outcome is the status or the failure.
func (a Attempt) Outcome() profiles.Outcome {
	switch {
	case a.Failure != nil:
		return profiles.Outcome{Failure: a.Failure.Kind}
	case a.Response != nil:
		return profiles.Outcome{Status: a.Response.Status}
	}
	return profiles.Outcome{}
}

// local is why this machine could not make the attempt, or nil.
func (a Attempt) local() error {
	if a.Failure == nil || a.Failure.Local == nil {
		return nil
	}
	return a.Failure.Local
}

// next is when the attempt after it is due, in provider time.
func (a Attempt) next() time.Duration { return later(later(a.Due, a.Took), a.Next.Wait) }

// forget drops what was sent and answered, but for how the attempt ended.
func (a *Attempt) forget() {
	a.Request, a.Notes = nil, nil
	if a.Response != nil {
		a.Response = &Response{Status: a.Response.Status}
	}
}

// A Request is what was sent, as it stood on the wire.
type Request struct {
	Method, Target string
	Header         []sign.Header // complete, in wire order
}

// A Response is what was answered, as it stood on the wire.
type Response struct {
	Status   int
	Proto    string // "HTTP/1.1"
	Text     string // the words after the status
	Header   []sign.Header
	Body     []byte // its first 4 KiB
	Complete bool   // Body is all of it
}

// Get is the first value of the header of that name, case ignored.
func (r *Response) Get(name string) (string, bool) {
	value, lines := sign.Lookup(r.Header, name)
	return value, lines > 0
}

// A Failure is why there was no answer.
type Failure struct {
	Kind    profiles.Failure
	Message string   // for people; from outside, so to be escaped when shown
	Tried   []string // the addresses that were dialled, as "127.0.0.1:80"
	TLS     TLSFault // where Kind is TLS

	// Local says that it is this machine's: Kind is then Interrupted. nil: it is
	// not.
	Local *LocalError
}

// A TLSFault is what a TLS handshake failed of.
type TLSFault int

// TLSFaults.
const (
	OtherTLS         TLSFault = iota // an alert, for one
	NotTLS                           // the other side does not speak TLS
	UnknownAuthority                 // nobody whom this system trusts signed the certificate
	BadCertificate                   // it is out of date, for another name, or wrong otherwise
)

// A Verdict is what the provider makes of one outcome.
type Verdict struct {
	Then   profiles.Verdict
	Item   string         // the item that matched, as the profile has it: "5xx"
	Rule   *profiles.Rule // the rule that decided
	Reason string         // the rule's because, or why the schedule goes on or ends
}

// A Wait is the time until the next attempt.
type Wait struct {
	Wait, Base time.Duration // with jitter, and before it
	Min, Max   time.Duration // what jitter allows; only in a plan without a script
	Source     Source
	Cut        bool // a Retry-After above the cap
}

// Source is what a wait comes from.
type Source string

// The sources of a wait.
const (
	FromSchedule   Source = "schedule"
	FromRetryAfter Source = "retry-after"
)

// State is how a delivery ended.
type State string

// The states. NotSent is for summaries.
const (
	StateDelivered   State = "delivered"
	StateFailed      State = "failed"
	StateInterrupted State = "interrupted"
	StateNotSent     State = "not-sent"
)

// Cause is what decided the state.
type Cause string

// The causes.
const (
	ByRule        Cause = "rule"
	ByExhausted   Cause = "exhausted"
	ByCeiling     Cause = "ceiling"
	ByStopped     Cause = "stopped" // another event stopped the webhook
	ByInterrupted Cause = "interrupted"
)

// An Ending is how a delivery ended.
type Ending struct {
	State   State
	Cause   Cause
	Effects []profiles.Effect
	Assumed string        // the rule or the end of the schedule that gave the effects rests on this assumption
	Elapsed time.Duration // provider time
	Notes   []string      // what is assumed, what production would do, the text of Err

	// Err is why the message could not be sent, as Sender.Check tells it, or a
	// *LocalError; the State is then interrupted. nil: it could.
	Err error

	// Certificate says what the provider makes of a certificate that only the
	// Sender's TLS accepts; "" if there was none.
	Certificate string
}
