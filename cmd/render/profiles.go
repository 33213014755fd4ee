package render

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// longestTitle bounds a title in the list, in columns.
const longestTitle = 24

// ProfileList draws profiles by what one chooses by: how often a delivery is
// tried, over what time, and how long an attempt may take.
func ProfileList(w io.Writer, s Style, entries []profiles.Entry) error {
	head := []string{"name", "title", "attempts", "over", "limit"}
	if s.wide() {
		head = append(head, "signature")
	}
	head = append(head, "from")
	rows := [][]string{head}
	for _, e := range entries {
		p := e.Profile
		cells := []string{
			Escape(p.Name),
			s.cutAt(Escape(p.Title), longestTitle),
			Number(p.Attempts()),
			Duration(allWaits(p)),
			limitCell(p.Delivery.Limits),
		}
		if s.wide() {
			cells = append(cells, Escape(sign.SignatureHeader(p).Name))
		}
		rows = append(rows, append(cells, Escape(e.From)))
	}
	widths := make([]int, len(head))
	for _, cells := range rows {
		for i, cell := range cells {
			widths[i] = max(widths[i], columns(cell))
		}
	}
	widths[3] = max(widths[3], timeWidth)
	out := printer{w: w}
	for i, cells := range rows {
		as := plain
		if i == 0 {
			as = dim
		}
		var r row
		for c, cell := range cells {
			if c > 0 {
				r.gap(gapWidth)
			}
			switch {
			case head[c] == "attempts", head[c] == "over":
				r.right(as, cell, widths[c])
			case c == 0 && i > 0:
				r.left(strong, cell, widths[c])
			default:
				r.left(as, cell, widths[c])
			}
		}
		// The last column is a file's name, which is never shortened.
		out.line(s.whole(r))
	}
	return out.err
}

// limitCell is the time limit of an attempt: "8 s", or "5+20 s" of a pair.
func limitCell(l profiles.Limits) string {
	if l.Total > 0 {
		return Duration(l.Total)
	}
	connect, read := Duration(l.Connect), Duration(l.Read)
	if c, unit, ok := strings.Cut(connect, " "); ok && strings.Count(read, " ") == 1 && strings.HasSuffix(read, " "+unit) {
		return c + "+" + read
	}
	return connect + " + " + read
}

// allWaits is the length of the schedule without jitter; waits from the start
// of an attempt and from its end add up alike, as attempts take no time here.
func allWaits(p *profiles.Profile) time.Duration {
	sum := time.Duration(0)
	for _, wait := range p.Retry.Waits {
		sum = addTime(sum, wait)
	}
	return sum
}

// ProfileShow draws a profile as prose, in the order of its file: what is
// signed, sent and accepted, the rules as they are tried, the schedule, and
// what is assumed or left out.
func ProfileShow(w io.Writer, s Style, e profiles.Entry) error {
	pr := &prose{printer: printer{w: w}, style: s, profile: e.Profile, said: map[string]bool{}}
	pr.title(e)
	pr.signs()
	pr.secrets()
	pr.accepts()
	pr.sends()
	pr.limit()
	pr.rules()
	pr.schedule()
	pr.strict()
	pr.events()
	pr.promises()
	pr.aftermath()
	pr.assumptions()
	return pr.err
}

// prose writes a profile in words behind a gutter of labels.
type prose struct {
	printer
	style   Style
	profile *profiles.Profile
	label   string          // of the next line; "" once it is written
	said    map[string]bool // fields of assumptions that are marked
}

// under sets the label of the next line.
func (p *prose) under(label string) { p.label = label }

// say writes one paragraph. Text of the profile's own must be escaped before.
func (p *prose) say(text string) {
	lead := padRight(p.label, gutterWidth)
	p.label = ""
	p.line(p.style.mark(p.style.hang(lead, text)))
}

// mark paints the words "assumed" that stand in brackets.
func (s Style) mark(text string) string {
	for _, word := range []string{"assumed", "both assumed", "all assumed"} {
		text = strings.ReplaceAll(text, "("+word+")", "("+s.paint(warn, word)+")")
	}
	return text
}

// assumed is the mark that follows a point which rests on one of the fields, or
// on what lies in or around them; "" where the documentation says it.
func (p *prose) assumed(fields ...string) string {
	points := 0
	for _, note := range p.profile.Assumed {
		for _, field := range fields {
			if note.Field == field || strings.HasPrefix(field, note.Field+".") || strings.HasPrefix(note.Field, field+".") {
				p.said[note.Field] = true
				points++
				break
			}
		}
	}
	switch points {
	case 0:
		return ""
	case 1:
		return " (assumed)"
	case 2:
		return " (both assumed)"
	}
	return " (all assumed)"
}

func (p *prose) title(e profiles.Entry) {
	line := p.style.paint(strong, Escape(e.Profile.Title)) + ", " + Escape(e.From)
	if e.Replaces {
		line += ", in place of the built-in one"
	}
	p.line(line)
	p.under("docs")
	for _, doc := range e.Profile.Docs {
		text := Escape(doc.Says)
		if doc.URL != "" {
			text = strings.TrimPrefix(text+", "+Address(doc.URL), ", ")
		}
		p.say(text)
	}
}

// promises says what the provider guarantees. That the id stays the same is
// said once: beside the header that carries it, or here.
func (p *prose) promises() {
	p.under("promises")
	if order := p.profile.Promises.Order; order != "" {
		p.say("events of one " + Escape(order) + " arrive in order" + p.assumed("promises.order"))
	}
	if id := p.profile.Promises.Dedupe; id != "" && !p.showsID() {
		p.say("the same event may come again, with the same " + Escape(id) + p.assumed("promises.dedupe"))
	}
}

// aftermath says what an effect means and how lost events are found again.
func (p *prose) aftermath() {
	p.under("undo")
	for _, effect := range []profiles.Effect{
		profiles.PauseSubscription, profiles.DisableWebhook, profiles.DeleteSubscription,
		profiles.NotifyOwner, profiles.NotifyAdmins,
	} {
		if text := p.profile.Say[effect]; text != "" {
			p.say(effectWords(effect) + ": " + Escape(text) + p.assumed("say."+string(effect)))
		}
	}
	if r := p.profile.Replay; r != nil {
		p.under("replay")
		p.say("between " + Escape(r.Started) + " and " + Escape(r.Completed) + p.assumed("replay"))
	}
	if text := p.profile.Reconcile; text != "" {
		p.under("lost")
		p.say(Escape(text) + p.assumed("reconcile"))
	}
}

// assumptions counts what is assumed, names what no line above has marked, and
// lists what is left out.
func (p *prose) assumptions() {
	points := 0
	for _, rule := range p.profile.Delivery.Rules {
		if rule.Assumed != "" {
			points++
		}
	}
	if p.profile.Retry.Exhausted.Assumed != "" {
		points++
	}
	var unmarked []profiles.Note
	for _, note := range p.profile.Assumed {
		points++
		if !p.said[note.Field] {
			unmarked = append(unmarked, note)
		}
	}
	if points > 0 {
		p.line("")
		text := strconv.Itoa(points) + " points are assumed: the documentation does not say them"
		if points == 1 {
			text = "1 point is assumed: the documentation does not say it"
		}
		p.line(p.style.wrap(text, ""))
	}
	p.under("among them")
	for _, note := range unmarked {
		p.say(Escape(note.Field) + ": " + Escape(note.Note))
	}
	if len(p.profile.NotEmulated) > 0 {
		p.line("")
	}
	p.under("not here")
	for _, text := range p.profile.NotEmulated {
		p.say(Escape(text))
	}
}
