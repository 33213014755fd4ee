// Hookctl is the other side of a webhook: it delivers events as a provider
// would, and it receives and verifies them.
package main

import (
	"os"

	"github.com/hookctl/hookctl/cmd"
)

func main() { os.Exit(cmd.Run(os.Args[1:])) }
