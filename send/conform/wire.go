package conform

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

const (
	maxHead  = 1 << 20     // bytes of the head of an answer, with all its 1xx
	maxBody  = 64 << 10    // bytes of an answer's body that are read
	bodyTime = time.Second // for the body after its head
)

// A request is one request as it is written, byte for byte.
type request struct {
	method  string // "": POST
	target  string // "": that of the URL
	header  []sign.Header
	body    []byte
	chunked bool          // in chunks, without a length
	expect  bool          // Expect: 100-continue; the body waits for it, or a second
	cuts    []int         // offsets of the body before which a pause is made
	address string        // "": the one that answered first
	limit   time.Duration // 0: the profile's
	event   event         // what the request is about
	at      moment        // when it was signed
}

// An answer is what came of one request.
type answer struct {
	response *send.Response // nil: there was none
	failure  *send.Failure  // nil: there was an answer
	took     time.Duration
	limit    time.Duration
	cut      bool // the run ended first: nothing follows from it
}

// head is the request's line and header.
func (r *run) head(q request) []byte {
	method, target := q.method, q.target
	if method == "" {
		method = http.MethodPost
	}
	if target == "" {
		target = r.url.RequestURI()
	}
	var b bytes.Buffer
	host := r.url.Host
	for _, h := range q.header {
		if strings.EqualFold(h.Name, "Host") {
			host = h.Value
		}
	}
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\n", method, target, host)
	for _, h := range q.header {
		if !strings.EqualFold(h.Name, "Host") {
			b.WriteString(h.Name + ": " + h.Value + "\r\n")
		}
	}
	switch {
	case q.chunked:
		b.WriteString("Transfer-Encoding: chunked\r\n")
	default:
		b.WriteString("Content-Length: " + strconv.Itoa(len(q.body)) + "\r\n")
	}
	if q.expect {
		b.WriteString("Expect: 100-continue\r\n")
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

// chunks are a body in two chunks.
func chunks(body []byte) []byte {
	var b bytes.Buffer
	half := len(body) / 2
	for _, part := range [][]byte{body[:half], body[half:]} {
		if len(part) > 0 {
			fmt.Fprintf(&b, "%x\r\n%s\r\n", len(part), part)
		}
	}
	b.WriteString("0\r\n\r\n")
	return b.Bytes()
}

// exchange sends one request on a new connection.
func (r *run) exchange(ctx context.Context, q request) answer {
	start := time.Now()
	limit := q.limit
	if limit == 0 {
		limit = r.limit
	}
	l, err := r.open(ctx, q.address, start.Add(limit))
	if err != nil {
		return r.failed(ctx, nil, err, start, limit)
	}
	defer l.close()
	written := make(chan struct{})
	proceed := make(chan struct{})
	go func() {
		defer close(written)
		r.write(ctx, l, q, proceed)
	}()
	response, err := l.answer(q.method, proceed)
	took := time.Since(start)
	l.close()
	<-written
	if err != nil {
		return r.failed(ctx, l, err, start, limit)
	}
	return answer{response: response, took: took, limit: limit}
}

// write writes a request. An error shows in the answer, or in its absence.
func (r *run) write(ctx context.Context, l *line, q request, proceed <-chan struct{}) {
	head := r.head(q)
	if !q.expect && len(q.cuts) == 0 {
		body := q.body
		if q.chunked {
			body = chunks(body)
		}
		_, _ = l.conn.Write(append(head, body...))
		return
	}
	if _, err := l.conn.Write(head); err != nil {
		return
	}
	if q.expect {
		timer := time.NewTimer(time.Second)
		defer timer.Stop()
		select {
		case <-proceed:
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	from := 0
	for _, cut := range q.cuts {
		if _, err := l.conn.Write(q.body[from:cut]); err != nil {
			return
		}
		from = cut
		if r.wait(ctx, cutPause) != nil {
			return
		}
	}
	_, _ = l.conn.Write(q.body[from:])
}

// cutPause is how long a body that is written in pieces pauses between them.
const cutPause = 200 * time.Millisecond

// failed is the answer of a request that got none.
func (r *run) failed(ctx context.Context, l *line, err error, start time.Time, limit time.Duration) answer {
	a := answer{took: time.Since(start), limit: limit}
	if ctx.Err() != nil {
		a.cut = true
		a.failure = &send.Failure{Kind: profiles.Interrupted, Message: "ended before an answer"}
		return a
	}
	tried := r.noted()
	if l != nil {
		tried = []string{l.conn.RemoteAddr().String()}
	}
	a.failure = send.Describe(err, tried)
	if l == nil && a.failure.Kind == profiles.ReadTimeout {
		a.failure.Kind = profiles.ConnectTimeout
	}
	if l != nil && a.failure.Kind == profiles.Unreachable {
		a.failure.Kind = profiles.Reset // it was reached
	}
	return a
}

// A line is one connection.
type line struct {
	conn net.Conn
	in   *bufio.Reader
	left *io.LimitedReader
	stop func() bool
}

// newLine is a line on conn until the deadline, or the end of ctx.
func newLine(ctx context.Context, conn net.Conn, deadline time.Time) *line {
	l := &line{conn: conn, left: &io.LimitedReader{R: conn, N: maxHead}}
	l.in = bufio.NewReader(l.left)
	_ = conn.SetDeadline(deadline)
	l.stop = context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	return l
}

func (l *line) close() {
	l.stop()
	_ = l.conn.Close()
}

// reset closes the connection with a reset, where it is TCP below.
func (l *line) reset() {
	c := l.conn
	for {
		if n, ok := c.(interface{ NetConn() net.Conn }); ok {
			c = n.NetConn()
			continue
		}
		break
	}
	l.stop()
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.SetLinger(0)
	}
	_ = c.Close()
}

// maxInterim is how many answers with 1xx are waited through.
const maxInterim = 100

// errInterim says that 1xx answers do not end.
var errInterim = errors.New("too many 1xx answers")

// errHead says that an answer's head does not end.
var errHead = errors.New("the head of the answer is longer than 1 MiB")

// answer reads an answer; of its body at most 64 KiB and for a second. proceed
// is closed at the first sign of one; it may be nil.
func (l *line) answer(method string, proceed chan<- struct{}) (*send.Response, error) {
	l.left.N = maxHead
	for range maxInterim {
		head, err := l.readHead()
		if err != nil {
			return nil, err
		}
		if proceed != nil {
			close(proceed)
			proceed = nil
		}
		response, err := http.ReadResponse(bufio.NewReader(io.MultiReader(bytes.NewReader(head), l.in)), &http.Request{Method: method}) //nolint:bodyclose // it ends with the line
		if err != nil {
			return nil, err
		}
		if s := response.StatusCode; s >= 100 && s < 200 && s != http.StatusSwitchingProtocols {
			// The reader above may hold bytes of what follows: none, since the
			// head ends in a blank line and no body is read.
			continue
		}
		return l.body(response, head), nil
	}
	return nil, errInterim
}

// readHead reads up to the blank line.
func (l *line) readHead() ([]byte, error) {
	var head []byte
	for {
		part, err := l.in.ReadSlice('\n')
		head = append(head, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && l.left.N <= 0:
			return nil, errHead
		case errors.Is(err, io.EOF) && len(head) > 0:
			return nil, notHTTP(head)
		case err != nil:
			return nil, err
		}
		if bytes.HasSuffix(head, []byte("\n\r\n")) || bytes.HasSuffix(head, []byte("\n\n")) {
			return head, nil
		}
		if !bytes.HasPrefix(head, []byte("HTTP/")) && len(head) > 4 {
			return nil, notHTTP(head)
		}
	}
}

// notHTTP is the error of a head that ended early: it was cut, or it is none.
func notHTTP(head []byte) error {
	if n := min(len(head), 5); string(head[:n]) == "HTTP/"[:n] {
		return io.ErrUnexpectedEOF
	}
	return fmt.Errorf("malformed HTTP response %q", head[:min(len(head), 60)])
}

// body reads the answer's body.
func (l *line) body(r *http.Response, head []byte) *send.Response {
	first, header := send.ParseHead(head)
	proto, rest, _ := strings.Cut(first, " ")
	_, text, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	a := &send.Response{Status: r.StatusCode, Proto: proto, Text: text, Header: header}
	l.left.N = maxBody + 4096
	_ = l.conn.SetReadDeadline(time.Now().Add(bodyTime))
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	a.Body, a.Complete = body, err == nil && len(body) < maxBody
	return a
}
