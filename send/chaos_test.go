package send

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
)

// A chaos is a receiver that does one wrong thing to every attempt.
type chaos struct {
	name   string
	handle func(net.Conn)
	https  bool
	want   string // a kind of failure, or a status and how the body came
}

// okHead is the head of an answer whose body has nine bytes.
const okHead = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"

// chaoses are what a receiver may do wrong, without letting time pass. secure
// speaks TLS.
func chaoses(secure func(func(net.Conn)) func(net.Conn)) []chaos {
	const busy = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"
	hold := func(text string) func(net.Conn) { return func(c net.Conn) { says(text)(c); untilGone(c) } }
	endless := func(head, more string) func(net.Conn) {
		return func(c net.Conn) { says(head)(c); flood(c, more) }
	}
	afterAByte := func(text string) func(net.Conn) {
		return func(c net.Conn) { says(text)(c); takeByte(c); reset(c) }
	}
	return []chaos{
		{"reset at once", reset, false, "reset"},
		{"reset after the request", func(c net.Conn) { takeRequest(c); reset(c) }, false, "reset"},
		{"reset inside the head", afterAByte("HTTP/1.1 200 OK\r\nX-"), false, "reset"},
		{"reset inside the body", afterAByte(okHead + "half"), false, `200 "half"...`},
		{"reset after an answer", afterAByte(busy), false, `503 ""`},
		{"closed without an answer", takeRequest, false, "closed"},
		{"closed before the request is read", func(c net.Conn) { c.(*net.TCPConn).CloseWrite(); untilGone(c) }, false, "closed"},
		{"closed after an answer that keeps alive", says(strings.Replace(busy, "\r\n", "\r\nConnection: keep-alive\r\n", 1)), false, `503 ""`},
		{"half a status line", says("HTTP/1.1 2"), false, "closed"},
		{"half a head", says("HTTP/1.1 200 OK\r\nContent-Le"), false, "closed"},
		{"half a 1xx", says("HTTP/1.1 103 Early Hints\r\nLi"), false, "closed"},
		{"half a body", says(okHead + "half"), false, `200 "half"...`},
		{"half a chunk", says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf"), false, `200 "half"...`},
		{"half an answer that is no success", says("HTTP/1.1 503 Busy\r\nContent-Length: 9\r\n\r\nhalf"), false, `503 "half"...`},
		{"a length below the body's", says("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhalf and more"), false, `200 "half"`},
		{"two answers", says(busy + okHead + "123456789"), false, `503 ""`},
		{"a negative length", hold("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"), false, "protocol"},
		{"a length beyond numbers", hold("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n"), false, "protocol"},
		{"a length that is a word", hold("HTTP/1.1 200 OK\r\nContent-Length: four\r\n\r\nhalf"), false, "protocol"},
		{"two lengths", hold("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 9\r\n\r\nhalf"), false, "protocol"},
		{"a chunk whose size is none", says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), false, `200 ""...`},
		{"garbage", hold("\x00\x01\xfe\xff\r\n\r\n"), false, "protocol"},
		{"garbage that ends", says("\x00\x01\xfe\xff"), false, "protocol"},
		{"another protocol's banner", func(c net.Conn) { io.WriteString(c, "220 mail.example ESMTP\r\n"); untilGone(c) }, false, "protocol"},
		{"a status that is none", hold("HTTP/1.1 2OO OK\r\n\r\n"), false, "protocol"},
		{"a status below all", hold("HTTP/1.1 007 Odd\r\n\r\n"), false, "protocol"},
		{"a version below all", says("HTTP/0.0 200 OK\r\nContent-Length: 0\r\n\r\n"), false, "protocol"},
		{"a version above", says("HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n"), false, "protocol"},
		{"a version that is none", hold("HTTP/9.9.9 200 OK\r\n\r\n"), false, "protocol"},
		{"a header without a name", hold("HTTP/1.1 200 OK\r\n: x\r\n\r\n"), false, "protocol"},
		{"a NUL in a header", hold("HTTP/1.1 200 OK\r\nX: a\x00b\r\n\r\n"), false, "protocol"},
		{"a flood of 1xx", endless("", strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", 100)), false, "protocol"},
		{"an endless head", endless("HTTP/1.1 200 OK\r\n", "X-Filler: "+strings.Repeat("y", 8000)+"\r\n"), false, "protocol"},
		{"an endless line", endless("HTTP/1.1 200 OK\r\nX: ", strings.Repeat("y", 8000)), false, "protocol"},
		{"an endless status line", endless("HTTP/1.1 200 ", strings.Repeat("y", 8000)), false, "protocol"},
		{"an endless line of garbage", endless("", strings.Repeat("y", 8000)), false, "protocol"},
		{"endless blank lines", endless("", strings.Repeat("\r\n", 4000)), false, "protocol"},
		{"an endless body", endless("HTTP/1.1 200 OK\r\n\r\n", strings.Repeat("y", 8000)), false, `200 "yyyyyyyyy"...`},
		{"endless chunks", endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", strings.Repeat("9\r\nyyyyyyyyy\r\n", 500)), false, `200 "yyyyyyyyy"...`},
		{"an endless trailer", endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n0\r\n", strings.Repeat("X: y\r\n", 1000)), false, `200 "half"...`},

		{"TLS: closed in the handshake", drainHello, true, "closed"},
		{"TLS: reset in the handshake", func(c net.Conn) { takeByte(c); reset(c) }, true, "reset"},
		{"TLS: an alert in place of a handshake", func(c net.Conn) { drainHello(c); io.WriteString(c, "\x15\x03\x03\x00\x02\x02\x28"); untilGone(c) }, true, "tls"},
		{"TLS: garbage in place of a handshake", func(c net.Conn) { flood(c, "\x00\xff garbage") }, true, "tls"},
		{"TLS: a plain answer", func(c net.Conn) { io.WriteString(c, busy); untilGone(c) }, true, "tls"},
		{"TLS: an alert in place of an answer", secure(func(c net.Conn) {
			takeRequest(c)
			io.WriteString(c.(*tls.Conn).NetConn(), "\x15\x03\x03\x00\x02\x02\x28")
			untilGone(c)
		}), true, "tls"},
		{"TLS: a broken record in place of an answer", secure(func(c net.Conn) {
			takeRequest(c)
			io.WriteString(c.(*tls.Conn).NetConn(), "\x17\x03\x03\x00\x20"+strings.Repeat("z", 32))
			untilGone(c)
		}), true, "tls"},
		{"TLS: cut after the request", secure(func(c net.Conn) { takeRequest(c); c.(*tls.Conn).NetConn().Close() }), true, "closed"},
		{"TLS: cut inside the head", secure(func(c net.Conn) { says("HTTP/1.1 200 OK\r\nX-")(c); c.(*tls.Conn).NetConn().Close() }), true, "closed"},
		{"TLS: cut inside the body", secure(func(c net.Conn) { says(okHead + "half")(c); c.(*tls.Conn).NetConn().Close() }), true, `200 "half"...`},
	}
}

// chaosEndings are what each provider makes of it.
var chaosEndings = []struct{ profile, outcome, want string }{
	{"kudos", "connection", "6 x connection -> retry; failed, exhausted, [notify-owner]"},
	{"kudos", "timeout", "6 x timeout -> retry; failed, exhausted, [notify-owner]"},
	{"kudos", "tls", "6 x tls -> retry; failed, exhausted, [notify-owner]"},
	{"kudos", "503", "6 x 5xx -> retry; failed, exhausted, [notify-owner]"},
	{"kudos", "200", "1 x 2xx -> delivered; delivered, rule, []"},
	{"clodo", "connection", "3 x connection -> retry; failed, exhausted, []"},
	{"clodo", "timeout", "3 x timeout -> retry; failed, exhausted, []"},
	{"clodo", "tls", "1 x tls -> failed; failed, rule, []"},
	{"clodo", "503", "3 x 5xx -> retry; failed, exhausted, []"},
	{"clodo", "200", "1 x 2xx -> delivered; delivered, rule, []"},
	{"kustomer", "connection", "8 x connection -> retry; failed, exhausted, [disable-webhook notify-admins]"},
	{"kustomer", "timeout", "8 x timeout -> retry; failed, exhausted, [disable-webhook notify-admins]"},
	{"kustomer", "tls", "8 x tls -> retry; failed, exhausted, [disable-webhook notify-admins]"},
	{"kustomer", "503", "8 x 5xx -> retry; failed, exhausted, [disable-webhook notify-admins]"},
	{"kustomer", "200", "1 x 2xx -> delivered; delivered, rule, []"},
}

// chaosEnding is what a provider makes of the outcome that a chaos wants.
func chaosEnding(t *testing.T, profile, want string) string {
	t.Helper()
	outcome, _, _ := strings.Cut(want, " ")
	switch profiles.Failure(outcome) {
	case profiles.Reset, profiles.Closed, profiles.Protocol:
		outcome = "connection"
	case profiles.ReadTimeout, profiles.ConnectTimeout:
		outcome = "timeout"
	}
	for _, e := range chaosEndings {
		if e.profile == profile && e.outcome == outcome {
			return e.want
		}
	}
	t.Fatalf("no ending of %s for %q", profile, want)
	return ""
}

// outcomeOf is how an attempt came out: the kind of failure, or the status, the
// beginning of the body and "..." where that is not all.
func outcomeOf(a Attempt) string {
	if a.Response == nil {
		return string(a.Outcome().Failure)
	}
	text := fmt.Sprintf("%d %q", a.Response.Status, a.Response.Body[:min(9, len(a.Response.Body))])
	if !a.Response.Complete {
		text += "..."
	}
	return text
}

// endingOf is a delivery in a line: "6 x timeout -> retry; failed, exhausted,
// [notify-owner]".
func endingOf(attempts []Attempt, e Ending) string {
	var verdicts []string
	for _, a := range attempts {
		verdicts = append(verdicts, a.Verdict.Item+" -> "+string(a.Verdict.Then))
	}
	all := slices.Compact(slices.Clone(verdicts))
	return fmt.Sprintf("%d x %s; %s, %s, %v", len(verdicts), strings.Join(all, ", "), e.State, e.Cause, e.Effects)
}

func TestNoReceiverUpsetsADelivery(t *testing.T) {
	ca := newAuthority(t)
	deliver := func(t *testing.T, c chaos, profile string) {
		s := sender(t, profile, "http://"+serve(t, c.handle)+"/hooks")
		if c.https {
			s.URL = "https" + strings.TrimPrefix(s.URL, "http")
		}
		s.TLS = &tls.Config{RootCAs: ca.pool()}
		s.Timeout = 10 * time.Second
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		attempts, ending := all(ctx, s)
		for _, a := range attempts {
			if got := outcomeOf(a); got != c.want {
				t.Errorf("attempt %d: %s (%+v), want %s", a.Number, got, a.Failure, c.want)
			}
		}
		if got, want := endingOf(attempts, ending), chaosEnding(t, profile, c.want); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	t.Run("nothing wrong", func(t *testing.T) {
		deliver(t, chaos{"", says(okHead + "123456789"), false, `200 "123456789"`}, "kudos")
	})
	nothingLeft(t, func() {
		t.Run("", func(t *testing.T) {
			for _, c := range chaoses(ca.secure(t)) {
				for _, profile := range []string{"kudos", "clodo", "kustomer"} {
					t.Run(c.name+"/"+profile, func(t *testing.T) {
						t.Parallel()
						deliver(t, c, profile)
					})
				}
			}
		})
	})
}

// secure speaks TLS with a certificate for 127.0.0.1, then gives to handle.
func (a authority) secure(t *testing.T) func(handle func(net.Conn)) func(net.Conn) {
	certificate := a.issue(t, "127.0.0.1", time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	return func(handle func(net.Conn)) func(net.Conn) {
		return func(c net.Conn) {
			s := tls.Server(c, &tls.Config{Certificates: []tls.Certificate{certificate}})
			if s.Handshake() == nil {
				handle(s)
			}
		}
	}
}

// nothingLeft does something and waits until no more goroutines and open files
// are there than before.
func nothingLeft(t *testing.T, do func()) {
	t.Helper()
	goroutines, files := runtime.NumGoroutine(), descriptors(t)
	do()
	giveUp := time.After(10 * time.Second)
	for runtime.NumGoroutine() > goroutines || descriptors(t) > files {
		select {
		case <-giveUp:
			stacks := make([]byte, 1<<20)
			t.Fatalf("goroutines %d, were %d; descriptors %d, were %d\n%s", runtime.NumGoroutine(), goroutines,
				descriptors(t), files, stacks[:runtime.Stack(stacks, true)])
		case <-time.After(time.Millisecond):
		}
	}
}
