package explain

// A serialiser is a program that writes JSON, as a style.
type serialiser struct {
	name   string // as the user knows it
	family string // whose frameworks the fix names
	style
}

// plainly is a spelling of all that a serialiser writes anew.
func plainly(s spelling) spelling {
	s.touch = touchAll
	return s
}

// serialisers are the programs whose writing is known, common ones first: where
// several write the same bytes, the first is named.
func serialisers() []serialiser {
	const (
		htmlGo   = "<>&"
		htmlGson = "<>&='"
		htmlNet  = "<>&'+\"`"
		tight    = ","
	)
	plain := plainly(spelling{})
	ascii := plainly(spelling{unicode: true})
	pure := plainly(spelling{unicode: true, del: true})
	goText := plainly(spelling{html: htmlGo, lines: true, replaced: true})
	netText := plainly(spelling{unicode: true, upper: true, html: htmlNet, del: true})
	python := func(s style) style {
		s.numbers, s.repeats = asPython, lastAtFirst
		return s
	}
	php := func(s style) style {
		s.comma, s.colon, s.numbers, s.repeats, s.lists = ",", ":", asPHP, lastAtFirst, true
		return s
	}
	return []serialiser{
		{"JSON.stringify", "js", style{comma: tight, colon: ":", spelling: plain, numbers: asJavaScript, repeats: lastAtFirst, order: integersFirst}},
		{"JSON.stringify with an indent of 2", "js", style{comma: tight, colon: ": ", indent: "  ", spelling: plain, numbers: asJavaScript, repeats: lastAtFirst, order: integersFirst}},
		{"Python's json.dumps", "python", python(style{comma: ", ", colon: ": ", spelling: pure})},
		{"Python's json.dumps with compact separators", "python", python(style{comma: tight, colon: ":", spelling: pure})},
		{"Python's json.dumps with ensure_ascii=False", "python", python(style{comma: ", ", colon: ": ", spelling: plain})},
		{"Python's json.dumps with compact separators and ensure_ascii=False", "python", python(style{comma: tight, colon: ":", spelling: plain})},
		{"Python's json.dumps with sort_keys", "python", python(style{comma: ", ", colon: ": ", spelling: pure, order: byBytes})},
		{"Python's json.dumps with sort_keys and compact separators", "python", python(style{comma: tight, colon: ":", spelling: pure, order: byBytes})},
		{"Python's json.dumps with sort_keys and ensure_ascii=False", "python", python(style{comma: ", ", colon: ": ", spelling: plain, order: byBytes})},
		{"Python's json.dumps with an indent of 2", "python", python(style{comma: tight, colon: ": ", indent: "  ", spelling: pure})},
		{"Python's json.dumps with an indent of 4", "python", python(style{comma: tight, colon: ": ", indent: "    ", spelling: pure})},
		{"Python's json.dumps with an indent of 2 and sort_keys", "python", python(style{comma: tight, colon: ": ", indent: "  ", spelling: pure, order: byBytes})},
		{"PHP's json_encode", "php", php(style{spelling: plainly(spelling{unicode: true, slash: true})})},
		{"PHP's json_encode with JSON_UNESCAPED_SLASHES", "php", php(style{spelling: ascii})},
		{"PHP's json_encode with JSON_UNESCAPED_UNICODE", "php", php(style{spelling: plainly(spelling{slash: true, lines: true})})},
		{"PHP's json_encode with JSON_UNESCAPED_SLASHES and JSON_UNESCAPED_UNICODE", "php", php(style{spelling: plainly(spelling{lines: true})})},
		{"PHP's json_encode with JSON_PRETTY_PRINT", "php", func() style {
			s := php(style{spelling: plainly(spelling{unicode: true, slash: true}), indent: "    "})
			s.colon = ": "
			return s
		}()},
		{"PHP's json_encode of objects", "php", func() style {
			s := php(style{spelling: plainly(spelling{unicode: true, slash: true})})
			s.lists = false
			return s
		}()},
		{"Go's encoding/json of a map", "go", style{comma: tight, colon: ":", spelling: goText, numbers: asGo, repeats: keepLast, order: byBytes}},
		{"Go's encoding/json of a struct", "go", style{comma: tight, colon: ":", spelling: goText, numbers: asGo, repeats: keepLast}},
		{"Go's encoding/json of a map without HTML escapes", "go", style{comma: tight, colon: ":", spelling: plainly(spelling{lines: true, replaced: true}), numbers: asGo, repeats: keepLast, order: byBytes}},
		{"Go's encoding/json of a map, before Go 1.22", "go", style{comma: tight, colon: ":", spelling: plainly(spelling{html: htmlGo, lines: true, replaced: true, long: true}), numbers: asGo, repeats: keepLast, order: byBytes}},
		{"Go's encoding/json of a json.RawMessage", "go", style{comma: tight, colon: ":", spelling: spelling{touch: touchHTML, html: htmlGo}}},
		{"Ruby's JSON.generate", "ruby", style{comma: tight, colon: ":", spelling: plain, numbers: asRuby, repeats: lastAtFirst}},
		{"Ruby's JSON.pretty_generate", "ruby", style{comma: tight, colon: ": ", indent: "  ", spelling: plain, numbers: asRuby, repeats: lastAtFirst}},
		{"Ruby's JSON.pretty_generate, before json 2.8", "ruby", style{comma: tight, colon: ": ", indent: "  ", hollow: true, spelling: plain, numbers: asRuby, repeats: lastAtFirst}},
		{"Rails' to_json", "ruby", style{comma: tight, colon: ":", spelling: plainly(spelling{html: htmlGo, lines: true}), numbers: asRuby, repeats: lastAtFirst}},
		{"Gson", "java", style{comma: tight, colon: ":", spelling: plainly(spelling{html: htmlGson, lines: true})}},
		{"Gson with numbers as doubles", "java", style{comma: tight, colon: ":", spelling: plainly(spelling{html: htmlGson, lines: true}), numbers: asJavaDoubles}},
		{"Jackson", "java", style{comma: tight, colon: ":", spelling: plain, numbers: asJava, repeats: lastAtFirst}},
		{"Jackson's pretty printer", "java", style{comma: tight, colon: " : ", indent: "  ", inline: true, spelling: plain, numbers: asJava, repeats: lastAtFirst}},
		{".NET's System.Text.Json", "dotnet", style{comma: tight, colon: ":", spelling: netText}},
		{".NET's System.Text.Json, indented", "dotnet", style{comma: tight, colon: ": ", indent: "  ", spelling: netText}},
		{"Newtonsoft.Json", "dotnet", style{comma: tight, colon: ":", spelling: plain, numbers: asNewtonsoft, repeats: lastAtFirst}},
		{"Rust's serde_json", "rust", style{comma: tight, colon: ":", spelling: plain, numbers: asRust, repeats: keepLast, order: byBytes}},
		{"PostgreSQL's jsonb", "sql", style{comma: ", ", colon: ": ", spelling: plain, repeats: keepLast, order: byLength}},
	}
}

// serialised are the body as each serialiser writes it, with and without the
// repeats of names and a newline at the end.
func (s *search) serialised(yield func(bodyForm) bool) bool {
	if s.doc == nil {
		return true
	}
	repeats := s.doc.hasRepeats()
	for _, w := range serialisers() {
		for _, keep := range [...]bool{false, true} {
			if keep && !repeats {
				break
			}
			if keep {
				w.repeats = keepAll
			}
			for _, end := range [...]string{"", "\n"} {
				w.end = end
				s.buf = w.write(s.buf[:0], s.doc)
				if !yield(bodyForm{jsonReserialised, w.name, s.buf}) {
					return false
				}
			}
		}
	}
	return s.reordered(yield)
}

// familyOf is the family of a serialiser by its name, if it is one's.
func familyOf(name string) (family string, known bool) {
	for _, w := range serialisers() {
		if w.name == name {
			return w.family, true
		}
	}
	return "", false
}
