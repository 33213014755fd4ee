package explain

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// unproven explains, where nothing matched, by what can be read from the input,
// then by signs; or says that there is no explanation.
func (s *search) unproven() *Explanation {
	s.tried.Large = len(s.body) > rewritten
	s.tried.Cut = s.cut
	for _, look := range [...]func(*search) *Explanation{
		(*search).headerFault, (*search).signatureFault, (*search).encodingFault, (*search).lossFault,
		(*search).lengthFault, (*search).apiKey, (*search).roundedNumbers,
	} {
		if e := look(s); e != nil {
			return e
		}
	}
	f := s.base()
	helps := s.words.helps()
	if s.in.Received.URL != "" || s.in.App != "" {
		helps = slices.DeleteFunc(helps, func(h Help) bool {
			return s.in.Received.URL != "" && strings.HasPrefix(h.Flag, "--url") || s.in.App != "" && strings.HasPrefix(h.Flag, "--app")
		})
	}
	var list []string
	for _, h := range helps {
		list = append(list, h.Says+" ("+h.Flag+")")
	}
	f["helps"] = strings.Join(list, ", ")
	e := s.say([]fault{{kind: noCandidate}}, f, None)
	e.Helps = helps
	return e
}

// headerFault tells of a header that is not there or cannot be read.
func (s *search) headerFault() *Explanation {
	if s.in.App != "" {
		return nil
	}
	name := sign.SignatureHeader(s.p).Name
	values := s.lines(name)
	f := s.base()
	if len(values) == 0 {
		if foreign := s.foreignHeader(name); foreign != "" {
			return s.say([]fault{{kind: otherProviderHeader, detail: quote(foreign)}}, f, Structural)
		}
		if f["arrived"] = s.arrived(); slices.ContainsFunc(s.in.Received.Header, func(h sign.Header) bool { return strings.EqualFold(h.Name, name) }) {
			f["arrived"] = "It arrived, with nothing in it."
		}
		return s.say([]fault{{kind: headerMissing}}, f, Structural)
	}
	f["value"], f["part"] = quote(values[0]), s.part(values[0])
	q, reason := sign.Parse(s.p, s.in.Received)
	switch {
	case reason != sign.MalformedHeader:
		return nil
	case len(values) > 1:
		f["value"] = number(len(values)) + " lines of it"
	case len(q.Signatures) > 0 && s.timed() && q.Time == "":
		return s.say([]fault{{kind: headerTimestampMissing}}, f, Structural)
	case len(q.Signatures) > 0 && s.signatureFault() != nil:
		return nil
	}
	return s.say([]fault{{kind: headerMalformed}}, f, Structural)
}

// part says which part of a signature header's value is not as it should be, if
// that is known.
func (s *search) part(value string) string {
	_, sep, _ := item(s.p)
	seen := map[string]bool{}
	for _, it := range fields(value, sep) {
		name, text, ok := strings.Cut(it, "=")
		switch {
		case !ok:
			continue
		case name == "t" && seen[name]:
			return `; "t" stands in it more than once`
		case name == "t" && zeroFirst(text):
			return "; its time begins with a zero"
		case name == "t" && !isDigits(text):
			return "; its time is not written in digits"
		}
		seen[name] = true
	}
	return ""
}

// foreignHeader is a signature header of another provider that is there, or "".
func (s *search) foreignHeader(own string) string {
	names := s.words.list("foreign headers")
	for _, p := range s.in.Known {
		names = append(names, sign.SignatureHeader(p).Name)
	}
	for _, h := range s.in.Received.Header {
		for _, name := range names {
			if name != "" && strings.EqualFold(h.Name, name) && !strings.EqualFold(name, own) && !isBlank(h.Value) {
				return h.Name
			}
		}
	}
	return ""
}

// foreign says that the header, as it is quoted, is another provider's, unless
// its name is an older or a newer one of the own header's.
func (s *search) foreign(quoted string) string {
	own := sign.SignatureHeader(s.p).Name
	name := s.foreignHeader(own)
	a, b := strings.ToLower(own), strings.ToLower(name)
	if name == "" || quote(name) != quoted || strings.HasPrefix(a, b) || strings.HasPrefix(b, a) {
		return ""
	}
	return quoted + " is another provider's header: perhaps the profile or the endpoint is the wrong one."
}

// arrived lists the headers that are there.
func (s *search) arrived() string {
	var names []string
	for _, h := range s.in.Received.Header {
		if len(names) == 12 {
			names = append(names, "…")
			break
		}
		if !isBlank(h.Value) && !slices.Contains(names, escape(h.Name)) {
			names = append(names, escape(h.Name))
		}
	}
	if len(names) == 0 {
		return "No header arrived."
	}
	return "These arrived: " + strings.Join(names, ", ") + "."
}

// signatureFault tells of a signature that is no digest in any form.
func (s *search) signatureFault() *Explanation {
	texts := []string{strings.TrimSpace(s.in.App)}
	if s.in.App == "" {
		q, _ := sign.Parse(s.p, s.in.Received)
		texts = q.Signatures
	}
	if len(texts) == 0 {
		return nil
	}
	size := hashOf(s.p.Signature.Algorithm)().Size()
	for _, text := range texts {
		for _, t := range digests(s.p, text, nil) {
			if len(t.raw) == size || len(t.raw) > 0 && s.in.App != "" {
				return nil
			}
		}
		if s.in.App != "" && strings.Contains(text, "=") {
			return nil
		}
	}
	f := s.base()
	f["shape"], f["shapefix"] = s.shape(texts[0], size), "Check what "+f["maker"]+" writes there; a token or a sample text may stand in its place."
	if !strings.HasPrefix(f["shape"], "no digest") {
		f["shapefix"] = "Use " + f["algorithm"] + " on both sides; with the secret given here no other one makes it."
	}
	return s.say([]fault{{kind: signatureMalformed}}, f, Structural)
}

// shape says how a text differs from a digest's.
func (s *search) shape(text string, size int) string {
	whole, digits, name := 2*size, "0123456789abcdef", "hex digits"
	if s.p.Signature.Encoding == profiles.Base64 {
		whole, name = (size+2)/3*4, "base64 characters"
		digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
	}
	if name == "hex digits" && isCut(text, false) {
		if hash := hashOfDigits(len(text)); hash != "" && len(text) != whole {
			return number(len(text)) + " hex digits, as many as " + hash + " gives, where " + number(whole) + " belong"
		}
	}
	says := "no digest: " + number(len(text)) + " characters where " + number(whole) + " " + name + " belong"
	for i := range len(text) {
		if strings.IndexByte(digits, text[i]) < 0 {
			return says + "; the first that is none is " + strconv.QuoteToASCII(text[i:i+1]) + ", at " + number(i+1)
		}
	}
	return says
}

// hashOfDigits is the hash that has so many hex digits, or "".
func hashOfDigits(n int) string {
	switch n {
	case 32:
		return "MD5"
	case 40:
		return "SHA-1"
	case 56:
		return "SHA-224"
	case 64:
		return "SHA-256"
	case 96:
		return "SHA-384"
	case 128:
		return "SHA-512"
	}
	return ""
}

// header is the value of the first header of that name, or "".
func (s *search) header(name string) string {
	for _, h := range s.in.Received.Header {
		if strings.EqualFold(h.Name, name) {
			return strings.TrimSpace(h.Value)
		}
	}
	return ""
}

// encodingFault tells of a body that its header calls compressed.
func (s *search) encodingFault() *Explanation {
	encoding := strings.ToLower(s.header("Content-Encoding"))
	compressed := len(s.body) > 1 && s.body[0] == 0x1f && s.body[1] == 0x8b || inflated(s.body) != nil
	switch {
	case encoding == "" || encoding == "identity" || compressed:
		return nil
	case strings.Contains(encoding, "gzip"), s.doc != nil:
		return s.perhaps(fault{kind: encodingMismatch, detail: quote(encoding)})
	}
	return nil
}

func (s *search) perhaps(f fault) *Explanation { return s.say([]fault{f}, s.base(), Heuristic) }

// length is what Content-Length says; false if it says nothing.
func (s *search) length() (int, bool) {
	n, err := strconv.Atoi(s.header("Content-Length"))
	return n, err == nil && n >= 0
}

// lossFault tells of U+FFFD in the body, unless its length says that more has
// changed.
func (s *search) lossFault() *Explanation {
	lost := bytes.Count(s.body, []byte("\ufffd"))
	if lost == 0 {
		return nil
	}
	if n, ok := s.length(); ok && (n > len(s.body) || n < len(s.body)-2*lost) {
		return nil
	}
	return s.perhaps(fault{kind: lossyDecode})
}

// lengthFault tells of a body that is not as long as it was framed.
func (s *search) lengthFault() *Explanation {
	n, ok := s.length()
	if !ok || n == len(s.body) {
		return nil
	}
	f := s.base()
	f["length"] = number(n)
	return s.say([]fault{{kind: bodyModified}}, f, Structural)
}

// apiKey tells of a secret that begins like an API key.
func (s *search) apiKey() *Explanation {
	for _, secret := range s.in.Secrets {
		for _, beginning := range s.words.list("beginnings of API keys") {
			if strings.HasPrefix(strings.TrimSpace(secret.Text), beginning) {
				return s.perhaps(fault{kind: secretIsAPIKey})
			}
		}
	}
	return nil
}

// roundedNumbers tells of several whole numbers that a double may have rounded.
func (s *search) roundedNumbers() *Explanation {
	if s.doc == nil {
		return nil
	}
	if all := s.doc.rounded(); len(all) > 1 {
		return s.perhaps(fault{kind: jsonBigint, detail: number(len(all)) + " of them"})
	}
	return nil
}
