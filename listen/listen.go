// Package listen receives webhooks, verifies them and answers as told. It is
// an http.Handler: a Go test can mount a [Receiver] anywhere; [Server] is the
// whole server with its limits, and keeps the order and spelling of headers.
package listen

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
	"github.com/hookctl/hookctl/sign/explain"
)

// A Receiver judges and answers requests. Its exported fields must not change
// once it serves, and it must not be copied then.
//
// What decides an answer, in this order: a limit (413, 408, 431, 503), the
// signature, an id that is known, the script or the application, else 200. A
// refused request takes no step of the script. More than 128 requests at once, or
// 64 MiB of bodies in memory, are answered 503 with Retry-After: 1.
type Receiver struct {
	Profiles []*profiles.Profile // one: that one; several: recognised by their headers
	Verify   bool                // judge signatures and refuse those that fail

	// Keys gives the keys for a profile. An error or none: such requests are
	// refused with the reason no secret. It is called for each request, by
	// several goroutines at once.
	Keys func(p *profiles.Profile) ([]*sign.Key, error)

	RejectStatus int          // answer to a refused request; 0: 401
	Script       *send.Script // answers to the others, counted per event id; nil: 200
	Forward      *Forward     // or the application that answers; nil: none
	// Dedupe is how long an event id that was answered 2xx is known: a request
	// with it, under Verify a verified one, is answered 200 at once. One that comes
	// while another with its id is being answered waits for that (30 s at most,
	// then 503), and goes on only if that was no 2xx. Half a million ids are known at
	// most, the oldest is dropped. 0: ids are not deduplicated.
	Dedupe  time.Duration
	URL     string // fills {url} where a profile signs it
	MaxBody int64  // bytes; 0: 10 MiB; above 1 TiB (on 32 bits 512 MiB): that

	// Shortcuts, if set, spares delays and time-outs to a sender in this process.
	Shortcuts *send.Shortcuts

	// AtOnce, if set, is how many requests come at once, all from a sender in this
	// process that keeps to it: each is answered as told. Only MaxBody and the time
	// for a body limit it, a head may have 1 MiB, and a [Server] has as many
	// connections and lets one more wait. 0: anybody sends.
	AtOnce int

	// Seen, if set, is called once for each request after its answer went out
	// and was explained, one call at a time, in the order in which the answers
	// went out: a request that was sent after an answer comes after that. A slow
	// one holds back no answer, and 128 calls at most.
	Seen func(Request)

	// Record, if set, is called with each request before its answer goes out, by
	// several goroutines at once. Took is then the time until now, and nothing is
	// explained yet. If it fails the request is answered 503, whatever was
	// decided, and Seen gets the error as Request.Unrecorded. What it keeps of the
	// request it must copy.
	Record func(Request) error

	// Brief says that Seen wants no headers and no bodies, as one that only counts:
	// their memory is then used again, and a Request has them no longer than Seen
	// runs. Seen may then be called a moment before the answer goes out.
	Brief bool

	// Explain says why the signature of a refused request does not match, after
	// its answer went out: [explain.Explain], or nil for no explanations. It runs
	// four times at once at most; a request beyond is not explained, since a
	// flood of wrong signatures must not cost more than that. Only the next
	// request on the same connection waits for it. It is not called without Seen,
	// nor for a request without profile, keys or whole body.
	Explain func(explain.Input) *explain.Explanation

	// Now is the clock; nil: time.Now. The limits of time do not depend on it.
	Now func() time.Time

	history    history
	handled    handled
	recent     recent
	bodies     bodies
	exchanges  sync.Pool    // of *exchange, with Brief
	atOnce     atomic.Int32 // requests that are being answered
	explaining atomic.Int32 // explanations that are being made
	turns      turns
	seen       sync.Mutex // held while Seen is called
	via        via
}

// ServeHTTP receives one request. To close a connection without an answer it
// may panic with http.ErrAbortHandler, as handlers do.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	c, _ := req.Context().Value(connKey{}).(*conn)
	r.serve(w, req, c)
}

// serve receives one request on c, which is nil on another server.
func (r *Receiver) serve(w http.ResponseWriter, req *http.Request, c *conn) {
	x := r.begin(w, req, c)
	defer x.free()
	if !x.speaksHTTP() {
		x.garbage()
		return
	}
	refused := x.limits()
	if refused != nil && refused.status == http.StatusBadRequest {
		x.garbage()
		return
	}
	q := &x.request
	r.judge(q, &x.result)
	accepted := refused == nil && (q.Result == nil || q.Result.Verified)
	x.event = r.history.arrive(q, accepted, !r.Brief)
	if !r.Brief {
		x.remember()
	}
	switch {
	case refused != nil:
		x.refuse(refused)
	case !accepted && (r.Forward == nil || !r.Forward.All):
		x.own(r.rejectStatus(), ByReject)
	case accepted && x.deduped():
	case r.Forward != nil:
		x.forward()
	case r.Script != nil:
		x.play(r.Script.At(r.history.step(x.event)))
	default:
		x.ok()
	}
	x.end()
}

// blind reports whether nothing waits that a sender could leave meanwhile.
func (r *Receiver) blind() bool {
	return r.Forward == nil && r.Script == nil && r.Shortcuts == nil && r.Dedupe == 0
}

func (r *Receiver) rejectStatus() int {
	if r.RejectStatus == 0 {
		return http.StatusUnauthorized
	}
	return r.RejectStatus
}

func (r *Receiver) now() time.Time {
	if r.Now == nil {
		return time.Now()
	}
	return r.Now()
}
