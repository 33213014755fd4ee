package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
)

// told ends listen in order and wants these messages of it, in this order.
func told(t *testing.T, p *process, want string) {
	t.Helper()
	if code, _ := p.end(t, syscall.SIGINT); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
	if s := p.stderr.String(); !regexp.MustCompile(`(?s)` + want).MatchString(s) {
		t.Errorf("no %s in %s", want, s)
	}
}

func TestAFullDiskIsAnswered503(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("hookctl", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("a small disk takes the right to mount one: %v", err)
	}
	defer func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) }()
	path, filler := filepath.Join(dir, "r"), filepath.Join(dir, "filler")
	if err := os.WriteFile(filler, make([]byte, 48<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	p, url := listening(t, "--record", path, "-p", "kudos", "--dedupe")
	c := sender()
	n := 0
	for deliver(c, url, fmt.Sprint("evt_", n)) {
		n++
	}
	if n == 0 || deliver(c, url, "evt_full") {
		t.Errorf("%d requests were recorded on a full disk", n)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if !deliver(c, url, "evt_full") { // it is not known: it was not answered 2xx
		t.Error("not recorded, though there is room again")
	}
	told(t, p, `error: --record: \S+/r: no space left on device; requests are answered 503 until it can be written\n`+
		`hookctl: note: recording again; 2 requests were answered 503\n.*  not kept    2  in the record; answered 503\n`)
	requests, _, torn := kept(t, path)
	if len(requests) != n+1 || requests[n].Event.ID != "evt_full" || torn > 1 {
		t.Errorf("%d requests recorded, want %d; %d torn lines", len(requests), n+1, torn)
	}
}

func TestAVanishedFolderIsAnswered503(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	path := filepath.Join(dir, "r")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	p, url := listening(t, "--record", path, "-p", "kudos")
	c := sender()
	if !deliver(c, url, "evt_1") {
		t.Error("not recorded")
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if deliver(c, url, "evt_2") || deliver(c, url, "evt_3") {
		t.Error("answered 2xx without a record")
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if !deliver(c, url, "evt_4") {
		t.Error("not recorded, though the folder is there again")
	}
	told(t, p, `error: --record: \S+/d/r: no such file or directory; requests are answered 503 until it can be written\n`+
		`hookctl: note: recording again; 2 requests were answered 503\n`)
	if requests, _, _ := kept(t, path); len(requests) != 1 || requests[0].Number != 4 {
		t.Errorf("the new file holds %d requests", len(requests))
	}
}
