package cmd

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// A commandLine is a command to paste: what the user typed, so far as it matters
// for the next try. A literal secret is never repeated, and a seed does not
// matter any more.
type commandLine struct {
	words []string
	flags []string // name, value pairs as words
	args  []string
}

// lineOf is the command line of a command as it was called.
func lineOf(c *cobra.Command, args []string) *commandLine {
	l := &commandLine{words: strings.Fields(c.CommandPath()), args: args}
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
				l.flags = append(l.flags, name, shellQuote(v))
			}
		case f.Value.Type() == "bool":
			l.flags = append(l.flags, name)
		default:
			l.flags = append(l.flags, name, shellQuote(f.Value.String()))
		}
	})
	return l
}

// words are the secret flags as given, in order, without a literal secret.
func (f *secretFlag) words() []string {
	var words []string
	for _, s := range *f.all {
		if s.kind == "secret" {
			words = append(words, "--secret-env", "NAME")
			continue
		}
		words = append(words, "--"+s.kind, shellQuote(s.text))
	}
	return words
}

// maskHeader hides the value of a header that holds credentials.
func maskHeader(line string) string {
	name, value, _ := strings.Cut(line, ":")
	masked := send.Mask([]sign.Header{{Name: name, Value: strings.TrimSpace(value)}}, nil)
	return name + ": " + masked[0].Value
}

// with is the line with one more flag.
func (l *commandLine) with(flag, value string) *commandLine {
	c := *l
	c.flags = append(append([]string(nil), l.flags...), flag)
	if value != "" {
		c.flags = append(c.flags, shellQuote(value))
	}
	return &c
}

// without is the line without a flag and its value.
func (l *commandLine) without(flag string) *commandLine {
	c := *l
	c.flags = nil
	for i := 0; i < len(l.flags); i++ {
		if l.flags[i] == flag {
			i++
			continue
		}
		c.flags = append(c.flags, l.flags[i])
	}
	return &c
}

// to is the line with another argument.
func (l *commandLine) to(arg string) *commandLine {
	c := *l
	c.args = []string{arg}
	return &c
}

func (l *commandLine) String() string {
	words := append(append([]string(nil), l.words...), l.flags...)
	for _, a := range l.args {
		words = append(words, shellQuote(a))
	}
	return strings.Join(words, " ")
}

// shellQuote quotes a word for a POSIX shell where it needs it.
func shellQuote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%+=:,./-_", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
