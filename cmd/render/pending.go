package render

import (
	"io"
	"strconv"
	"time"
)

// Pending is the one line that is rewritten: what is awaited until its row
// comes. It is drawn only where both streams are terminals that can rewrite a
// line; elsewhere its methods do nothing. The caller decides when.
type Pending struct {
	out   io.Writer
	style Style
	live  bool
	shown bool
}

// NewPending is a pending line on w (stderr, in the style errStyle) beside the
// rows on a stream of the style outStyle.
func NewPending(w io.Writer, outStyle, errStyle Style) *Pending {
	live := outStyle.Terminal && errStyle.Terminal && !outStyle.Dumb && !errStyle.Dumb
	return &Pending{out: w, style: errStyle, live: live}
}

// Live reports whether the line is drawn at all.
func (p *Pending) Live() bool { return p.live }

// Due says when an attempt will be sent: at an instant, shown in the instant's
// own time zone; due is its provider time.
func (p *Pending) Due(number int, due time.Duration, at time.Time) error {
	return p.attempt(number, due, "due at "+at.Format("15:04:05")+"; Ctrl-C ends")
}

// Connecting says that an attempt waits for its connection, limit at most.
func (p *Pending) Connecting(number int, due, limit time.Duration) error {
	return p.attempt(number, due, "connecting ("+Duration(limit)+" at most)")
}

// Sent says that an attempt waits for its answer, limit at most.
func (p *Pending) Sent(number int, due, limit time.Duration) error {
	return p.attempt(number, due, "sent, waiting for the answer ("+Duration(limit)+" at most)")
}

func (p *Pending) attempt(number int, due time.Duration, text string) error {
	return p.Line(padLeft(strconv.Itoa(number), 2) + blanks(gapWidth) +
		padLeft(Duration(due), timeWidth) + blanks(gapWidth) + text)
}

// Line draws any other line in place of the one that is shown.
func (p *Pending) Line(text string) error {
	if !p.live {
		return nil
	}
	p.shown = true
	style := p.style
	style.Verbose = false
	width := style.width()
	if p.style.Width > 0 {
		width = p.style.Width // a line that the terminal wraps cannot be erased
	}
	return writeString(p.out, erase+style.cutAt(Escape(text), width))
}

// Clear erases the line, before a row or a message is written.
func (p *Pending) Clear() error {
	if !p.shown {
		return nil
	}
	p.shown = false
	return writeString(p.out, erase)
}

// erase goes to the line's beginning and erases it.
const erase = "\r\x1b[K"
