package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/profiles"
)

// root is the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           programName,
		Version:       a.Version,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return a.unknownCommand(c, args[0])
			}
			return a.printText("first")
		},
		PersistentPreRun: func(c *cobra.Command, _ []string) {
			if f := c.Flags().Lookup("color"); f != nil && f.Value.String() != "" {
				a.color = f.Value.String()
			}
		},
	}
	cobra.EnableCommandSorting = false // help lists the main commands first
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
	run := root.RunE
	root.RunE = func(c *cobra.Command, args []string) error {
		if version {
			_, err := a.out.Write([]byte(programName + " " + a.Version + "\n"))
			return err
		}
		return run(c, args)
	}
	root.Version = ""
	root.AddCommand(a.sendCommand(), a.listenCommand(), a.signCommand(), a.verifyCommand(), a.planCommand(), a.profilesCommand())
	root.SetHelpCommand(a.helpCommand())
	return root
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
