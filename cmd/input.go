package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hookctl/hookctl/cmd/render"
)

// Bounds of what is read into memory: a body or a raw request, and a file of
// certificates.
const (
	maxBody         = 1 << 30
	maxCertificates = 1 << 20
)

var errTooLong = errors.New("more")

// readFile reads a file of at most limit bytes. A file may be endless.
func readFile(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := readAll(f, limit)
	if errors.Is(err, errTooLong) {
		err = &os.PathError{Op: "read", Path: path, Err: err}
	}
	return b, err
}

// readAll reads all of a stream that may have limit bytes at most.
func readAll(in io.Reader, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("%w than %d bytes", errTooLong, limit)
	}
	return b, err
}

// readData reads the value of -d: a text, @FILE, or @- for stdin.
func (a *app) readData(value string) ([]byte, error) {
	path, isFile := strings.CutPrefix(value, "@")
	if !isFile {
		return []byte(value), nil
	}
	if path == "-" {
		return a.readStdin("the body")
	}
	b, err := readFile(path, maxBody)
	if err != nil {
		return nil, cannot(err, "-d: %s", pathError(err))
	}
	return b, nil
}

// takeStdin is stdin, for one reader: a second one would find it empty. A signal
// ends its reading.
func (a *app) takeStdin(what string) (io.Reader, error) {
	if a.stdin != "" {
		return nil, misuse("standard input holds %s; it cannot hold %s too", a.stdin, what)
	}
	a.stdin = what
	if terminal(a.Stdin) {
		a.say(render.Note, "reading "+what+" from the terminal, end with Ctrl-D", "")
	}
	a.untilStopped()
	return &stoppable{a.ctx, a.Stdin}, nil
}

// readStdin reads all of stdin.
func (a *app) readStdin(what string) ([]byte, error) {
	in, err := a.takeStdin(what)
	if err != nil {
		return nil, err
	}
	b, err := readAll(in, maxBody)
	if err != nil && !errors.Is(err, errInterrupted) {
		err = cannot(err, "reading %s from standard input: %s", what, pathError(err))
	}
	return b, err
}

// A stoppable is a reader that does not outwait a context: what it reads too
// late is lost.
type stoppable struct {
	ctx context.Context
	in  io.Reader
}

func (s *stoppable) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	buf := make([]byte, len(p)) // p may be used again before a late read ends
	done := make(chan result, 1)
	go func() {
		n, err := s.in.Read(buf)
		done <- result{n, err}
	}()
	select {
	case r := <-done:
		return copy(p, buf[:r.n]), r.err
	case <-s.ctx.Done():
		return 0, errInterrupted
	}
}
