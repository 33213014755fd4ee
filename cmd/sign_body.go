package cmd

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// maxInlineBody is the largest body from stdin that a curl command carries.
const maxInlineBody = 64 << 10

// maxUnnamed is the largest body from stdin that may itself tell the id that is
// signed in front of it.
const maxUnnamed = 10 << 20

// A signedBody is the body of sign as a stream: its beginning can be looked at
// before it is signed, and its end is remembered.
type signedBody struct {
	in    io.Reader
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
	switch path, isFile := strings.CutPrefix(o.data, "@"); {
	case o.hasData && !isFile:
		b.text = []byte(o.data)
		b.in = bytes.NewReader(b.text)
	case o.hasData && path != "-":
		f, err := os.Open(path)
		if err != nil {
			return nil, cannot(err, "-d: %s", pathError(err))
		}
		b.file, b.path, b.in = f, path, f
	default:
		stdin, err := a.takeStdin("the body")
		if err != nil {
			return nil, err
		}
		b.stdin, b.in = true, stdin
	}
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
	in := bufio.NewReaderSize(b.in, sign.Searched)
	b.in = in
	head, err := in.Peek(sign.Searched)
	if errors.Is(err, errInterrupted) {
		return nil, err
	}
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
	if errors.Is(err, errInterrupted) {
		return nil, err
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
