package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
)

// maxLine is how long a line may be: a request with a body of 192 MiB fits.
const maxLine = 256 << 20

// readAhead is how much is read at a time, in bytes.
const readAhead = 64 << 10

// A LineError is a fault in a record: a line that a hookctl document begins, but
// that does not say what such a document must.
type LineError struct {
	File string
	Line int // from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

var errLong = errors.New("the line is longer than 256 MiB")

// Read reads a record line by line; name is what errors call it. It skips lines
// that are no hookctl document: torn ones and what others wrote. The function
// says how many, once the loop is over. A document with a fault is a
// [*LineError] in its place, and the loop may go on; an error of reading is the
// last thing there is. The iterator is for one use.
func Read(r io.Reader, name string) (iter.Seq2[Document, error], func() int) {
	return read(r, name, maxLine)
}

func read(r io.Reader, name string, most int) (iter.Seq2[Document, error], func() int) {
	skipped := 0
	return func(yield func(Document, error) bool) {
		in := newLineReader(r, most)
		for n := 1; ; n++ {
			line, err := in.next()
			end := errors.Is(err, io.EOF)
			if err != nil && !end && !errors.Is(err, errLong) {
				yield(Document{}, err)
				return
			}
			d := Document{}
			if !errors.Is(err, errLong) {
				d, err = parse(line)
			}
			d.Line = n
			switch {
			case errors.Is(err, errForeign):
				skipped++
			case err != nil:
				if !yield(Document{}, &LineError{name, n, err}) {
					return
				}
			case d.Request != nil || d.Timeline != nil:
				if !yield(d, nil) {
					return
				}
			}
			if end {
				return
			}
		}
	}, func() int { return skipped }
}

// A lineReader reads lines of bounded length.
type lineReader struct {
	in   *bufio.Reader
	file io.ReadSeeker // below it; nil: what is read cannot be read again
	most int
	buf  []byte // for a line that the reader's buffer is too small for
}

func newLineReader(r io.Reader, most int) *lineReader {
	l := &lineReader{in: bufio.NewReaderSize(r, readAhead), most: most}
	if file, ok := r.(io.ReadSeeker); ok {
		if _, err := file.Seek(0, io.SeekCurrent); err == nil { // a pipe cannot
			l.file = file
		}
	}
	return l
}

// next is the next line, without its end, until the next call. The last one
// comes with io.EOF. One that is too long is passed over: errLong.
func (l *lineReader) next() ([]byte, error) {
	line, err := l.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		l.buf = append(l.buf[:0], line...)
		if failed := l.measure(); failed != nil {
			return nil, failed
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			line, err = l.in.ReadSlice('\n')
			if len(l.buf)+len(line) > l.most {
				return nil, l.skip(err)
			}
			l.buf = append(l.buf, line...)
		}
		line = l.buf
	}
	return bytes.TrimRight(line, "\r\n"), err
}

// measure makes room for the rest of a line whose beginning is in buf. Where that
// can be read again it is looked at first, so that no line is held that is too
// long.
func (l *lineReader) measure() error {
	if l.file == nil {
		return nil
	}
	at, err := l.file.Seek(0, io.SeekCurrent) // nothing is left in the reader's buffer
	if err != nil {
		return err
	}
	size := len(l.buf)
	for more := true; more; more = errors.Is(err, bufio.ErrBufferFull) {
		var part []byte
		part, err = l.in.ReadSlice('\n')
		if size += len(part); size > l.most {
			return l.skip(err)
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if _, err := l.file.Seek(at, io.SeekStart); err != nil {
		return err
	}
	l.in.Reset(l.file)
	l.buf = slices.Grow(l.buf, size-len(l.buf))
	return nil
}

// skip reads on to the end of a line that is too long.
func (l *lineReader) skip(err error) error {
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = l.in.ReadSlice('\n')
	}
	if err == nil || errors.Is(err, io.EOF) {
		return errLong
	}
	return err
}
