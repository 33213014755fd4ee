package main

import (
	"context"
	"net"
	"net/http"
	"time"
)

const (
	workers  = 12                     // requests at once that "pool" has a worker for
	most     = 30                     // requests at once that "crowd" bears
	fullFrom = 20                     // requests after which the queue of "drops" and "pushes" is full
	fullTo   = 45                     // and after which it is not
	workTime = 5 * time.Millisecond   // of "pool" and "crowd"
	waitTime = 200 * time.Millisecond // the same, where another request is there
	slowTime = 1500 * time.Millisecond
	mostIdle = 3 * time.Second // between two requests of a connection
)

// enter counts a request that is being handled, and returns how many are.
func (r *receiver) enter() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.here++
	return r.here
}

func (r *receiver) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.here--
}

// loaded is what a fault of load does to a request among here; true: it is
// answered.
func (r *receiver) loaded(w http.ResponseWriter, req *http.Request, here int) bool {
	r.mu.Lock()
	r.seen++
	full := r.seen > fullFrom && r.seen <= fullTo
	r.mu.Unlock()
	switch {
	case r.fault == "slow", r.fault == "pool" && here > workers:
		time.Sleep(slowTime)
	case r.fault == "crowd" && here > most, r.fault == "drops" && full:
		panic(http.ErrAbortHandler)
	case r.fault == "crowd", r.fault == "pool":
		r.work()
	case r.fault == "pushes" && full:
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	case r.fault == "idle" && idleFor(req) > mostIdle:
		panic(http.ErrAbortHandler)
	}
	return false
}

// work works, and longer where it finds other requests, so that what comes at
// once is there at once.
func (r *receiver) work() {
	time.Sleep(workTime)
	r.mu.Lock()
	here := r.here
	r.mu.Unlock()
	if here > 1 {
		time.Sleep(waitTime)
	}
}

// A lasting keeps when the last request of a connection was handled.
type lasting struct{ handled time.Time }

type lastingKey struct{}

// perConnection gives each connection a lasting.
func perConnection(ctx context.Context, _ net.Conn) context.Context {
	return context.WithValue(ctx, lastingKey{}, &lasting{time.Now()})
}

// idleFor is how long the connection was idle before the request.
func idleFor(req *http.Request) time.Duration {
	l := req.Context().Value(lastingKey{}).(*lasting)
	idle := time.Since(l.handled)
	l.handled = time.Now()
	return idle
}
