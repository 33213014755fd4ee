package explain

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// facts are the values of the placeholders in the words of a kind.
type facts map[string]string

// base are the facts that every explanation knows.
func (s *search) base() facts {
	f := facts{
		"it": "The signature", "stands": "stands for the signature", "maker": "the sender", "title": escape(s.p.Title), "secret": "the secret",
		"header": escape(sign.SignatureHeader(s.p).Name), "form": quote(sign.SignatureHeader(s.p).Value.String()),
		"content": quote(s.p.Signature.Content.String()), "encoding": "lower-case hex",
		"algorithm": strings.ToUpper(strings.Replace(string(s.p.Signature.Algorithm), "hmac-", "HMAC-", 1)),
		"urlfix":    "The scheme signs no address: let the sender leave it out, or choose the sender's profile.",
		"cutfix":    "Content-Length, a buffer or a column may have cut it: compare its length at both ends.",
		"received":  count(len(s.body)), "arrivedbytes": number(len(s.body)), "frameworks": "", "foreign": "", "forged": ", or somebody forges",
	}
	if s.in.App != "" {
		f["it"], f["stands"], f["maker"], f["forged"] = "The digest of your app", "your app computed", "your app", ""
	}
	if s.p.Signature.Content.Has("url") {
		f["urlfix"] = "Give the public URL, as the sender calls it; take its scheme from a proxy's header only if the proxy set it."
	}
	if !isASCII(s.body) {
		f["cutfix"] = "Content-Length must count bytes, not characters."
	}
	if s.p.Signature.Encoding == profiles.Base64 {
		f["encoding"] = "base64"
	}
	if f["write"] = f["form"]; sign.SignatureHeader(s.p).Value.String() == "{signature}" {
		f["write"] = "the digest alone, in " + f["encoding"]
	}
	return f
}

// fill puts the facts into a text. A sentence whose facts are all empty leaves
// no blank behind.
func (f facts) fill(text string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !ok || !closed {
			b.WriteString(text)
			return strings.TrimSpace(b.String())
		}
		b.WriteString(before)
		if value, known := f[name]; known {
			b.WriteString(value)
		} else {
			b.WriteString("{" + name + "}")
		}
		text = after
	}
}

// told explains one fault that nothing but its kind tells of.
func (s *search) told(f fault) *Explanation {
	return s.say([]fault{f}, s.base(), rowOf(f.kind).certainty)
}

// aged explains a signature that is right and whose time is not.
func (s *search) aged(k Kind, res sign.Result) *Explanation {
	f := s.base()
	f["which"] = "secret " + number(res.Secret) + " of " + number(len(s.in.Secrets))
	if t := s.p.Signature.Tolerance; t != nil {
		f["limit"] = duration(t.Past)
		if res.Reason == sign.InTheFuture {
			f["limit"] = duration(t.Future)
		}
	}
	f["age"], f["late"] = duration(max(res.Age, -res.Age)), ""
	switch {
	case res.Time.IsZero():
		f["age"] = "far"
	case res.Age == math.MinInt64 || res.Age == math.MaxInt64:
		f["age"] = "more than 292 years"
	}
	if res.Age >= time.Hour {
		f["late"] = "It may be a late retry that was not signed again, or a replay; a constant offset on every delivery is your clock."
	}
	return s.say([]fault{{kind: k}}, f, Proven)
}

// proven explains a match.
func (s *search) proven(m *match) *Explanation {
	f := s.base()
	if m.key != nil && len(s.in.Secrets) > 1 && m.key.secret >= 0 {
		f["secret"] = "secret " + number(m.key.secret+1)
	}
	if m.target.cut != "" {
		size := hashOf(s.p.Signature.Algorithm)().Size()
		whole := 2 * size
		if m.target.base64 {
			whole = (size + 2) / 3 * 4
		}
		f["digits"], f["whole"] = number(len(m.target.cut)), number(whole)
	}
	faults := slices.Clone(m.faults)
	slices.SortStableFunc(faults, func(a, b fault) int {
		return cmp.Compare(rowOf(a.kind).subject, rowOf(b.kind).subject)
	})
	serialiser := ""
	var difference *Difference
	for _, each := range faults {
		if each.kind == headerRenamed {
			f["foreign"] = s.foreign(each.detail)
		}
		if !each.other {
			continue
		}
		f["signed"] = count(len(each.signed))
		f["sizes"] = number(len(each.signed)) + " bytes were signed, " + number(len(s.body)) + " were received."
		serialiser = s.writer(each, f)
		if comparable(each.kind) {
			difference = differ(s.body, each.signed)
		}
	}
	e := s.say(faults, f, Proven)
	e.Serialiser, e.Difference = serialiser, difference
	for _, each := range faults {
		e.Named = cmp.Or(e.Named, each.named)
	}
	return e
}

// writer names who writes such JSON and says so: of an app's digest the one who
// wrote what was hashed; else the one who wrote what was received, or else what
// was signed.
func (s *search) writer(each fault, f facts) string {
	f["frameworks"], f["writer"] = s.words.frameworks(""), ""
	switch each.kind {
	case jsonReserialised:
		return s.rewriter(each, f)
	case placeholderBody:
		f["frameworks"] = s.words.frameworks(s.words.familyOfPlaceholder(each.signed))
		return ""
	case pythonRepr, bytesRepr:
		if f["frameworks"] = ""; s.in.App != "" {
			f["frameworks"] = s.words.frameworks("python")
		}
		return ""
	case jsonWhitespace, jsonKeyOrder, jsonUnicodeEscapes, jsonSlashEscapes, jsonHTMLEscapes, jsonNumberFormat:
	default:
		return ""
	}
	if bytes.Equal(bytes.TrimSpace(s.body), bytes.TrimSpace(each.signed)) {
		f["frameworks"] = ""
		return "" // no serialiser is needed for that
	}
	read, made := each.signed, s.body
	if s.in.App != "" {
		read, made = made, read
	}
	w := writersOf(read, made)
	switch {
	case len(w.names) > 0:
		f["writer"] = "The body was parsed and written again; " + w.String() + " writes it like this."
		f["frameworks"] = w.frameworks(s.words)
	case s.in.App != "":
		f["writer"] = "The body was parsed and written again before it was hashed."
	default:
		f["writer"] = "The body was parsed and written again, or signed and sent in two serialisations."
		if w = writersOf(s.body, each.signed); len(w.names) > 0 {
			f["writer"] = "What was signed is as " + w.String() + " writes it."
		}
	}
	return w.String()
}

// rewriter is writer for JSON that was signed as a serialiser writes it.
func (s *search) rewriter(each fault, f facts) string {
	if s.in.App == "" {
		if w := writersOf(each.signed, s.body); len(w.names) > 0 {
			f["writer"] = "The body was parsed and written again; " + w.String() + " writes what was received."
			f["frameworks"] = w.frameworks(s.words)
			return w.String()
		}
	}
	family, known := familyOf(each.detail)
	if f["frameworks"] = s.words.frameworks(family); !known {
		return ""
	}
	return each.detail
}

// say makes an explanation of one or two faults.
func (s *search) say(faults []fault, f facts, c Certainty) *Explanation {
	e := &Explanation{Kind: faults[0].kind, Certainty: c, Tried: s.tried}
	for _, each := range faults {
		e.Faults = append(e.Faults, each.kind)
		e.Warning = e.Warning || rowOf(each.kind).warning && s.in.App == ""
	}
	if len(faults) == 1 {
		f.take(faults[0])
		e.Summary, e.Fix = f.fill(s.summary(faults[0].kind, c)), f.fill(s.words.text(faults[0].kind, "fix"))
		return e
	}
	e.Kind = twoFaults
	e.Summary, e.Fix = s.both(faults, f)
	return e
}

// take makes a fault's facts the current ones.
func (f facts) take(each fault) {
	f["detail"], f["named"] = each.detail, quote(each.named)
}

// summary is the template of what is said of one fault.
func (s *search) summary(k Kind, c Certainty) string {
	if text := s.words.text(k, "guess"); text != "" && c == Heuristic {
		return text
	}
	if text := s.words.text(k, "summary"); text != "" {
		return text
	}
	clause := s.words.text(k, "clause")
	text := "{it} was made " + clause + "."
	if rowOf(k).subject >= aboutHeader && k != schemeMismatchPlain {
		text = "{it} is right, but " + clause + "."
	}
	if more := s.words.text(k, "more"); more != "" {
		text += " " + more
	}
	return text
}

// both says what two faults make, and how to mend them, the first one first.
func (s *search) both(faults []fault, f facts) (summary, fix string) {
	var made, form, fixes []string
	for _, each := range faults {
		f.take(each)
		clause := f.fill(s.words.text(each.kind, "clause"))
		if rowOf(each.kind).subject >= aboutHeader && each.kind != schemeMismatchPlain {
			form = append(form, clause)
		} else {
			made = append(made, clause)
		}
		fixes = append(fixes, f.fill(s.words.text(each.kind, "fix")))
	}
	text := f["it"]
	if len(made) > 0 {
		text += " was made " + strings.Join(made, " and ")
	} else {
		text += " is right, but"
	}
	if len(form) > 0 {
		if len(made) > 0 {
			text += ", and"
		}
		text += " " + strings.Join(form, ", and ")
	}
	return text + ". These are two faults.", strings.Join(fixes, " ")
}

// duration is a length of time in at most two units, cut like a clock.
func duration(d time.Duration) string {
	units := [...]struct {
		name string
		size time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}, {"ms", time.Millisecond}}
	for i, u := range units {
		if d < u.size {
			continue
		}
		text := number(int(d/u.size)) + " " + u.name
		if i+1 < len(units)-1 {
			if rest := d % u.size / units[i+1].size; rest > 0 {
				text += " " + number(int(rest)) + " " + units[i+1].name
			}
		}
		return text
	}
	return "0 s"
}
