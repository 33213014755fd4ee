package send

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/hookctl/hookctl/sign"
)

// maxChunkLine bounds the line that begins a chunk, and each trailer line.
const maxChunkLine = 16 << 10

// A framer follows the messages of an HTTP/1.x stream from head to head.
type framer struct {
	state  frame
	head   []byte // of the message being read
	line   []byte // of the chunk's size, or of a trailer
	spare  []byte // room for the next head
	left   int64  // bytes of the body, or of the chunk
	blank  bool   // the line being read is empty so far
	begun  bool   // the head has a first line
	tooBig bool   // the head is not kept
	lost   bool   // the stream is followed no further
}

// frame is where in a message a framer is.
type frame int

const (
	inHead frame = iota
	inBody
	inSize
	inChunk
	inChunkEnd
	inTrailer
)

// next consumes some bytes of p and returns the rest. Where they end a head,
// that is returned too; one of more than limit bytes as an empty slice.
func (f *framer) next(p []byte, limit int) (rest, head []byte) {
	switch f.state {
	case inBody, inChunk:
		n := min(int64(len(p)), f.left)
		f.left -= n
		switch {
		case f.left > 0:
		case f.state == inBody:
			f.state = inHead
		default:
			f.state = inChunkEnd
		}
		return p[n:], nil
	case inHead:
		return f.nextHead(p, limit)
	}
	end := bytes.IndexByte(p, '\n')
	if end < 0 {
		f.line = append(f.line, p...)
		f.lost = len(f.line) > maxChunkLine
		return nil, nil
	}
	line := strings.TrimSuffix(string(f.line)+string(p[:end]), "\r")
	f.line = f.line[:0]
	f.endLine(line)
	return p[end+1:], nil
}

// nextHead takes what p has of a head.
func (f *framer) nextHead(p []byte, limit int) (rest, head []byte) {
	n, whole := f.lines(p)
	part := p[:n]
	rest = p[n:]
	if !f.begun { // nothing but line ends
		return rest, nil
	}
	if len(f.head)+len(part) > limit {
		f.tooBig, f.head = true, nil
	}
	if !f.tooBig {
		if f.head == nil {
			f.head, f.spare = f.spare[:0], nil
		}
		f.head = append(f.head, part...)
	}
	if !whole {
		return rest, nil
	}
	head = f.head
	if f.tooBig {
		head, f.lost = []byte{}, true
	}
	f.head, f.tooBig, f.begun, f.blank = nil, false, false, false
	return rest, head
}

// lines is how many bytes of p belong to the head, and whether they end it. It
// stops after line ends that come before a head.
func (f *framer) lines(p []byte) (n int, whole bool) {
	if !f.begun && p[0] != '\r' && p[0] != '\n' {
		if n = headEnd(p); n > 0 { // as nearly always
			f.begun = true
			return n, true
		}
	}
	for n < len(p) {
		end := bytes.IndexByte(p[n:], '\n')
		line := p[n:]
		if end >= 0 {
			line = p[n : n+end+1]
		}
		n += len(line)
		if len(bytes.Trim(line, "\r\n")) > 0 {
			f.blank, f.begun = false, true
		}
		switch {
		case end < 0:
		case !f.begun:
			return n, false
		case f.blank:
			return n, true
		default:
			f.blank = true
		}
	}
	return n, false
}

// headEnd is where a head ends that p begins with; 0: not in p.
func headEnd(p []byte) int {
	for n := 0; ; {
		end := bytes.IndexByte(p[n:], '\n')
		if end < 0 {
			return 0
		}
		n += end + 1
		switch next := p[n:]; {
		case len(next) > 0 && next[0] == '\n':
			return n + 1
		case len(next) > 1 && next[0] == '\r' && next[1] == '\n':
			return n + 2
		}
	}
}

// endLine acts on a line of a chunked body.
func (f *framer) endLine(line string) {
	switch f.state {
	case inChunkEnd:
		f.state, f.lost = inSize, line != ""
	case inTrailer:
		if line == "" {
			f.state = inHead
		}
	case inSize:
		size, _, _ := strings.Cut(line, ";")
		n, err := strconv.ParseInt(strings.Trim(size, " \t"), 16, 63)
		switch {
		case err != nil || n < 0:
			f.lost = true
		case n == 0:
			f.state = inTrailer
		default:
			f.state, f.left = inChunk, n
		}
	}
}

// body sets how the body after a request's head ends.
func (f *framer) body(head []byte) {
	f.state = inHead
	for rest := head; len(rest) > 0; {
		var line []byte
		line, rest = rest, nil
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line, rest = line[:end], line[end+1:]
		}
		if len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t') { // folded
			f.bodyOf(ParseHead(head))
			return
		}
		if len(line) == 0 || line[0]|0x20 != 'c' && line[0]|0x20 != 't' {
			continue
		}
		colon := bytes.IndexByte(line, ':')
		if colon != len("Content-Length") && colon != len("Transfer-Encoding") {
			continue
		}
		if f.end(sign.Header{Name: string(line[:colon]), Value: trimmed(string(bytes.TrimSuffix(line[colon+1:], []byte("\r"))))}) {
			return
		}
	}
}

// bodyOf is body for a head that was taken apart.
func (f *framer) bodyOf(_ string, header []sign.Header) {
	for _, h := range header {
		if f.end(h) {
			return
		}
	}
}

// end takes what a header says of the end of the body, and reports whether that
// is the last word.
func (f *framer) end(h sign.Header) bool {
	switch {
	case sign.SameName(h.Name, "Transfer-Encoding"):
		f.state, f.lost = inSize, !strings.EqualFold(h.Value, "chunked")
		return true
	case sign.SameName(h.Name, "Content-Length"):
		n, err := strconv.ParseInt(h.Value, 10, 63)
		if err != nil || n < 0 {
			f.lost = true
			return true
		}
		if f.left = n; n > 0 {
			f.state = inBody
		}
	}
	return false
}
