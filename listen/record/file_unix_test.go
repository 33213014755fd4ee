//go:build !windows

package record

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

const keepsRemoved = true

func TestTheRecordIsForItsOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	open(t, path, false)
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	for mode, want := range map[os.FileMode]bool{0o600: false, 0o622: false, 0o640: true, 0o604: true} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if w := open(t, path, false); w.Shared != want {
			t.Errorf("%v: shared %v", mode, w.Shared)
		}
	}
}

func TestOnlyOwnSymlinksAreFollowed(t *testing.T) {
	dir := t.TempDir()
	link := func(to, name string) string {
		path := filepath.Join(dir, name)
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, path := range []string{link("to", "relative"), link(filepath.Join(dir, "to"), "absolute"), link("relative", "chain")} {
		put(t, open(t, path, false), 1)
	}
	if got, _ := holds(t, filepath.Join(dir, "to")); !same(got, 1, 1, 1) {
		t.Errorf("holds %v", got)
	}
	link("b", "a")
	if _, err := Open(link("a", "b"), false); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("a circle: %v", err)
	}
	if os.Geteuid() != 0 {
		t.Skip("a symlink of another user takes the superuser to make")
	}
	other := link("to", "other")
	if err := os.Lchown(other, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{other, link("other", "through")} {
		if _, err := Open(path, false); err == nil || !strings.Contains(err.Error(), "a symlink of another user is not followed") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestAPipeIsWrittenDirectly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	got := make(chan string, 1)
	go func() {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		got <- string(b)
	}()
	w := open(t, path, true)
	put(t, w, 1, 2)
	if last, err := w.Last(); last != 0 || err != nil {
		t.Errorf("last %d, %v", last, err)
	}
	if b, err := io.ReadAll(w.Contents()); len(b) > 0 || err != nil {
		t.Errorf("contents %q, %v", b, err)
	}
	w.Close()
	if text := <-got; strings.Count(text, "\n") != 2 {
		t.Errorf("the pipe held %q", text)
	}
}

func TestStdoutCanBeTheRecord(t *testing.T) {
	r, own, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	path := filepath.Join("/dev/fd", strconv.Itoa(int(own.Fd())))
	if _, err := os.Lstat(path); err != nil {
		t.Skip(err)
	}
	w := open(t, path, false)
	put(t, w, 1)
	w.Close()
	own.Close()
	if b, err := io.ReadAll(r); err != nil || strings.Count(string(b), "\n") != 1 {
		t.Errorf("the pipe held %q, %v", b, err)
	}
}
