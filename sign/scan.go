package sign

import "bytes"

// maxDepth bounds the nesting of a JSON text.
const maxDepth = 1024

// A scanner reads a JSON text once, forward.
type scanner struct {
	text []byte
	at   int
	bad  bool // not JSON
	cut  bool // the text ended too early
}

// fail notes that something else was expected here.
func (s *scanner) fail() {
	if s.at >= len(s.text) {
		s.cut = true
	} else {
		s.bad = true
	}
}

// space skips white space and returns the byte that follows, 0 at the end.
func (s *scanner) space() byte {
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; c {
		case ' ', '\n', '\t', '\r':
		default:
			return c
		}
	}
	return 0
}

func (s *scanner) object(wants []want, spots []spot) {
	looked := false // whether the rest was searched for names that repeat
	s.at++
	if s.space() == '}' {
		return
	}
	for {
		if s.space() != '"' {
			s.fail()
			return
		}
		start := s.at
		s.quoted()
		name := s.text[start:s.at]
		if s.cut || s.space() != ':' {
			s.fail()
			return
		}
		s.at++
		f := s.value()
		for i := range wants {
			if same(name, wants[i].head) {
				spots[i] = spot{f, !s.cut}
			}
		}
		if s.cut || s.bad || !s.comma('}') {
			return
		}
		if !looked && allWhole(spots) {
			if looked = true; !s.mayRepeat(wants) {
				return
			}
		}
	}
}

func (s *scanner) array(wants []want, spots []spot) {
	last := -1
	for i := range wants {
		last = max(last, wants[i].index())
	}
	s.at++
	if s.space() == ']' {
		return
	}
	for n := 0; n <= last; n++ {
		f := s.value()
		for i := range wants {
			if wants[i].index() == n {
				spots[i] = spot{f, !s.cut}
			}
		}
		if s.cut || s.bad || !s.comma(']') {
			return
		}
	}
}

// comma skips a comma, and reports false at the closing bracket or if neither
// is there.
func (s *scanner) comma(closing byte) bool {
	switch s.space() {
	case ',':
		s.at++
		return true
	case closing:
	default:
		s.fail()
	}
	return false
}

// value skips a value and returns where it stands, up to the cut if it is cut.
func (s *scanner) value() Field {
	c := s.space()
	f := Field{Start: s.at, Kind: c}
	switch c {
	case '"':
		s.quoted()
	case '{', '[':
		s.container()
	case 't':
		s.word("true")
	case 'f':
		f.Kind = 't'
		s.word("false")
	case 'n':
		s.word("null")
	default:
		f.Kind = '0'
		s.number()
	}
	f.End = s.at
	return f
}

// quoted skips a string. Most are short: only a longer one is worth a search.
func (s *scanner) quoted() {
	const short = 24
	text, i := s.text, s.at+1
	for n, c := range text[i:min(i+short, len(text))] {
		if c == '"' {
			s.at = i + n + 1
			return
		}
		if c == '\\' {
			break
		}
	}
	for i < len(text) {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			break
		}
		k := i + n
		for k > i && text[k-1] == '\\' {
			k--
		}
		if i += n; (i-k)%2 == 0 {
			s.at = i + 1
			return
		}
		i++
	}
	s.at, s.cut = len(text), true
}

func (s *scanner) word(w string) {
	for i := range len(w) {
		if s.at >= len(s.text) || s.text[s.at] != w[i] {
			s.fail()
			return
		}
		s.at++
	}
}

func (s *scanner) number() {
	start := s.at
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case isDigit(c), c == '-', c == '+', c == '.', c == 'e', c == 'E':
		default:
			if s.at == start {
				s.bad = true
			}
			return
		}
	}
	s.cut = true // more digits may have followed
}

// container skips an object or an array, looking at its brackets and strings
// only.
func (s *scanner) container() {
	var arrays [maxDepth / 64]uint64 // a bit a level: it is an array
	depth := 0
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case '"':
			if s.quoted(); s.cut {
				return
			}
			continue
		case '{', '[':
			if depth == maxDepth {
				s.bad = true
				return
			}
			bit := uint64(1) << (depth % 64)
			if c == '[' {
				arrays[depth/64] |= bit
			} else {
				arrays[depth/64] &^= bit
			}
			depth++
		case '}', ']':
			depth--
			if (arrays[depth/64]>>(depth%64)&1 == 1) != (c == ']') {
				s.bad = true
				return
			}
			if depth == 0 {
				s.at++
				return
			}
		}
		s.at++
	}
	s.cut = true
}
