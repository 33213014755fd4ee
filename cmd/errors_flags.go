package cmd

import (
	"errors"
	"strings"

	"github.com/spf13/pflag"

	"github.com/hookctl/hookctl/profiles"
)

// flagFault is an error in parsing the flags. It names the flag and never the
// text after it, which may be a secret.
func flagFault(name string, set *pflag.FlagSet, err error) error {
	var (
		unknown *pflag.NotExistError
		bare    *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
	)
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(name, set, unknown)
	case errors.As(err, &bare):
		return misuse("%s needs a value", dashed(bare.GetFlag()))
	case errors.As(err, &invalid):
		return misuse("%s takes %s", dashed(invalid.GetFlag()), takes(invalid.GetFlag()))
	}
	return misuse("a flag cannot be read").with("see what there is:", name+" --help")
}

func unknownFlag(name string, set *pflag.FlagSet, e *pflag.NotExistError) error {
	known := make([]string, 0, 40)
	set.VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	help := name + " --help"
	if e.GetSpecifiedShortnames() != "" {
		return misuse("unknown flag -%s", e.GetSpecifiedName()).with("see what there is:", help)
	}
	word := flagWord(e.GetSpecifiedName())
	text := "unknown flag --" + word
	if word == "" {
		text = "unknown flag" // its letters may be anything
	}
	name, _, _ = strings.Cut(e.GetSpecifiedName(), "=")
	if near := profiles.Near(strings.ToLower(name), known); near != "" {
		return misuse("%s; did you mean --%s?", text, near).with("see what there is:", help)
	}
	for _, long := range known {
		if strings.HasPrefix(word, long) { // --secretTEXT
			return misuse("unknown flag that begins with --%s", long).with("a value stands apart: --"+long+" VALUE", "")
		}
	}
	return misuse("%s", text).with("see what there is:", help)
}

// oneDash is the fault of a long flag with one dash among the words of a command;
// nil if there is none. The values of other flags are passed over.
func oneDash(set *pflag.FlagSet, words []string) error {
	for i := 0; i < len(words) && words[i] != "--"; i++ {
		word, _, given := strings.Cut(words[i], "=")
		if long, ok := strings.CutPrefix(word, "--"); ok {
			if f := set.Lookup(long); f != nil && !given && f.NoOptDefVal == "" {
				i++ // the next word is its value
			}
			continue
		}
		short, ok := strings.CutPrefix(word, "-")
		if !ok || short == "" {
			continue
		}
		if len(short) > 1 && set.Lookup(short) != nil {
			return misuse("unknown flag -%s", short).with("a long flag has two dashes: --"+short, "")
		}
		if f := set.ShorthandLookup(short[:1]); f != nil && len(words[i]) == 2 && f.NoOptDefVal == "" {
			i++
		}
	}
	return nil
}

// flagWord is the beginning of s that can be a flag's name.
func flagWord(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool {
		return r != '-' && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	if end >= 0 {
		return s[:end]
	}
	return s
}

// dashed is a flag as the user writes it.
func dashed(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand + "/--" + f.Name
	}
	return "--" + f.Name
}

// takes says what a flag's value is.
func takes(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return "true or false"
	case "int":
		return "a whole number"
	}
	return f.Value.Type()
}
