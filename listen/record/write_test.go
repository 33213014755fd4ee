package record

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/send"
)

// numbered is a request of that number.
func numbered(n int) listen.Request {
	return listen.Request{Number: n, At: time.Unix(1767348183, 0), Method: "POST", Target: "/", Body: []byte("{}"), BodyRead: true}
}

func open(t testing.TB, path string, fsync bool) *Writer {
	t.Helper()
	w, err := Open(path, fsync)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// put appends requests with these numbers.
func put(t testing.TB, w *Writer, numbers ...int) {
	t.Helper()
	for _, n := range numbers {
		if err := w.Request(numbered(n)); err != nil {
			t.Fatal(err)
		}
	}
}

// holds reads a record: its requests' numbers, and how many lines are skipped.
func holds(t testing.TB, path string) (numbers []int, skipped int) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	documents, torn := Read(f, path)
	for d, err := range documents {
		if err != nil {
			t.Fatal(err)
		}
		if d.Request != nil {
			numbers = append(numbers, d.Request.Number)
		}
	}
	return numbers, torn()
}

func same(a []int, b ...int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestLinesAreAppended(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	w := open(t, path, true)
	put(t, w, 1, 2)
	w.Close()
	w = open(t, path, false)
	put(t, w, 3)
	if err := w.Timeline(send.Timeline{Profile: "p", Event: send.Message{Body: []byte("x")}, WithBody: true}); err != nil {
		t.Fatal(err)
	}
	if got, skipped := holds(t, path); !same(got, 1, 2, 3) || skipped != 0 || w.Torn || w.Shared {
		t.Errorf("holds %v, %d skipped, torn %v, shared %v", got, skipped, w.Torn, w.Shared)
	}
	b, err := os.ReadFile(path)
	if err != nil || bytes.Count(b, []byte("\n")) != 4 || b[len(b)-1] != '\n' {
		t.Errorf("%d lines, %v", bytes.Count(b, []byte("\n")), err)
	}
}

func TestATornLastLineIsClosedAndKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	put(t, open(t, path, false), 1)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	torn := append(whole, whole[:40]...)
	if err := os.WriteFile(path, torn, 0o600); err != nil {
		t.Fatal(err)
	}
	w := open(t, path, false)
	put(t, w, 2)
	after, err := os.ReadFile(path)
	if err != nil || !bytes.HasPrefix(after, append(torn, '\n')) || !w.Torn {
		t.Errorf("torn %v, %v: %s", w.Torn, err, after)
	}
	if got, skipped := holds(t, path); !same(got, 1, 2) || skipped != 1 {
		t.Errorf("holds %v, %d skipped", got, skipped)
	}
}

func TestALineThatAnotherProcessLeftTornIsClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	a, b := open(t, path, false), open(t, path, false)
	put(t, a, 1)
	if _, err := b.file.WriteString(`{"schema":"hookctl.re`); err != nil { // and was killed
		t.Fatal(err)
	}
	put(t, a, 2)
	if got, skipped := holds(t, path); !same(got, 1, 2) || skipped != 1 {
		t.Errorf("holds %v, %d skipped", got, skipped)
	}
}

func TestManyAtOnceShareAWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	w := open(t, path, true)
	w.turn.Lock() // the file is busy
	var all sync.WaitGroup
	for n := 1; n <= 50; n++ {
		all.Go(func() {
			if err := w.Request(numbered(n)); err != nil {
				t.Error(err)
			}
		})
	}
	for { // until all wait
		w.mu.Lock()
		waiting := 0
		if w.next != nil {
			waiting = len(w.next.lines)
		}
		w.mu.Unlock()
		if waiting == 50 {
			break
		}
		runtime.Gosched()
	}
	w.turn.Unlock()
	all.Wait()
	got, skipped := holds(t, path)
	seen := map[int]bool{}
	for _, n := range got {
		seen[n] = true
	}
	if len(got) != 50 || len(seen) != 50 || skipped != 0 {
		t.Errorf("holds %v, %d skipped", got, skipped)
	}
}

func TestWholeLinesOfAShortWriteCount(t *testing.T) {
	lines := [][]byte{[]byte("ab\n"), []byte("cdef\n"), []byte("g\n")}
	for written, want := range []int{0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 3} {
		if got := wholeLines(lines, written); got != want {
			t.Errorf("%d bytes: %d lines, want %d", written, got, want)
		}
	}
}

func TestARemovedFileIsMadeAnew(t *testing.T) {
	if !keepsRemoved {
		t.Skip("this system removes no open file")
	}
	dir := filepath.Join(t.TempDir(), "d")
	path := filepath.Join(dir, "r")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	w := open(t, path, false)
	put(t, w, 1)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	put(t, w, 2)
	if got, _ := holds(t, path); !same(got, 2) {
		t.Errorf("holds %v", got)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	var where *fs.PathError
	if err := w.Request(numbered(3)); !errors.As(err, &where) || where.Path != path || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without its folder: %v", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, w, 4)
	if got, _ := holds(t, path); !same(got, 4) {
		t.Errorf("holds %v", got)
	}
}

func TestWhatIsNoFileIsAnError(t *testing.T) {
	dir := t.TempDir()
	for name, path := range map[string]string{"a folder": dir, "in no folder": filepath.Join(dir, "none", "r"), "no name": ""} {
		w, err := Open(path, false)
		var where *fs.PathError
		if w != nil || !errors.As(err, &where) || where.Path != path {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// request is a line of a record.
func request(n int) string {
	return `{"schema":"hookctl.request/1","number":` + strconv.Itoa(n) + `,"at":"2026-01-02T10:03:03.000Z"}` + "\n"
}
