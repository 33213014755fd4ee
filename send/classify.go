package send

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"runtime"
	"syscall"

	"github.com/hookctl/hookctl/profiles"
)

// Classify turns an error of the network into its kind: of a dial, of a
// handshake, of a read or a write. What fits none of them is Protocol. What
// net/http says of an exchange without an answer, [Link.NoAnswer] knows
// better.
//
// What this machine had nothing left for is Interrupted: see [LocalError].
// A failure to resolve a name is DNS, also one that timed out. Certificate
// errors, alerts and a plain answer to TLS are TLS; a reset and an end of
// stream in a handshake are Reset and Closed.
func Classify(err error) profiles.Failure {
	var dns *net.DNSError
	var op *net.OpError
	var blocked *blockedError
	dialled := errors.As(err, &op) && op.Op == "dial"
	switch {
	case errors.As(err, &blocked):
		return profiles.BlockedAddress
	case errors.Is(err, context.Canceled), local(err) != nil:
		return profiles.Interrupted
	case errors.As(err, &dns):
		return profiles.DNS
	case isTLS(err):
		return profiles.TLS
	case isErrno(err, syscall.ECONNREFUSED, 10061):
		return profiles.Refused
	case isErrno(err, syscall.ECONNRESET, 10054), isErrno(err, syscall.ECONNABORTED, 10053), errors.Is(err, syscall.EPIPE):
		return profiles.Reset
	case isTimeout(err) && dialled:
		return profiles.ConnectTimeout
	case isTimeout(err):
		return profiles.ReadTimeout
	case dialled, noRoute(err):
		return profiles.Unreachable
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return profiles.Closed
	}
	return profiles.Protocol
}

// noRoute reports whether the system knows no way to an address.
func noRoute(err error) bool {
	return isErrno(err, syscall.EHOSTUNREACH, 10065) || isErrno(err, syscall.ENETUNREACH, 10051) ||
		isErrno(err, syscall.EHOSTDOWN, 10064) || isErrno(err, syscall.ENETDOWN, 10050) || isErrno(err, syscall.EADDRNOTAVAIL, 10049)
}

// isTLS reports whether err is about certificates or TLS itself: an alert is a
// *net.OpError.
func isTLS(err error) bool {
	var op *net.OpError
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var handshake *handshakeError
	switch {
	case errors.As(err, &certificate), errors.As(err, &record), errors.As(err, &handshake):
		return true
	case errors.As(err, &op):
		return op.Op == "remote error" || op.Op == "local error"
	}
	return false
}

// A handshakeError is what failed in a handshake and was no failure of the
// connection.
type handshakeError struct {
	err error
}

func (e *handshakeError) Error() string { return e.err.Error() }
func (e *handshakeError) Unwrap() error { return e.err }

// handshakeFailed marks an error of a handshake, unless the connection failed.
func handshakeFailed(err error) error {
	if Classify(err) == profiles.Protocol {
		return &handshakeError{err}
	}
	return err
}

// isTimeout reports whether time passed: by a deadline, or in the system.
func isTimeout(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout() || errors.Is(err, syscall.ETIMEDOUT)
}

// isErrno reports whether err is that error of the system; Windows has numbers
// of its own for those of sockets.
func isErrno(err error, unix syscall.Errno, windows uintptr) bool {
	return errors.Is(err, unix) || runtime.GOOS == "windows" && errors.Is(err, syscall.Errno(windows))
}
