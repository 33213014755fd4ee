package cmd

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
)

func (a *app) profilesCommand() *cobra.Command {
	c := &cobra.Command{Use: "profiles COMMAND [flags]", Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return a.unknownCommand(c, args[0])
			}
			a.help(c, nil)
			return nil
		}}
	flagsOf(c).in("").yes(new(bool), "help", "h", "this page")
	a.add(c, a.profilesList(), a.profilesShow(), a.profilesCheck(), a.profilesNew(), a.profilesSchema())
	return c
}

func (a *app) profilesList() *cobra.Command {
	var out outputFlags
	c := &cobra.Command{Use: "list [flags]", Short: "the profiles that there are", Args: arguments(0)}
	a.addOutput(flagsOf(c).in("Output:"), &out, "", "", "one hookctl.profile/1 document a profile")
	c.RunE = func(*cobra.Command, []string) error {
		entries, broken := a.catalog().All()
		if !out.json {
			if err := render.ProfileList(a.out, a.outStyle(), entries); err != nil {
				return err
			}
			return broken
		}
		for _, e := range entries {
			if err := a.printProfile(e); err != nil {
				return err
			}
		}
		return broken
	}
	return c
}

func (a *app) profilesShow() *cobra.Command {
	var out outputFlags
	c := &cobra.Command{Use: "show NAME|FILE [flags]", Short: "the rules as prose", Args: oneArgument("a profile")}
	a.addOutput(flagsOf(c).in("Output:"), &out, "", "", "one hookctl.profile/1 document")
	c.RunE = func(_ *cobra.Command, args []string) error {
		e, err := a.catalog().Get(args[0])
		if err != nil {
			return err
		}
		if out.json {
			return a.printProfile(e)
		}
		return render.ProfileShow(a.out, a.outStyle(), e)
	}
	return c
}

type profileDocument struct {
	Schema  string          `json:"schema"`
	From    string          `json:"from"`
	Profile json.RawMessage `json:"profile"`
}

func (a *app) printProfile(e profiles.Entry) error {
	data, err := profiles.JSON(e.Source())
	if err != nil {
		return err
	}
	return send.WriteDocument(a.out, profileDocument{"hookctl.profile/1", e.From, data})
}

func (a *app) profilesCheck() *cobra.Command {
	c := &cobra.Command{Use: "check FILE|- [flags]", Short: "every fault of a file", Args: oneArgument("a file")}
	a.addOutput(flagsOf(c).in("Output:"), new(outputFlags), "", "", "")
	c.RunE = func(_ *cobra.Command, args []string) error {
		var faults profiles.Errors
		data, err := a.readProfile(args[0])
		if errors.As(err, &faults) {
			return a.printFaults(faults)
		}
		if err != nil {
			return err
		}
		p, err := profiles.Parse(args[0], data)
		if errors.As(err, &faults) {
			return a.printFaults(faults)
		}
		if err != nil {
			return err
		}
		return a.printLine(fmt.Sprintf("ok: %s describes %s (%s): %s, %s", oneLine(args[0]), oneLine(p.Title), p.Name,
			count(p.Attempts(), "attempt"), count(len(p.Samples), "sample")))
	}
	return c
}

// readProfile reads a profile file, or stdin for -.
func (a *app) readProfile(path string) ([]byte, error) {
	if path != "-" {
		data, err := profiles.ReadFile(path)
		if file := (*profiles.FileError)(nil); errors.As(err, &file) {
			f := cannot(err, "cannot read %s: %v", oneLine(path), file.Err)
			if file.Builtin != "" {
				f.with("it is a built-in profile:", programName+" profiles show "+file.Builtin)
			}
			return nil, f
		}
		return data, err
	}
	return a.readStdin("the profile")
}

// printFaults says every fault of a file, each with its place.
func (a *app) printFaults(faults profiles.Errors) error {
	for _, e := range faults {
		m := render.Message{Kind: render.Error, Text: oneLine(e.Error()), Source: quote(e)}
		_ = render.Say(a.Stderr, a.errStyle(), m) // nothing can be told if stderr itself fails
	}
	return answer(ExitUsage)
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return render.Number(n) + " " + noun + "s"
}

func (a *app) profilesNew() *cobra.Command {
	var from string
	c := &cobra.Command{Use: "new NAME [flags]", Short: "a file to edit", Args: oneArgument("a name")}
	f := flagsOf(c)
	f.in("Profile:")
	f.text(&from, "from", "", "NAME", "begin with this built-in profile")
	a.addOutput(f.in("Output:"), new(outputFlags), "", "", "")
	c.RunE = func(_ *cobra.Command, args []string) error {
		data, err := profiles.New(args[0], from)
		if unknown := (*profiles.NotFoundError)(nil); err != nil && !errors.As(err, &unknown) {
			return misuse("%s", oneLine(err.Error()))
		}
		if err != nil {
			return err
		}
		_, err = a.out.Write(data)
		return err
	}
	return c
}

func (a *app) profilesSchema() *cobra.Command {
	c := &cobra.Command{Use: "schema [flags]", Short: "the JSON Schema of profile files", Args: arguments(0)}
	a.addOutput(flagsOf(c).in("Output:"), new(outputFlags), "", "", "")
	c.RunE = func(*cobra.Command, []string) error {
		_, err := a.out.Write(profiles.Schema())
		return err
	}
	return c
}

// oneArgument wants exactly one argument.
func oneArgument(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return misuse("%s takes %s", c.CommandPath(), what).with("see what there is:", c.CommandPath()+" --help")
		}
		return nil
	}
}
