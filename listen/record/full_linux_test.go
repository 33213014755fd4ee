package record

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestAFullDiskTearsNoLineForGood(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("hookctl", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("a small disk takes the right to mount one: %v", err)
	}
	defer func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) }()
	path, filler := filepath.Join(dir, "r"), filepath.Join(dir, "filler")
	if err := os.WriteFile(filler, make([]byte, 32<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	w, other := open(t, path, true), open(t, path, false)
	var kept []int
	var full error
	for n := 1; full == nil; n++ {
		if full = w.Request(numbered(n)); full == nil {
			kept = append(kept, n)
		}
	}
	if !errors.Is(full, syscall.ENOSPC) {
		t.Fatal(full)
	}
	b, err := os.ReadFile(path)
	if err != nil || bytes.HasSuffix(b, []byte("\n")) {
		t.Fatalf("no short write was seen: %v", err) // else this shows nothing
	}
	if err := other.Request(numbered(500)); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("another process: %v", err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	put(t, other, 1000)
	put(t, w, 1001)
	got, skipped := holds(t, path)
	if !same(got, append(kept, 1000, 1001)...) || skipped != 1 {
		t.Errorf("holds %v, want %v; %d skipped", got, kept, skipped)
	}
}
