package cmd

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/listen/record"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// A span is numbers from one to another, both of them in it.
type span struct{ from, to int }

// newSpan reads N or N-M.
func newSpan() *parsed[span] {
	return &parsed[span]{takes: "a number from 1 or two of them, such as 3 or 3-7", read: func(s string) (span, error) {
		first, last, two := strings.Cut(s, "-")
		if !two {
			last = first
		}
		from, err := strconv.Atoi(first)
		to, bad := strconv.Atoi(last)
		if err != nil || bad != nil || from < 1 || to < from {
			return span{}, errBadValue
		}
		return span{from, to}, nil
	}}
}

// A recorded is a webhook that can be sent again.
type recorded struct {
	number  int
	profile string // "": unknown
	method  string
	event   sign.Event
	body    []byte // nil: it was not read whole
	header  []sign.Header
	at      time.Time // zero: not known
	then    then
}

// A tape is a file of requests and deliveries, or of one raw request. It is read
// more than once, so that no record has to fit into memory.
type tape struct {
	path string
	raw  *recorded // the only one
}

// maxRaw bounds a raw request, in bytes.
const maxRaw = 256 << 20

// openTape finds out what a file is.
func openTape(path string) (*tape, error) {
	if path == "-" {
		return nil, misuse("a record is read more than once, which standard input cannot be; save it to a file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, cannot(err, "%s", pathError(err))
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() && !info.IsDir() { // reading a folder fails with its reason
		return nil, misuse("%s is not a file, and a record is read more than once", oneLine(path))
	}
	in := bufio.NewReader(f)
	start, err := in.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, cannot(err, "%s", pathError(err))
	}
	if first, _, _ := strings.Cut(string(start), "\n"); !strings.Contains(first, " HTTP/1.") {
		return &tape{path: path}, nil
	}
	text, err := readAll(in, maxRaw)
	if err != nil {
		return nil, cannot(err, "%s", pathError(err))
	}
	header, body, _, err := parseRequest(text)
	if err != nil {
		return nil, misuse("%s: %v", oneLine(path), err)
	}
	return &tape{path, &recorded{number: 1, method: http.MethodPost, header: header, body: append([]byte{}, body...)}}, nil
}

// all reads the file from its start. lost gets the lines that could not be read.
func (t *tape) all(lost func(first error, lines int)) iter.Seq2[recorded, error] {
	return func(yield func(recorded, error) bool) {
		if t.raw != nil {
			yield(*t.raw, nil)
			return
		}
		f, err := os.Open(t.path)
		if err != nil {
			yield(recorded{}, cannot(err, "%s", pathError(err)))
			return
		}
		defer f.Close()
		documents, skipped := record.Read(f, t.path)
		place, faulty := 0, 0
		var first error
		for d, err := range documents {
			var wrong *record.LineError
			if errors.As(err, &wrong) {
				if faulty++; first == nil {
					first = err
				}
				continue
			}
			if err != nil {
				yield(recorded{}, cannot(err, "%s", pathError(err)))
				return
			}
			r := recorded{profile: d.Profile}
			if d.Request != nil {
				r.request(d.Request)
			} else {
				place++
				r.number = place
				r.delivery(d.Timeline)
			}
			if !yield(r, nil) {
				return
			}
		}
		lost(first, faulty+skipped())
	}
}

// request is what listen recorded.
func (r *recorded) request(q *listen.Request) {
	r.number, r.method, r.event, r.header, r.at = q.Number, q.Method, q.Event, q.Header, q.At
	if r.then = (then{status: q.Answer.Status, known: true}); q.BodyRead {
		r.body = append([]byte{}, q.Body...)
	}
}

// delivery is what send recorded. Its headers are those of its first attempt.
func (r *recorded) delivery(t *send.Timeline) {
	r.method, r.event.ID, r.event.Type = http.MethodPost, t.Event.ID, t.Event.Type
	r.then = then{delivered: t.Ending.State == send.StateDelivered, known: true}
	if t.WithBody {
		r.body = append([]byte{}, t.Event.Body...)
	}
	if len(t.Attempts) > 0 {
		r.at = t.Attempts[0].At
		if q := t.Attempts[0].Request; q != nil {
			r.header = q.Header
		}
	}
}

// A replayFilter chooses webhooks of a record. Its zero value chooses all.
type replayFilter struct {
	number       span
	ids, types   []string
	since, until time.Time
}

// takes reports whether the filter chooses a webhook. One without a time is not
// chosen by time.
func (f replayFilter) takes(r recorded) bool {
	switch {
	case f.number.to > 0 && (r.number < f.number.from || r.number > f.number.to),
		len(f.ids) > 0 && !slices.Contains(f.ids, r.event.ID),
		len(f.types) > 0 && !slices.Contains(f.types, r.event.Type),
		!f.since.IsZero() && r.at.Before(f.since),
		!f.until.IsZero() && (r.at.IsZero() || r.at.After(f.until)):
		return false
	}
	return true
}
