package sign

import "strings"

// maxPaths is how many paths are looked for at once.
const maxPaths = 4

// A want is a dotted path whose first name is taken.
type want struct {
	head, tail string
	more       bool // tail follows head
	rare       int  // the place in head of its rarest byte; -1 if head is empty
	place      int  // where the field belongs
}

// wantOf takes the first name of a dotted path.
func wantOf(path string, place int) want {
	w := want{place: place}
	if strings.IndexByte(path, '\\') < 0 {
		w.head, w.tail, w.more = strings.Cut(path, ".")
	} else {
		w.head, w.tail, w.more = cutEscaped(path)
	}
	w.rare = rare(w.head)
	return w
}

// cutEscaped is the first name of a path with backslashes, and what follows.
func cutEscaped(path string) (head, tail string, more bool) {
	var name []byte
	for i := 0; i < len(path); i++ {
		c := path[i]
		if c == '.' {
			return string(name), path[i+1:], true
		}
		if c == '\\' && i+1 < len(path) && (path[i+1] == '.' || path[i+1] == '\\') {
			i++
			c = path[i]
		}
		name = append(name, c)
	}
	return string(name), "", false
}

// index is the head as an index of an array, or -1.
func (w *want) index() int {
	if len(w.head) == 0 || len(w.head) > 9 || w.head[0] == '0' && len(w.head) > 1 {
		return -1
	}
	n := 0
	for i := range len(w.head) {
		if !isDigit(w.head[i]) {
			return -1
		}
		n = n*10 + int(w.head[i]-'0')
	}
	return n
}

// A spot is where the value of a path's head stands.
type spot struct {
	at    Field // Kind 0: not found
	whole bool  // it is not cut
}

func allWhole(spots []spot) bool {
	for i := range spots {
		if !spots[i].whole {
			return false
		}
	}
	return true
}

// findAll finds what stands at the ends of the paths, all in one pass over the
// outermost level, and puts it in its place. The Kind of what is not found stays
// 0. There are at most maxPaths.
func findAll(body []byte, wants []want, fields []Field) {
	if len(wants) == 0 {
		return
	}
	var room [maxPaths]spot
	spots := room[:len(wants)]
	scan(body, 0, wants, spots)
	for i := range spots {
		w, s := wants[i], spots[i:i+1]
		for w.more && (s[0].at.Kind == '{' || s[0].at.Kind == '[') {
			within := s[0].at
			w, s[0] = wantOf(w.tail, w.place), spot{}
			scan(body[:within.End], within.Start, []want{w}, s)
		}
		if !w.more && s[0].whole {
			fields[w.place] = s[0].at
		}
	}
}

// scan looks for the heads of what is wanted among the members of the object, or
// the elements of the array, that begins at start, and notes where they stand.
func scan(text []byte, start int, wants []want, spots []spot) {
	s := scanner{text: text, at: start}
	switch s.space() {
	case '{':
		s.object(wants, spots)
	case '[':
		s.array(wants, spots)
	}
	if s.bad {
		clear(spots)
	}
}
