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
func (x *exchange) failed(f *send.Failure) {
	if x.req.Context().Err() == nil {
		x.noAnswer(f)
		return
	}
	who := "the sender left"
	if x.conn.stopped() {
		who = "hookctl stopped"
	}
	x.request.Failure = &send.Failure{Kind: profiles.Closed, Message: who + " before the application answered"}
	if x.decide(Answer{By: ByForward}, profiles.ReadTimeout) {
		x.cut(false, "")
	}
}

// noAnswer answers 502 for an application that gave no answer.
func (x *exchange) noAnswer(f *send.Failure) {
	x.request.Failure = f
	x.own(http.StatusBadGateway, ByForward)
}

// pass passes the application's answer on, as it comes. It reports whether that
// was read to its end.
func (x *exchange) pass(app *send.Link, answer *http.Response) bool {
	if !x.decide(Answer{Status: answer.StatusCode, By: ByForward}, "") {
		return false
	}
	answerHeader(x.w.Header(), app.Head(), answer.Header)
	x.w.WriteHeader(answer.StatusCode)
	here := app.Whole() // then it goes out in one piece, at the end
	size := 16 << 10
	switch {
	case !here:
		_ = x.control().Flush()
	case answer.ContentLength < int64(size): // that of a HEAD may be any
		size = int(answer.ContentLength) + 1
	}
	buf := app.Room(size)
	for left := answer.ContentLength; ; {
		n, err := answer.Body.Read(buf)
		if n > 0 {
			app.Progress()
			if left -= int64(n); left == 0 {
				x.whole()
			}
			x.keepBody(buf[:n])
			_ = x.control().SetWriteDeadline(time.Now().Add(forwardTime))
			if _, gone := x.w.Write(buf[:n]); gone != nil || !here && x.control().Flush() != nil {
				x.abort = true // the sender has what it wanted
				return false
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			x.broken(app, err)
			return false
		}
	}
	for name, values := range answer.Trailer {
		x.w.Header()[http.TrailerPrefix+name] = values
	}
	return true
}

// broken ends an answer that the application did not end: the sender sees that
// it is not whole.
func (x *exchange) broken(app *send.Link, err error) {
	x.abort = true
	switch {
	case app.StoodStill():
		x.request.Failure = &send.Failure{Kind: profiles.ReadTimeout, Message: "the answer stood still for 30 s"}
	case x.req.Context().Err() == nil:
		x.request.Failure = &send.Failure{Kind: send.Classify(err), Message: "the answer ended inside its body"}
	}
}

// keepBody keeps the beginning of the answer's body for display.
func (x *exchange) keepBody(b []byte) {
	if room := shownBody - len(x.request.SentBody); room > 0 && !x.r.Brief {
		x.request.SentBody = append(x.request.SentBody, b[:min(len(b), room)]...)
	}
}
