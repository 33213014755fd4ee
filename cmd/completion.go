package cmd

import (
	"bytes"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hookctl/hookctl/profiles"
)

// shells are those that completion knows.
func shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

func (a *app) completionCommand() *cobra.Command {
	c := &cobra.Command{Use: "completion SHELL [flags]", Args: oneArgument("a shell: " + list(shells()))}
	flagsOf(c).in("Output:").yes(new(bool), "help", "h", "this page")
	c.RunE = func(c *cobra.Command, args []string) error {
		script, err := completionScript(c.Root(), args[0])
		if err != nil {
			return err
		}
		_, err = a.out.Write(script)
		return err
	}
	return c
}

// completionScript is what a shell sources: it asks the program itself at each
// Tab, through a hidden command.
func completionScript(root *cobra.Command, shell string) ([]byte, error) {
	var b bytes.Buffer
	var err error
	switch shell {
	case "bash":
		err = root.GenBashCompletionV2(&b, true)
		return wholeAtWords(b.Bytes()), err
	case "zsh":
		err = root.GenZshCompletion(&b)
	case "fish":
		err = root.GenFishCompletion(&b, true)
	case "powershell":
		err = root.GenPowerShellCompletionWithDesc(&b)
	default:
		text := "no completion for " + quoted(shell)
		if near := profiles.Near(shell, shells()); near != "" {
			text += "; did you mean " + near + "?"
		}
		return nil, misuse("%s", text).with("there are "+list(shells()), "")
	}
	return b.Bytes(), err
}

// wholeAtWords makes the script for bash take @FILE as one word. Bash parts
// words at @, as at = and :, which the script puts together again.
func wholeAtWords(script []byte) []byte {
	return []byte(strings.NewReplacer(
		"_init_completion -n =: ", "_init_completion -n =:@ ",
		`_handle_special_char "$cur" =`+"\n", `_handle_special_char "$cur" =`+"\n    __hookctl_handle_special_char \"$cur\" @\n",
	).Replace(string(script)))
}
