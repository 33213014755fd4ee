//go:build linux

package cmd_test

import (
	"encoding/json"
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
		{"gzip", func(t *testing.T, at string) {
			dials(t, at, 20, head+"Content-Encoding: gzip\r\nContent-Length: 100000\r\n\r\n"+strings.Repeat("\x1f\x8b\x08\x00", 25_000))
		}},
		{"idle connections", func(t *testing.T, at string) { dials(t, at, many, "") }},
		{"garbage", func(t *testing.T, at string) { dials(t, at, 100, strings.Repeat("\x00\x01 not HTTP\r\n\r\n", 100)) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := start(t, "listen", "--verify", "-p", "kudos", "--secret", "one", "--addr", "127.0.0.1:0", "--json")
			var ready struct{ URL string }
			line, err := p.stdout.ReadString('\n')
			if err == nil {
				err = json.Unmarshal([]byte(line), &ready)
			}
			if err != nil {
				t.Fatal(err)
			}
			go func() { _, _ = io.Copy(io.Discard, p.stdout) }()
			test.attack(t, strings.TrimSuffix(strings.TrimPrefix(ready.URL, "http://"), "/"))
			honest(t, ready.URL)
			if kib := resident(t, p.Process.Pid); kib > 128<<10 {
				t.Errorf("%d KiB are resident", kib)
			}
		})
	}
}

// honest sends one signed request and wants a 200 soon.
func honest(t *testing.T, url string) {
	t.Helper()
	entry, err := profiles.Builtin().Get("kudos")
	if err != nil {
		t.Fatal(err)
	}
	key, err := sign.NewKey(entry.Profile, "one")
	if err != nil {
		t.Fatal(err)
	}
	const body = `{"event_id":"evt_1","event_type":"payment.succeeded"}`
	v := sign.Values{ID: "evt_1", Type: "payment.succeeded", Time: time.Now(), Attempt: 1, FirstSent: time.Now()}
	signatures, err := sign.Signatures(entry.Profile, v, strings.NewReader(body), key)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := sign.Headers(entry.Profile, v, signatures)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range lines {
		req.Header[h.Name] = []string{h.Value}
	}
	client := http.Client{Transport: &http.Transport{}, Timeout: 20 * time.Second} // 2 s where the machine is not busy
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("an honest request was answered %s", res.Status)
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
