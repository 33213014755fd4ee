package cmd

import (
	"net"
	"net/netip"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/listen"
)

func TestAnIPv4AddressIsExactlyThat(t *testing.T) {
	for addr, want := range map[string]string{
		"127.0.0.1:0": "tcp4", "0.0.0.0:4665": "tcp4", "[::ffff:127.0.0.1]:0": "tcp4",
		":0": "tcp", "[::1]:0": "tcp", "[::]:0": "tcp", "localhost:0": "tcp", "no-port": "tcp", "127.0.0.1": "tcp",
	} {
		if got := network(addr); got != want {
			t.Errorf("%s: %s, want %s", addr, got, want)
		}
	}
}

func TestTheShownURLCanBeUsed(t *testing.T) {
	for at, want := range map[string]string{
		"127.0.0.1:4665": "http://127.0.0.1:4665/", "0.0.0.0:80": "http://127.0.0.1:80/", "[::]:3000": "http://127.0.0.1:3000/",
		"[::1]:4665": "http://[::1]:4665/", "192.0.2.1:1": "http://192.0.2.1:1/", "[fe80::1]:1": "http://[fe80::1]:1/",
	} {
		if got := shownURL("http", net.TCPAddrFromAddrPort(netip.MustParseAddrPort(at))); got != want {
			t.Errorf("%s: %s, want %s", at, got, want)
		}
	}
}

// at is a listener that has an address and nothing else.
type at struct {
	net.Listener
	addr string
}

func (a at) Addr() net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(a.addr)) }

func TestForwardingToItselfIsWrongUse(t *testing.T) {
	own := "192.0.2.1"
	if all, err := net.InterfaceAddrs(); err == nil {
		for _, a := range all {
			if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() && n.IP.To4() != nil {
				own = n.IP.String()
			}
		}
	}
	usual := []string{"127.0.0.1:4665", "[::1]:4665"}
	for _, test := range []struct {
		to      string
		sockets []string
		want    bool
	}{
		{"http://127.0.0.1:4665/", usual, true},
		{"http://localhost:4665/", usual, true},
		{"http://LocalHost:4665/h", usual, true},
		{"http://localhost.:4665/h", usual, true},
		{"http://[::1]:4665/", usual, true},
		{"http://[::ffff:127.0.0.1]:4665/", usual, true},
		{"http://0.0.0.0:4665/", usual, true},
		{"http://[::]:4665/", usual, true},
		{"https://127.0.0.1:4665/", usual, true},
		{"http://user:pw@localhost:4665/", usual, true},
		{"http://localhost/", []string{"127.0.0.1:80"}, true},
		{"https://localhost/", []string{"127.0.0.1:443"}, true},
		{"http://localhost:4665/", []string{"0.0.0.0:4665"}, true},
		{"http://127.0.0.1:4665/", []string{"[::]:4665"}, true},
		{"http://" + own + ":4665/", []string{"[::]:4665"}, own != "192.0.2.1"},
		{"http://" + own + ":4665/", []string{own + ":4665"}, true},
		{"http://localhost:4665/", []string{"[::1]:4665"}, true},
		{"http://127.0.0.2:4665/", []string{"[::]:4665"}, true},

		{"http://localhost:3000/", usual, false},
		{"http://localhost/", usual, false},
		{"https://localhost/", []string{"127.0.0.1:80"}, false},
		{"http://127.0.0.1:4665/", []string{"[::1]:4665"}, false},
		{"http://127.0.0.2:4665/", []string{"127.0.0.1:4665"}, false},
		{"http://127.0.0.1:4665/", []string{"192.0.2.7:4665"}, false},
		{"http://192.0.2.7:4665/", usual, false},
		{"http://192.0.2.7:4665/", []string{"[::]:4665"}, false},
		{"http://no-such-host.invalid:3000/", usual, false},
	} {
		a, _, _ := world{}.app()
		l := &listening{app: a, o: &listenOptions{}}
		var sockets []net.Listener
		for _, s := range test.sockets {
			sockets = append(sockets, at{addr: s})
		}
		err := l.checkForward(&listen.Receiver{Forward: &listen.Forward{URL: test.to}}, sockets)
		if got := err != nil; got != test.want {
			t.Errorf("%s on %v: %v, want an error: %v", test.to, test.sockets, err, test.want)
		}
		if err != nil && !strings.Contains(strings.Join(test.sockets, " "), strings.TrimPrefix(err.Error(), "--forward-to is hookctl's own address ")) {
			t.Errorf("%s on %v: %v", test.to, test.sockets, err)
		}
		if f, ok := err.(*fault); err != nil && (!ok || f.code != ExitUsage) {
			t.Errorf("%s: %#v is not wrong use", test.to, err)
		}
	}
	a, _, _ := world{}.app()
	if err := (&listening{app: a}).checkForward(&listen.Receiver{}, []net.Listener{at{addr: "127.0.0.1:1"}}); err != nil {
		t.Errorf("without a forward: %v", err)
	}
}

func TestTheReadyNoteIsOneSentence(t *testing.T) {
	for want, notes := range map[string][]string{
		"":                      nil,
		"verifying":             {"verifying"},
		"also on [::1]:1":       {"also on [::1]:1"},
		"also on [::1]:1; a":    {"also on [::1]:1", "a"},
		"also on [::1]:1; a, b": {"also on [::1]:1", "a", "b"},
		"a, b":                  {"a", "b"},
	} {
		if got := prose(notes); got != want {
			t.Errorf("%q: %q, want %q", notes, got, want)
		}
	}
}

func TestListenWarnsOfWhatIsRisky(t *testing.T) {
	folder(t, nil)
	const (
		anybody   = `^hookctl: warning: without --verify anybody who reaches this address can post to it$`
		page      = `^hookctl: warning: without --verify any web page that you visit can post to your application through this address$`
		container = `^hookctl: note: in a container loopback cannot be reached from outside: --addr 0\.0\.0\.0:[1-9][0-9]*$`
	)
	for _, test := range []struct {
		flags     string
		container bool
		says      []string
	}{
		{"--addr 127.0.0.1:0", false, nil},
		{"--addr 127.0.0.1:0", true, []string{container}},
		{"--addr 0.0.0.0:0", false, []string{anybody, `^hookctl: listening on http://127\.0\.0\.1:[0-9]+/ \(all interfaces\)$`}},
		{"--addr :0", true, []string{anybody, `\(all interfaces\)$`}},
		{"--addr 0.0.0.0:0 --verify --secret s", true, nil},
		{"--addr 127.0.0.1:0 --forward-to 127.0.0.1:1", false, []string{page, `^hookctl: note: forwarding to http://127\.0\.0\.1:1$`}},
		{"--addr 127.0.0.1:0 --forward-to http://user:hunter2@127.0.0.1:1/h", false, []string{page, `^hookctl: note: forwarding to http://user:\*\*\*@127\.0\.0\.1:1/h$`}},
		{"--addr 0.0.0.0:0 --forward-to 127.0.0.1:1", false, []string{anybody, page}},
		{"--addr 0.0.0.0:0 --forward-to 127.0.0.1:1 --verify --secret s", false, []string{`^hookctl: note: verifying with 1 secret, forwarding to http://127\.0\.0\.1:1$`}},
		{"--addr 127.0.0.1:0 --verify --secret s --secret t", false, []string{`^hookctl: note: verifying with 2 secrets$`}},
	} {
		r := world{container: test.container}.run(append(strings.Fields("listen --for 1ms"), strings.Fields(test.flags)...)...)
		r.want(t, ExitOK, test.says...)
		r.never(t, "hunter2")
		for kind, pattern := range map[string]string{"anybody": anybody, "any web page": page, "in a container": container} {
			said := strings.Contains(r.stderr, kind)
			wanted := false
			for _, s := range test.says {
				wanted = wanted || s == pattern
			}
			if said != wanted {
				t.Errorf("%s, container %v: %q said %v, want %v: %s", test.flags, test.container, kind, said, wanted, r.stderr)
			}
		}
		if first, _, _ := strings.Cut(r.stderr, "\n"); !strings.HasPrefix(first, "hookctl: listening on http://") {
			t.Errorf("%s: the first line is %q", test.flags, first)
		}
	}
}

func TestListenOpensWhatItIsTold(t *testing.T) {
	folder(t, nil)
	taken, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	addr := taken.Addr().String()
	r := world{}.run("listen", "--addr", addr, "--exit-after", "1", "--for", "1s")
	r.want(t, ExitCannot, `^hookctl: error: cannot listen on `+addr+`: address already in use$`,
		`^hookctl: hint: another hookctl may be running there; any free port: hookctl listen --exit-after 1 --for 1s --addr 127\.0\.0\.1:0$`)
	for _, wrong := range []string{"127.0.0.1", "x", "localhost:x", "127.0.0.1:65536", "127.0.0.1:-1", "[::1:0", ":"} {
		world{}.run("listen", "--addr", wrong, "--for", "1ms").want(t, ExitUsage, `^hookctl: error: --addr takes HOST:PORT, such as 127\.0\.0\.1:4665 or :4665$`)
	}
	for _, test := range []struct{ flags, want string }{
		{"--respond 200 --forward-to :1", "--respond and --forward-to exclude each other"},
		{"--forward-all", "--forward-all needs --forward-to"},
		{"-k", "--insecure needs --forward-to"},
		{"--ready-file -", "--ready-file takes a file"},
		{"--tls --tls-ca-out -", "--tls-ca-out takes a file"},
		{"--cacert none", "--cacert needs --forward-to"},
		{"--expect verified", "--expect verified needs --verify"},
		{"--expect refused", "--expect refused needs --verify"},
		{"--verify", "no secret to verify with"},
		{"--verify -p kudos", "no secret for kudos"},
		{"--verify --secret a --secret b --secret c", "3 secrets given; at most two can be in use"},
		{"--respond dns", "--respond: no receiver can play dns"},
	} {
		world{}.run(append(strings.Fields("listen --for 1ms --addr 127.0.0.1:0"), strings.Fields(test.flags)...)...).want(t, ExitUsage, `^hookctl: error: `+test.want+`$`)
	}
}
