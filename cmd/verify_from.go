package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/listen/record"
	"github.com/hookctl/hookctl/sign"
)

// A search is what was found in a record on the way to a request.
type search struct {
	number int
	found  *listen.Request
	times  int   // that number was there
	last   int   // number of the last request; 0: there is none
	others int   // deliveries
	wrong  error // the first faulty line
	faulty int   // lines that were not understood
}

// recorded is the request that --from and --number name: the last one with that
// number, since several processes may have written the record.
func (a *app) recorded(o *verifyOptions) (*listen.Request, []string, error) {
	if !o.number.set {
		return nil, nil, misuse("--from needs --number, the number of the request in it")
	}
	in, err := a.openInput(o.from, "the record")
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	s := search{number: o.number.value}
	if err := s.through(in, o.from); err != nil {
		if !errors.Is(err, errInterrupted) {
			err = cannot(err, "--from: %s", pathError(err))
		}
		return nil, nil, err
	}
	name := oneLine(o.from)
	switch {
	case s.found == nil && s.wrong != nil:
		return nil, nil, misuse("--from: %s", oneLine(s.wrong.Error()))
	case s.last == 0 && s.others > 0:
		return nil, nil, misuse("--from: %s holds what send sent; verify judges what listen received", name)
	case s.last == 0:
		return nil, nil, misuse("--from: no request is recorded in %s", name)
	case s.found == nil:
		return nil, nil, misuse("--from: %s has no request %d; its last is %d", name, s.number, s.last)
	case !s.found.BodyRead:
		return nil, nil, misuse("--from: request %d was recorded without its body; it was answered %d", s.number, s.found.Answer.Status)
	}
	var notes []string
	if s.times > 1 {
		notes = append(notes, fmt.Sprintf("%s has %d requests with the number %d; this is the last", name, s.times, s.number))
	}
	if s.faulty > 0 {
		notes = append(notes, fmt.Sprintf("%s of %s skipped: torn, or no document of hookctl", count(s.faulty, "line"), name))
	}
	return s.found, notes, nil
}

// through reads a whole record.
func (s *search) through(in io.Reader, name string) error {
	documents, torn := record.Read(in, name)
	for d, err := range documents {
		var line *record.LineError
		switch {
		case errors.As(err, &line):
			s.faulty++
			if s.wrong == nil {
				s.wrong = err
			}
		case err != nil:
			return err
		case d.Request == nil:
			s.others++
		default:
			s.last = d.Request.Number
			if s.last == s.number {
				s.found = d.Request
				s.times++
			}
		}
	}
	s.faulty += torn()
	return nil
}

// openInput opens a file, or stdin for -.
func (a *app) openInput(path, what string) (io.ReadCloser, error) {
	if path == "-" {
		in, err := a.takeStdin(what)
		return io.NopCloser(in), err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, cannot(err, "--from: %s", pathError(err))
	}
	return f, nil
}

// isMasked reports whether a header holds no more than that it was there.
func isMasked(header []sign.Header, name string) bool {
	value, lines := sign.Lookup(header, name)
	return lines > 0 && value == record.Masked
}
