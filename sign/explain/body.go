package explain

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
)

const bom = "\ufeff"

// lineForms are other ends of the body, other line ends, and the BOM.
func (s *search) lineForms(yield func(bodyForm) bool) bool {
	b := s.body
	lf, crlf := []byte("\n"), []byte("\r\n")
	bare := bytes.TrimRight(b, "\r\n")
	for _, f := range [...]bodyForm{
		{newlineAdded, "", bytes.TrimSuffix(bytes.TrimSuffix(b, lf), []byte("\r"))},
		{newlineAdded, "", bytes.TrimSuffix(b, lf)},
		{newlineAdded, "", bare},
		{newlineRemoved, "one newline", join(b, lf)},
		{newlineRemoved, "CR and LF", join(b, crlf)},
		{newlineRemoved, "a CR", join(b, []byte("\r"))},
		{newlineRemoved, "two newlines", join(b, []byte("\n\n"))},
	} {
		if !yield(f) {
			return false
		}
	}
	unix := bytes.ReplaceAll(b, crlf, lf)
	if len(unix) < len(b) {
		if !yield(bodyForm{lfToCRLF, "", unix}) || !yield(bodyForm{lfToCRLF, "", bytes.TrimRight(unix, "\n")}) || !yield(bodyForm{lfToCRLF, "", join(unix, lf)}) {
			return false
		}
	}
	if bytes.Contains(unix, lf) {
		windows := bytes.ReplaceAll(unix, lf, crlf)
		if !yield(bodyForm{crlfToLF, "", windows}) || !yield(bodyForm{crlfToLF, "", bytes.TrimRight(windows, "\r\n")}) || !yield(bodyForm{crlfToLF, "", join(windows, crlf)}) {
			return false
		}
	}
	if bytes.Contains(unix, lf) && !yield(bodyForm{crlfToLF, "", bytes.ReplaceAll(unix, lf, []byte("\r"))}) {
		return false
	}
	if rest, ok := bytes.CutPrefix(b, []byte(bom)); ok {
		return yield(bodyForm{bomAdded, "", rest})
	}
	return yield(bodyForm{bomRemoved, "", join([]byte(bom), b)})
}

func join(a, b []byte) []byte { return append(append(make([]byte, 0, len(a)+len(b)), a...), b...) }

// mostInflated is how much is taken out of a compressed body, in bytes.
const mostInflated = 1 << 20

// transportForms are the body without an encoding of the transport.
func (s *search) transportForms(yield func(bodyForm) bool) bool {
	trimmed := bytes.TrimSpace(s.body)
	if len(trimmed) > 1 && trimmed[0] == '"' && trimmed[len(trimmed)-1] == '"' {
		trimmed = trimmed[1 : len(trimmed)-1]
	}
	if raw, ok := unbase64(string(bytes.ReplaceAll(bytes.ReplaceAll(trimmed, []byte("\r"), nil), []byte("\n"), nil))); ok {
		if !yield(bodyForm{bodyBase64Encoded, "", raw}) {
			return false
		}
		if inner := inflated(raw); inner != nil && !yield(bodyForm{bodyBase64Encoded, "and compressed", inner}) {
			return false
		}
	}
	if inner := inflated(s.body); inner != nil {
		return yield(bodyForm{bodyCompressed, "", inner})
	}
	return true
}

// inflated is what is in a compressed text, at most a MiB of it; nil if it is
// none.
func inflated(text []byte) []byte {
	if len(text) < 4 {
		return nil
	}
	var r io.Reader
	var err error
	switch {
	case text[0] == 0x1f && text[1] == 0x8b:
		r, err = gzip.NewReader(bytes.NewReader(text))
	case text[0]&0x0f == 8 && (int(text[0])<<8|int(text[1]))%31 == 0:
		r, err = zlib.NewReader(bytes.NewReader(text))
	case text[0] < 0x20:
		r = flate.NewReader(bytes.NewReader(text))
	default:
		return nil
	}
	if err != nil {
		return nil
	}
	out, err := io.ReadAll(io.LimitReader(r, mostInflated+1))
	if err != nil || len(out) == 0 || len(out) > mostInflated {
		return nil
	}
	return out
}

// replacedForms are texts that stand where the body should have been.
func (s *search) replacedForms(yield func(bodyForm) bool) bool {
	if len(s.body) > 0 && !yield(bodyForm{emptyBodySigned, "", nil}) {
		return false
	}
	for _, text := range s.words.list("placeholder bodies") {
		if !yield(bodyForm{placeholderBody, quote(text), []byte(text)}) {
			return false
		}
	}
	if s.doc != nil {
		s.buf = s.doc.repr(s.buf[:0], 0)
		if !yield(bodyForm{pythonRepr, "", s.buf}) {
			return false
		}
	}
	s.buf = bytesRepresentation(s.buf[:0], s.body)
	if !yield(bodyForm{bytesRepr, "", s.buf}) {
		return false
	}
	return s.quotedForms(yield)
}

// quotedForms are the body as a JSON string, and what is in it if it is one.
func (s *search) quotedForms(yield func(bodyForm) bool) bool {
	for _, sp := range [...]spelling{
		{}, {unicode: true}, {html: "<>&", lines: true}, {unicode: true, slash: true}, {slash: true}, {unicode: true, upper: true, html: "<>&'+\"`"},
	} {
		s.buf = sp.appendQuoted(s.buf[:0], s.body)
		if !yield(bodyForm{bodyDoubleEncoded, "this body as a JSON string", s.buf}) {
			return false
		}
	}
	if s.doc != nil && s.doc.nodes[0].kind == stringNode {
		s.buf = decode(s.buf[:0], s.doc.bytesOf(0))
		return yield(bodyForm{bodyDoubleEncoded, "what this body, a JSON string, holds", s.buf})
	}
	return true
}
