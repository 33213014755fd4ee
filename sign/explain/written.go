package explain

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hookctl/hookctl/profiles"
)

// mostNamed is the largest body whose serialiser is named, in bytes, and
// mostWriters how many are named where several write the same.
const (
	mostNamed   = 256 << 10
	mostWriters = 3
)

// A written is who writes JSON like that: one serialiser a family, since several
// may write the same bytes.
type written struct {
	names, families []string
	more            bool // others write the same
}

// writersOf finds who writes the JSON of one text as another.
func writersOf(from, to []byte) (w written) {
	d, ok := parse(from)
	if !ok || len(from) > mostNamed {
		return w
	}
	byFamily := map[string]string{}
	var text []byte
	for _, s := range append(serialisers(), variants()...) {
		if byFamily[s.family] != "" {
			continue
		}
		text = s.write(text[:0], d)
		if bytes.Equal(text, to) || bytes.Equal(append(text, '\n'), to) {
			byFamily[s.family] = s.name
		}
	}
	for _, family := range [...]string{"js", "python", "go", "php", "ruby", "java", "dotnet", "rust", "sql"} {
		switch name := byFamily[family]; {
		case name == "":
		case len(w.names) == mostWriters:
			w.more = true
		case len(w.names) > 0 && (family == "rust" || family == "sql"): // rare, so likely only alone
		default:
			w.names, w.families = append(w.names, name), append(w.families, family)
		}
	}
	return w
}

// String names them: "A", "A or B", "A, B, C or another"; "" for none.
func (w written) String() string {
	names := slices.Clone(w.names)
	if w.more {
		names = append(names, "another")
	}
	return profiles.List(names, "or")
}

// frameworks says how the frameworks of the families give the bytes of a body.
func (w written) frameworks(words *words) string {
	var all []string
	for _, family := range w.families {
		if text := words.frameworks(family); text != words.frameworks("") {
			all = append(all, text)
		}
	}
	if len(all) == 0 {
		return words.frameworks("")
	}
	return strings.Join(all, " ")
}

// variants are further ways in which serialisers are called. They have a name;
// as what was signed, the layouts, spellings and orders stand for them.
func variants() []serialiser {
	var all []serialiser
	plain, ascii := plainly(spelling{}), plainly(spelling{unicode: true, del: true})
	for _, in := range [...]struct{ says, indent string }{{"an indent of 4", "    "}, {"a tab as indent", "\t"}, {"an indent of 1", " "}} {
		all = append(all, serialiser{"JSON.stringify with " + in.says, "js",
			style{comma: ",", colon: ": ", indent: in.indent, spelling: plain, numbers: asJavaScript, repeats: lastAtFirst, order: integersFirst}})
	}
	for _, l := range [...]struct{ says, comma, colon, indent string }{
		{"", ", ", ": ", ""}, {"compact separators", ",", ":", ""}, {"an indent of 2", ",", ": ", "  "}, {"an indent of 4", ",", ": ", "    "},
		{"a tab as indent", ",", ": ", "\t"}, {"an indent of 1", ",", ": ", " "},
	} {
		for options := range 4 {
			s := style{comma: l.comma, colon: l.colon, indent: l.indent, spelling: ascii, numbers: asPython, repeats: lastAtFirst}
			var says []string
			if l.says != "" {
				says = append(says, l.says)
			}
			if options&1 != 0 {
				s.order, says = byBytes, append(says, "sort_keys")
			}
			if options&2 != 0 {
				s.spelling, says = plain, append(says, "ensure_ascii=False")
			}
			all = append(all, serialiser{"Python's json.dumps with " + strings.Join(says, " and "), "python", s})
		}
	}
	goText := plainly(spelling{html: "<>&", lines: true, replaced: true})
	for _, in := range [...]string{"  ", "    ", "\t"} {
		for _, o := range [...]struct {
			of string
			ordering
		}{{"map", byBytes}, {"struct", unordered}} {
			all = append(all, serialiser{"Go's encoding/json, indented, of a " + o.of, "go",
				style{comma: ",", colon: ": ", indent: in, spelling: goText, numbers: asGo, repeats: keepLast, order: o.ordering}})
		}
	}
	pretty := style{comma: ",", colon: ": ", indent: "    ", spelling: plainly(spelling{lines: true}), numbers: asPHP, repeats: lastAtFirst, lists: true}
	return append(all,
		serialiser{"PHP's json_encode with JSON_PRETTY_PRINT, JSON_UNESCAPED_SLASHES and JSON_UNESCAPED_UNICODE", "php", pretty},
		serialiser{"Ruby's JSON.generate with ascii_only", "ruby", style{comma: ",", colon: ":", spelling: plainly(spelling{unicode: true}), numbers: asRuby, repeats: lastAtFirst}})
}
