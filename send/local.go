package send

import (
	"errors"
	"net"
	"syscall"
)

// A LocalError is why this machine began no connection: it has no file, memory or
// port left for one. Nothing was sent, and nothing is known of the endpoint.
type LocalError struct {
	Ports bool // no port is left: those of closed connections are held for a while
	Err   error
}

func (e *LocalError) Error() string {
	var number syscall.Errno
	switch {
	case e.Ports:
		return "no local port is left"
	case errors.As(e.Err, &number):
		return number.Error()
	}
	return plain(e.Err)
}

func (e *LocalError) Unwrap() error { return e.Err }

// local is the LocalError that an error of the network is, or nil.
func local(err error) *LocalError {
	var known *LocalError
	switch {
	case errors.As(err, &known):
		return known
	case isErrno(err, syscall.EMFILE, 10024), errors.Is(err, syscall.ENFILE),
		isErrno(err, syscall.ENOBUFS, 10055), isErrno(err, syscall.ENOMEM, 8):
		return &LocalError{Err: err}
	}
	return nil
}

// withoutPort marks an error of dialling addr that says that no local port is
// left. The system says the same of an address that it has none of its own to
// call from: then a UDP socket, whose ports are others and which sends nothing,
// cannot be had either.
func withoutPort(err error, addr string) error {
	if isErrno(err, syscall.EADDRINUSE, 10048) {
		return &LocalError{Ports: true, Err: err}
	}
	if !isErrno(err, syscall.EADDRNOTAVAIL, 10049) {
		return err
	}
	c, other := net.Dial("udp", addr)
	if other != nil {
		return err
	}
	c.Close()
	return &LocalError{Ports: true, Err: err}
}
