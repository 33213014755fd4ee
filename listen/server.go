package listen

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

const (
	headTime  = 30 * time.Second // for a request's head
	idleTime  = 3 * time.Minute  // between requests: longer than senders keep connections
	graceTime = 5 * time.Second  // for the requests in flight when the server stops
)

// A Server runs a Receiver on listeners, with its limits: the head of a request
// may have 64 KiB (else 431) and take 30 s. At most 1,024 connections stand at a
// time, fewer where the process may not open that many files: for one more, the
// one that has waited longest for its sender is closed. Receiver.AtOnce changes
// that. It speaks HTTP/1.1 only.
type Server struct {
	Receiver *Receiver
	// TLS, if set, makes it speak https: with its certificates, and HTTP/1.1
	// whatever its NextProtos. A handshake may take 10 s.
	TLS *tls.Config
	// Garbage, if set, is called for each connection that was answered 400
	// because it did not speak HTTP (or 417 or 501, for an expectation or a
	// transfer coding that nobody knows). It may be called by several goroutines
	// at once.
	Garbage func(remote string)
	// Unsecured, if set, is called for each connection that ended before it spoke
	// TLS, though its sender had begun to: with ErrPlainHTTP (answered 400, and no
	// Garbage), ErrDistrust, or what crypto/tls says. It may be called by several
	// goroutines at once.
	Unsecured func(remote string, why error)

	connections int // at most; 0: as many as above
}

// Serve serves until ctx is done, then finishes the requests in flight (5 s at
// most, then they are cut) and returns nil. A listener that fails ends it with
// that error. It closes the listeners. Every call of Seen, Garbage and
// Unsecured is over when it returns.
func (s *Server) Serve(ctx context.Context, ls ...net.Listener) error {
	running := newRunning(s)
	h := &http.Server{
		Handler:                      running.handler(s.Receiver),
		DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout:            headTime,
		IdleTimeout:                  idleTime,
		MaxHeaderBytes:               s.Receiver.mostHead(),
		ErrorLog:                     log.New(io.Discard, "", 0), // what it would say is counted or reported
		ConnState:                    running.state,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, c)
		},
	}
	failed := make(chan error, len(ls))
	for _, l := range ls {
		go func() { failed <- h.Serve(&listener{l, running}) }()
	}
	left := len(ls)
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
		left--
	}
	running.stop()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceTime)
	defer cancel()
	if h.Shutdown(grace) != nil {
		running.cut()
		_ = h.Close()
	}
	for range left {
		<-failed //nolint:errcheck // the first one says why
	}
	running.wait()
	s.Receiver.via.close()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// A listener wraps the connections that it accepts, and makes room for them.
type listener struct {
	net.Listener
	running *running
}

func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	own := newConn(c, l.running)
	if !l.running.admit(own) {
		_ = c.Close()
		return nil, net.ErrClosed
	}
	return own, nil
}
