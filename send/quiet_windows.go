package send

import (
	"net"
	"syscall"
)

// fionread asks how many bytes are there to be read.
const fionread = 0x4004667f

// quiet reports whether no bytes that nobody asked for are there to be read from
// a connection between exchanges. What is no socket is taken for quiet.
func quiet(conn net.Conn) bool {
	socket, ok := conn.(syscall.Conn)
	if !ok {
		return true
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return false
	}
	var waiting [4]byte
	var size uint32
	err = raw.Control(func(fd uintptr) {
		_ = syscall.WSAIoctl(syscall.Handle(fd), fionread, nil, 0, &waiting[0], 4, &size, nil, 0)
	})
	return err == nil && waiting == [4]byte{}
}
