package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// maxSecretFile bounds what is read of a secret file: no secret is longer.
const maxSecretFile = 64 << 10

// A secretSource says where one secret's text is.
type secretSource struct {
	kind string // "secret" (the text itself), "secret-env" or "secret-file"
	text string
	from string // where it was given, for messages: "--secret-env", "./.hookctl.yaml:4:7"
}

// secretFlag is one of the three secret flags. They share a list, so that the
// order in which they are given is kept. Set never fails, since an error of a
// flag would repeat the text: the list is read later.
type secretFlag struct {
	kind  string
	takes string
	all   *[]secretSource
}

func (f *secretFlag) Set(text string) error {
	*f.all = append(*f.all, secretSource{f.kind, text, "--" + f.kind})
	return nil
}

// given reports whether this one of the three flags was given that text.
func (f *secretFlag) given(text string) bool {
	return slices.ContainsFunc(*f.all, func(s secretSource) bool { return s.kind == f.kind && s.text == text })
}

func (f *secretFlag) String() string { return "" }
func (f *secretFlag) Type() string   { return f.takes }

// secretFlags are the flags of the group Secret.
type secretFlags struct {
	given []secretSource
	none  bool
}

func (s *secretFlags) add(f *flags, none string) {
	f.in("Secret (older first, newer last):")
	f.value(&secretFlag{"secret", "a text", &s.given}, "secret", "", "TEXT", "visible to other users of this machine")
	f.value(&secretFlag{"secret-env", "a name", &s.given}, "secret-env", "", "NAME", "from an environment variable")
	f.value(&secretFlag{"secret-file", "a path", &s.given}, "secret-file", "", "PATH", "from a file; - is standard input")
	if none != "" {
		f.yes(&s.none, "no-secret", "", none)
	}
}

// A secret is a secret's text and what was dropped from it.
type secret struct {
	text    string
	from    string // "--secret-env NAME", "HOOKCTL_SECRET", ...: for messages
	newline bool   // one final line end was dropped
}

// secrets reads the secrets of the first source that has any: flags, the
// environment, the config files.
func (a *app) secrets(s *secretFlags, c *config, profile string) ([]secret, error) {
	if s.none {
		if len(s.given) > 0 {
			return nil, misuse("--no-secret excludes the other secret flags")
		}
		return nil, nil
	}
	if len(s.given) > 0 {
		return a.readSecrets(s.given)
	}
	if text, ok := a.Lookup("HOOKCTL_SECRET"); ok && text != "" {
		return environmentSecrets(text)
	}
	return a.readSecrets(c.secrets(profile))
}

// environmentSecrets are the lines of HOOKCTL_SECRET: one secret a line.
func environmentSecrets(text string) ([]secret, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) > 2 {
		return nil, misuse("HOOKCTL_SECRET has %d lines; at most two secrets can be in use", len(lines))
	}
	secrets := make([]secret, len(lines))
	for i, line := range lines {
		secrets[i] = secret{text: strings.TrimSuffix(line, "\r"), from: "HOOKCTL_SECRET"}
	}
	return secrets, nil
}

func (a *app) readSecrets(sources []secretSource) ([]secret, error) {
	var secrets []secret
	for i, source := range sources {
		which := ""
		if len(sources) > 1 {
			which = fmt.Sprintf(" (secret %d of %d)", i+1, len(sources))
		}
		s, err := a.readSecret(source, which)
		if err != nil {
			return nil, err
		}
		secrets = append(secrets, s)
	}
	return secrets, nil
}

func (a *app) readSecret(source secretSource, which string) (secret, error) {
	from := source.from
	switch source.kind {
	case "secret-env":
		text, ok := a.Lookup(source.text)
		if !ok { // the text may be a secret itself: it is not repeated
			return secret{}, misuse("%s%s: the environment variable is not set", from, which).
				with("export it first; the flag takes the variable's name, not the secret", "")
		}
		return secret{text: text, from: from}, nil
	case "secret-file":
		text, err := a.readSecretFile(source)
		if err != nil {
			return secret{}, err
		}
		cut := text
		if line, ok := strings.CutSuffix(text, "\n"); ok {
			cut = strings.TrimSuffix(line, "\r")
		}
		return secret{text: cut, from: from, newline: cut != text}, nil
	}
	return secret{text: source.text, from: from}, nil
}

func (a *app) readSecretFile(source secretSource) (string, error) {
	var in io.Reader
	if source.text == "-" {
		stdin, err := a.takeStdin("a secret")
		if err != nil {
			return "", err
		}
		in = stdin
	} else {
		f, err := os.Open(source.text)
		if err != nil {
			return "", cannot(err, "%s: %s", source.from, pathError(err))
		}
		defer f.Close()
		in = f
	}
	b, err := readAll(in, maxSecretFile)
	if errors.Is(err, errTooLong) {
		return "", misuse("%s: a secret has at most %d bytes", source.from, maxSecretFile)
	}
	if err != nil && !errors.Is(err, errInterrupted) {
		err = cannot(err, "%s: %s", source.from, pathError(err))
	}
	return string(b), err
}

// pathError is an error of a file with its name, without the name of the call.
func pathError(err error) string {
	var e *os.PathError
	if errors.As(err, &e) {
		return oneLine(e.Path) + ": " + e.Err.Error()
	}
	return oneLine(err.Error())
}

// keys makes keys of secrets for a profile.
func keys(p *profiles.Profile, secrets []secret) ([]*sign.Key, error) {
	var all []*sign.Key
	for i, s := range secrets {
		k, err := sign.NewKey(p, s.text)
		if err != nil {
			which := "the secret"
			if len(secrets) > 1 {
				which = fmt.Sprintf("secret %d of %d", i+1, len(secrets))
			}
			return nil, misuse("%s (%s): %v", which, s.from, err)
		}
		all = append(all, k)
	}
	return all, nil
}

// missingSecret is the fault of a command that needs a secret and has none.
func (a *app) missingSecret(p *profiles.Profile, line *commandLine) *fault {
	if line.has("--no-secret") {
		return misuse("%s never delivers without a secret, so --no-secret shows nothing", p.Title)
	}
	f := misuse("no secret for %s", p.Name)
	where := "name the variable that holds it:"
	if p.Secret.Where != "" {
		where = "it is " + p.Secret.Where + "; " + where
	}
	variable := strings.ToUpper(strings.ReplaceAll(p.Name, "-", "_")) + "_SECRET"
	return f.with(where, line.with("--secret-env", variable).String())
}
