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

// nextHead takes one line of a head, or a part of it.
func (f *framer) nextHead(p []byte, limit int) (rest, head []byte) {
	end := bytes.IndexByte(p, '\n')
	part := p
	if end >= 0 {
		part, rest = p[:end+1], p[end+1:]
	}
	content := len(bytes.Trim(part, "\r\n")) > 0
	if content {
		f.blank, f.begun = false, true
	}
	if len(f.head)+len(part) > limit {
		f.tooBig, f.head = true, nil
	}
	if !f.tooBig {
		f.head = append(f.head, part...)
	}
	if end < 0 {
		return nil, nil
	}
	if !f.begun {
		f.head = f.head[:0]
		return rest, nil
	}
	if !f.blank {
		f.blank = true
		return rest, nil
	}
	head = f.head
	if f.tooBig {
		head, f.lost = []byte{}, true
	}
	f.head, f.tooBig, f.begun, f.blank = nil, false, false, false
	return rest, head
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
	if len(head) == 0 {
		return
	}
	_, header := ParseHead(head)
	f.state = inHead
	for _, h := range header {
		switch {
		case sign.SameName(h.Name, "Transfer-Encoding"):
			f.state, f.lost = inSize, !strings.EqualFold(h.Value, "chunked")
			return
		case sign.SameName(h.Name, "Content-Length"):
			n, err := strconv.ParseInt(h.Value, 10, 63)
			if err != nil || n < 0 {
				f.lost = true
				return
			}
			if f.left = n; n > 0 {
				f.state = inBody
			}
		}
	}
}
