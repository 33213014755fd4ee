package record

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

const (
	maxPooled = 64 << 10  // bytes of a buffer that is kept for the next line
	maxJoined = 256 << 10 // bytes of lines that are joined into one write
)

// A batch is the lines that one write takes, and how that went.
type batch struct {
	lines [][]byte
	whole int           // the first so many are written
	err   error         // why the others are not
	done  chan struct{} // closed at the end
}

// append writes a line, newline included, together with those that came while
// the file was busy. Who comes first writes for the others.
func (w *Writer) append(line []byte) error {
	w.mu.Lock()
	b, first := w.next, w.next == nil
	if first {
		b = &batch{done: make(chan struct{})}
		w.next = b
	}
	place := len(b.lines)
	b.lines = append(b.lines, line)
	w.mu.Unlock()
	if first {
		w.turn.Lock()
		runtime.Gosched() // lines that are nearly there share the write
		w.mu.Lock()
		w.next = nil // complete: who comes now waits for the next write
		w.mu.Unlock()
		b.whole, b.err = w.write(b.lines)
		w.turn.Unlock()
		close(b.done)
	}
	<-b.done
	if place < b.whole {
		return nil
	}
	return b.err
}

// write writes lines while no other process does, and returns how many of them
// are whole.
func (w *Writer) write(lines [][]byte) (int, error) {
	if !w.regular {
		return w.put(lines)
	}
	if err := w.hold(); err != nil {
		return 0, err
	}
	defer func() { unlock(w.file) }()
	whole, err := w.put(lines)
	if err != nil {
		if info, statErr := w.file.Stat(); statErr == nil {
			_, _ = w.close(info.Size()) // else the next write closes it, or the next start
		}
	}
	if w.sync && whole > 0 {
		if failed := w.file.Sync(); failed != nil {
			return 0, failed
		}
	}
	return whole, err
}

// put writes lines, each in one write: small ones together, a large one as it
// is.
func (w *Writer) put(lines [][]byte) (int, error) {
	for i := 0; i < len(lines); {
		text, n := lines[i], 1
		if len(lines)-i > 1 && len(text)+len(lines[i+1]) <= maxJoined {
			w.joined = append(w.joined[:0], text...)
			for i+n < len(lines) && len(w.joined)+len(lines[i+n]) <= maxJoined {
				w.joined = append(w.joined, lines[i+n]...)
				n++
			}
			text = w.joined
		}
		written, err := w.file.Write(text)
		if err != nil {
			w.end = -1
			return i + wholeLines(lines[i:i+n], written), err
		}
		if w.end >= 0 {
			w.end += int64(written)
		}
		i += n
	}
	return len(lines), nil
}

// wholeLines is how many lines are within the first bytes of them.
func wholeLines(lines [][]byte, written int) int {
	for i, line := range lines {
		if written -= len(line); written < 0 {
			return i
		}
	}
	return len(lines)
}

// close closes a torn last line, of this or another process, with a newline, and
// reports whether there was one. The file must be locked and has this size.
func (w *Writer) close(size int64) (bool, error) {
	if size == w.end || size == 0 {
		w.end = size
		return false, nil
	}
	w.end = -1
	var last [1]byte
	if _, err := w.file.ReadAt(last[:], size-1); err != nil {
		return false, err
	}
	torn := last[0] != '\n'
	if torn {
		if _, err := w.file.Write([]byte{'\n'}); err != nil {
			return true, err
		}
		size++
	}
	w.end = size
	return torn, nil
}

// hold locks the file with all its lines closed. It sees that the file is still
// there: what is written to one that was removed is lost. It is made anew where
// its folder is.
func (w *Writer) hold() error {
	lock(w.file)
	info, err := w.file.Stat()
	if err == nil && removed(info) {
		old := w.file
		if err = w.open(); err == nil {
			old.Close() // and with it its lock
			lock(w.file)
			info, err = w.file.Stat()
		}
	}
	if err == nil {
		_, err = w.close(info.Size())
	}
	if err != nil {
		unlock(w.file)
	}
	return err
}

// open opens the file, and makes it where it is not there.
func (w *Writer) open() error {
	flags := os.O_RDWR | os.O_APPEND | os.O_CREATE
	before, err := os.Stat(w.path)
	if err == nil && !before.Mode().IsRegular() && !before.IsDir() {
		flags = os.O_WRONLY // of a pipe
	}
	f, openErr := OpenNoFollow(w.path, flags, 0o600)
	if openErr != nil {
		return openErr
	}
	info, statErr := f.Stat()
	if statErr != nil {
		f.Close()
		return statErr
	}
	if w.sync && errors.Is(err, fs.ErrNotExist) {
		if dir, err := os.Open(filepath.Dir(w.path)); err == nil { // not every system can
			_ = dir.Sync()
			dir.Close()
		}
	}
	w.file, w.regular, w.end = f, info.Mode().IsRegular(), -1
	return nil
}
