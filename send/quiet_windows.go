package send

import (
	"net"
	"syscall"
	"unsafe"
)

// pollReadable is POLLRDNORM: to be told of bytes. An end is told of anyway.
const pollReadable = 0x0100

// A pollSocket is a WSAPOLLFD: a socket, what to be told of, what there is.
type pollSocket struct {
	socket     uintptr
	asked, are int16
}

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
	poll := syscall.NewLazyDLL("ws2_32.dll").NewProc("WSAPoll")
	if poll.Find() != nil {
		return false
	}
	some := ^uintptr(0)
	err = raw.Control(func(fd uintptr) {
		p := pollSocket{socket: fd, asked: pollReadable}
		some, _, _ = poll.Call(uintptr(unsafe.Pointer(&p)), 1, 0) // it does not wait
	})
	return err == nil && some == 0
}
