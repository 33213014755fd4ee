package explain

import "bytes"

// largeBody tries, for a body that is not rewritten, what needs no copy of it:
// other ends, and what may stand in its place.
func (s *search) largeBody() bool {
	if len(s.body) <= rewritten {
		return false
	}
	for _, end := range [...]struct{ says, text string }{
		{"one newline", "\n"}, {"CR and LF", "\r\n"}, {"a CR", "\r"}, {"two newlines", "\n\n"}, {"a blank", " "},
	} {
		if s.ended(end.text, fault{kind: newlineRemoved, detail: end.says}) {
			return true
		}
	}
	forms := func(yield func(bodyForm) bool) {
		old := newSeen()
		old.add(s.body)
		add := func(f bodyForm) bool { return !s.work(len(f.body)) || !old.add(f.body) || yield(f) }
		lf := []byte("\n")
		one := bytes.TrimSuffix(s.body, lf)
		for _, end := range [...][]byte{one, bytes.TrimSuffix(one, []byte("\r")), bytes.TrimRight(s.body, "\r\n")} {
			if !add(bodyForm{newlineAdded, "", end}) {
				return
			}
		}
		if !add(bodyForm{emptyBodySigned, "", nil}) {
			return
		}
		for _, text := range s.words.list("placeholder bodies") {
			if !add(bodyForm{placeholderBody, quote(text), []byte(text)}) {
				return
			}
		}
	}
	if s.tryBodies(forms, s.keys, &s.tried.Bodies) {
		return true
	}
	// CR and LF at the end where LF was received.
	if bare, ok := bytes.CutSuffix(s.body, []byte("\n")); ok && !bytes.HasSuffix(bare, []byte("\r")) {
		whole := s.body
		s.body = bare
		defer func() { s.body = whole }()
		return s.ended("\r\n", fault{kind: crlfToLF})
	}
	return false
}

// ended tries the body with a text after it.
func (s *search) ended(text string, f fault) bool {
	s.tried.Bodies++
	for _, r := range s.main() {
		after := append([]byte(text), r.after...)
		for _, k := range s.keys {
			if s.try(r, k, r.before, s.body, after, &f) {
				found := &s.found.faults[0]
				found.signed, found.other = join(s.body, []byte(text)), true
				return true
			}
		}
	}
	return false
}
