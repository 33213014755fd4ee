package conform

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// secure serves over TLS until the test ends.
func secure(t *testing.T, h http.Handler) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func TestTrustedCertificatesPass(t *testing.T) {
	o := options(t, profile(t), "", newSecret)
	s := secure(t, right(t, &o))
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	o.URL, o.TLS = s.URL, &tls.Config{RootCAs: roots, ServerName: "example.com"}
	o.Only = []string{"tls", "transport", "redirect"}
	r := check(t, o)
	if got := ids(r, Advice, Pass) + " " + ids(r, Required, Pass); got != "transport tls redirect" {
		t.Errorf("passed: %q", got)
	}
	if sent := only(t, r, "transport").Sent; sent[len(sent)-1] != "over HTTP/2" {
		t.Errorf("sent: %q", sent)
	}
}

// A run that ends during the handshake: under the race detector this fails where
// the handshake outlives the try.
func TestNoHandshakeOutlivesTheTryOverHTTP2(t *testing.T) {
	o := options(t, profile(t), "", newSecret)
	o.URL = secure(t, right(t, &o)).URL
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		o.TLS = &tls.Config{InsecureSkipVerify: true, VerifyConnection: func(tls.ConnectionState) error {
			cancel()
			return nil
		}}
		r, err := prepare(&o)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.resolve(ctx); err != nil {
			t.Fatal(err)
		}
		if a, offered := r.http2(ctx); offered && !a.cut {
			t.Errorf("%+v", a)
		}
	}
}

// -k lets events through, and the certificate is judged all the same.
func TestAnAcceptedCertificateIsStillJudged(t *testing.T) {
	o := options(t, profile(t), "", newSecret)
	o.URL, o.TLS = secure(t, right(t, &o)).URL, &tls.Config{InsecureSkipVerify: true}
	r := check(t, o)
	if got := ids(r, Required, Fail) + ids(r, Advice, Fail); got != "tls" {
		t.Errorf("failed: %q", got)
	}
	if c := only(t, r, "tls"); !strings.HasPrefix(c.Finding, "the certificate does not verify: ") || !strings.HasPrefix(c.Came, "the chain as sent: ") {
		t.Errorf("%q, %q", c.Finding, c.Came)
	}
}

// Where no event gets through because of it, the certificate decides.
func TestAnExpiredCertificateIsTheOnlyFailure(t *testing.T) {
	program, err := built()
	if err != nil {
		t.Fatalf("%v: %s", err, program)
	}
	p := profile(t)
	o := options(t, p, "", newSecret)
	o.URL = strings.Replace(start(t, p, "id", []string{"FAULT=expired", "SECRET=" + newSecret}, program), "http:", "https:", 1)
	r := check(t, o)
	if got := ids(r, Required, Fail); got != "tls" || ids(r, Advice, Fail) != "" {
		t.Errorf("failed: %q, %q", got, ids(r, Advice, Fail))
	}
	if c := only(t, r, "tls"); !strings.Contains(c.Finding, "certificate expired ") {
		t.Errorf("%q", c.Finding)
	}
}

func TestACertificateMustLastTwoWeeks(t *testing.T) {
	now := time.Date(2026, 1, 2, 10, 3, 3, 0, time.UTC)
	const day = 24 * time.Hour
	for _, test := range []struct {
		age, left time.Duration
		want      bool
	}{
		{76 * day, 14*day + 1, false},
		{76 * day, 14 * day, true},
		{0, 10 * day, true}, // made for ten days: nobody renews it tomorrow
		{time.Hour, 23 * time.Hour, false},
		{23 * time.Hour, time.Hour, false},
	} {
		c := &x509.Certificate{NotBefore: now.Add(-test.age), NotAfter: now.Add(test.left)}
		if got := ends(c, now); got != test.want {
			t.Errorf("%v old, %v left: %v, want %v", test.age, test.left, got, test.want)
		}
	}
}

func TestEveryAddressIsTried(t *testing.T) {
	o := options(t, profile(t), "", newSecret)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: right(t, &o)}
	t.Cleanup(func() { server.Close() })
	go func() { _ = server.Serve(l) }()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	probe, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skipf("no ::1 here: %v", err)
	}
	probe.Close()
	o.URL, o.Only = "http://localhost:"+port+"/", []string{"addresses"}
	c := only(t, check(t, o), "addresses")
	if c.State != Fail || c.Finding != "127.0.0.1 answers, [::1] does not" {
		t.Errorf("%s: %q", c.State, c.Finding)
	}
	if want := "listen on both, or give senders 127.0.0.1 in place of localhost"; c.Fix != want {
		t.Errorf("%q, want %q", c.Fix, want)
	}
}

// lines serves connections by hand: after each request but the last of limit
// an answer, then what last does.
func lines(t *testing.T, limit int, last func(net.Conn, *bufio.Reader)) string {
	return speakAlive(t, func(c net.Conn) {
		in := bufio.NewReader(c)
		for n := 1; ; n++ {
			if n > limit {
				last(c, in)
				return
			}
			req, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			_, _ = io.Copy(io.Discard, req.Body)
			if _, err := io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"); err != nil {
				return
			}
		}
	})
}

// speakAlive accepts connections and has each spoken to.
func speakAlive(t *testing.T, say func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				say(c)
			}()
		}
	}()
	return "http://" + l.Addr().String() + "/"
}

// The idle times are waited for by the caller, so they take no time here.
func TestConnectionsThatCloseUnderAnEvent(t *testing.T) {
	tests := []struct {
		name    string
		limit   int
		last    func(net.Conn, *bufio.Reader)
		state   State
		finding string
	}{
		{"stays open", 100, nil, Pass, ""},
		{"closes when the second event comes", 1, func(_ net.Conn, in *bufio.Reader) { _, _ = http.ReadRequest(in) }, Fail,
			"after 4 s of silence an event on the open connection gets no answer: connection closed without an answer"},
		{"closes when the fourth event comes", 3, func(_ net.Conn, in *bufio.Reader) { _, _ = http.ReadRequest(in) }, Fail,
			"after 61 s of silence an event on the open connection gets no answer: connection closed without an answer"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := options(t, profile(t), lines(t, test.limit, test.last), newSecret)
			o.Only, o.Slow = []string{"idle-close"}, true
			c := only(t, check(t, o), "idle-close")
			if c.State != test.state || c.Finding != test.finding {
				t.Errorf("%s: %q, want %s: %q", c.State, c.Finding, test.state, test.finding)
			}
		})
	}
}

// A close that comes while the connection is idle loses nothing; it is told.
func TestACleanCloseWhileIdleIsFine(t *testing.T) {
	closed := make(chan struct{}, 100)
	o := options(t, profile(t), lines(t, 1, func(c net.Conn, _ *bufio.Reader) {
		c.Close()
		closed <- struct{}{}
	}), newSecret)
	o.Only, o.Slow = []string{"idle-close"}, true
	first := true
	o.Wait = func(ctx context.Context, d time.Duration) error {
		if first && d == 4*time.Second {
			<-closed // that of the first request of the run
			<-closed
			first = false
		}
		return ctx.Err()
	}
	c := only(t, check(t, o), "idle-close")
	if c.State != Pass || c.Finding != "" {
		t.Fatalf("%s: %q", c.State, c.Finding)
	}
}

func TestWrongUseIsToldBeforeAnythingIsSent(t *testing.T) {
	var noSecret interface{ Error() string }
	tests := []struct {
		name   string
		change func(*Options)
		want   string
	}{
		{"no key", func(o *Options) { o.Keys = nil }, "no secret for acme"},
		{"no host", func(o *Options) { o.URL = "http://" }, "the URL has no host"},
		{"a check that is none", func(o *Options) { o.Only = []string{"rotatoin"} }, `no check is called "rotatoin"`},
		{"no id in the body", func(o *Options) { o.Event.Body = []byte(`{"x":1}`) }, "the body has no event id at id"},
		{"a number as id", func(o *Options) { o.Event.Body = []byte(`{"id":1}`) }, "the body has no event id at id"},
	}
	for _, test := range tests {
		o := options(t, profile(t), "http://127.0.0.1:1/", newSecret)
		test.change(&o)
		if _, err := Run(t.Context(), o); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		} else if !errors.As(err, &noSecret) {
			t.Errorf("%s: %T", test.name, err)
		}
	}
}

func TestWhatDependsOnTheProfile(t *testing.T) {
	assumed := profile(t, "events:", "assumed:\n  - { field: signature.tolerance, note: how old }\n  - { field: secret.active, note: how many }\nevents:")
	noID := profile(t, `event: { id: id, type: type, new_id: "evt_{hex:16}" }`, "event: { type: type }")
	tests := []struct {
		name     string
		profile  *profiles.Profile
		secrets  []string
		verdict  string
		required string // those that are skipped
		advice   string
	}{
		{"all", profile(t), []string{oldSecret, newSecret}, "passed: 15 of 15 required checks", "", "idle-close tls"},
		{"one secret", profile(t), []string{newSecret}, "passed: 15 of 15 required checks", "", "idle-close tls"},
		{"assumed", assumed, []string{newSecret}, "passed: 13 of 13 required checks", "", "idle-close tls"},
		{"no time, one signature", plainProfile(t), []string{newSecret}, "passed: 13 of 13 required checks", "clock rotation", "idle-close tls"},
		{"no time, two webhooks", plainProfile(t), []string{oldSecret, newSecret}, "passed: 14 of 14 required checks", "clock", "idle-close tls"},
		{"no id", noID, []string{newSecret}, "passed: 13 of 13 required checks", "duplicate parallel-duplicate", "lost-answer idle-close tls over-dedupe"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := options(t, test.profile, "", test.secrets...)
			o.URL = serve(t, right(t, &o))
			r := check(t, o)
			if got := r.Verdict(); got != test.verdict {
				t.Errorf("%q, want %q", got, test.verdict)
			}
			if got := ids(r, Required, Skip); got != test.required {
				t.Errorf("required and skipped: %q, want %q", got, test.required)
			}
			if got := ids(r, Advice, Skip); got != test.advice {
				t.Errorf("advice and skipped: %q, want %q", got, test.advice)
			}
			if got := ids(r, Advice, Fail) + ids(r, Required, Inconclusive); got != "" || ids(r, Advice, Inconclusive) != "order" {
				t.Errorf("failed or inconclusive: %q, %q", got, ids(r, Advice, Inconclusive))
			}
		})
	}
}
