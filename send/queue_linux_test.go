package send

import (
	"fmt"
	"net"
	"syscall"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

func TestFullAcceptQueueIsConnectTimeout(t *testing.T) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	addr := fmt.Sprintf("127.0.0.1:%d", name.(*syscall.SockaddrInet4).Port)
	full := false
	for range 64 {
		c, err := net.DialTimeout("tcp", addr, 100*time.Millisecond)
		if err != nil {
			full = true
			break
		}
		defer c.Close()
	}
	if !full {
		t.Skip("the accept queue of this system does not fill")
	}
	s := sender(t, "clodo", "http://"+addr+"/")
	s.Timeout = 200 * time.Millisecond
	a, _ := first(t, s)
	checkFailure(t, a, profiles.ConnectTimeout, "no connection within 0.2 s")
}
