package cmd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/send"
)

// open opens the port. Requests wait from here on.
func (l *listening) open(line *commandLine) ([]net.Listener, error) {
	addr := l.o.addr
	if addr == "" {
		addr = "127.0.0.1:" + listenPort
	} else if _, port, err := net.SplitHostPort(addr); err != nil || port != "0" && !isPort(port) {
		return nil, misuse("--addr takes HOST:PORT, such as 127.0.0.1:4665 or :4665")
	}
	first, err := net.Listen(network(addr), addr)
	if err != nil {
		why := oneLine(err.Error())
		var sys syscall.Errno
		if errors.As(err, &sys) {
			why = sys.Error()
		}
		f := cannot(err, "cannot listen on %s: %s", oneLine(addr), why)
		if errors.Is(err, syscall.EADDRINUSE) {
			line = line.without("--addr").with("--addr", "127.0.0.1:0")
			if l.development { // it is for the usual port alone
				line = line.with("--secret-env", "SECRET")
			}
			f.with("another hookctl may be running there; any free port:", line.String())
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

// network is the network of an address: an IPv4 address is exactly that, and
// not IPv6 too.
func network(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.To4() != nil {
		return "tcp4"
	}
	return "tcp"
}

// shownURL is the URL of a listening address: of all interfaces the IPv4
// loopback, which a sender on this machine can use.
func shownURL(scheme string, at *net.TCPAddr) string {
	host := at.IP.String()
	if at.IP.IsUnspecified() {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, strconv.Itoa(at.Port)) + "/"
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
		own := s.Addr().(*net.TCPAddr).AddrPort()
		if port := hostPort(u)[strings.LastIndex(hostPort(u), ":")+1:]; port != strconv.Itoa(int(own.Port())) {
			continue
		}
		for _, to := range addresses(l.app.ctx, u.Hostname()) {
			if reaches(to, own.Addr().Unmap()) {
				return misuse("--forward-to is hookctl's own address %s", s.Addr())
			}
		}
	}
	return nil
}

// addresses are those of a host; none if it has none within a second.
func addresses(ctx context.Context, host string) []netip.Addr {
	if send.Local(host) {
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{ip}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil // the forward will tell of it
	}
	return found
}

// reaches reports whether a connection to an address arrives at a socket on own,
// the port being the same.
func reaches(to, own netip.Addr) bool {
	to = to.Unmap().WithZone("")
	switch {
	case to == own.WithZone(""):
		return true
	case to.IsUnspecified():
		return own.IsLoopback() || own.IsUnspecified()
	case !own.IsUnspecified():
		return false
	case to.IsLoopback():
		return true
	}
	all, err := net.InterfaceAddrs()
	return err == nil && slices.ContainsFunc(all, func(a net.Addr) bool {
		n, ok := a.(*net.IPNet)
		return ok && n.IP.Equal(net.IP(to.AsSlice()))
	})
}

// ready says that requests are accepted.
func (l *listening) ready(sockets []net.Listener, r *listen.Receiver) error {
	a := l.app
	at := shownURL(l.o.tls.scheme(), sockets[0].Addr().(*net.TCPAddr))
	l.url = at
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
	if l.o.tls.caOut == "" {
		if how := l.o.tls.trust(); how != "" {
			a.say(render.Note, how, "")
		}
	}
	l.sayRecord()
	l.warn(sockets[0].Addr().(*net.TCPAddr))
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
func (l *listening) warn(at *net.TCPAddr) {
	a, ip := l.app, at.IP
	if !l.o.verify && !ip.IsLoopback() {
		a.say(render.Warning, "without --verify anybody who reaches this address can post to it", "")
	}
	if !l.o.verify && l.o.forward != "" {
		a.say(render.Warning, "without --verify any web page that you visit can post to your application through this address", "")
	}
	if a.contained() && ip.IsLoopback() {
		a.say(render.Note, "in a container loopback cannot be reached from outside:", "--addr 0.0.0.0:"+strconv.Itoa(at.Port))
	}
}
