package listen

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

// failed answers for an application that did not.
func (x *exchange) failed(p *passage, err error) {
	tried, app := p.dialled()
	switch {
	case p.stoodStill() && p.connected.Load():
		x.noAnswer(&send.Failure{Kind: profiles.ReadTimeout, Message: "connected, but no answer within 30 s", Tried: tried})
	case p.stoodStill():
		x.noAnswer(&send.Failure{Kind: profiles.ConnectTimeout, Message: "no connection within 30 s", Tried: tried})
	case x.req.Context().Err() != nil:
		who := "the sender left"
		if x.conn.stopped() {
			who = "hookctl stopped"
		}
		x.request.Failure = &send.Failure{Kind: profiles.Closed, Message: who + " before the application answered"}
		if x.decide(Answer{By: ByForward}, profiles.ReadTimeout) {
			x.cut(false, "")
		}
	case app != nil:
		f := app.NoAnswer(err, true)
		f.Tried = tried
		x.noAnswer(f)
	default:
		x.noAnswer(send.Describe(err, tried))
	}
}

// noAnswer answers 502 for an application that gave no answer.
func (x *exchange) noAnswer(f *send.Failure) {
	x.request.Failure = f
	x.own(http.StatusBadGateway, ByForward)
}

// pass passes the application's answer on, as it comes.
func (x *exchange) pass(p *passage, answer *http.Response) {
	if !x.decide(Answer{Status: answer.StatusCode, By: ByForward}, "") {
		return
	}
	answerHeader(x.w.Header(), p.answerHead(), answer.Header)
	x.w.WriteHeader(answer.StatusCode)
	here := p.whole(answer) // then it goes out in one piece, at the end
	size := int64(16 << 10)
	if here {
		size = min(size, answer.ContentLength+1)
	} else {
		_ = x.control().Flush()
	}
	buf := make([]byte, size)
	for {
		n, err := answer.Body.Read(buf)
		if n > 0 {
			p.progress()
			x.keepBody(buf[:n])
			_ = x.control().SetWriteDeadline(time.Now().Add(forwardTime))
			if _, gone := x.w.Write(buf[:n]); gone != nil || !here && x.control().Flush() != nil {
				x.abort = true // the sender has what it wanted
				return
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			x.broken(p, err)
			return
		}
	}
	for name, values := range answer.Trailer {
		x.w.Header()[http.TrailerPrefix+name] = values
	}
}

// broken ends an answer that the application did not end: the sender sees that
// it is not whole.
func (x *exchange) broken(p *passage, err error) {
	x.abort = true
	switch {
	case p.stoodStill():
		x.request.Failure = &send.Failure{Kind: profiles.ReadTimeout, Message: "the answer stood still for 30 s"}
	case x.req.Context().Err() == nil:
		x.request.Failure = &send.Failure{Kind: send.Classify(err), Message: "the answer ended inside its body"}
	}
}

// keepBody keeps the beginning of the answer's body for display.
func (x *exchange) keepBody(b []byte) {
	if room := shownBody - len(x.request.SentBody); room > 0 {
		x.request.SentBody = append(x.request.SentBody, b[:min(len(b), room)]...)
	}
}
