package explain

import "strconv"

// closed are the body with what may have been cut off at its end, where it is
// JSON that ends too early.
func (s *search) closed(yield func(bodyForm) bool) bool {
	if s.doc != nil || len(s.body) == 0 {
		return true
	}
	closers, inString, ok := open(s.body)
	if !ok || len(closers) > 64 {
		return true
	}
	ends := []string{""}
	if inString {
		ends = []string{`"`}
		for c := byte(' '); c < 0x7f; c++ {
			if c != '"' && c != '\\' {
				ends = append(ends, string(rune(c))+`"`)
			}
		}
	} else {
		ends = append(ends, literalEnds(s.body)...)
		if last := s.body[len(s.body)-1]; last >= '0' && last <= '9' {
			for n := range 110 { // one digit, or two
				ends = append(ends, digits(n))
			}
		}
		for _, end := range [...]string{"null", "true", "false", `""`, "{}", "[]"} {
			ends = append(ends, end)
		}
	}
	for i, end := range ends {
		for _, between := range [...]string{"", "\n", "\r\n", " "} {
			for _, last := range [...]string{"", "\n", "\r\n"} {
				if i > 0 && between+last != "" {
					continue // of many ends, the plainest form
				}
				s.buf = append(append(s.buf[:0], s.body...), end...)
				for i := len(closers) - 1; i >= 0; i-- {
					s.buf = append(s.buf, between...)
					s.buf = append(s.buf, closers[i])
				}
				s.buf = append(s.buf, last...)
				if !yield(bodyForm{bodyTruncated, quote(string(s.buf[len(s.body):])), s.buf}) {
					return false
				}
			}
		}
	}
	return s.closedIndented(yield, closers, ends)
}

// closedIndented closes containers on lines of their own.
func (s *search) closedIndented(yield func(bodyForm) bool, closers []byte, ends []string) bool {
	for _, indent := range [...]string{"  ", "    ", "\t"} {
		for _, first := range [...]bool{true, false} { // whether the first closer needs a line of its own
			for _, last := range [...]string{"", "\n"} {
				s.buf = append(append(s.buf[:0], s.body...), ends[0]...)
				for i := len(closers) - 1; i >= 0; i-- {
					if first || i < len(closers)-1 {
						s.buf = append(s.buf, '\n')
						for range i {
							s.buf = append(s.buf, indent...)
						}
					}
					s.buf = append(s.buf, closers[i])
				}
				s.buf = append(s.buf, last...)
				if !yield(bodyForm{bodyTruncated, quote(string(s.buf[len(s.body):])), s.buf}) {
					return false
				}
			}
		}
	}
	return true
}

// open are the closing brackets that a text lacks, the outermost first. It
// reports false for a text that lacks none or does not look like JSON.
func open(text []byte) (closers []byte, inString, ok bool) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{':
			closers = append(closers, '}')
		case c == '[':
			closers = append(closers, ']')
		case c == '}' || c == ']':
			if len(closers) == 0 || closers[len(closers)-1] != c {
				return nil, false, false
			}
			closers = closers[:len(closers)-1]
		}
		if len(closers) > deepest {
			return nil, false, false
		}
	}
	return closers, inString, len(closers) > 0 || inString
}

// digits are, from 0 to 109, the digits 0 to 9, then 00 to 99.
func digits(n int) string {
	if n < 10 {
		return strconv.Itoa(n)
	}
	return strconv.Itoa((n-10)/10) + strconv.Itoa(n%10)
}

// literalEnds are the rests of true, false and null that the text may lack.
func literalEnds(text []byte) []string {
	var all []string
	for _, word := range [...]string{"true", "false", "null"} {
		for n := 1; n < len(word); n++ {
			if len(text) > n && string(text[len(text)-n:]) == word[:n] {
				all = append(all, word[n:])
			}
		}
	}
	return all
}
