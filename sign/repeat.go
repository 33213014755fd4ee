package sign

import "bytes"

// mayRepeat reports whether one of the heads may follow again. If the text that
// is left holds neither the name nor an escape, it does not, and need not be
// read.
func (s *scanner) mayRepeat(wants []want) bool {
	rest := s.text[s.at:]
	if bytes.IndexByte(rest, '\\') >= 0 {
		return true
	}
	var searched [maxPaths]byte
	for i := range wants {
		w := &wants[i]
		if w.rare < 0 {
			return true
		}
		c := w.head[w.rare]
		if bytes.IndexByte(searched[:i], c) < 0 && mayHold(rest, c, wants[i:]) {
			return true
		}
		searched[i] = c
	}
	return false
}

// rare is the place of a byte of the name that the text hardly holds: the first
// that is no small letter, else the last; -1 if the name is empty.
func rare(name string) int {
	for i := range len(name) {
		if name[i] < 'a' || name[i] > 'z' {
			return i
		}
	}
	return len(name) - 1
}

// mayHold reports whether the text holds, in quotes, one of those heads whose
// rare byte is c; it may also give up and say so. It looks for that byte alone,
// which is fast.
func mayHold(text []byte, c byte, wants []want) bool {
	next := 0
	for range 16 {
		i := bytes.IndexByte(text[next:], c)
		if i < 0 {
			return false
		}
		i += next
		next = i + 1
		for j := range wants {
			name, at := wants[j].head, wants[j].rare
			if at < 0 || name[at] != c {
				continue
			}
			from, to := i-at-1, i-at+len(name)
			if from >= 0 && to < len(text) && text[from] == '"' && text[to] == '"' && string(text[from+1:to]) == name {
				return true
			}
		}
	}
	return true
}
