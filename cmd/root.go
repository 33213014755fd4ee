package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/profiles"
)

// A subcommand is a command and how it is made.
type subcommand struct {
	name, short string
	build       func() *cobra.Command
}

// subcommands are the commands in the order of help.
func (a *app) subcommands() []subcommand {
	return []subcommand{
		{"send", "deliver an event as a provider would", a.sendCommand},
		{"listen", "receive webhooks, verify them, answer as told", a.listenCommand},
		{"check", "try a receiver against what providers do", a.checkCommand},
		{"sign", "print the signature headers of a payload", a.signCommand},
		{"verify", "judge one captured request", a.verifyCommand},
		{"replay", "send recorded webhooks again", a.replayCommand},
		{"plan", "show what a provider would do, without a network", a.planCommand},
		{"forecast", "compute what an outage would cost", a.forecastCommand},
		{"profiles", "list, show, check and start provider profiles", a.profilesCommand},
		{"completion", "print what a shell needs to complete commands", a.completionCommand},
		{"man", "write the manual pages", a.manCommand},
	}
}

// root is the command tree for some arguments. A first word that is a command's
// name leaves the others out: nothing looks at them.
func (a *app) root(args []string) *cobra.Command {
	all := a.subcommands()
	if i := slices.IndexFunc(all, func(s subcommand) bool { return len(args) > 0 && args[0] == s.name }); i >= 0 {
		all = all[i : i+1]
	}
	return a.tree(all, args)
}

// whole is the command tree with the flags of every command.
func (a *app) whole() *cobra.Command {
	all := a.subcommands()
	var names []string
	for _, s := range all {
		names = append(names, s.name)
	}
	return a.tree(all, names)
}

// tree is a command tree. Flags are made for the commands that stand among words.
func (a *app) tree(commands []subcommand, words []string) *cobra.Command {
	a.commands = nil
	root := &cobra.Command{
		Use:           programName,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			if f := c.Flags().Lookup("color"); f != nil && f.Value.String() != "" {
				a.color = f.Value.String()
			}
			return emptyFlag(c.Flags())
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.DisableSuggestions = true // unknownCommand suggests
	root.SetOut(a.out)
	root.SetErr(a.Stderr)
	root.SetHelpFunc(a.help)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return flagFault(c.CommandPath(), c.Flags(), err)
	})
	f := flagsOf(root)
	f.in("")
	var version bool
	f.yes(&version, "version", "", "the version")
	f.yes(new(bool), "help", "h", "this page")
	root.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case version:
			return a.printLine(programName + " " + a.version())
		case len(args) > 0:
			return a.unknownCommand(c, args[0])
		}
		return a.printText("first")
	}
	for _, s := range commands {
		c := &cobra.Command{Use: s.name, Run: func(*cobra.Command, []string) {}}
		if slices.Contains(words, s.name) {
			c = s.build()
		}
		c.Short = s.short
		a.add(root, c)
	}
	helper := a.helpCommand()
	a.commands = append(a.commands, helper)
	root.SetHelpCommand(helper)
	return root
}

// add adds commands in the order in which help lists them.
func (a *app) add(to *cobra.Command, commands ...*cobra.Command) {
	a.commands = append(a.commands, commands...)
	to.AddCommand(commands...)
}

// emptyFlag refuses a flag that is given an empty value, as a script does whose
// variable is not set. A body may be empty; a secret says itself what it makes of
// that.
func emptyFlag(set *pflag.FlagSet) error {
	var fault error
	set.Visit(func(f *pflag.Flag) {
		empty := false
		switch v := f.Value.(type) {
		case *secretFlag:
			empty = f.Name != "secret" && v.given("")
		case pflag.SliceValue:
			empty = slices.Contains(v.GetSlice(), "")
		default:
			empty = v.String() == "" && f.Name != "data"
		}
		if empty && fault == nil {
			fault = misuse("%s is given an empty value", dashed(f))
		}
	})
	return fault
}

// unknownCommand is the fault of a word that is no command.
func (a *app) unknownCommand(c *cobra.Command, word string) error {
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	text := "unknown command " + quoted(word)
	if near := profiles.Near(word, names); near != "" {
		text += "; did you mean " + near + "?"
	}
	return misuse("%s", text).with("all commands:", c.CommandPath()+" --help")
}

// quoted is a word from outside in quotes, safe to show.
func quoted(s string) string { return `"` + render.Escape(strings.ReplaceAll(s, `"`, `\"`)) + `"` }
