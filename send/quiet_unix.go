//go:build unix

package send

import (
	"errors"
	"net"
	"syscall"
)

// quiet reports whether nothing is there to be read from a connection between
// exchanges: neither its end nor bytes that nobody asked for. What is no socket
// is taken for quiet.
func quiet(conn net.Conn) bool {
	socket, ok := conn.(syscall.Conn)
	if !ok {
		return true
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return false
	}
	var b [1]byte
	var readErr error
	err = raw.Read(func(fd uintptr) bool {
		_, readErr = syscall.Read(int(fd), b[:])
		return true
	})
	return err == nil && errors.Is(readErr, syscall.EAGAIN)
}
