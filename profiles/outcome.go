package profiles

import "strconv"

// Failure is the kind of an attempt that brought no answer.
type Failure string

// The kinds of failures. NoSecret and BlockedAddress are decided before a
// request is made; Interrupted is the user's.
const (
	DNS            Failure = "dns"
	Refused        Failure = "refused"
	Reset          Failure = "reset"
	Closed         Failure = "closed"
	TLS            Failure = "tls"
	Unreachable    Failure = "unreachable"
	Protocol       Failure = "protocol"
	ConnectTimeout Failure = "connect-timeout"
	ReadTimeout    Failure = "read-timeout"
	BlockedAddress Failure = "blocked-address"
	NoSecret       Failure = "no-secret"
	Interrupted    Failure = "interrupted"
)

// An Outcome is how one attempt ended: a status, or the failure that kept it
// from having one.
type Outcome struct {
	Status  int     // 0 with a Failure
	Failure Failure // "" with a Status
}

// String is the status or the failure's name, as {answer} gives it.
func (o Outcome) String() string {
	if o.Failure != "" {
		return string(o.Failure)
	}
	return strconv.Itoa(o.Status)
}

// An Item is one entry of a rule's "on": a status, a class, a range, a failure,
// a group of failures, or any.
type Item struct {
	Text     string    // as the file has it: "404", "4xx", "500-504", "timeout", "any"
	Low, Up  int       // statuses, both included; 0, 0: none
	Failures []Failure // what a failure or a group of them stands for
	Any      bool
}

// Matches reports whether the item covers the outcome.
func (i Item) Matches(o Outcome) bool {
	if i.Any {
		return true
	}
	if o.Failure == "" {
		return o.Status >= i.Low && o.Status <= i.Up && i.Up > 0
	}
	for _, f := range i.Failures {
		if f == o.Failure {
			return true
		}
	}
	return false
}
