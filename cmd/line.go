package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// A commandLine is a command to paste: what the user typed, so far as it matters
// for the next try. A literal secret and a password in a URL are never repeated,
// and a seed does not matter any more.
type commandLine struct {
	command string
	flags   []flagWords
	args    []string
	fixed   int // how many of args stand before the URL
}

// flagWords is one flag of a command line; its value is "" where it has none.
type flagWords struct{ name, value string }

// lineOf is the command line of a command as it was called.
func lineOf(c *cobra.Command, args []string) *commandLine {
	l := &commandLine{command: c.CommandPath(), args: args}
	secrets := false
	c.Flags().Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "seed", "quiet", "verbose", "json", "color":
			return
		}
		if s, ok := f.Value.(*secretFlag); ok {
			if !secrets {
				l.flags = append(l.flags, s.words()...)
			}
			secrets = true
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand
		}
		switch values, many := f.Value.(pflag.SliceValue); {
		case many:
			for _, v := range values.GetSlice() {
				if f.Name == "header" {
					v = maskHeader(v)
				}
				l.flags = append(l.flags, flagWords{name, v})
			}
		case f.Value.Type() == "bool":
			l.flags = append(l.flags, flagWords{name: name})
		default:
			l.flags = append(l.flags, flagWords{name, f.Value.String()})
		}
	})
	return l
}

// words are the secret flags as given, in order, without a literal secret.
func (f *secretFlag) words() []flagWords {
	var words []flagWords
	for _, s := range *f.all {
		if s.kind == "secret" {
			words = append(words, flagWords{"--secret-env", "NAME"})
			continue
		}
		words = append(words, flagWords{"--" + s.kind, s.text})
	}
	return words
}

// maskHeader hides the value of a header that holds credentials.
func maskHeader(line string) string {
	name, value, ok := strings.Cut(line, ":")
	if !ok {
		return "'NAME: VALUE'" // it may be anything
	}
	masked := send.Mask([]sign.Header{{Name: name, Value: strings.TrimSpace(value)}}, nil)
	return name + ": " + masked[0].Value
}

// with is the line with one more flag, in place of one of that name.
func (l *commandLine) with(flag, value string) *commandLine {
	c := *l.without(flag)
	c.flags = append(c.flags, flagWords{flag, value})
	return &c
}

// without is the line without a flag.
func (l *commandLine) without(flag string) *commandLine {
	c := *l
	c.flags = slices.DeleteFunc(slices.Clone(l.flags), func(f flagWords) bool { return f.name == flag })
	return &c
}

// has reports whether the line has a flag.
func (l *commandLine) has(flag string) bool {
	return slices.ContainsFunc(l.flags, func(f flagWords) bool { return f.name == flag })
}

// only is a line of another command with the flags of those names.
func (l *commandLine) only(command string, flags ...string) *commandLine {
	c := &commandLine{command: command}
	for _, f := range l.flags {
		if slices.Contains(flags, f.name) {
			c.flags = append(c.flags, f)
		}
	}
	return c
}

// to is the line with another URL.
func (l *commandLine) to(url string) *commandLine {
	c := *l
	c.args = append(slices.Clone(l.args[:l.fixed]), url)
	return &c
}

func (l *commandLine) String() string {
	words := []string{l.command}
	for _, f := range l.flags {
		words = append(words, f.name)
		switch {
		case f.value == "":
		case f.name == "--url", f.name == "--forward-to":
			words = append(words, shellQuote(shownTarget(f.value)))
		default:
			words = append(words, shellQuote(send.ShownURL(f.value)))
		}
	}
	for _, a := range l.args {
		words = append(words, shellQuote(shownTarget(a)))
	}
	return oneLine(strings.Join(words, " "))
}

// shownTarget is a target as the user wrote it, without a password.
func shownTarget(s string) string {
	if strings.Contains(s, "://") {
		return send.ShownURL(s)
	}
	return strings.TrimPrefix(send.ShownURL("http://"+s), "http://")
}

// shellQuote quotes a word for a POSIX shell where it needs it.
func shellQuote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%+=:,./-_", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return singleQuoted(s)
}

// singleQuoted is a word in single quotes for a POSIX shell.
func singleQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
