package explain

import "bytes"

// A layoutStyle is a way to put white space into JSON, and how it is described.
type layoutStyle struct {
	says string
	style
}

func layoutStyles() []layoutStyle {
	all := []layoutStyle{
		{`no blank after "," and ":"`, style{comma: ",", colon: ":"}},
		{`a blank after each "," and ":"`, style{comma: ", ", colon: ": "}},
		{`a blank after each ":"`, style{comma: ",", colon: ": "}},
		{`a blank after each ","`, style{comma: ", ", colon: ":"}},
		{`blanks inside braces and after "," and ":"`, style{comma: ", ", colon: ": ", pad: " "}},
		{`a blank on both sides of ":"`, style{comma: ", ", colon: " : "}},
		{`a blank on both sides of ":"`, style{comma: ",", colon: " : "}},
	}
	for _, in := range [...]struct{ says, indent string }{
		{"indented by 2", "  "}, {"indented by 4", "    "}, {"indented by a tab", "\t"}, {"indented by 3", "   "}, {"indented by 1", " "}, {"indented by 8", "        "},
	} {
		for _, eol := range [...]string{"\n", "\r\n"} {
			says := in.says
			if eol != "\n" {
				says += ", with CR and LF"
			}
			all = append(all, layoutStyle{says, style{comma: ",", colon: ": ", indent: in.indent, eol: eol}})
		}
	}
	return append(all,
		layoutStyle{`indented by 2, blanks around ":"`, style{comma: ",", colon: " : ", indent: "  "}},
		layoutStyle{`indented by 2, arrays on one line`, style{comma: ",", colon: " : ", indent: "  ", inline: true}},
		layoutStyle{`indented by 2, blanks after ","`, style{comma: ", ", colon: ": ", indent: "  "}},
		layoutStyle{`indented by 4, blanks after ","`, style{comma: ", ", colon: ": ", indent: "    "}},
		layoutStyle{`line ends without indentation`, style{comma: ",\n", colon: ": "}},
	)
}

// jsonForms are rewritings of JSON in one dimension.
func (s *search) jsonForms(yield func(bodyForm) bool) bool {
	if s.doc == nil {
		return true
	}
	for _, f := range [...]bodyForm{
		{jsonWhitespace, "without the white space at its end", bytes.TrimRight(s.body, " \t\r\n")},
		{jsonWhitespace, "without the white space at its start", bytes.TrimLeft(s.body, " \t\r\n")},
		{jsonWhitespace, "without the white space around it", bytes.TrimSpace(s.body)},
		{jsonWhitespace, "with a blank at its end", join(s.body, []byte(" "))},
	} {
		if !yield(f) {
			return false
		}
	}
	for _, l := range layoutStyles() {
		s.buf = l.write(s.buf[:0], s.doc)
		n := len(s.buf)
		if !yield(bodyForm{jsonWhitespace, l.says, s.buf}) {
			return false
		}
		for _, end := range [...]string{"\n", "\r\n"} {
			s.buf = append(s.buf[:n], end...)
			if !yield(bodyForm{jsonWhitespace, l.says + ", a line end at the end", s.buf}) {
				return false
			}
		}
	}
	for _, o := range [...]struct {
		says string
		ordering
	}{
		{"names sorted", byBytes}, {"names sorted without regard to case", byFold}, {"names sorted by length, then by bytes", byLength},
		{"names sorted by UTF-16", byUTF16}, {"names in reverse order", backwards}, {"whole numbers first", integersFirst},
	} {
		for _, shallow := range [...]bool{false, true} {
			s.buf = s.doc.rearranged(s.buf[:0], s.doc.ordered(o.ordering, shallow))
			if !yield(bodyForm{jsonKeyOrder, o.says, s.buf}) {
				return false
			}
		}
	}
	for _, sp := range spellings() {
		s.buf = s.doc.respelled(s.buf[:0], &sp.spelling)
		if !yield(bodyForm{sp.kind, sp.says, s.buf}) {
			return false
		}
	}
	return s.numberForms(yield) && s.repeatForms(yield)
}

// A charStyle is a way to write some characters.
type charStyle struct {
	kind Kind
	says string
	spelling
}

func spellings() []charStyle {
	all := []charStyle{
		{jsonUnicodeEscapes, `characters above ASCII as \uXXXX`, spelling{touch: touchUnicode, unicode: true}},
		{jsonUnicodeEscapes, `characters above ASCII plain`, spelling{touch: touchUnicode}},
		{jsonUnicodeEscapes, `characters above ASCII as \uXXXX in upper case`, spelling{touch: touchUnicode, unicode: true, upper: true}},
		{jsonUnicodeEscapes, `escapes in lower case`, spelling{touch: touchUnicode, unicode: true, escaped: true}},
		{jsonUnicodeEscapes, `escapes in upper case`, spelling{touch: touchUnicode, unicode: true, upper: true, escaped: true}},
		{jsonUnicodeEscapes, `characters above U+FFFF as \uXXXX\uXXXX`, spelling{touch: touchUnicode, beyond: true}},
		{jsonUnicodeEscapes, `U+2028 and U+2029 as \uXXXX`, spelling{touch: touchUnicode, lines: true}},
		{jsonSlashEscapes, `"/" as "\/"`, spelling{touch: touchSlash, slash: true}},
		{jsonSlashEscapes, `"/" without a backslash`, spelling{touch: touchSlash}},
		{jsonHTMLEscapes, `no HTML escapes`, spelling{touch: touchHTML}},
	}
	for _, chars := range [...]string{"<>&", "<>&'", "<>&='", "<>&'+`", "<>&'+`\"", "<>&'\"", "<>", "&", "'", "="} {
		all = append(all,
			charStyle{jsonHTMLEscapes, `HTML characters as \uXXXX`, spelling{touch: touchHTML, html: chars}},
			charStyle{jsonHTMLEscapes, `HTML characters as \uXXXX in upper case`, spelling{touch: touchHTML, html: chars, upper: true}})
	}
	return all
}

// numberForms are other ways to write the numbers, all of them.
func (s *search) numberForms(yield func(bodyForm) bool) bool {
	for _, n := range [...]struct {
		says  string
		write func(dst, token []byte) []byte
	}{
		{"numbers as JavaScript writes them", asJavaScript.appendNumber},
		{"numbers as Python writes them", asPython.appendNumber},
		{"numbers as PHP writes them", asPHP.appendNumber},
		{"numbers as Ruby writes them", asRuby.appendNumber},
		{"numbers as Java writes them", asJava.appendNumber},
		{"whole numbers as 1.0", asJavaDoubles.appendNumber},
		{"whole numbers as 1.0", withFraction(".0")},
		{"whole numbers as 1.00", withFraction(".00")},
		{"two digits after the point", twoDecimals},
		{"whole numbers with an exponent", withExponent("e")},
		{"whole numbers with an exponent", withExponent("E")},
		{"whole numbers with an exponent", withExponent("e+")},
		{"whole numbers with an exponent", withExponent(".0E")},
	} {
		s.buf = s.doc.renumbered(s.buf[:0], n.write)
		if !yield(bodyForm{jsonNumberFormat, n.says, s.buf}) {
			return false
		}
	}
	return true
}

// isWhole reports whether a number token has digits alone.
func isWhole(token []byte) bool { return !bytes.ContainsAny(token, ".eE") }

func withFraction(end string) func(dst, token []byte) []byte {
	return func(dst, token []byte) []byte {
		dst = append(dst, token...)
		if isWhole(token) {
			dst = append(dst, end...)
		}
		return dst
	}
}

// twoDecimals adds zeros up to two digits after the point.
func twoDecimals(dst, token []byte) []byte {
	dst = append(dst, token...)
	point := bytes.IndexByte(token, '.')
	switch {
	case bytes.ContainsAny(token, "eE"):
	case point < 0:
		dst = append(dst, ".00"...)
	case point == len(token)-2:
		dst = append(dst, '0')
	}
	return dst
}

// withExponent writes 100 as 1e2, with another text for the e.
func withExponent(e string) func(dst, token []byte) []byte {
	return func(dst, token []byte) []byte {
		digits := bytes.TrimRight(token, "0")
		zeros := len(token) - len(digits)
		if zeros == 0 || len(digits) == 0 || !isWhole(token) || zeros > 99 {
			return append(dst, token...)
		}
		dst = append(dst, digits...)
		dst = append(dst, e...)
		return append(dst, number(zeros)...)
	}
}

// repeatForms are the body without the repeats of names: all at once, then one
// member at a time.
func (s *search) repeatForms(yield func(bodyForm) bool) bool {
	if !s.doc.hasRepeats() {
		return true
	}
	for _, r := range [...]struct {
		says string
		repeating
	}{
		{"the last of each", keepLast}, {"the first of each", keepFirst}, {"the last value at the place of the first", lastAtFirst},
	} {
		s.buf = s.doc.rearranged(s.buf[:0], s.doc.without(r.repeating))
		if !yield(bodyForm{jsonDuplicateKeys, r.says, s.buf}) {
			return false
		}
	}
	tried := 0
	for i := range s.doc.nodes {
		if tried > 64 || s.doc.nodes[i].kind != objectNode || !s.doc.repeatsIn(int32(i)) {
			continue
		}
		all := s.doc.appendMembers(nil, int32(i))
		first, last := s.doc.namesakes(all)
		for j := range all {
			if first[j] == last[j] {
				continue
			}
			tried++
			s.buf = s.doc.rearranged(s.buf[:0], func(o int32, _ int) []member {
				if o == int32(i) {
					return append(all[:j:j], all[j+1:]...)
				}
				return nil
			})
			if !yield(bodyForm{jsonDuplicateKeys, "without one of them", s.buf}) {
				return false
			}
			if tried > 64 {
				return true
			}
		}
	}
	return true
}
