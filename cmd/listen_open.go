package cmd

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"syscall"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/send"
)

// open opens the port. Requests wait from here on.
func (l *listening) open(line *commandLine) ([]net.Listener, error) {
	addr := l.o.addr
	if addr == "" {
		addr = "127.0.0.1:" + listenPort
	} else if _, _, err := net.SplitHostPort(addr); err != nil {
		return nil, misuse("--addr takes HOST:PORT, such as 127.0.0.1:4665 or :4665")
	}
	first, err := net.Listen("tcp", addr)
	if err != nil {
		why := oneLine(err.Error())
		var sys syscall.Errno
		if errors.As(err, &sys) {
			why = sys.Error()
		}
		f := cannot(err, "cannot listen on %s: %s", oneLine(addr), why)
		if errors.Is(err, syscall.EADDRINUSE) {
			f.with("another hookctl may be running there; any free port:", line.without("--addr").with("--addr", "127.0.0.1:0").String())
		}
		return nil, f
	}
	sockets := []net.Listener{first}
	if l.o.addr == "" { // and ::1 where the machine has it
		if second, err := net.Listen("tcp", "[::1]:"+listenPort); err == nil {
			sockets = append(sockets, second)
			l.notes = append([]string{"also on " + second.Addr().String()}, l.notes...)
		}
	}
	return sockets, nil
}

// checkForward refuses to forward to hookctl's own address.
func (l *listening) checkForward(r *listen.Receiver, sockets []net.Listener) error {
	if r.Forward == nil {
		return nil
	}
	u, err := url.Parse(r.Forward.URL)
	if err != nil {
		return err
	}
	for _, s := range sockets {
		own := s.Addr().(*net.TCPAddr)
		if port := hostPort(u)[strings.LastIndex(hostPort(u), ":")+1:]; port != fmt.Sprint(own.Port) {
			continue
		}
		ip := net.ParseIP(u.Hostname())
		if loopbackHost(u.Hostname()) && (own.IP.IsLoopback() || own.IP.IsUnspecified()) || ip != nil && (ip.Equal(own.IP) || own.IP.IsUnspecified() && ip.IsUnspecified()) {
			return misuse("--forward-to is hookctl's own address %s", s.Addr())
		}
	}
	return nil
}

// ready says that requests are accepted.
func (l *listening) ready(sockets []net.Listener, r *listen.Receiver) error {
	a := l.app
	at := "http://" + sockets[0].Addr().String() + "/"
	if l.o.readyFile != "" {
		if err := writeFile(l.o.readyFile, []byte(at+"\n")); err != nil {
			return cannot(err, "--ready-file: %s", pathError(err))
		}
	}
	if l.o.out.json {
		if err := send.WriteDocument(a.out, readyDocument{"hookctl.ready/1", at}); err != nil {
			return err
		}
	} else {
		line := programName + ": listening on " + at
		if sockets[0].Addr().(*net.TCPAddr).IP.IsUnspecified() {
			line += " (all interfaces)"
		}
		fmt.Fprintln(a.Stderr, line)
	}
	if r.Forward != nil {
		l.notes = append(l.notes, "forwarding to "+strings.TrimSuffix(send.ShownURL(r.Forward.URL), "/"))
	}
	if text := prose(l.notes); text != "" {
		a.say(render.Note, text, "")
	}
	l.warn(sockets[0].Addr().(*net.TCPAddr).IP)
	return nil
}

type readyDocument struct {
	Schema string `json:"schema"`
	URL    string `json:"url"`
}

// prose joins what the ready note says: the address apart from the rest.
func prose(notes []string) string {
	if len(notes) > 1 && strings.HasPrefix(notes[0], "also on ") {
		return notes[0] + "; " + strings.Join(notes[1:], ", ")
	}
	return strings.Join(notes, ", ")
}

// warn tells of what is risky or cannot work.
func (l *listening) warn(ip net.IP) {
	a := l.app
	if !l.o.verify && !ip.IsLoopback() {
		a.say(render.Warning, "without --verify anybody who reaches this address can post to it", "")
	}
	if !l.o.verify && l.o.forward != "" {
		a.say(render.Warning, "without --verify any web page that you visit can post to your application through this address", "")
	}
	if a.Container && ip.IsLoopback() {
		a.say(render.Note, "in a container loopback cannot be reached from outside: --addr 0.0.0.0:"+listenPort, "")
	}
}
