package record

import (
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"slices"
)

// inFlight is how many connections a Server has at most: so many lines may stand
// behind that of a later request, which was answered sooner.
const inFlight = 1024

// Last is the highest number of a request in the file; 0: there is none. It
// stands near the end.
func (w *Writer) Last() (int, error) {
	w.turn.Lock()
	size := max(0, w.end)
	w.turn.Unlock()
	last, requests := 0, 0
	for line, err := range backwards(w.file, size, maxLine) {
		if err != nil {
			return 0, err
		}
		var d struct { // a body costs more than all the rest
			Schema string `json:"schema"`
			Number int    `json:"number"`
		}
		if json.Unmarshal(line, &d) == nil && d.Schema == requestSchema && d.Number <= maxNumber {
			last = max(last, d.Number)
			if requests++; requests > inFlight {
				break
			}
		}
	}
	return last, nil
}

// backwards ranges over the lines within the first size bytes of a file, from the
// last one to the first, without their ends. One is valid until the next: no more
// is in memory. Empty ones and those longer than most are passed over. An error
// of reading is the last thing there is.
func backwards(r io.ReaderAt, size, most int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		block := make([]byte, 16<<10)
		var line []byte
		for end := size; ; {
			start, err := lineStart(r, end, block)
			if err != nil {
				yield(nil, err)
				return
			}
			if n := end - start; n > 0 && n <= most {
				line = slices.Grow(line[:0], int(n))[:n]
				if _, err := r.ReadAt(line, start); err != nil {
					yield(nil, err)
					return
				}
				if !yield(line, nil) {
					return
				}
			}
			if start == 0 {
				return
			}
			end = start - 1
		}
	}
}

// lineStart is where the line begins that ends before end. It reads block by
// block.
func lineStart(r io.ReaderAt, end int64, block []byte) (int64, error) {
	for end > 0 {
		b := block[:min(end, int64(len(block)))]
		end -= int64(len(b))
		if _, err := r.ReadAt(b, end); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
			return end + int64(i) + 1, nil
		}
	}
	return 0, nil
}
