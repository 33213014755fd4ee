package explain

import "iter"

// A bodyForm is a body that may have been signed in place of the received one.
// Its bytes are valid until the next one.
type bodyForm struct {
	kind   Kind
	detail string
	body   []byte
}

// tryBodies tries the forms with the keys on the main readings. It stops at one
// fault, or at two if the keys have one of their own. n counts the forms.
func (s *search) tryBodies(forms iter.Seq[bodyForm], keys []*keyForm, n *int) bool {
	if len(s.reads) == 0 || len(keys) == 0 {
		return false
	}
	had := s.pending != nil
	for form := range forms {
		*n++
		f := fault{kind: form.kind, detail: form.detail, signed: form.body, other: true}
		for _, r := range s.main() {
			for _, k := range keys {
				if s.try(r, k, r.before, form.body, r.after, &f) {
					return true
				}
				if k.fault != nil && !had && s.pending != nil {
					return false
				}
			}
		}
		if s.spent {
			return false
		}
	}
	return false
}

// A source yields forms until it is told to stop; then it reports false.
type source func(yield func(bodyForm) bool) bool

// simpleForms are those of one dimension, cheap ones first.
func (s *search) simpleForms() []source {
	return []source{s.lineForms, s.transportForms, s.charsetForms, s.replacedForms, s.wrapperForms, s.jsonForms}
}

// rareForms are rewritings of JSON with many forms each.
func (s *search) rareForms() []source {
	return []source{s.permutations, s.wholeNumbers, s.neighbours, s.everyOrder}
}

// wholeForms are what serialisers make of the body, and bodies that were cut.
func (s *search) wholeForms() []source {
	return []source{s.serialised, s.closed}
}

// distinct leaves out repeats, the body itself, and what is too long. A body
// over a MiB has no forms.
func (s *search) distinct(old *seen, sources ...source) iter.Seq[bodyForm] {
	return func(yield func(bodyForm) bool) {
		if len(s.body) > rewritten {
			return
		}
		old.add(s.body)
		for _, forms := range sources {
			if !forms(func(f bodyForm) bool {
				if !s.work(len(f.body)) { // making it is work too
					return false
				}
				return len(f.body) > mostWritten || !old.add(f.body) || yield(f)
			}) {
				return
			}
		}
	}
}
