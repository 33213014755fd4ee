package send

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A receiver that takes its time is given up at the provider's own limit, to the
// moment, at every attempt.
func TestNoReceiverHoldsADeliveryUp(t *testing.T) {
	const pause = 700 * time.Millisecond
	slowly := func(c net.Conn, text string) {
		for _, b := range bytewise(text) {
			if _, err := io.WriteString(c, b); err != nil {
				return
			}
			time.Sleep(pause)
		}
	}
	hold := func(text string) func(net.Conn) { return func(c net.Conn) { says(text)(c); untilGone(c) } }
	limits := map[string]map[string]time.Duration{
		"kudos":    {"connect-timeout": 8 * time.Second, "read-timeout": 8 * time.Second},
		"clodo":    {"connect-timeout": 5 * time.Second, "read-timeout": 20 * time.Second},
		"kustomer": {"connect-timeout": 30 * time.Second, "read-timeout": 30 * time.Second},
	}
	tests := []chaos{
		{"hangs", hold(""), false, "read-timeout"},
		{"hangs inside the head", hold("HTTP/1.1 200 OK\r\nX-"), false, "read-timeout"},
		{"hangs after a 1xx", hold("HTTP/1.1 100 Continue\r\n\r\n"), false, "read-timeout"},
		{"does not read the request", func(c net.Conn) { takeByte(c); c.Write(nil) }, false, "read-timeout"},
		{"answers byte by byte", func(c net.Conn) { takeRequest(c); slowly(c, strings.Repeat("HTTP/1.1 200 OK ", 10)) }, false, "read-timeout"},
		{"sends 1xx after 1xx", func(c net.Conn) {
			takeRequest(c)
			for {
				if _, err := io.WriteString(c, "HTTP/1.1 103 Early Hints\r\n\r\n"); err != nil {
					return
				}
				time.Sleep(pause)
			}
		}, false, "read-timeout"},
		{"hangs inside the body", hold(okHead + "half"), false, `200 "half"...`},
		{"gives the body byte by byte", func(c net.Conn) { says(okHead)(c); slowly(c, "half and more") }, false, `200 "ha"...`},
		{"TLS: hangs in the handshake", untilGone, true, "connect-timeout"},
		{"TLS: hangs inside a record", func(c net.Conn) { drainHello(c); io.WriteString(c, "\x16\x03\x03\x40"); untilGone(c) }, true, "connect-timeout"},
		{"TLS: shakes hands byte by byte", func(c net.Conn) { drainHello(c); slowly(c, "\x16\x03\x03\x40\x00"+strings.Repeat("\x02", 60)) }, true, "connect-timeout"},
		{"TLS: hangs after the handshake", nil, true, "read-timeout"},
	}
	for _, c := range tests {
		for profile, limit := range limits {
			t.Run(c.name+"/"+profile, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ca := newAuthority(t)
					s := sender(t, profile, "http://127.0.0.1/hooks")
					if c.https {
						s.URL = "https://127.0.0.1/hooks"
					}
					s.TLS = &tls.Config{RootCAs: ca.pool()}
					handle := c.handle
					if handle == nil {
						handle = ca.secure(t)(untilGone)
					}
					var handlers sync.WaitGroup
					defer handlers.Wait() // each ends when its connection does
					s.Dial = func(context.Context, string, string) (net.Conn, error) {
						here, there := net.Pipe()
						handlers.Go(func() {
							defer there.Close()
							handle(there)
						})
						return here, nil
					}
					start := time.Now()
					attempts, ending := all(t.Context(), s)
					want := bodyTime // of an answer, only the body is waited for
					for _, a := range attempts {
						if got := outcomeOf(a); got != c.want || a.Took != limit[c.want] {
							t.Errorf("attempt %d: %s after %s (%+v), want %s after %s", a.Number, got, a.Took, a.Failure, c.want, limit[c.want])
						}
					}
					if l := limit[c.want]; l > 0 {
						want = time.Duration(len(attempts)) * l
					}
					if took := time.Since(start); took != want {
						t.Errorf("took %s, want %s", took, want)
					}
					if got, want := endingOf(attempts, ending), chaosEnding(t, profile, c.want); got != want {
						t.Errorf("%s\nwant %s", got, want)
					}
				})
			})
		}
	}
}
