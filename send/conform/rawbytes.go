package conform

import (
	"context"
	"slices"
	"strings"
)

// A layout is one way to write the same event.
type layout struct {
	letter string
	name   string
	member string // the value of the extra member, JSON
	form   form
	bend   func(*node) *node
	around [2]string // before and after the text
}

func compact() form { return form{comma: ",", colon: ":"} }

// layouts are the ways in which the event is written.
func layouts() []layout {
	lines := func(end string) form { return form{comma: ",", colon: ": ", indent: "  ", end: end} }
	return []layout{
		{letter: "a", name: "compact", member: `"a"`},
		{letter: "b", name: "two blanks a level, lines end in LF", member: `"b"`, form: lines("\n")},
		{letter: "c", name: "two blanks a level, lines end in CRLF", member: `"c"`, form: lines("\r\n")},
		{letter: "d", name: `a blank after "," and ":"`, member: `"d"`, form: form{comma: ", ", colon: ": "}},
		{letter: "e", name: "the members in reverse order", member: `"e"`, bend: (*node).reversed},
		{letter: "f", name: `\u00e9 in a text`, member: `"caf\u00e9"`},
		{letter: "g", name: "é and an emoji in a text", member: `"café 😀"`},
		{letter: "h", name: `\/ in a text`, member: `"a\/b"`},
		{letter: "i", name: `\u003cb\u003e\u0026 in a text`, member: `"\u003cb\u003e\u0026"`},
		{letter: "j", name: "<b>& in a text", member: `"<b>&"`},
		{letter: "k", name: "the numbers 1.0 and 1e2", member: `[1.0,1e2]`},
		{letter: "l", name: "the number 9007199254740993", member: `9007199254740993`},
		{letter: "m", name: "a final LF", member: `"m"`, around: [2]string{"", "\n"}},
		{letter: "n", name: "blanks before and after", member: `"n"`, around: [2]string{"  ", "  "}},
		{letter: "o", name: `the member "10" before "9"`, member: `{"10":1,"9":2}`},
		{letter: "p", name: "an empty object", member: `{}`},
	}
}

// body is an event's body in the layout: its members sorted, with one more.
func (l layout) body(e event) []byte {
	n := parseJSON(e.with(extra, l.member).body)
	if n == nil {
		return e.body
	}
	n = n.sorted()
	if l.bend != nil {
		n = l.bend(n)
	}
	f := l.form
	if f == (form{}) {
		f = compact()
	}
	return slices.Concat([]byte(l.around[0]), n.text(f), []byte(l.around[1]))
}

// A rewriter is something that writes JSON anew, and the layouts that come out
// of it as they went in.
type rewriter struct {
	name, kept, fix string
}

// rewriters were tried with the real ones.
func rewriters() []rewriter {
	const python = "take the raw body: request.get_data() in Flask, request.body in Django, await request.body() in FastAPI, in place of json.loads and json.dumps"
	const golang = "take the raw body: io.ReadAll(r.Body) before json.Unmarshal, and sign those bytes"
	return []rewriter{
		{"Node's JSON.stringify", "aegjp", `take the raw body: express.raw({type: "application/json"}) on this route in place of express.json()`},
		{"Python's json.dumps with its default separators", "d", python},
		{"Python's json.dumps with compact separators", "aefjlop", python},
		{"Python's json.dumps with compact separators and without ASCII escapes", "aegjlop", python},
		{"Go's encoding/json of a map", "agiop", golang},
		{"Go's encoding/json of a json.RawMessage", "aefghiklop", golang},
		{"a text decoded with the wrong character set", "abcdefhijklmnop", "sign the bytes as they came, before they are decoded to text"},
	}
}

// letters are the names joined by blanks.
func letters(names []string) string { return strings.Join(names, " ") }

// rawBytes sends one event in many layouts.
func rawBytes(ctx context.Context, r *run, t *tried) {
	if !r.object {
		t.skip("the event's body is no JSON object")
		return
	}
	t.Asked = "one event in 16 layouts, each signed over exactly the bytes sent"
	var all []said
	for _, l := range layouts() {
		e := r.event()
		e.body = l.body(e)
		a := t.send(ctx, l.letter+": "+l.name, r.genuine(e))
		if a.cut {
			break
		}
		all = append(all, said{l.letter, a})
	}
	kept := names(all, answer.accepted)
	lost := names(all, func(a answer) bool { return !a.accepted() })
	t.answers = all
	if len(lost) == 0 {
		return
	}
	t.Came = lettered(all)
	if len(kept) == 0 && r.first.accepted() && r.strict(ctx, t) {
		return
	}
	rewritten := "the body is parsed and written again before the check"
	fix := "take the bytes as they came, before any parser sees them, and sign those"
	whole := len(all) == len(layouts())
	if i := slices.IndexFunc(rewriters(), func(w rewriter) bool { return w.kept == strings.Join(kept, "") }); i >= 0 && whole {
		w := rewriters()[i]
		t.Came += ": what " + w.name + " leaves of them"
		fix = w.fix
	}
	if failed := names(all, func(a answer) bool { return a.crashed() && !r.refused(a) }); r.first.accepted() && len(failed) == len(lost) {
		i := slices.IndexFunc(all, func(s said) bool { return s.name == failed[0] })
		t.failFor("an event may be written in any of these ways: what the handler throws on one of them loses it",
			"an event "+all[i].met()+" in these layouts: "+letters(failed), "see the receiver's log: is it the parser that throws, or what the event is used for?")
		return
	}
	t.fail(rewritten, fix)
}

// strict reports whether the receiver refuses an event for one more member, so
// that nothing can be told of what needs one; the check then says so.
func (r *run) strict(ctx context.Context, t *tried) bool {
	a := t.send(ctx, "the event with one more member", r.genuine(r.event().with(extra, `"a"`)))
	if a.cut || a.accepted() {
		return false
	}
	t.Came = a.String() + " for the event with one more member"
	t.inconclusive("an event with one more member is refused, whatever else it is", "first see unknown-event")
	return true
}

// lettered groups answers by their letters: "200 for a e, 401 for b c".
func lettered(all []said) string {
	var order []string
	byAnswer := map[string][]string{}
	for _, s := range all {
		text := s.String()
		if byAnswer[text] == nil {
			order = append(order, text)
		}
		byAnswer[text] = append(byAnswer[text], s.name)
	}
	var parts []string
	for _, text := range order {
		parts = append(parts, text+" for "+letters(byAnswer[text]))
	}
	return strings.Join(parts, ", ")
}
