package send

import (
	"bytes"
	"strings"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// An HTTPSOnlyError says that the provider calls only https addresses, and the
// Sender is strict about it.
type HTTPSOnlyError struct {
	Title string // of the profile
}

func (e *HTTPSOnlyError) Error() string { return e.Title + " delivers to https addresses only" }

// A NoSecretError says that the profile signs, and there is no key to sign with.
type NoSecretError struct {
	Profile string // its name
	Where   string // where a user finds the secret, or ""
}

func (e *NoSecretError) Error() string { return "no secret for " + e.Profile }

// A HeaderError says why a header cannot be sent. It does not hold the value.
type HeaderError struct {
	Name    string
	Message string
}

func (e *HeaderError) Error() string { return "header " + quoted(e.Name) + " " + e.Message }

// Check tells before anything is sent what would keep the Sender from sending:
// a bad URL (*URLError), no key where the profile needs one (*NoSecretError), a
// header that the profile owns, that HTTP or hookctl sets, or that is not valid
// (*HeaderError), a placeholder without a value (*sign.HeaderError,
// *profiles.MissingError) or with one that no header can have
// (*sign.ValueError), https needed with Strict (*HTTPSOnlyError). Placeholders of
// retry headers are looked at too.
func (s *Sender) Check(m Message) error {
	t, err := s.check()
	if err != nil || s.silent() {
		return err
	}
	now := time.Unix(0, 0)
	_, err = s.lines(t, m, min(2, s.Profile.Attempts()), now, now)
	return err
}

// check looks at what is the same for all messages.
func (s *Sender) check() (*target, error) {
	t, err := parseTarget(s.URL)
	if err != nil {
		return nil, err
	}
	if s.Strict && s.Profile.Delivery.HTTPSOnly && t.url.Scheme != "https" {
		return nil, &HTTPSOnlyError{s.Profile.Title}
	}
	for _, h := range s.Header {
		if err := s.refused(h); err != nil {
			return nil, err
		}
	}
	if s.silent() && !s.Profile.Secret.NoneFail {
		return nil, &NoSecretError{Profile: s.Profile.Name, Where: s.Profile.Secret.Where}
	}
	return t, nil
}

// refused says why a further header is not the user's to send.
func (s *Sender) refused(h sign.Header) error {
	for own := range s.Profile.AllHeaders() {
		if sign.SameName(own.Name, h.Name) {
			return &HeaderError{h.Name, "is set by the profile"}
		}
	}
	if profiles.IsMessageHeader(h.Name) {
		return &HeaderError{h.Name, "cannot be set"}
	}
	return validHeader(h)
}

// validHeader says what HTTP does not allow in a header line.
func validHeader(h sign.Header) error {
	if !profiles.IsHeaderName(h.Name) {
		return &HeaderError{h.Name, "has a character that no header name may have"}
	}
	if controlIn(h.Value) >= 0 {
		return &HeaderError{h.Name, "has a control character in its value"}
	}
	if sign.SameName(h.Name, "Host") && (h.Value == "" || strings.ContainsAny(h.Value, " \t/?#@\\,") || !ascii(h.Value)) {
		return &HeaderError{h.Name, "is not a host"}
	}
	return nil
}

// controlIn is where a header's value has a control other than a tab, which
// none may have (RFC 9110, 5.5); -1 if nowhere.
func controlIn(value string) int {
	for i := range len(value) {
		if c := value[i]; c < ' ' && c != '\t' || c == 0x7f {
			return i
		}
	}
	return -1
}

// ascii reports whether s is printable ASCII.
func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f }) < 0
}

// Headers are the header lines of the first attempt of a message at a moment,
// but for Host and Content-Length; none without a key. The error is one that
// Check tells.
func (s *Sender) Headers(m Message, now time.Time) ([]sign.Header, error) {
	t, err := s.check()
	if err != nil {
		return nil, err
	}
	return s.lines(t, m, 1, now, now)
}

// lines are the header lines of an attempt: the profile's, signed for now, then
// the Sender's own; none where there is no key. Recorded ones come as they were.
func (s *Sender) lines(t *target, m Message, number int, now, first time.Time) ([]sign.Header, error) {
	if s.Recorded {
		return m.Header, recordedFault(m.Header)
	}
	if s.silent() {
		return nil, nil
	}
	v := sign.Values{
		ID:        m.ID,
		Type:      m.Type,
		Time:      now,
		URL:       t.text,
		Attempt:   number,
		FirstSent: first,
	}
	if !s.SignAt.IsZero() {
		v.Time = s.SignAt
	}
	signatures, err := sign.Signatures(s.Profile, v, bytes.NewReader(m.Body), s.Keys...)
	if err != nil {
		return nil, err
	}
	lines, err := sign.Headers(s.Profile, v, signatures)
	if err != nil {
		return nil, err
	}
	if s.UserAgent != "" && !has(s.Header, "User-Agent") {
		lines = append(lines, sign.Header{Name: "User-Agent", Value: s.UserAgent})
	}
	if t.basic != "" && !has(s.Header, "Authorization") && !has(lines, "Authorization") {
		lines = append(lines, sign.Header{Name: "Authorization", Value: t.basic})
	}
	return append(lines, s.Header...), nil
}

// silent reports whether there is no key to sign with, so that nothing is sent.
func (s *Sender) silent() bool { return len(s.Keys) == 0 && !s.Recorded }

// recordedFault says which of the recorded headers HTTP does not allow.
func recordedFault(header []sign.Header) error {
	for _, h := range header {
		if err := validHeader(h); err != nil {
			return err
		}
	}
	return nil
}

// has reports whether a header of that name is among the lines.
func has(lines []sign.Header, name string) bool {
	_, n := sign.Lookup(lines, name)
	return n > 0
}

// production says what the provider would make of the target, where the Sender
// is not strict. dialled are the addresses that were dialled.
func (s *Sender) production(t *target, dialled []string) []string {
	var notes []string
	rules := s.Profile.Delivery
	if s.Strict {
		return nil
	}
	if rules.HTTPSOnly && t.url.Scheme != "https" {
		notes = append(notes, "in production "+s.Profile.Title+" needs https (--strict)")
	}
	if !rules.RefusePrivate {
		return notes
	}
	for _, d := range dialled {
		if addr, kind := kindOf(d); kind != "" {
			return append(notes, "in production "+s.Profile.Title+" refuses "+addr+", "+article(kind)+" address (--strict)")
		}
	}
	return notes
}
