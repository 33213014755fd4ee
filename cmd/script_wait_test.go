package cmd_test

import (
	"os"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// waitForLine waits until a file has a line and puts its last word into a
// variable: wait4 FILE VARIABLE. It is how a script learns the port of a program
// in the background.
func waitForLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: wait4 FILE VARIABLE")
	}
	deadline := time.Now().Add(30 * time.Second)
	for tick := time.NewTicker(5 * time.Millisecond); time.Now().Before(deadline); <-tick.C {
		b, err := os.ReadFile(ts.MkAbs(args[0]))
		if line, _, ok := strings.Cut(string(b), "\n"); err == nil && ok {
			words := strings.Fields(line)
			if len(words) == 0 {
				continue
			}
			ts.Setenv(args[1], words[len(words)-1])
			return
		}
	}
	ts.Fatalf("%s has no line yet", args[0])
}
