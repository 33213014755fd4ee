// Imports does what hello does, with hookctl's dependencies linked in: what it
// takes more than hello is the price of their initialisation.
package main

import (
	"os"

	"github.com/charmbracelet/lipgloss"
	"github.com/fatih/color"
	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"
)

func main() {
	if len(os.Args) > 1 { // never: it keeps the linker from leaving them out
		var v any
		yaml.Unmarshal([]byte(os.Args[1]), &v)
		color.New(color.Bold).Println(lipgloss.NewRenderer(os.Stdout).NewStyle().Render(os.Args[1]))
		(&cobra.Command{Use: os.Args[1]}).Execute()
	}
	os.Stdout.WriteString("hello\n")
}
