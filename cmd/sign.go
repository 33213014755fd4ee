package cmd

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// maxInlineBody is the largest body from stdin that a curl command carries.
const maxInlineBody = 64 << 10

// maxUnnamed is the largest body from stdin that may itself tell the id that is
// signed in front of it.
const maxUnnamed = 10 << 20

// signOptions are the flags of sign.
type signOptions struct {
	profile, data, id, event, url string
	hasData                       bool
	secrets                       secretFlags
	timestamp, firstSent          *parsed[time.Time]
	attempt                       *parsed[int]
	seed                          *parsed[uint64]
	output                        *parsed[string]
	all                           bool
	out                           outputFlags
}

func (a *app) signCommand() *cobra.Command {
	o := &signOptions{timestamp: newTime(true), firstSent: newTime(false), attempt: newCount(1, 1000), seed: newSeed(),
		output: newWord("headers", "value", "env", "curl", "json")}
	c := &cobra.Command{Use: "sign [flags]", Short: "print the signature headers of a payload", Args: arguments(0)}
	f := flagsOf(c)
	f.in("Event:")
	f.text(&o.profile, "profile", "p", "NAME|FILE", "whose scheme signs (hookctl profiles list)")
	f.text(&o.data, "data", "d", "TEXT|@FILE|@-", "the body, byte for byte; default: standard input")
	f.text(&o.id, "id", "", "ID", "the event id; default: the body's")
	f.text(&o.event, "event", "e", "TYPE", "the event type; default: the body's")
	f.value(o.timestamp, "timestamp", "", "TIME", "signing time: unix seconds, RFC 3339 or now")
	f.value(o.attempt, "attempt", "", "N", "sign as attempt N; default: 1")
	f.value(o.firstSent, "first-sent", "", "TIME", "when the first attempt was; default: the signing time")
	f.text(&o.url, "url", "", "URL", "the endpoint, where it is signed or printed")
	f.value(o.seed, "seed", "", "N", "fixes an id that is made up")
	o.secrets.add(f, "")
	f.in("Output:")
	f.value(o.output, "output", "o", "FORM", "headers (default), value, env, curl or json")
	f.yes(&o.all, "all-headers", "", "every header that the profile sends")
	a.addOutput(f, &o.out, "", "say what was dropped from a secret", "the same as -o json: hookctl.sign/1")
	c.RunE = func(c *cobra.Command, args []string) error {
		o.hasData = c.Flags().Changed("data")
		if o.out.json {
			if o.output.set && o.output.value != "json" {
				return misuse("--json excludes -o %s", o.output.value)
			}
			o.output.value = "json"
		}
		return a.sign(o, lineOf(c, args))
	}
	return c
}

// A signing is one body signed.
type signing struct {
	o       *signOptions
	profile *profiles.Profile
	values  sign.Values
	body    *signedBody
	url     string
}

func (a *app) sign(o *signOptions, line *commandLine) error {
	conf, err := a.config()
	if err != nil {
		return err
	}
	s := &signing{o: o}
	if s.profile, err = a.profile(o.profile, conf, line); err != nil {
		return err
	}
	secrets, err := a.secrets(&o.secrets, conf, s.profile.Name)
	if err != nil {
		return err
	}
	if len(secrets) == 0 {
		return a.missingSecret(s.profile, line)
	}
	a.sayDropped(secrets, o.out.verbose)
	all, err := keys(s.profile, secrets)
	if err != nil {
		return err
	}
	groups, err := perHeader(s.profile, all)
	if err != nil {
		return err
	}
	target, err := a.target(nonEmpty(o.url), conf, s.profile.Name)
	if err != nil {
		return err
	}
	s.url = target.String()
	if s.body, err = a.openBody(o); err != nil {
		return err
	}
	defer s.body.close()
	if err := a.signValues(s); err != nil {
		return err
	}
	digests, err := s.body.sign(s.profile, s.values, all)
	if err != nil {
		return err
	}
	if s.body.newline() {
		a.say(render.Warning, s.body.name()+" ends in a newline, which is part of what is signed", "")
	}
	if len(groups) > 1 {
		a.say(render.Note, s.profile.Title+" puts one signature in a header and rotates with a second webhook: two deliveries, the older secret first", "")
	}
	for i, group := range groups {
		which := 0
		if len(groups) > 1 {
			which = i + 1
		}
		if err := a.printSignature(s, digests[:len(group)], which); err != nil {
			return err
		}
		digests = digests[len(group):]
	}
	return nil
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// sayDropped tells of line ends that were dropped from secrets.
func (a *app) sayDropped(secrets []secret, verbose bool) {
	for _, s := range secrets {
		if s.newline && verbose {
			a.say(render.Note, "one line end was dropped from the secret of "+s.from, "")
		}
	}
}

// signValues fills the placeholders from flags and the body.
func (a *app) signValues(s *signing) error {
	o, p := s.o, s.profile
	v := &s.values
	v.Time, v.Attempt, v.URL = o.timestamp.value, max(o.attempt.value, 1), s.url
	if v.Time.IsZero() {
		v.Time = time.Now()
	}
	if v.FirstSent = o.firstSent.value; v.FirstSent.IsZero() {
		v.FirstSent = v.Time
	}
	id, typ := o.id, o.event
	if s.wants("id") || s.wants("type") {
		head, err := s.body.peek()
		if err != nil {
			return err
		}
		var notes []string
		id, typ, notes = identity(p, head, o.id, o.event)
		for _, n := range notes {
			a.say(render.Note, n, "")
		}
	}
	if id == "" && s.wants("id") {
		id = send.NewID(p, dice(seed(o.seed)))
		a.say(render.Note, "the event id "+oneLine(id)+" is made up: the body has none; --id gives one", "")
	}
	s.body.named = o.id != "" || !p.Signature.Content.Has("id")
	v.ID, v.Type = id, typ
	return nil
}

// wants reports whether the signed text or a printed header holds a placeholder.
func (s *signing) wants(placeholder string) bool {
	if s.o.all || s.o.output.value == "json" || s.o.output.value == "curl" {
		return needs(s.profile, placeholder)
	}
	if s.profile.Signature.Content.Has(placeholder) {
		return true
	}
	for _, h := range s.profile.Headers {
		if s.carries(h) && h.Value.Has(placeholder) {
			return true
		}
	}
	return false
}

// carries reports whether a header is the signature's or carries what the signed
// text uses.
func (s *signing) carries(h profiles.Header) bool {
	if h.Value.Has("signature") {
		return true
	}
	for _, part := range s.profile.Signature.Content.Parts {
		if part.Name != "" && part.Name != "body" && part.Name != "url" && h.Value.Has(part.Name) {
			return true
		}
	}
	return false
}

// printed are the headers that the output shows; all of them with every.
func (s *signing) printed(digests []string, every bool) ([]sign.Header, error) {
	p := s.profile
	if !every {
		some := *p
		some.Headers = nil
		for _, h := range p.Headers {
			if s.carries(h) {
				some.Headers = append(some.Headers, h)
			}
		}
		some.RetryHeaders = nil
		p = &some
	}
	return sign.Headers(p, s.values, digests)
}

// printSignature prints one group of signatures; which is 1 or 2 where each
// secret has its own line.
func (a *app) printSignature(s *signing, digests []string, which int) error {
	switch s.o.output.value {
	case "value", "env":
		headers, err := s.printed(digests, false)
		if err != nil {
			return err
		}
		h := signatureOf(s.profile, headers)
		if s.o.output.value == "value" {
			return a.printLine(h.Value)
		}
		name := strings.ToUpper(strings.ReplaceAll(h.Name, "-", "_"))
		if which > 0 {
			name += "_" + strconv.Itoa(which)
		}
		return a.printLine(name + "='" + strings.ReplaceAll(h.Value, "'", `'\''`) + "'")
	case "json":
		return a.printSignJSON(s, digests, which)
	case "curl":
		return a.printCurl(s, digests)
	}
	headers, err := s.printed(digests, s.o.all)
	if err != nil {
		return err
	}
	for _, h := range headers {
		if err := a.printLine(h.Name + ": " + h.Value); err != nil {
			return err
		}
	}
	return nil
}

// signatureOf is the header that holds the signature.
func signatureOf(p *profiles.Profile, headers []sign.Header) sign.Header {
	for _, h := range headers {
		if sameName(h.Name, sign.SignatureHeader(p).Name) {
			return h
		}
	}
	return sign.Header{}
}

func (a *app) printLine(s string) error {
	_, err := io.WriteString(a.out, s+"\n")
	return err
}

type signDocument struct {
	Schema     string          `json:"schema"`
	Profile    string          `json:"profile"`
	Secret     *int            `json:"secret"`
	Timestamp  int64           `json:"timestamp"`
	Event      eventDocument   `json:"event"`
	Signatures []string        `json:"signatures"`
	Headers    send.HeaderList `json:"headers"`
}

type eventDocument struct {
	ID   *string `json:"id"`
	Type *string `json:"type"`
}

// orNull is a text of a document, null if it is empty.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (a *app) printSignJSON(s *signing, digests []string, which int) error {
	headers, err := s.printed(digests, true)
	if err != nil {
		return err
	}
	doc := signDocument{
		Schema: "hookctl.sign/1", Profile: s.profile.Name, Timestamp: s.values.Time.Unix(),
		Event: eventDocument{orNull(s.values.ID), orNull(s.values.Type)}, Signatures: digests, Headers: headers,
	}
	if which > 0 {
		doc.Secret = &which
	}
	return send.WriteDocument(a.out, doc)
}

// printCurl prints a curl command that sends the signed body.
func (a *app) printCurl(s *signing, digests []string) error {
	headers, err := s.printed(digests, true)
	if err != nil {
		return err
	}
	data, err := s.body.forCurl()
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("curl")
	for _, h := range headers {
		b.WriteString(" -H " + singleQuoted(h.Name+": "+h.Value))
	}
	b.WriteString(" " + data + " " + shellQuote(s.url))
	return a.printLine(b.String())
}

// singleQuoted is a word in single quotes for a POSIX shell.
func singleQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// A signedBody is the body of sign as a stream: its beginning can be looked at
// before it is signed, and its end is remembered.
type signedBody struct {
	in    *bufio.Reader
	file  *os.File // to close; nil: none
	path  string   // of -d @FILE
	text  []byte   // of -d TEXT
	stdin bool
	keep  bool          // -o curl: the text is needed again
	kept  *bytes.Buffer // what was read of stdin, with keep
	named bool          // the id does not come from the body
	last  byte
	size  int64
}

// openBody opens the body that the flags name.
func (a *app) openBody(o *signOptions) (*signedBody, error) {
	b := &signedBody{keep: o.output.value == "curl"}
	var in io.Reader
	switch path, isFile := strings.CutPrefix(o.data, "@"); {
	case o.hasData && !isFile:
		b.text = []byte(o.data)
		in = bytes.NewReader(b.text)
	case o.hasData && path != "-":
		f, err := os.Open(path)
		if err != nil {
			return nil, cannot(err, "-d: %s", pathError(err))
		}
		b.file, b.path, in = f, path, f
	default:
		if terminal(a.Stdin) {
			a.say(render.Note, "reading the body from the terminal, end with Ctrl-D", "")
		}
		b.stdin, in = true, a.Stdin
	}
	b.in = bufio.NewReaderSize(in, 4<<10)
	return b, nil
}

func (b *signedBody) close() {
	if b.file != nil {
		b.file.Close()
	}
}

// name is what messages call the body.
func (b *signedBody) name() string {
	if b.path != "" {
		return oneLine(b.path)
	}
	return "the body"
}

// newline reports whether a body from a file or from stdin ends in a line end,
// once it is signed.
func (b *signedBody) newline() bool { return b.text == nil && b.size > 0 && b.last == '\n' }

// peek is the beginning of the body, at most 1 MiB. It does not use it up.
func (b *signedBody) peek() ([]byte, error) {
	b.in = bufio.NewReaderSize(b.in, bodyHead)
	head, err := b.in.Peek(bodyHead)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, cannot(err, "reading the body: %s", pathError(err))
	}
	return head, nil
}

var errUnnamed = errors.New("too long to name itself")

// Read passes the body on and watches it.
func (b *signedBody) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	if n > 0 {
		b.size += int64(n)
		b.last = p[n-1]
		if b.keep && b.stdin {
			if b.kept == nil {
				b.kept = new(bytes.Buffer)
			}
			if b.kept.Len() <= maxInlineBody {
				b.kept.Write(p[:n])
			}
		}
		if b.stdin && !b.named && b.size > maxUnnamed {
			return n, errUnnamed
		}
	}
	return n, err
}

// sign signs the whole body.
func (b *signedBody) sign(p *profiles.Profile, v sign.Values, keys []*sign.Key) ([]string, error) {
	digests, err := sign.Signatures(p, v, b, keys...)
	var missing *profiles.MissingError
	switch {
	case err == nil, errors.As(err, &missing):
		return digests, err
	case errors.Is(err, errUnnamed):
		return nil, misuse("the id is signed in front of the body, and a body from stdin of over 10 MiB cannot tell it").
			with("give it with --id", "")
	}
	return nil, cannot(err, "reading the body: %s", pathError(err))
}

// forCurl is curl's flag for the body.
func (b *signedBody) forCurl() (string, error) {
	switch {
	case b.path != "":
		return "--data-binary " + shellQuote("@"+b.path), nil
	case b.stdin:
		var text []byte
		if b.kept != nil {
			text = b.kept.Bytes()
		}
		if len(text) > maxInlineBody || bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text) {
			return "", misuse("this body from stdin cannot stand in a command").
				with("save it to a file and give -d @FILE", "")
		}
		return inlineData(text), nil
	}
	return inlineData(b.text), nil
}

// inlineData is curl's flag for a text; --data-binary would read a file for one
// that begins with @.
func inlineData(text []byte) string {
	if bytes.HasPrefix(text, []byte("@")) {
		return "--data-raw " + singleQuoted(string(text))
	}
	return "--data-binary " + singleQuoted(string(text))
}
