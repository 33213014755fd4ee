package cmd_test

import (
	"os"

	"github.com/rogpeppe/go-internal/testscript"
)

// tear appends the beginning of a record's first line once more, as a power loss
// would leave it: tear FILE.
func tear(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: tear FILE")
	}
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_WRONLY|os.O_APPEND, 0)
	ts.Check(err)
	_, err = f.WriteString(ts.ReadFile(args[0])[:len(`{"schema":"hookctl.req`)])
	ts.Check(err)
	ts.Check(f.Close())
}
