package cmd

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send/conform"
)

// Whether a shell falls back to file names, and puts a blank behind a word.
const (
	alsoFiles = cobra.ShellCompDirectiveDefault
	noFiles   = cobra.ShellCompDirectiveNoFileComp
	goesOn    = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
)

// completing reports whether a shell asks what may come next.
func completing(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// withoutSecrets are the words of a command line that is being typed, without
// what may be secret in them: cobra repeats the words in its errors.
func withoutSecrets(args []string) []string {
	args = slices.Clone(args)
	secret := []string{"--secret", "--header", "-H"}
	for i, word := range args {
		name, _, joined := strings.Cut(word, "=")
		switch {
		case !slices.Contains(secret, name):
		case joined:
			args[i] = name + "="
		case i+1 < len(args):
			args[i+1] = ""
		}
	}
	return args
}

// completions tells what completes each flag and argument. What its value is
// called in help decides.
func (a *app) completions(root *cobra.Command) {
	a.quiet = true
	for _, c := range append(a.commands, root) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if v, ok := f.Value.(*once); ok {
				v.again = true
			}
			if f.Annotations != nil && f.Annotations[argKey][0] != "" {
				_ = c.RegisterFlagCompletionFunc(f.Name, a.completeFlag(f))
			}
		})
		c.ValidArgsFunction = func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			what := argument(c, len(args))
			if list := c.Flags().Lookup("list"); list != nil && list.Changed {
				what = "ID"
			}
			all, directive := a.complete(c, what, word)
			return beginning(all, word), directive
		}
	}
}

// completeFlag is what completes the value of a flag.
func (a *app) completeFlag(f *pflag.Flag) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		if v, ok := f.Value.(interface{ choices() []string }); ok && v.choices() != nil {
			return beginning(v.choices(), word), noFiles
		}
		what := f.Annotations[argKey][0]
		if f.Name == "from" {
			what = "NAME|FILE"
		}
		all, directive := a.complete(c, what, word)
		return beginning(all, word), directive
	}
}

// beginning are the words that begin as the one that is being typed.
func beginning(words []string, typed string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" || !strings.HasPrefix(w, typed) })
}

// argument is what a command's usage calls its argument n, from 0; "" where it
// takes none.
func argument(c *cobra.Command, n int) string {
	words := strings.Fields(c.Use)[1:]
	if n >= len(words) || words[n] == "[flags]" || c.HasSubCommands() {
		return ""
	}
	return strings.Trim(words[n], "[].")
}

// complete are the words that a value of some kind may have, each with what it
// is after a tab.
func (a *app) complete(c *cobra.Command, what, word string) ([]string, cobra.ShellCompDirective) {
	switch what {
	case "NAME|FILE":
		return a.completeProfile(c), alsoFiles
	case "TYPE":
		return a.completeEvent(c), noFiles
	case "ID":
		return completeChecks(""), noFiles
	case "ID,...":
		return completeChecks(word[:strings.LastIndexByte(word, ',')+1]), goesOn
	case "SHELL":
		return shells(), noFiles
	case "COMMAND|TOPIC":
		var all []string
		for _, sub := range c.Root().Commands() {
			if sub.IsAvailableCommand() {
				all = append(all, sub.Name()+"\t"+sub.Short)
			}
		}
		return append(all, topics()...), noFiles
	case "TEXT|@FILE|@-":
		return completeData(word)
	case "DIR":
		return nil, cobra.ShellCompDirectiveFilterDirs
	case "FILE", "FILE|-", "PATH", "CMD":
		return nil, alsoFiles
	}
	return nil, noFiles
}

// completeProfile are the names of all profiles that can be read.
func (a *app) completeProfile(c *cobra.Command) []string {
	catalog := a.catalog()
	if c.Name() == "new" {
		catalog = profiles.Builtin()
	}
	entries, _ := catalog.All() // one that is broken is not offered
	var all []string
	for _, e := range entries {
		all = append(all, e.Profile.Name+"\t"+oneLine(e.Profile.Title))
	}
	return all
}

// completeEvent are the samples of the profile that is named anywhere.
func (a *app) completeEvent(c *cobra.Command) []string {
	conf, err := a.config()
	if err != nil {
		return nil
	}
	var flag string
	if f := c.Flags().Lookup("profile"); f != nil {
		flag = f.Value.String()
	}
	e, err := a.catalog().Get(a.profileName(flag, conf))
	if err != nil {
		return nil
	}
	var all []string
	for _, s := range e.Profile.Samples {
		all = append(all, oneLine(s.Type))
	}
	return all
}

// completeChecks are the ids of check, behind those that stand there already.
// Bash loses a word with a comma and a description.
func completeChecks(before string) []string {
	var all []string
	for _, c := range conform.Checks() {
		word := before + c.ID
		if before == "" {
			word += "\t" + c.Title
		}
		all = append(all, word)
	}
	return all
}

// completeData are the files that -d may name, each behind an @.
func completeData(word string) ([]string, cobra.ShellCompDirective) {
	path, ok := strings.CutPrefix(word, "@")
	if word != "" && !ok {
		return nil, noFiles // a text
	}
	dir, begins := filepath.Split(path)
	entries, err := os.ReadDir(filepath.Join(".", dir))
	if filepath.IsAbs(dir) {
		entries, err = os.ReadDir(dir)
	}
	if err != nil {
		return nil, noFiles
	}
	var all []string
	directive := noFiles
	for _, e := range entries {
		name := e.Name()
		hidden := strings.HasPrefix(name, ".") && !strings.HasPrefix(begins, ".")
		if !strings.HasPrefix(name, begins) || hidden || oneLine(name) != name {
			continue
		}
		name = "@" + dir + name
		if e.IsDir() {
			name += string(filepath.Separator)
			directive = goesOn
		}
		all = append(all, name)
	}
	return all, directive
}
