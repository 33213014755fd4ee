//go:build !windows

package cmd_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// A process is hookctl at work, as users run it.
type process struct {
	*exec.Cmd
	pipe   io.ReadCloser // below stdout
	stdout *bufio.Reader
	stderr bytes.Buffer
}

func start(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command("hookctl", args...)}
	p.Env = append(os.Environ(), "HOOKCTL_CONFIG=", "HOOKCTL_SECRET=", "HOME="+t.TempDir(), "LANG=C.UTF-8")
	p.Cmd.Stderr = &p.stderr
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.pipe, p.stdout = out, bufio.NewReader(out)
	if _, err := p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

// until reads stdout until a line matches.
func (p *process) until(t *testing.T, pattern string) {
	t.Helper()
	for {
		line, err := p.stdout.ReadString('\n')
		if err != nil {
			t.Fatalf("no line %q before %v; stderr: %s", pattern, err, &p.stderr)
		}
		if regexp.MustCompile(pattern).MatchString(line) {
			return
		}
	}
}

// end sends a signal and returns the exit code and the rest of stdout.
func (p *process) end(t *testing.T, s syscall.Signal) (int, string) {
	t.Helper()
	if err := p.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(p.stdout)
	if err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := p.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return p.ProcessState.ExitCode(), string(rest)
}

func TestASignalEndsTheWaiting(t *testing.T) {
	heedHangUps(t, true)
	for signal, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		p := start(t, "send", "-p", "kudos", "--respond", "503", "--speed", "real")
		p.until(t, `^ 1 .* 503 `)
		code, rest := p.end(t, signal)
		if code != want {
			t.Errorf("%v: exit code %d, want %d; stderr: %s", signal, code, want, &p.stderr)
		}
		if !regexp.MustCompile(`\ninterrupted: 503 at attempt 1 of 6; attempt 2 was due in [23][0-9]\.[0-9] s\n$`).MatchString(rest) {
			t.Errorf("%v: ended with %q", signal, rest)
		}
	}
}

func TestAHangUpEndsNothingThatIsToOutliveItsTerminal(t *testing.T) {
	heedHangUps(t, false)
	p := start(t, "send", "-p", "kudos", "--respond", "503", "--speed", "600") // the second wait is 200 ms
	p.until(t, `^ 1 .* 503 `)
	if err := p.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	p.until(t, `^ 3 .* 503 `)
	if code, _ := p.end(t, syscall.SIGTERM); code != 143 {
		t.Errorf("exit code %d, want 143; stderr: %s", code, &p.stderr)
	}
}

// heedHangUps has the processes of a test heed SIGHUP, or ignore it as under
// nohup: they get that from this one, which may itself have been started so.
func heedHangUps(t *testing.T, heed bool) {
	t.Helper()
	before := signal.Ignored(syscall.SIGHUP)
	if heed {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	} else {
		signal.Ignore(syscall.SIGHUP)
	}
	t.Cleanup(func() {
		signal.Reset(syscall.SIGHUP)
		if before {
			signal.Ignore(syscall.SIGHUP)
		}
	})
}

func TestASignalCutsAnAttempt(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	p := start(t, "send", "-p", "kudos", "--secret", "s", "--json", "http://"+l.Addr().String())
	c, err := l.Accept() // the attempt is under way and gets no answer
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	code, rest := p.end(t, syscall.SIGINT)
	if code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
	for _, want := range []string{`"error":{"kind":"interrupted",`, `"verdict":null`, `"next":null`, `"state":"interrupted","reason":"interrupted"`} {
		if !strings.Contains(rest, want) {
			t.Errorf("no %s in %s", want, rest)
		}
	}
}

func TestASignalEndsListenWithItsSummary(t *testing.T) {
	p := start(t, "listen", "--addr", "127.0.0.1:0", "--json")
	p.until(t, `^{"schema":"hookctl.ready/1"`)
	if code, _ := p.end(t, syscall.SIGINT); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
	if !regexp.MustCompile(`(?m)^0 requests in `).MatchString(p.stderr.String()) {
		t.Errorf("no summary: %s", &p.stderr)
	}
}

func TestAClosedStdoutEndsInOrder(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	for _, args := range [][]string{
		{"profiles", "show", "kudos"},
		{"send", "-p", "kudos", "--respond", "503"},
		{"plan", "--json"},
		{"--help"},
	} {
		c := exec.Command("hookctl", args...)
		var stderr bytes.Buffer
		c.Stdout, c.Stderr = w, &stderr
		c.Env = append(os.Environ(), "HOOKCTL_CONFIG=", "HOME="+t.TempDir())
		err := c.Run()
		if code := c.ProcessState.ExitCode(); code != 3 {
			t.Errorf("%v: exit code %d (%v), want 3", args, code, err)
		}
		if s := stderr.String(); strings.Contains(s, "error") || strings.Contains(s, "pipe") {
			t.Errorf("%v: a message: %s", args, s)
		}
	}
	w.Close()
}
