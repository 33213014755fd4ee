package listen

import (
	"net"
	"net/http"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

const shownBody = 4 << 10 // bytes of an answer's body that are kept

// An exchange is one request on its way through a Receiver.
type exchange struct {
	r       *Receiver
	w       http.ResponseWriter
	req     *http.Request
	conn    *conn // nil: mounted on another server
	headLen int   // bytes of the request's head; 0: not known
	request Request
	result  sign.Result   // of request
	header  []sign.Header // room for that of request, where it is used again
	text    string        // the request's head, where header is used again
	room    room
	event   *event // nil: not counted
	claimed *idSum // the id that no other request may handle now; nil: none
	counted bool   // among those that are being answered
	left    bool   // the answer is left to net/http
	turn    turn   // to be reported
	abort   bool   // the connection must be closed without the end of an answer
}

// begin notes what the head of a request says.
func (r *Receiver) begin(w http.ResponseWriter, req *http.Request, c *conn) *exchange {
	x, _ := r.exchanges.Get().(*exchange)
	if x == nil {
		x = new(exchange)
	}
	x.r, x.w, x.req, x.conn = r, w, req, c
	x.request = Request{
		At:     r.now(),
		Remote: req.RemoteAddr,
		Method: req.Method,
		Target: req.RequestURI,
		Proto:  req.Proto,
		Seen:   New,
	}
	if c == nil {
		x.request.Header = sortedHeader(req)
		return x
	}
	head := c.begin()
	x.headLen = len(head)
	if !r.Brief {
		_, x.request.Header = send.ParseHead(head)
		return x
	}
	x.text = string(head)
	_, x.header = send.AppendHead(x.header[:0], x.text)
	x.request.Header = x.header
	return x
}

// control is for what an http.ResponseWriter cannot do.
func (x *exchange) control() *http.ResponseController { return http.NewResponseController(x.w) }

// speaksHTTP reports whether the head is what a careful server takes: with a
// Host, and with one Content-Length at most. net/http looks after the rest.
func (x *exchange) speaksHTTP() bool {
	if x.req.Host == "" {
		return false
	}
	_, lengths := sign.Lookup(x.request.Header, "Content-Length")
	_, codings := sign.Lookup(x.request.Header, "Transfer-Encoding")
	return lengths+codings <= 1
}

// limits reads the body, unless the head is too large or too many requests are
// being answered.
func (x *exchange) limits() *refusal {
	if x.headLen > x.r.mostHead() {
		return &refusal{status: http.StatusRequestHeaderFieldsTooLarge}
	}
	if refused := x.readBody(); refused != nil {
		return refused
	}
	if x.conn != nil {
		x.conn.serve()
	}
	if x.counted = true; x.r.atOnce.Add(1) > mostAtOnce && x.r.AtOnce == 0 {
		x.request.Body = nil
		return &refusal{status: http.StatusServiceUnavailable}
	}
	x.request.BodyRead = true
	return nil
}

// uncount makes room for another request: this one is answered.
func (x *exchange) uncount() {
	if x.counted {
		x.counted = false
		x.r.atOnce.Add(-1)
	}
}

// free ends the exchange and gives the body's memory back.
func (x *exchange) free() {
	x.settle(false)
	x.uncount()
	if x.r.Brief {
		x.remember()
	}
	switch x.turn {
	case noTurn:
		x.room.free(x.request.Body)
	case taken, passed: // a panic came between
		x.report()
	}
	if r := x.r; r.Brief {
		clear(x.header)
		*x = exchange{header: x.header}
		r.exchanges.Put(x)
	}
}

// garbage answers what is not HTTP. It is counted and leaves no trace.
func (x *exchange) garbage() {
	h := x.w.Header()
	h["Connection"] = []string{"close"}
	h["Content-Length"] = []string{"0"}
	x.w.WriteHeader(http.StatusBadRequest)
	if x.conn != nil {
		_ = x.control().Flush()
		x.conn.countGarbage()
	}
}

// refuse answers for a limit. The connection is closed: what is left of the
// body is not read.
func (x *exchange) refuse(r *refusal) {
	x.request.Failure = r.failure
	h := x.w.Header()
	switch r.status {
	case 0: // nobody is there any more
		if x.decide(Answer{By: ByLimit}, profiles.Closed) {
			x.cut(false, "")
		}
		return
	case http.StatusServiceUnavailable:
		h["Retry-After"] = []string{"1"}
	}
	h["Connection"] = []string{"close"}
	x.own(r.status, ByLimit)
}

// own is an answer of the Receiver's own: no body.
func (x *exchange) own(status int, by By) {
	if x.decide(Answer{Status: status, By: by}, "") {
		x.empty(status)
	}
}

// ok is the answer 200. With Brief it is left to net/http, which gives it at the
// end of the handler for a third of the price.
func (x *exchange) ok() {
	if !x.r.Brief || x.conn == nil || x.req.Method == http.MethodHead {
		x.own(http.StatusOK, ByDefault)
		return
	}
	x.left = x.decide(Answer{Status: http.StatusOK, By: ByDefault}, "")
}

// empty answers without a body.
func (x *exchange) empty(status int) {
	x.w.Header()["Content-Length"] = []string{"0"}
	x.w.WriteHeader(status)
}

// decide notes what the answer is, or why there is none, and has it recorded.
// It comes before the first byte goes out: the sender may be back before the
// last. It reports false if there is no record: then 503 was answered, and
// nothing else may be.
func (x *exchange) decide(a Answer, failure profiles.Failure) bool {
	x.request.Answer = a
	recorded := x.r.record(&x.request)
	o := profiles.Outcome{Failure: failure}
	if s := x.request.Answer.Status; s != 0 {
		o = profiles.Outcome{Status: s}
	}
	x.r.history.answered(x.event, x.request.Number, o)
	if x.conn != nil && x.r.Seen != nil && !x.r.Brief {
		x.conn.keepAnswer()
	}
	x.settle(recorded && a.Status >= 200 && a.Status <= 299)
	if !recorded {
		x.empty(x.request.Answer.Status)
	}
	return recorded
}

// end sees the answer out and reports the request.
func (x *exchange) end() {
	if x.r.Seen != nil {
		x.whole()
		if x.request.Answer.Status != 0 && !x.left {
			_ = x.control().Flush() // the client may have left
			if !x.r.Brief {
				x.request.Sent = x.sent()
			}
		}
		x.uncount()
		x.request.Took = x.r.now().Sub(x.request.At)
		x.r.explain(&x.request)
		x.report()
	}
	if x.abort {
		panic(http.ErrAbortHandler)
	}
}

// whole says that the sender is about to have the whole answer. With Brief the
// order is nobody's concern.
func (x *exchange) whole() {
	if x.r.Seen != nil && !x.r.Brief {
		x.r.turns.take(x)
	}
}

// report hands the request to Seen once it is its turn: now, or by who is before
// it.
func (x *exchange) report() {
	r := x.r
	if r.Brief {
		r.seen.Lock()
		defer r.seen.Unlock()
		r.Seen(x.request)
		return
	}
	r.turns.ready(x)
	r.seen.Lock()
	defer r.seen.Unlock()
	for x := r.turns.next(); x != nil; x = r.turns.next() {
		r.Seen(x.request)
		x.room.free(x.request.Body)
	}
}

// sent is the header of the answer: from the wire, else as net/http was told.
func (x *exchange) sent() []sign.Header {
	if x.conn != nil {
		_, header := send.ParseHead(x.conn.answer())
		return header
	}
	return sorted(x.w.Header())
}

// cut closes the connection without the end of an answer; with a reset if that
// is asked for and possible. last is written before.
func (x *exchange) cut(reset bool, last string) {
	x.whole()
	c, _, err := x.control().Hijack()
	if err != nil {
		x.abort = true
		return
	}
	if last != "" {
		_, _ = c.Write([]byte(last))
	}
	if t := tcp(c); reset && t != nil {
		_ = t.SetLinger(0)
	}
	_ = c.Close()
}

// tcp is the TCP connection below c, or nil.
func tcp(c net.Conn) *net.TCPConn {
	for {
		switch v := c.(type) {
		case *net.TCPConn:
			return v
		case interface{ NetConn() net.Conn }:
			c = v.NetConn()
		default:
			return nil
		}
	}
}
