//go:build linux

package cmd_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// dials opens so many connections, and writes a text to each.
func dials(t *testing.T, address string, n int, text string) {
	t.Helper()
	for range n {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		_ = c.SetWriteDeadline(time.Now().Add(10 * time.Second))
		_, _ = io.WriteString(c, text) // it may be closed meanwhile
	}
}

func TestNothingThatIsSentStopsListen(t *testing.T) {
	const head = "POST / HTTP/1.1\r\nHost: h\r\n"
	many := 10_000
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	many = min(many, int(limit.Cur)-500)
	for _, test := range []struct {
		name   string
		attack func(t *testing.T, address string)
	}{
		{"pipelining", func(t *testing.T, at string) {
			dials(t, at, 10, strings.Repeat(head+"Content-Length: 2\r\n\r\n{}", 500))
		}},
		{"slow heads", func(t *testing.T, at string) { dials(t, at, 1500, head+"X-Slow: ") }},
		{"slow bodies", func(t *testing.T, at string) { dials(t, at, 1500, head+"Content-Length: 1000000\r\n\r\n{") }},
		{"large slow bodies", func(t *testing.T, at string) {
			dials(t, at, 30, head+"Content-Length: 10000000\r\n\r\n"+strings.Repeat("x", 9<<20))
		}},
		{"large heads", func(t *testing.T, at string) { dials(t, at, 50, head+"X: "+strings.Repeat("x", 1<<20)) }},
		{"large slow heads", func(t *testing.T, at string) { dials(t, at, 1500, head+"X: "+strings.Repeat("x", 60<<10)) }},
		{"connections that come and go", func(t *testing.T, at string) {
			for i := range 2000 {
				c, err := net.Dial("tcp", at)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = io.WriteString(c, head[:i%len(head)])
				if i%2 == 0 { // with a reset
					_ = c.(*net.TCPConn).SetLinger(0)
				}
				c.Close()
			}
		}},
		{"idle connections", func(t *testing.T, at string) { dials(t, at, many, "") }},
		{"garbage", func(t *testing.T, at string) { dials(t, at, 100, strings.Repeat("\x00\x01 not HTTP\r\n\r\n", 100)) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, address := verifying(t)
			test.attack(t, address)
			honest(t, address, `{"event_id":"evt_1","event_type":"payment.succeeded"}`)
			isSmall(t, p.Process.Pid, 128)
		})
	}
}

func TestABodyThatWouldInflateIsVerifiedAsItIs(t *testing.T) {
	const member, members = 16 << 20, 64 // 1 GiB
	var one bytes.Buffer
	w := gzip.NewWriter(&one)
	if _, err := w.Write(make([]byte, member)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	bomb := strings.Repeat(one.String(), members)
	p, address := verifying(t)
	honest(t, address, bomb, sign.Header{Name: "Content-Encoding", Value: "gzip"})
	isSmall(t, p.Process.Pid, 64)
}

// verifying starts a listen that verifies and whose output is read.
func verifying(t *testing.T) (*process, string) {
	t.Helper()
	p, address := listenAt(t, "--verify", "-p", "kudos", "--secret", "one")
	go func() { _, _ = io.Copy(io.Discard, p.stdout) }()
	return p, address
}

// honest sends one signed request and wants a 200 within 2 s.
func honest(t *testing.T, address, body string, more ...sign.Header) {
	t.Helper()
	entry, err := profiles.Builtin().Get("kudos")
	if err != nil {
		t.Fatal(err)
	}
	key, err := sign.NewKey(entry.Profile, "one")
	if err != nil {
		t.Fatal(err)
	}
	v := sign.Values{ID: "evt_1", Type: "payment.succeeded", Time: time.Now(), Attempt: 1, FirstSent: time.Now()}
	signatures, err := sign.Signatures(entry.Profile, v, strings.NewReader(body), key)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := sign.Headers(entry.Profile, v, signatures)
	if err != nil {
		t.Fatal(err)
	}
	soon := 2 * time.Second
	if raceDetector {
		soon = 20 * time.Second
	}
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address+"/", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range append(lines, more...) {
		req.Header[h.Name] = []string{h.Value}
	}
	client := http.Client{Transport: &http.Transport{}}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("an honest request was answered %s", res.Status)
	}
}

// isSmall fails where a process has more than so many MiB resident. The race
// detector needs several times what is watched.
func isSmall(t *testing.T, pid, mib int) {
	t.Helper()
	if raceDetector {
		mib *= 8
	}
	if kib := resident(t, pid); kib > mib<<10 {
		t.Errorf("%d KiB are resident, more than %d MiB", kib, mib)
	}
}

// resident is a process's resident memory in KiB.
func resident(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	var kib int
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		t.Fatal(err)
	}
	return kib
}
