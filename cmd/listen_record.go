package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/listen/record"
	"github.com/hookctl/hookctl/profiles"
)

// defaultDedupe is how long an id is known without --dedupe-for.
const defaultDedupe = 30 * 24 * time.Hour

// checkRecord refuses flags that do nothing alone, and stdout as a file: it has
// the rows.
func (o *listenOptions) checkRecord() error {
	switch {
	case o.readyFile == "-":
		return misuse("--ready-file takes a file")
	case o.fsync && o.out.record == "":
		return misuse("--fsync needs --record")
	case o.dedupeFor.set && !o.dedupe:
		return misuse("--dedupe-for needs --dedupe")
	}
	return o.out.checkRecord()
}

// A recorder is --record at work. Its zero value records nothing.
type recorder struct {
	file    *record.Writer
	skipped int // lines of the file that were not understood
	failing atomic.Bool

	mu   sync.Mutex
	why  string // what was said last
	lost int    // requests that were not recorded since then
}

func (r *recorder) close() {
	if r.file != nil {
		_ = r.file.Close() // each line was written by itself
	}
}

// openRecord opens the record, takes from it where the numbers go on and which
// ids are known, and has each request recorded.
func (l *listening) openRecord(r *listen.Receiver) error {
	if l.o.dedupe {
		r.Dedupe = defaultDedupe
		if l.o.dedupeFor.set {
			r.Dedupe = l.o.dedupeFor.value
		}
	}
	path := l.o.out.record
	if path == "" {
		return nil
	}
	w, err := l.app.openRecord(path, l.o.fsync)
	if err != nil {
		return err
	}
	l.recorder.file = w
	last, err := w.Last()
	note := "recording to " + oneLine(path)
	if last > 0 {
		note += " from #" + strconv.Itoa(last+1) + " on"
	}
	l.notes = append(l.notes, note)
	r.Resume(last)
	if err == nil && r.Dedupe > 0 {
		err = l.restore(r, w)
	}
	if err != nil {
		w.Close()
		return cannot(err, "--record: %s", pathError(err))
	}
	r.Record = func(q listen.Request) error {
		q.Sensitive, q.Masked = l.o.out.sensitive, l.masked
		err := w.Request(q)
		if err != nil || l.recorder.failing.Load() {
			l.tellRecord(err)
		}
		return err
	}
	return nil
}

// restore makes known the ids that the record says were answered 2xx.
func (l *listening) restore(r *listen.Receiver, w *record.Writer) error {
	byName := map[string]*profiles.Profile{}
	for _, p := range r.Profiles {
		byName[p.Name] = p
	}
	documents, torn := record.Read(w.Contents(), l.o.out.record)
	for d, err := range documents {
		var line *record.LineError
		switch {
		case errors.As(err, &line):
			l.recorder.skipped++
		case err != nil:
			return err
		case d.Request != nil:
			d.Request.Profile = byName[d.Profile]
			r.Restore(*d.Request)
		}
	}
	l.recorder.skipped += torn()
	if n := r.Known(); n > 0 {
		l.notes = append(l.notes, count(n, "id")+" known")
	}
	return nil
}

// openRecord opens a record, but not the file that stdout or stderr goes to: what
// is appended to it would be overwritten there.
func (a *app) openRecord(path string, fsync bool) (*record.Writer, error) {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		for _, stream := range []struct {
			to   io.Writer
			name string
		}{{a.Stdout, "standard output"}, {a.Stderr, "standard error"}} {
			f, ok := stream.to.(*os.File)
			if !ok {
				continue
			}
			if other, err := f.Stat(); err == nil && os.SameFile(info, other) {
				return nil, misuse("--record: %s is where %s goes; it needs a file of its own", oneLine(path), stream.name)
			}
		}
	}
	w, err := record.Open(path, fsync)
	if err != nil {
		return nil, cannot(err, "--record: %s", pathError(err))
	}
	return w, nil
}

// sayRecord says what is to be known of a record.
func (a *app) sayRecord(path string, w *record.Writer) {
	if w.Shared {
		a.say(render.Warning, oneLine(path)+" can be read by others; chmod 600 "+shellQuote(path), "")
	}
	if w.Torn {
		a.say(render.Note, "the last line of "+oneLine(path)+" was torn; it is closed and kept, and readers skip it", "")
	}
}

// sayRecord says it after the ready line.
func (l *listening) sayRecord() {
	if l.recorder.file == nil {
		return
	}
	l.app.sayRecord(l.o.out.record, l.recorder.file)
	n := l.recorder.skipped
	if l.recorder.file.Torn { // said already
		n--
	}
	if n > 0 {
		l.app.say(render.Note, fmt.Sprintf("%s of %s skipped: torn, or no document of hookctl", count(n, "line"), oneLine(l.o.out.record)), "")
	}
}

// tellRecord says on stderr that requests cannot be recorded, once for each
// reason, and that they can be again.
func (l *listening) tellRecord(err error) {
	r := &l.recorder
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		if r.failing.Swap(false) {
			l.app.say(render.Note, fmt.Sprintf("recording again; %s answered 503", was(r.lost)), "")
			r.why, r.lost = "", 0
		}
		return
	}
	r.failing.Store(true)
	r.lost++
	if why := pathError(err); why != r.why {
		r.why = why
		l.app.say(render.Error, "--record: "+why+"; requests are answered 503 until it can be written", "")
	}
}

// was is "1 request was" or "2 requests were".
func was(n int) string {
	if n == 1 {
		return "1 request was"
	}
	return count(n, "request") + " were"
}
