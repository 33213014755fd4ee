package listen

import (
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

// A Request is what one request was and how it was answered. Its slices are
// shared with the [Receiver]: read them, never write to them.
type Request struct {
	Number    int // from 1, in the order of arrival
	At        time.Time
	Remote    string // "127.0.0.1:51000"
	Method    string
	Target    string            // as on the request line
	Proto     string            // "HTTP/1.1"
	Header    []sign.Header     // in wire order, spelled as on the wire
	Body      []byte            // nil unless BodyRead
	BodyRead  bool              // the body was read whole
	Profile   *profiles.Profile // nil: unknown
	Result    *sign.Result      // nil: signatures are not judged; without a reason: a limit came first
	Event     sign.Event
	Warnings  []string
	Seen      Seen
	Attempt   int      // with Retry: which attempt it is, by its header or else counted; from 2
	Of        int      // the number of the first with this id; 0: new
	Before    *Earlier // the request before with this id and the first one's body; nil: new
	DiffersAt int      // with Conflict: the first byte that differs from request Of, from 1; 0: not known
	OlderThan *Older   // nil: not older than another
	Answer    Answer
	Sent      []sign.Header // the answer's headers, for -v; only where Receiver.Seen is set
	SentBody  []byte        // the first 4 KiB of the answer's body
	Took      time.Duration // from the end of the request's head to the end of the answer
	Failure   *send.Failure // a forward that failed, a body that ended early or came too late

	Unrecorded error // why Receiver.Record failed; nil: it did not, or there is none

	Explanation *explain.Explanation // why the signature does not match; nil: not explained
	Unexplained bool                 // it would have been explained, but four were being explained

	// Sensitive and Masked say how MarshalJSON masks headers.
	Sensitive bool                   // do not mask credentials
	Masked    func(name string) bool // further headers to mask; nil: none
}

// Seen is what the event id says.
type Seen string

// The values of Seen.
const (
	New       Seen = "new"
	Retry     Seen = "retry"
	Duplicate Seen = "duplicate"
	Conflict  Seen = "conflict" // same id, other body
)

// Earlier is the request before with the same id.
type Earlier struct {
	Number int
	Status int // 0: it had no answer, or none yet
}

// Older is an earlier request with a newer state of the same object.
type Older struct {
	Number         int
	Updated, Newer string // of this request, and of that one
}

// An Answer is what was answered and what decided it.
type Answer struct {
	Status int // 0: none (the script timed out, reset or closed; the client left)
	By     By
}

// By is what decided an answer.
type By string

// The values of By.
const (
	ByDefault By = "default"
	ByScript  By = "script"
	ByReject  By = "reject"
	ByForward By = "forward"
	ByDedupe  By = "dedupe"
	ByLimit   By = "limit"
)
