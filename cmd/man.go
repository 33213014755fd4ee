package cmd

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *app) manCommand() *cobra.Command {
	c := &cobra.Command{Use: "man DIR [flags]", Args: oneArgument("a folder")}
	flagsOf(c).in("Output:").yes(new(bool), "help", "h", "this page")
	c.RunE = func(_ *cobra.Command, args []string) error {
		if err := os.MkdirAll(args[0], 0o777); err != nil {
			return cannot(err, "cannot write manual pages: %s", pathError(err))
		}
		for _, page := range a.manual() {
			if err := writeFile(filepath.Join(args[0], page.file()), []byte(page.roff(a.version()))); err != nil {
				return cannot(err, "cannot write a manual page: %s", pathError(err))
			}
		}
		return nil
	}
	return c
}

// A manPage is a page of the manual.
type manPage struct {
	name, section string // "hookctl-send", "1"
	short         string
	body          string // what follows the name, as roff
}

func (p manPage) file() string { return p.name + "." + p.section }

// roff is the page as man reads it. It has no date: the same version gives the
// same bytes.
func (p manPage) roff(version string) string {
	var r roff
	r.request("TH", strings.ToUpper(p.name), p.section, "", programName+" "+version, programName+" manual")
	r.request("SH", "NAME")
	r.line(p.name + " - " + p.short)
	return r.String() + p.body
}

// manual are all pages: one a command, from what its help says, and one a topic.
func (a *app) manual() []manPage {
	b := &app{Env: a.Env, ctx: a.ctx, out: a.out}
	root := b.whole()
	var pages []manPage
	var add func(c *cobra.Command)
	add = func(c *cobra.Command) {
		short := c.Short
		if c == root {
			short = "the other side of a webhook"
		}
		pages = append(pages, manPage{manName(c), "1", short, b.manBody(c)})
		for _, sub := range b.commandsOf(c) {
			add(sub)
		}
	}
	add(root)
	for _, t := range topics() {
		var r roff
		r.request("SH", "DESCRIPTION")
		r.literal(text("topic-" + t))
		pages = append(pages, manPage{programName + "-" + t, "7", "help on " + strings.ReplaceAll(t, "-", " "), r.String()})
	}
	return pages
}

// manName is the name of a command's page: hookctl-profiles-list.
func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manBody is a command's page below its name.
func (a *app) manBody(c *cobra.Command) string {
	var r roff
	about, examples, rest := commandTexts(c)
	r.request("SH", "SYNOPSIS")
	r.line(usage(c))
	r.request("SH", "DESCRIPTION")
	r.text(about)
	for i, sub := range a.commandsOf(c) {
		if i == 0 {
			r.request("SH", "COMMANDS")
		}
		r.request("TP")
		r.bold(sub.CommandPath())
		r.line(sub.Short + "; see " + manName(sub) + "(1)")
	}
	r.request("SH", "OPTIONS")
	eachFlag(c, func(group string) { r.request("SS", strings.TrimSuffix(group, ":")) }, func(f *pflag.Flag) {
		r.request("TP")
		left, usage, _ := strings.Cut(strings.TrimSpace(flagLine(f)), "  ")
		r.bold(left)
		r.line(strings.TrimSpace(usage))
	})
	if examples != "" {
		r.request("SH", "EXAMPLES")
		r.literal(examples)
	}
	for _, part := range strings.Split(strings.TrimSpace(rest), "\n\n") {
		if codes, ok := strings.CutPrefix(part, "Exit codes: "); ok {
			r.request("SH", "EXIT STATUS")
			r.text(codes)
		} else if part != "" {
			r.request("SH", "NOTES")
			r.literal(part)
		}
	}
	r.request("SH", "SEE ALSO")
	r.line(a.seeAlso(c))
	return r.String()
}

// seeAlso are the pages beside a command's.
func (a *app) seeAlso(c *cobra.Command) string {
	var all []string
	if p := c.Parent(); p != nil {
		all = append(all, manName(p)+"(1)")
	}
	for _, t := range topics() {
		all = append(all, programName+"-"+t+"(7)")
	}
	return strings.Join(all, ", ")
}
