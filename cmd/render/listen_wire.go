package render

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// What a body may be to be laid out for reading: a deeper or larger one would
// become far longer than it is.
const (
	prettiestBody  = 256 << 10
	prettiestDepth = 64
)

// wire draws the request and the answer as they stood on the wire.
func (l *Listen) wire(p *printer, r listen.Request) {
	l.detail(p, "<", r.Method+" "+r.Target+" "+r.Proto)
	l.headers(p, "<", r.Header)
	l.body(p, r.Body)
	if r.Answer.Status == 0 {
		l.detail(p, "*", "not answered")
		return
	}
	first := "HTTP/1.1 " + strconv.Itoa(r.Answer.Status)
	if text := http.StatusText(r.Answer.Status); text != "" {
		first += " " + text
	}
	l.detail(p, ">", first)
	l.headers(p, ">", r.Sent)
	l.body(p, r.SentBody)
}

func (l *Listen) headers(p *printer, mark string, header []sign.Header) {
	if !l.Sensitive {
		header = send.Mask(header, l.Masked)
	}
	for _, h := range header {
		l.detail(p, mark, h.Name+": "+h.Value)
	}
}

// body draws a body line by line, JSON laid out for reading.
func (l *Listen) body(p *printer, body []byte) {
	if pretty, ok := layOut(body); ok {
		for line := range bytes.SplitSeq(pretty, []byte("\n")) {
			l.detail(p, "|", string(line))
		}
		return
	}
	for line := range bytes.Lines(body) {
		l.detail(p, "|", string(line))
	}
}

// detail draws one line under an attempt or a request: a mark, and text from
// outside.
func (l *Listen) detail(p *printer, mark, text string) {
	const indent = 4
	p.line(blanks(indent) + l.style.paint(dim, mark+" "+Escape(text)))
}

// layOut indents a JSON body. It reports false for a body that is not JSON or
// is better shown as it is.
func layOut(body []byte) ([]byte, bool) {
	if len(body) > prettiestBody || depth(body) > prettiestDepth {
		return nil, false
	}
	var b bytes.Buffer
	if json.Indent(&b, bytes.TrimSpace(body), "", "  ") != nil {
		return nil, false
	}
	return b.Bytes(), true
}

// depth is how deep the brackets of a JSON text are nested.
func depth(body []byte) int {
	now, most, quoted := 0, 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			now++
			most = max(most, now)
		case c == '}', c == ']':
			now--
		}
	}
	return most
}
