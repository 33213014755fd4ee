package explain

import (
	"slices"
	"strings"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// A reading is one way to understand the headers: which text stands around the
// body, and which digests were received with it.
type reading struct {
	parts         sign.Parts
	time          string // as received
	before, after []byte // of the body, in the signed text
	whole         bool   // they are the documented ones
	targets       []target
}

// mostReadings and mostTargets bound what hostile headers cost.
const (
	mostReadings = 48
	mostTargets  = 48
	mostLines    = 64      // headers that are looked at for a signature
	mostHeaders  = 256     // headers that are looked at
	longestValue = 8 << 10 // of them, in bytes
)

// timed reports whether the profile signs a time.
func (s *search) timed() bool {
	c := s.p.Signature.Content
	return c.Has("timestamp") || c.Has("timestamp_ms")
}

// isBlank reports whether there is nothing to see in a text.
func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

// lines are the values of a header, blank ones left out.
func (s *search) lines(name string) []string {
	var all []string
	for _, h := range s.in.Received.Header {
		if strings.EqualFold(h.Name, name) && !isBlank(h.Value) && len(all) < mostLines {
			all = append(all, h.Value[:min(len(h.Value), longestValue)])
		}
	}
	return all
}

// read fills s.reads, the best reading first.
func (s *search) read() {
	name := sign.SignatureHeader(s.p).Name
	if name == "" {
		return
	}
	values := s.lines(name)
	if len(values) == 1 {
		s.readValue(values[0], fault{})
	}
	for _, v := range values {
		if len(values) > 1 {
			s.readValue(v, fault{kind: headerCombined, detail: "two lines of it"})
		}
		s.readRepaired(v)
	}
	s.readOtherNames(name)
	if !s.timed() {
		s.readTimes(values)
	}
}

// readValue parses a value of the signature header, with what had to be done to
// it.
func (s *search) readValue(value string, f fault) {
	name := sign.SignatureHeader(s.p).Name
	header := make([]sign.Header, 0, len(s.in.Received.Header)+1)
	for _, h := range s.in.Received.Header {
		if !strings.EqualFold(h.Name, name) {
			header = append(header, h)
		}
	}
	header = append(header, sign.Header{Name: name, Value: value})
	q, reason := sign.Parse(s.p, sign.Received{Header: header, Body: s.needed(f), URL: s.in.Received.URL})
	var faults []fault
	if f.kind != "" {
		faults = append(faults, f)
	}
	if s.timed() && q.Time == "" {
		// Without a time the body alone can be signed.
		if f.kind == headerRenamed {
			return
		}
		for _, text := range append(slices.Clone(q.Signatures), value) {
			s.add(&reading{parts: q}, text, []fault{{kind: schemeMismatchPlain}})
		}
		return
	}
	if len(q.Signatures) == 0 || s.timed() && zeroFirst(q.Time) {
		return
	}
	before, after, err := q.Content(s.p)
	if reason == sign.MalformedHeader && f.kind == "" {
		switch {
		case s.timed() && !isDigits(q.Time):
			faults = append(faults, fault{kind: timestampNotUnix, detail: quote(q.Time)})
		case err == nil:
			faults = append(faults, fault{kind: headerCombined, detail: "a part of it several times"})
		}
	}
	for _, text := range q.Signatures {
		s.add(&reading{parts: q, time: q.Time, before: before, after: after, whole: err == nil}, text, faults)
	}
}

// needed is the part of the body that the signed text takes values from: all of
// it once, the beginning for the repaired headers.
func (s *search) needed(f fault) []byte {
	for _, part := range s.p.Signature.Content.Parts {
		switch part.Name {
		case "", "body", "timestamp", "timestamp_ms", "url":
		default:
			if f.kind == "" {
				return s.body
			}
			return s.body[:min(len(s.body), 16<<10)]
		}
	}
	return nil
}

// add joins a signature's digests to the reading with the same signed text, or
// adds a reading.
func (s *search) add(r *reading, text string, faults []fault) {
	targets := digests(s.p, text, faults)
	if _, rest, ok := prefixed(text); ok && len(faults) < 2 {
		kind := fault{kind: headerPrefixUnexpected}
		if len(faults) > 0 && faults[0].kind == schemeMismatchPlain {
			targets = append(targets, digests(s.p, rest, faults)...)
		} else {
			targets = append(targets, digests(s.p, rest, append(faults[:len(faults):len(faults)], kind))...)
		}
	}
	if bare := strings.Trim(text, "\"'` \t"); bare != text && len(faults) == 0 {
		kind := headerQuoted
		if strings.Trim(text, " \t") == bare {
			kind = headerWhitespace
		}
		targets = append(targets, digests(s.p, bare, []fault{{kind: kind}})...)
	}
	if len(targets) == 0 {
		return
	}
	for _, old := range s.reads {
		if old.whole == r.whole && old.time == r.time && string(old.before) == string(r.before) && string(old.after) == string(r.after) {
			if len(old.targets)+len(targets) <= mostTargets {
				old.targets = append(old.targets, targets...)
			}
			return
		}
	}
	if len(s.reads) < mostReadings {
		r.targets = targets
		s.reads = append(s.reads, r)
	}
}

// readOtherNames reads the other headers as if each were the signature header.
func (s *search) readOtherNames(name string) {
	for i, h := range s.in.Received.Header {
		if i == mostLines {
			return
		}
		if strings.EqualFold(h.Name, name) || len(h.Value) < leastDigits || len(h.Value) > longestValue {
			continue
		}
		s.readValue(h.Value, fault{kind: headerRenamed, detail: quote(h.Name)})
	}
}

// readTimes reads, where the profile signs no time, each header with a time as
// if it were signed before the body.
func (s *search) readTimes(values []string) {
	var times, texts []string
	for i, h := range s.in.Received.Header {
		if i < mostLines && strings.Contains(strings.ToLower(h.Name), "timestamp") && len(h.Value) <= 64 && h.Value != "" {
			times = append(times, h.Value)
		}
	}
	for _, v := range values {
		texts = append(texts, v)
		var inside []string
		for part := range strings.SplitSeq(v, ",") {
			name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
			switch {
			case ok && (name == "t" || name == "ts" || name == "timestamp"):
				times = append(times, value)
			case ok:
				inside = append(inside, value)
			}
		}
		texts = append(texts, inside...)
	}
	for _, t := range times[:min(len(times), 4)] {
		for _, form := range [...]string{"{t}.{b}", "{t}:{b}", "{t}{b}", "v0:{t}:{b}", "{t}\n{b}", "{b}.{t}", "{b}{t}"} {
			before, after, _ := strings.Cut(strings.ReplaceAll(form, "{t}", t), "{b}")
			said := fault{kind: timestampSigned, detail: quote(strings.NewReplacer("{t}", t, "{b}", "{body}").Replace(form))}
			for _, text := range texts {
				s.add(&reading{before: []byte(before), after: []byte(after)}, text, []fault{said})
			}
		}
	}
}

// zeroFirst reports whether a number has zeros in front of it.
func zeroFirst(text string) bool {
	rest := strings.TrimLeft(text, "0")
	return rest != text && text != "0" && strings.Trim(rest, "0123456789") == ""
}

func isDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != "" && (text[0] != '0' || len(text) == 1)
}

// expand is the signed text around the body with a time of its own.
func (s *search) expand(r *reading, at string) (before, after []byte, ok bool) {
	return s.around(func(name string) (string, bool) {
		if name == "timestamp" || name == "timestamp_ms" {
			return at, true
		}
		return r.parts.Value(name)
	})
}

// around is the signed text before and after the body, with the values given;
// false if one has none, or no body is signed.
func (s *search) around(value func(name string) (string, bool)) (before, after []byte, ok bool) {
	var out []byte
	cut := -1
	for _, part := range s.p.Signature.Content.Parts {
		switch part.Name {
		case "":
			out = append(out, part.Text...)
		case "body":
			cut = len(out)
		default:
			text, found := value(part.Name)
			if !found {
				return nil, nil, false
			}
			out = append(out, text...)
		}
	}
	if cut < 0 {
		return nil, nil, false
	}
	return out[:cut:cut], out[cut:], true
}

// item is the text that stands before a signature in its item of the signature
// header, and the items' separator.
func item(p *profiles.Profile) (prefix, sep string, several bool) {
	sep = p.Signature.Separator
	if sep == "" {
		sep = ","
	}
	text := sign.SignatureHeader(p).Value.String()
	i := strings.Index(text, "{signature}")
	if i < 0 {
		return "", sep, false
	}
	prefix = text[:i]
	if j := strings.LastIndex(prefix, sep); j >= 0 {
		prefix = prefix[j+len(sep):]
	}
	return prefix, sep, strings.Contains(text, sep) || p.Secret.Active > 1
}
