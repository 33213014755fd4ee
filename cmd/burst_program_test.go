//go:build !windows

package cmd_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// measured runs a burst of hookctl that is all delivered, checks the sums of its
// summary, and tells the summary and the most memory that hookctl held, in bytes
// (Linux; else 0).
func measured(t *testing.T, args ...string) (summary string, memory int64) {
	t.Helper()
	c := exec.Command("peak", append([]string{"hookctl", "send", "-p", "kudos", "--secret", "s"}, args...)...)
	c.Env = append(os.Environ(), "HOOKCTL_CONFIG=", "HOME="+t.TempDir(), "GORACE=atexit_sleep_ms=0")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	n, answers := map[string]int{}, 0
	for _, row := range regexp.MustCompile(`(?m)^(delivered|failed|not sent|attempts|  [a-z0-9]+) +([0-9,]+) `).FindAllStringSubmatch(string(out), -1) {
		k, err := strconv.Atoi(strings.ReplaceAll(row[2], ",", ""))
		if err != nil {
			t.Fatal(err)
		}
		n[row[1]] = k
		if row[1] == "  200" || row[1] == "  503" {
			answers += k
		}
	}
	if want := args[1]; strconv.Itoa(n["delivered"]) != want || n["failed"] != 0 || n["not sent"] != 0 || n["attempts"] != answers || answers < n["delivered"] {
		t.Errorf("%s events: it does not add up:\n%s", want, out)
	}
	if m := regexp.MustCompile(`(?m)^peak ([0-9]+) KiB$`).FindSubmatch(out); m != nil {
		memory, err = strconv.ParseInt(string(m[1]), 10, 64)
	}
	if err != nil || memory == 0 && runtime.GOOS == "linux" {
		t.Fatalf("no peak: %v: %s", err, out)
	}
	return string(out), memory << 10
}

// Memory does not grow with the number of events: not where the endpoint is
// fast, and not where it is slower than events arrive.
func TestABurstOfAnyLengthNeedsTheSameMemory(t *testing.T) {
	var slow atomic.Bool
	var n atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		switch {
		case slow.Load():
			time.Sleep(20 * time.Millisecond)
		case n.Add(1)%20 == 0:
			w.WriteHeader(503)
		}
	}))
	defer server.Close()
	const most = 32 << 20
	same := func(what string, small, large int64) {
		t.Logf("%s: %d KiB for a tenth, %d KiB for all", what, small>>10, large>>10)
		if !raceDetector && (large > most || large > small+6<<20) {
			t.Errorf("%s: %d KiB for a tenth of the events, %d KiB for all", what, small>>10, large>>10)
		}
	}
	some, all := "2000", "20000"
	if testing.Short() {
		some, all = "200", "2000"
	}
	_, small := measured(t, "--count", some, "--concurrency", "32", server.URL)
	summary, large := measured(t, "--count", all, "--concurrency", "32", server.URL)
	same(all+" at 32 at once", small, large)
	if strings.Contains(summary, "started late") {
		t.Errorf("nothing arrives at a rate:\n%s", summary)
	}
	slow.Store(true) // 8 at once are 400 a second at most
	_, small = measured(t, "--count", "200", "--rate", "500", "--concurrency", "8", server.URL)
	summary, large = measured(t, "--count", "2000", "--rate", "500", "--concurrency", "8", server.URL)
	same("2,000 at 500 a second", small, large)
	if !regexp.MustCompile(`; 1,[0-9]{3} started late\n`).MatchString(summary) {
		t.Errorf("most events start late:\n%s", summary)
	}
}

func TestASignalEndsABurstWithItsSummary(t *testing.T) {
	var begun atomic.Int64
	held := make(chan bool, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if begun.Add(1) > 4 { // the fifth and those after it get no answer
			held <- true
			<-r.Context().Done()
		}
	}))
	defer server.Close()
	for signal, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		p := start(t, "send", "-p", "kudos", "--secret", "s", "--count", "1000", "--concurrency", "2", server.URL)
		p.until(t, `^payment\.succeeded  1,000 events`)
		<-held
		<-held
		code, rest := p.end(t, signal)
		if code != want {
			t.Errorf("%v: exit code %d, want %d; stderr: %s", signal, code, want, &p.stderr)
		}
		if !regexp.MustCompile(`\ninterrupted      2    0\.2 %  under way\n(?s:.*)\ninterrupted: 4 of 1,000 events delivered; 2 under way, 994 were not sent\n$`).MatchString(rest) {
			t.Errorf("%v: ended with %q", signal, rest)
		}
		begun.Store(0)
	}
}

// A reader that leaves ends a burst in order: what is in flight is answered.
func TestABurstEndsForWantOfAReader(t *testing.T) {
	var asked, answered atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		_, _ = io.Copy(io.Discard, r.Body)
		if _, err := w.Write([]byte("thanks")); err == nil && http.NewResponseController(w).Flush() == nil && r.Context().Err() == nil {
			answered.Add(1)
		}
	}))
	defer server.Close()
	p := start(t, "send", "-p", "kudos", "--secret", "s", "--count", "100000", "--concurrency", "4", "--json", server.URL)
	p.until(t, `hookctl\.timeline/1`)
	p.pipe.Close()
	_ = p.Wait() // the exit code tells
	if code := p.ProcessState.ExitCode(); code != 3 || strings.Contains(p.stderr.String(), "error") {
		t.Errorf("exit code %d, want 3 without a message: %s", code, &p.stderr)
	}
	if n := asked.Load(); n > 50_000 || n != answered.Load() {
		t.Errorf("%d requests, %d answered", n, answered.Load())
	}
}
