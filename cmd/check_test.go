package cmd_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hookctl/hookctl/cmd"
)

// An interrupted run still tells what it found, and ends with 130.
func TestAnInterruptedCheckPrintsItsReport(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var seen atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		_, _ = io.Copy(io.Discard, req.Body)
		if seen.Add(1) == 5 {
			cancel()
		}
	}))
	defer s.Close()
	var out, errs bytes.Buffer
	code := cmd.Main(ctx, cmd.Env{
		Stdout: &out, Stderr: &errs, Version: "0.1.0",
		Lookup: func(name string) (string, bool) {
			v, ok := map[string]string{"HOOKCTL_SECRET": "s3cret"}[name]
			return v, ok
		},
	}, []string{"check", "-p", "kudos", s.URL})
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if last := lines[len(lines)-1]; code != 130 || !strings.HasPrefix(last, "interrupted: ") || errs.Len() > 0 {
		t.Errorf("exit code %d, last line %q, stderr %q", code, last, errs.String())
	}
}

func TestAnEarlierReportMayBeTooLong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.json")
	if err := os.WriteFile(path, make([]byte, 16<<20+1), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := run(t, map[string]string{"HOOKCTL_SECRET": "s3cret"}, "check", "-p", "kudos", "--baseline", path, "http://127.0.0.1:1")
	if code != 3 || !strings.HasPrefix(stderr, "hookctl: error: --baseline: ") || !strings.Contains(stderr, "more than 16777216 bytes") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

// Markdown is appended; what cannot be written is exit code 3.
func TestReportsThatCannotBeWritten(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer s.Close()
	dir := t.TempDir()
	env := map[string]string{"HOOKCTL_SECRET": "s3cret"}
	for _, flag := range []string{"--junit", "--markdown"} {
		code, _, stderr := run(t, env, "check", "-p", "kudos", "--only", "redirect", flag, filepath.Join(dir, "missing", "file"), s.URL)
		if code != 3 || !strings.HasPrefix(stderr, "hookctl: error: "+flag+": ") {
			t.Errorf("%s: exit code %d, %q", flag, code, stderr)
		}
	}
	summary := filepath.Join(dir, "summary.md")
	if err := os.WriteFile(summary, []byte("before\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := run(t, env, "check", "-p", "kudos", "--only", "redirect", "--markdown", summary, s.URL); code != 0 {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	if b, err := os.ReadFile(summary); err != nil || !strings.HasPrefix(string(b), "before\n## hookctl check: Kudos CRM\n") {
		t.Errorf("%q, %v", b, err)
	}
}
