package sign

import "bytes"

// mayRepeat reports whether one of the names may follow again. If the text that
// is left holds neither the name nor an escape, it does not, and need not be
// read.
func (s *scanner) mayRepeat(wants []want) bool {
	rest := s.text[s.at:]
	if bytes.IndexByte(rest, '\\') >= 0 {
		return true
	}
	for i := range wants {
		if mayHold(rest, wants[i].head) {
			return true
		}
	}
	return false
}

// mayHold reports whether the text holds the name in quotes; it may also give
// up and say so. It looks for one byte of the name, which is fast if the byte is
// rare: one that is no small letter, else the last.
func mayHold(text []byte, name string) bool {
	at := len(name) - 1
	for i := range len(name) {
		if name[i] < 'a' || name[i] > 'z' {
			at = i
			break
		}
	}
	if at < 0 {
		return true
	}
	next := 0
	for range 16 {
		i := bytes.IndexByte(text[next:], name[at])
		if i < 0 {
			return false
		}
		i += next
		next = i + 1
		from, to := i-at-1, i-at+len(name)
		if from >= 0 && to < len(text) && text[from] == '"' && text[to] == '"' && string(text[from+1:to]) == name {
			return true
		}
	}
	return true
}
