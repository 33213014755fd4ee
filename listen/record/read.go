package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// maxLine is how long a line may be: a request with a body of 192 MiB fits.
const maxLine = 256 << 20

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
		in := lineReader{in: bufio.NewReaderSize(r, 64<<10), most: most}
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
	most int
	buf  []byte // for a line that the reader's buffer is too small for
}

// next is the next line, without its end, until the next call. The last one
// comes with io.EOF. One that is too long is passed over: errLong.
func (l *lineReader) next() ([]byte, error) {
	line, err := l.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		l.buf = append(l.buf[:0], line...)
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
