package listen

import (
	"crypto/sha256"
	"net/http"
	"sync"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

const (
	maxHandled = 500_000          // ids that are known at most; the oldest is dropped
	dedupeTime = 30 * time.Second // how long a request waits for another with its id
)

// An idSum stands for an id under its profile, whatever its length.
type idSum [16]byte

func sumOf(profile, id string) idSum {
	h := sha256.New()
	h.Write([]byte(profile))
	h.Write([]byte{0})
	h.Write([]byte(id))
	var s idSum
	copy(s[:], h.Sum(nil))
	return s
}

// handled are the ids that were answered 2xx, and those that are being answered.
// Its zero value is ready for use. An id takes about 60 bytes.
type handled struct {
	mu      sync.Mutex
	known   map[idSum]int64 // unix nanoseconds of its first 2xx
	order   []handledAt     // as they became known; those before oldest are gone
	oldest  int
	pending map[idSum]chan struct{} // closed when the answer is decided
}

type handledAt struct {
	id idSum
	at int64
}

// claim takes an id for the request that asks. It is known already, or another
// request has it: that one's end is to be waited for; or it is claimed now.
func (h *handled) claim(id idSum, now time.Time, keep time.Duration) (known bool, wait <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.fresh(id, now, keep) {
		return true, nil
	}
	if other, ok := h.pending[id]; ok {
		return false, other
	}
	if h.pending == nil {
		h.pending = make(map[idSum]chan struct{})
	}
	h.pending[id] = make(chan struct{})
	return false, nil
}

// settle ends a claim; from here on the id is known if its answer was a 2xx.
func (h *handled) settle(id idSum, at time.Time, keep time.Duration, success bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if success {
		h.learn(id, at, keep)
	}
	if waiting, ok := h.pending[id]; ok {
		close(waiting)
		delete(h.pending, id)
	}
}

// fresh reports whether an id is known at a time.
func (h *handled) fresh(id idSum, now time.Time, keep time.Duration) bool {
	at, ok := h.known[id]
	return ok && now.Sub(time.Unix(0, at)) < keep
}

// learn makes an id known, from its first 2xx on, and forgets what is too old or
// too much.
func (h *handled) learn(id idSum, at time.Time, keep time.Duration) {
	if h.fresh(id, at, keep) {
		return
	}
	if h.known == nil {
		h.known = make(map[idSum]int64)
	}
	h.known[id] = at.UnixNano()
	h.order = append(h.order, handledAt{id, at.UnixNano()})
	for len(h.known) > maxHandled || at.Sub(time.Unix(0, h.order[h.oldest].at)) >= keep {
		gone := h.order[h.oldest] // never the new one
		h.oldest++
		if h.known[gone.id] == gone.at { // else it is known anew
			delete(h.known, gone.id)
		}
	}
	if h.oldest > len(h.order)/2 {
		h.order = append(h.order[:0], h.order[h.oldest:]...)
		h.oldest = 0
	}
}

// deduped answers a request whose id is known: 200 at once. It waits for another
// request with this id that is on its way. It reports false for a request that
// is to go on: the first, or the next after one that failed.
func (x *exchange) deduped() bool {
	if x.r.Dedupe <= 0 || x.event == nil {
		return false
	}
	id := sumOf(x.request.Profile.Name, x.request.Event.ID)
	var patience *time.Timer
	for {
		known, other := x.r.handled.claim(id, x.r.now(), x.r.Dedupe)
		switch {
		case known:
			x.own(http.StatusOK, ByDedupe)
			return true
		case other == nil:
			x.claimed = &id
			return false
		}
		if patience == nil {
			patience = time.NewTimer(dedupeTime)
			defer patience.Stop()
		}
		select {
		case <-other:
		case <-patience.C:
			x.w.Header()["Retry-After"] = []string{"1"}
			x.own(http.StatusServiceUnavailable, ByDedupe)
			return true
		case <-x.req.Context().Done():
			x.request.Failure = &send.Failure{Kind: profiles.Closed, Message: "the sender left before another request with this id was answered"}
			if x.decide(Answer{By: ByDedupe}, profiles.ReadTimeout) {
				x.cut(false, "")
			}
			return true
		}
	}
}

// settle ends the claim on the id, if there is one: the answer is decided, or
// there will be none.
func (x *exchange) settle(success bool) {
	if x.claimed != nil {
		x.r.handled.settle(*x.claimed, x.request.At, x.r.Dedupe, success)
		x.claimed = nil
	}
}
