package explain

import (
	"crypto/hmac"
	"slices"
	"strconv"
)

// withLayouts tries other signed texts with keys that have a fault of their own.
// It reports whether it found two faults, or has to stop.
func (s *search) withLayouts(all []layoutForm, keys []*keyForm) bool {
	for i := range all {
		l := &all[i]
		for _, k := range keys {
			if s.try(l.reading, k, l.before, l.body(s), l.after, &l.fault) || s.pending != nil || s.spent {
				return true
			}
		}
	}
	return false
}

// common are the layouts without an address and without a digest of the body.
func common(all []layoutForm) []layoutForm {
	return slices.DeleteFunc(slices.Clone(all), func(l layoutForm) bool {
		return l.fault.kind == urlSigned || l.fault.kind == bodyHashSigned
	})
}

// nearby is how far the signed time is looked for where the key is at fault too,
// in seconds.
const nearby = 3

// withTimes is withLayouts for the nearest other times.
func (s *search) withTimes(keys []*keyForm) bool {
	if !s.timed() {
		return false
	}
	for _, r := range s.main() {
		if !r.whole || r.time == "" {
			continue
		}
		stopped := false
		s.nearest(r.time, func(kind Kind, at, detail string) bool {
			before, after, ok := s.expand(r, at)
			if !ok {
				return false
			}
			f := fault{kind: kind, detail: detail}
			for _, k := range keys {
				if s.try(r, k, before, s.body, after, &f) || s.pending != nil || s.spent {
					stopped = true
					return false
				}
			}
			return true
		})
		if stopped {
			return true
		}
	}
	return false
}

// nearest are the moments without what is many.
func (s *search) nearest(text string, yield func(kind Kind, at, detail string) bool) {
	n, _ := strconv.ParseInt(text, 10, 64)
	s.moments(text, func(kind Kind, at, detail string) bool {
		if kind == timestampDrift {
			if m, err := strconv.ParseInt(at, 10, 64); err != nil || m > n+nearby || m < n-nearby {
				return false
			}
		}
		return yield(kind, at, detail)
	})
}

// withHashes is withLayouts for other algorithms, and for the message in place
// of the key.
func (s *search) withHashes(keys []*keyForm) bool {
	own := s.p.Signature.Algorithm
	swapped := fault{kind: hmacArgsSwapped}
	for _, r := range s.main() {
		message := slices.Concat(r.before, s.body, r.after)
		for _, k := range keys {
			if s.hashed(r, k, hmac.New(hashOf(own), message), &swapped, k.key) || s.pending != nil || s.spent {
				return true
			}
		}
		for _, a := range algorithmList() {
			if a.name == algorithmName(own) {
				continue
			}
			f := fault{kind: algorithmMismatch, detail: a.name}
			for _, k := range keys {
				if s.hashed(r, k, hmac.New(a.make, k.key), &f, r.before, s.body, r.after) || s.pending != nil || s.spent {
					return true
				}
			}
		}
	}
	return false
}

// spacedForms are the body in other layouts.
func (s *search) spacedForms(yield func(bodyForm) bool) bool {
	if s.doc == nil {
		return true
	}
	for _, l := range layoutStyles() {
		s.buf = l.write(s.buf[:0], s.doc)
		if !yield(bodyForm{jsonWhitespace, l.says, s.buf}) {
			return false
		}
	}
	return true
}
