package listen

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	headTime  = 30 * time.Second // for a request's head
	idleTime  = 3 * time.Minute  // between requests: longer than senders keep connections
	graceTime = 5 * time.Second  // for the requests in flight when the server stops
)

// A Server runs a Receiver on listeners, with its limits: the head of a request
// may have 64 KiB (else 431) and take 30 s. It speaks HTTP/1.1 only.
type Server struct {
	Receiver *Receiver
	// Garbage, if set, is called for each connection that was answered 400
	// because it did not speak HTTP (or 417 or 501, for an expectation or a
	// transfer coding that nobody knows). It may be called by several goroutines
	// at once.
	Garbage func(remote string)
}

// Serve serves until ctx is done, then finishes the requests in flight (5 s at
// most, then they are cut) and returns nil. A listener that fails ends it with
// that error. It closes the listeners. Every call of Seen and Garbage is over
// when it returns.
func (s *Server) Serve(ctx context.Context, ls ...net.Listener) error {
	stop := make(chan struct{})
	running := &running{fresh: make(map[*conn]bool)}
	running.idle.L = &running.mu
	h := &http.Server{
		Handler:                      running.handler(s.Receiver),
		DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout:            headTime,
		IdleTimeout:                  idleTime,
		MaxHeaderBytes:               maxHead,
		ErrorLog:                     log.New(io.Discard, "", 0), // what it would say is counted or reported
		ConnState:                    running.state,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, c)
		},
	}
	failed := make(chan error, len(ls))
	for _, l := range ls {
		go func() { failed <- h.Serve(&listener{Listener: l, server: s, running: running, stop: stop}) }()
	}
	left := len(ls)
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
		left--
	}
	close(stop)
	running.stop()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceTime)
	defer cancel()
	if h.Shutdown(grace) != nil {
		_ = h.Close()
	}
	for range left {
		<-failed
	}
	running.wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// running is what a Server knows of its connections.
type running struct {
	mu      sync.Mutex
	stopped bool
	fresh   map[*conn]bool // nothing was said on them yet
	busy    int            // requests being handled
	idle    sync.Cond      // busy is 0
}

// handler serves with r and counts who is at it: a connection that was taken
// from net/http is out of its sight.
func (n *running) handler(r *Receiver) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		n.count(1)
		defer n.count(-1)
		r.ServeHTTP(w, req)
	})
}

func (n *running) count(by int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.busy += by; n.busy == 0 {
		n.idle.Broadcast()
	}
}

// wait waits until no request is being handled.
func (n *running) wait() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for n.busy > 0 {
		n.idle.Wait()
	}
}

// state follows a connection.
func (n *running) state(c net.Conn, state http.ConnState) {
	own, ok := c.(*conn)
	if !ok {
		return
	}
	switch state {
	case http.StateNew:
		n.mu.Lock()
		n.fresh[own], own.fresh = true, true
		stopped := n.stopped
		n.mu.Unlock()
		if stopped {
			_ = own.Close()
		}
	case http.StateIdle: // of pipelined requests net/http says no more than this
		own.active()
	case http.StateActive:
		own.active()
		n.forget(own)
	case http.StateClosed, http.StateHijacked:
		n.forget(own)
	}
}

func (n *running) forget(c *conn) {
	if !c.fresh {
		return
	}
	c.fresh = false
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.fresh, c)
}

// stop closes the connections on which nothing was said yet; net/http would
// wait for them.
func (n *running) stop() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.stopped = true
	for c := range n.fresh {
		if !c.read.Load() {
			_ = c.Close()
		}
	}
}
