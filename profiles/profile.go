// Package profiles describes how webhook providers behave, as data: what they
// sign and send, how long they wait, what they make of each answer, when they
// try again. A provider is one YAML file; no Go code knows a provider's name.
//
// Start with [Builtin] or [Catalog.Get] for a profile by name, and with
// [Parse] for a file of your own.
package profiles

import "time"

// A Profile is everything that is known of one provider.
type Profile struct {
	Name         string // [a-z0-9][a-z0-9-]*
	Title        string // the provider's name in prose
	Docs         []Doc
	Secret       Secret
	Signature    Signature
	Headers      []Header // sent with every attempt, in file order
	RetryHeaders []Header // added from the second attempt on
	Event        Event
	Delivery     Delivery
	Retry        Retry
	Say          map[Effect]string // what an effect means and how to undo it
	Promises     Promises
	Reconcile    string // how lost events are found again; "" if not said
	Assumed      []Note // what the documentation does not say
	NotEmulated  []string
	Replay       *Replay // nil: the provider has no replay
	Samples      []Sample
}

// Attempts is the number of attempts that the schedule allows, at least 1.
func (p *Profile) Attempts() int { return len(p.Retry.Waits) + 1 }

// A Doc says where rules come from.
type Doc struct {
	Says string
	URL  string // "" where the page is not public
}

// Secret says how a secret becomes a key.
type Secret struct {
	Encoding Encoding // of the secret's text: Raw, Base64 or Hex
	Strip    string   // a prefix that is not part of the key, or ""
	Active   int      // how many sign at once in one header: 1 or 2
	NoneFail bool     // without a secret the delivery fails (else: wrong use)
	Where    string   // where a user finds it, or ""
}

// Encoding is how bytes stand as text.
type Encoding string

// The encodings of secrets (all three) and digests (Hex, Base64).
const (
	Raw    Encoding = "raw"
	Hex    Encoding = "hex" // lower case
	Base64 Encoding = "base64"
)

// Signature is the signature scheme.
type Signature struct {
	Algorithm Algorithm
	Content   Template // the signed text; holds {body} exactly once
	Encoding  Encoding // of the digest
	Separator string   // between the items of the signature header
	Tolerance *Tolerance
}

// Algorithm names a keyed hash.
type Algorithm string

// The algorithms that a profile may name.
const (
	HMACSHA1   Algorithm = "hmac-sha1"
	HMACSHA256 Algorithm = "hmac-sha256"
	HMACSHA512 Algorithm = "hmac-sha512"
)

// Tolerance is how far a signature's time may lie from the clock, edges
// included.
type Tolerance struct {
	Past, Future time.Duration
}

// A Header is a header line as the profile gives it; the name is spelled as on
// the wire.
type Header struct {
	Name  string
	Value Template
}

// Event says where things are in a JSON body. Empty paths: not in the body.
type Event struct {
	ID, Type, Object, Updated string // dotted paths
	NewID                     Template
}

// DefaultMaxBody is the MaxBody of a file that names none, in bytes.
const DefaultMaxBody = 1 << 20

// Delivery is one attempt: its limits, and what its outcome means.
type Delivery struct {
	Limits        Limits
	MaxBody       int64 // bytes
	HTTPSOnly     bool  // applied with --strict
	RefusePrivate bool  // applied with --strict
	Rules         []Rule
}

// Limits are the time limits of one attempt: either Total alone, from dialling
// to the end of the answer's header, or the pair Connect (name, connection and
// TLS) and Read (from then to the end of the answer's header).
type Limits struct {
	Total         time.Duration
	Connect, Read time.Duration
}

// Longest is the longest that an attempt can take.
func (l Limits) Longest() time.Duration { return l.Total + l.Connect + l.Read }

// ForConnect is the limit that passes where no connection comes about: Total or,
// of the pair, Connect.
func (l Limits) ForConnect() time.Duration {
	if l.Total > 0 {
		return l.Total
	}
	return l.Connect
}

// ForAnswer is the limit that passes where the connection stands and no answer
// comes: Total, which the connecting is part of, or, of the pair, Read.
func (l Limits) ForAnswer() time.Duration {
	if l.Total > 0 {
		return l.Total
	}
	return l.Read
}

// Verdict is what a provider makes of an outcome.
type Verdict string

// The three verdicts.
const (
	Delivered Verdict = "delivered"
	Retried   Verdict = "retry"
	Failed    Verdict = "failed"
)

// A Rule says what outcomes mean. The first rule that matches decides.
type Rule struct {
	On      []Item
	Then    Verdict
	Effects []Effect
	Because string // may hold {answer}
	Hint    string
	Warn    string // a warning, though it is delivered
	Assumed string // completes "the documentation does not say ..."
}

// Effect is something that outlives a delivery.
type Effect string

// The effects. Those that stop say so in [Effect.Stops].
const (
	PauseSubscription  Effect = "pause-subscription"
	DisableWebhook     Effect = "disable-webhook"
	DeleteSubscription Effect = "delete-subscription"
	NotifyOwner        Effect = "notify-owner"
	NotifyAdmins       Effect = "notify-admins"
)

// Stops reports whether the effect stops later sends.
func (e Effect) Stops() bool {
	return e == PauseSubscription || e == DisableWebhook || e == DeleteSubscription
}

// Retry is the schedule.
type Retry struct {
	Waits      []time.Duration // before the second attempt, the third, ...
	FromStart  bool            // a wait counts from the start of the attempt before
	Jitter     float64         // 0.25 is +-25 %, uniform
	RetryAfter *RetryAfter     // nil: ignored
	Ceiling    time.Duration   // since the first attempt; 0: none
	Exhausted  Exhausted
	Shape      bool // only the shape of the schedule is published (exact: false)
}

// RetryAfter says when the Retry-After header replaces the next wait.
type RetryAfter struct {
	On     []int // statuses
	AtMost time.Duration
}

// Exhausted is what happens when all attempts are used.
type Exhausted struct {
	Effects []Effect
	Assumed string
}

// Promises are what the provider guarantees.
type Promises struct {
	Dedupe string // "id", or "": a repeated event is known by its id
	Order  string // "type", or "": order is kept inside an event type
}

// A Note marks an assumption: "the documentation does not say " + Note.
type Note struct {
	Field string // a key's path in the file
	Note  string
}

// Replay names the samples that bracket a burst of replayed events.
type Replay struct {
	Started, Completed string
}

// A Sample is an event's body to send when the user has none.
type Sample struct {
	Type string
	Body Template
}
