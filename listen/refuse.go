package listen

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

const lingerTime = 500 * time.Millisecond // for a client to read why it was refused

// refuse answers a request that never reached the handler, whose answer by
// net/http is p: a head that is too large, or what is not HTTP.
func (c *conn) refuse(p []byte) {
	if c.refused || !c.running.enter(c) {
		return
	}
	defer c.running.leave()
	c.refused = true
	c.serve()
	status := "400 Bad Request"
	for _, keep := range []string{"417 Expectation Failed", "431 Request Header Fields Too Large", "501 Not Implemented"} {
		if bytes.HasPrefix(p, []byte("HTTP/1.1 "+keep[:3])) {
			status = keep
		}
	}
	answer := "HTTP/1.1 " + status + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
	if !strings.HasPrefix(status, "431") {
		c.countGarbage() // before the client knows, so that no count comes late
		_, _ = c.HeadConn.Write([]byte(answer))
		c.linger()
		return
	}
	r := c.running.server.Receiver
	x := &exchange{r: r, request: c.tooLarge()}
	q := &x.request
	if !r.record(q) {
		answer = strings.Replace(answer, status, "503 Service Unavailable", 1)
	}
	x.whole()
	_, _ = c.HeadConn.Write([]byte(answer))
	_, q.Sent = send.ParseHead([]byte(answer))
	q.Took = r.now().Sub(q.At)
	if r.Seen != nil {
		x.report()
	}
	c.linger()
}

// linger reads on for a moment: a connection that is closed with unread bytes
// is reset, and the answer is lost.
func (c *conn) linger() {
	if c.CloseWrite() != nil {
		return
	}
	_ = c.SetReadDeadline(time.Now().Add(lingerTime))
	_, _ = io.CopyN(io.Discard, c.NetConn(), 1<<20)
}

// countGarbage tells the server about a request that is not HTTP.
func (c *conn) countGarbage() {
	if garbage := c.running.server.Garbage; garbage != nil {
		garbage(c.remote)
	}
}

// tooLarge is a request whose head was too large to be read, with what is known
// of it.
func (c *conn) tooLarge() Request {
	r := c.running.server.Receiver
	q := Request{At: r.now(), Remote: c.remote, Seen: New}
	q.Answer = Answer{Status: http.StatusRequestHeaderFieldsTooLarge, By: ByLimit}
	first := c.Unfinished(smallHead)
	if whole := bytes.LastIndexByte(first, '\n'); whole >= 0 {
		var line string
		line, q.Header = send.ParseHead(first[:whole+1])
		q.Method, line, _ = strings.Cut(line, " ")
		q.Target, q.Proto, _ = strings.Cut(line, " ")
	}
	r.judge(&q, new(sign.Result))
	r.history.arrive(&q, false, false)
	return q
}
