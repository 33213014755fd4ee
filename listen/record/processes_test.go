package record

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

const perProcess = 10_000

// TestMain appends for TestTwoProcessesShareARecord where that asks for it.
func TestMain(m *testing.M) {
	if path := os.Getenv("RECORD_TO"); path != "" {
		if err := appendMany(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// appendMany appends lines, each hundredth far larger than a pipe takes at once.
func appendMany(path string) error {
	w, err := Open(path, false)
	if err != nil {
		return err
	}
	large := make([]byte, 100<<10)
	for n := 1; n <= perProcess; n++ {
		q := numbered(n)
		q.Remote = fmt.Sprint(os.Getpid())
		if n%100 == 0 {
			q.Body = large
		}
		if err := w.Request(q); err != nil {
			return err
		}
	}
	return w.Close()
}

func TestTwoProcessesShareARecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	var both [2]*exec.Cmd
	for i := range both {
		both[i] = exec.Command(os.Args[0])
		both[i].Env = append(os.Environ(), "RECORD_TO="+path)
		both[i].Stderr = os.Stderr
		if err := both[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range both {
		if err := c.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	next := map[string]int{} // of each process, in order
	turns, last := 0, ""
	documents, skipped := Read(f, path)
	for d, err := range documents {
		if err != nil {
			t.Fatal(err)
		}
		who := d.Request.Remote
		if next[who]++; d.Request.Number != next[who] {
			t.Fatalf("line %d: request %d of %s, want %d", d.Line, d.Request.Number, who, next[who])
		}
		if who != last {
			turns, last = turns+1, who
		}
	}
	if n := skipped(); n != 0 || len(next) != 2 || next[last] != perProcess {
		t.Errorf("%d lines skipped, %v", n, next)
	}
	t.Logf("the processes took %d turns", turns)
}
