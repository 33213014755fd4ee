package render

import (
	"io"
	"strconv"
	"time"

	"github.com/hookctl/hookctl/listen"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// A Listen draws requests as they arrive: one line each, and under it what was
// noticed. It is not safe for concurrent use.
type Listen struct {
	// Sensitive shows credentials in headers as they are; they are masked else.
	Sensitive bool
	// Masked names further headers to mask; nil: none.
	Masked func(name string) bool
	// Known are the profiles that a request may fit, to say why one is unknown.
	Known []*profiles.Profile

	w       io.Writer
	style   Style
	verify  bool
	started bool
	line    string // the request line shown last
}

// NewListen makes a Listen that writes to w. verify says that signatures are
// judged.
func NewListen(w io.Writer, s Style, verify bool) *Listen {
	return &Listen{w: w, style: s, verify: verify}
}

// The columns of the table, and the blanks between them.
const (
	numberColumn  = 3
	clockColumn   = 8
	verdictColumn = 8
	ageColumn     = 5
	answerColumn  = 6
	tookColumn    = 5
	idColumn      = 13
	wholeID       = 24 // the widest id that the wide layout shows whole
	typeColumn    = 30
	requestColumn = 15 // the least
	listenNote    = 5  // the indent of what stands under a row
)

// Request draws one request. The first call draws the head of the table.
func (l *Listen) Request(r listen.Request) error {
	p := printer{w: l.w}
	if !l.started {
		l.started = true
		p.line(l.style.line(l.head()))
	}
	if !l.style.wide() {
		if line := Escape(r.Method + " " + r.Target); line != l.line {
			l.line = line
			var head row
			head.gap(listenNote)
			head.add(dim, line)
			p.line(l.style.line(head))
		}
	}
	p.line(l.style.line(l.row(r)))
	l.notes(&p, r)
	if l.style.Verbose {
		l.wire(&p, r)
	}
	return p.err
}

func (l *Listen) head() row {
	var h row
	h.right(dim, "#", numberColumn)
	h.gap(2)
	h.left(dim, "time", clockColumn)
	h.gap(2)
	h.left(dim, "verdict", verdictColumn)
	if l.style.narrow() {
		h.gap(2)
		h.add(dim, "ans")
	} else {
		h.right(dim, "age", 2+ageColumn)
		h.gap(2)
		h.left(dim, "answer", answerColumn)
		h.right(dim, "took", 2+tookColumn)
	}
	h.gap(2)
	if !l.style.wide() {
		h.left(dim, "event id", idColumn)
		h.gap(2)
		h.add(dim, "type")
		return h
	}
	h.left(dim, "event id", wholeID)
	h.gap(2)
	h.left(dim, "type", l.typeWidth())
	h.gap(2)
	h.add(dim, "request")
	return h
}

func (l *Listen) row(r listen.Request) row {
	var line row
	line.right(plain, strconv.Itoa(r.Number), numberColumn)
	// A number of four digits takes one of the two blanks, so the columns hold.
	line.gap(1)
	line.until(numberColumn + 2)
	line.add(plain, r.At.Format(time.TimeOnly))
	line.gap(2)
	as, word := l.verdict(r)
	line.add(as, word)
	answer, answerAs := answerWord(r.Answer.Status)
	if l.style.narrow() {
		line.gap(verdictColumn - columns(word) + 2)
		line.left(answerAs, answer, 3)
	} else {
		// An age or a time that is wider than its column takes blanks of the
		// column before.
		age, ageAs := ageWord(r.Result)
		line.right(ageAs, age, verdictColumn-columns(word)+2+ageColumn)
		line.gap(2)
		line.add(answerAs, answer)
		line.right(plain, Duration(r.Took), answerColumn-columns(answer)+2+tookColumn)
	}
	line.gap(2)
	l.event(&line, r)
	return line
}

// event appends the id, the type and, in the wide layout, the request.
func (l *Listen) event(line *row, r listen.Request) {
	id, typ := Escape(r.Event.ID), Escape(r.Event.Type)
	if r.Profile == nil {
		id, typ = "", ""
	}
	if !l.style.wide() {
		word(line, l.style.shortID(id), idColumn)
		line.gap(2)
		word(line, l.style.cutFront(typ, l.style.width()-line.used), 0)
		return
	}
	if columns(id) > wholeID {
		id = l.style.cutAt(l.style.shortID(id), wholeID)
	}
	word(line, id, wholeID)
	line.gap(2)
	word(line, l.style.cutFront(typ, l.typeWidth()), l.typeWidth())
	line.gap(2)
	line.add(plain, Escape(r.Method+" "+r.Target))
}

// typeWidth is the width of the types in the wide layout, which leaves room for
// the request.
func (l *Listen) typeWidth() int {
	const before = numberColumn + clockColumn + verdictColumn + ageColumn + answerColumn + tookColumn + wholeID + 8*2
	return min(typeColumn, l.style.width()-before-requestColumn)
}

// word appends a word, or - where there is none, and pads to n columns.
func word(line *row, text string, n int) {
	if text == "" {
		line.left(dim, "-", n)
		return
	}
	line.left(plain, text, n)
}

// verdict is the word for a request and its role.
func (l *Listen) verdict(r listen.Request) (role, string) {
	switch {
	case r.Result != nil && r.Result.Verified:
		return good, "verified"
	case r.Profile == nil:
		return warn, "unknown"
	case r.Result != nil || l.verify:
		return bad, "refused"
	}
	return dim, "-"
}

// answerWord is the status that was answered, or - for none.
func answerWord(status int) (string, role) {
	switch {
	case status == 0:
		return "-", dim
	case status >= 400:
		return strconv.Itoa(status), bad
	}
	return strconv.Itoa(status), plain
}

// ageWord is the age of a signature, or - where it has no time.
func ageWord(result *sign.Result) (string, role) {
	if result == nil || result.Time.IsZero() {
		return "-", dim
	}
	return age(result.Age), plain
}

// age writes an age in whole units, one of them, truncated.
func age(d time.Duration) string {
	sign := ""
	if d < 0 {
		sign, d = "-", -max(d, -1<<63+1)
	}
	const year = 365 * day
	switch {
	case d < time.Second:
		return "0 s"
	case d < time.Minute:
		return sign + strconv.Itoa(int(d/time.Second)) + " s"
	case d < time.Hour:
		return sign + strconv.Itoa(int(d/time.Minute)) + " m"
	case d < day:
		return sign + strconv.Itoa(int(d/time.Hour)) + " h"
	case d < 1000*day:
		return sign + strconv.Itoa(int(d/day)) + " d"
	}
	return sign + strconv.Itoa(int(d/year)) + " y"
}

// A printer writes lines until one fails.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(text string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, text+"\n")
	}
}
