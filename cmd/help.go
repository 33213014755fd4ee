package cmd

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hookctl/hookctl/profiles"
)

// The texts of help: for each command what it is, its examples and its exit
// codes; and the topics.
//
//go:embed text
var texts embed.FS

// usageMark stands in a command's text where the usage and the flags go: what is
// before it describes, what follows it are the examples, then the exit codes.
const usageMark = "---\n"

// text is an embedded text.
func text(name string) string {
	b, err := texts.ReadFile("text/" + name + ".txt")
	if err != nil {
		return ""
	}
	return string(b)
}

func (a *app) printText(name string) error {
	_, err := io.WriteString(a.out, text(name))
	return err
}

// help prints the page of a command. Its errors are those of stdout, which Main
// reports.
func (a *app) help(c *cobra.Command, _ []string) {
	_, _ = io.WriteString(a.out, a.page(c))
}

// page is a command's help: two sentences, usage, examples, then the flags in
// groups by what they decide.
func (a *app) page(c *cobra.Command) string {
	var b strings.Builder
	about, examples, rest := commandTexts(c)
	fmt.Fprintf(&b, "%s\nUsage:\n  %s\n", about, usage(c))
	if examples != "" {
		b.WriteString("\nExamples:\n" + examples)
	}
	for i, sub := range a.commandsOf(c) {
		if i == 0 {
			b.WriteString("\nCommands:\n")
		}
		fmt.Fprintf(&b, "  %-10s  %s\n", sub.Name(), sub.Short)
	}
	eachFlag(c, func(group string) { b.WriteString("\n" + group + "\n") }, func(f *pflag.Flag) { b.WriteString(flagLine(f)) })
	if rest != "" {
		b.WriteString("\n" + rest)
	}
	return b.String()
}

// commandTexts are the texts of a command: what it is, its examples, the rest.
func commandTexts(c *cobra.Command) (about, examples, rest string) {
	about, after, _ := strings.Cut(text(strings.ReplaceAll(c.CommandPath(), " ", "-")), usageMark)
	examples, rest, _ = strings.Cut(after, usageMark)
	return about, examples, rest
}

// usage is how a command is called.
func usage(c *cobra.Command) string {
	if c.Parent() == nil {
		return c.CommandPath() + " COMMAND [flags]"
	}
	return c.UseLine()
}

// commandsOf are the commands below a command, in the order of help.
func (a *app) commandsOf(c *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(a.commands), func(sub *cobra.Command) bool { return sub.Parent() != c })
}

// eachFlag goes through the flags of a command, group by group.
func eachFlag(c *cobra.Command, begins func(group string), each func(*pflag.Flag)) {
	group := "\x00"
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations == nil {
			return
		}
		if g := f.Annotations[groupKey][0]; g != group {
			if group = g; g == "" {
				g = "Flags:"
			}
			begins(g)
		}
		each(f)
	})
}

// flagLine is a flag's line in help.
func flagLine(f *pflag.Flag) string {
	left := "      --" + f.Name
	if f.Shorthand != "" {
		left = "  -" + f.Shorthand + ", --" + f.Name
	}
	if arg := f.Annotations[argKey][0]; arg != "" {
		left += " " + arg
	}
	return fmt.Sprintf("%-28s  %s\n", left, f.Usage)
}

// topics are what help explains beside the commands.
func topics() []string { return []string{"profiles", "exit-codes", "response-script", "ci"} }

func (a *app) helpCommand() *cobra.Command {
	c := &cobra.Command{Use: "help [COMMAND|TOPIC]", Short: "explain a command, or " + strings.Join(topics(), ", "), Args: cobra.ArbitraryArgs}
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 1 && slices.Contains(topics(), args[0]) {
			return a.printText("topic-" + args[0])
		}
		found, rest, err := c.Root().Find(args)
		if err != nil || len(rest) > 0 || found == nil {
			return a.unknownTopic(c.Root(), args)
		}
		a.help(found, nil)
		return nil
	}
	flagsOf(c).in("").yes(new(bool), "help", "h", "this page")
	return c
}

func (a *app) unknownTopic(root *cobra.Command, args []string) error {
	known := topics()
	for _, c := range a.commands {
		known = append(known, strings.TrimPrefix(c.CommandPath(), root.CommandPath()+" "))
	}
	word := strings.Join(args, " ")
	text := "no help for " + quoted(word)
	if near := profiles.Near(word, known); near != "" {
		text += "; did you mean " + near + "?"
	}
	return misuse("%s", text).with("commands and topics:", root.CommandPath()+" --help")
}
