package record

import (
	"bytes"
	"io"
	"os"
	"sync"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/send"
)

// A Writer appends documents to a record. It may be used by several goroutines
// at once, and several processes may append to one file. A method that returns
// nil has written its whole line. One that fails may have left a torn line: that
// is closed with a newline as soon as the file takes one, and readers skip it.
type Writer struct {
	Torn   bool // the last line was torn when the Writer was opened; it is closed
	Shared bool // other users may read the file

	path    string
	sync    bool
	regular bool      // false: a pipe or a device
	lines   sync.Pool // of *[]byte, for lines

	mu   sync.Mutex
	next *batch // collects lines for the next write; nil: none waits

	turn   sync.Mutex // held while the file is written
	file   *os.File
	end    int64  // of the file, as this Writer left it with a whole line; -1: not known
	joined []byte // for lines that are written together
}

// Open opens the record at path for appending. A file that is not there is made
// with mode 0600; a symlink of another user is not followed. With fsync a line
// is on the disk when its method returns; lines that come at once share the
// waiting.
func Open(path string, fsync bool) (*Writer, error) {
	w := &Writer{path: path, sync: fsync}
	if err := w.open(); err != nil {
		return nil, err
	}
	if !w.regular {
		return w, nil
	}
	lock(w.file)
	info, err := w.file.Stat()
	if err == nil {
		w.Shared = othersCanRead(info)
		w.Torn, err = w.close(info.Size())
	}
	unlock(w.file)
	if err != nil {
		w.file.Close()
		return nil, err
	}
	return w, nil
}

// Contents reads what the file holds now; nothing of a pipe or a device.
func (w *Writer) Contents() io.Reader {
	w.turn.Lock()
	defer w.turn.Unlock()
	return io.NewSectionReader(w.file, 0, max(0, w.end))
}

// Request appends a request as hookctl.request/1.
func (w *Writer) Request(q listen.Request) error {
	line, ok := w.lines.Get().(*[]byte)
	if !ok {
		line = new([]byte)
	}
	defer func() {
		if cap(*line) <= maxPooled {
			w.lines.Put(line)
		}
	}()
	b, err := q.AppendJSON((*line)[:0])
	if err != nil {
		return err
	}
	*line = append(b, '\n')
	return w.append(*line)
}

// Timeline appends a delivery as hookctl.timeline/1.
func (w *Writer) Timeline(t send.Timeline) error {
	var line bytes.Buffer
	if err := send.WriteDocument(&line, t); err != nil {
		return err
	}
	return w.append(line.Bytes())
}

// Close closes the file.
func (w *Writer) Close() error {
	w.turn.Lock()
	defer w.turn.Unlock()
	return w.file.Close()
}
