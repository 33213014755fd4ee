package cmd_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// receiver starts a small receiver of testdata/receivers and puts its port into
// PORT: receiver SCHEME HEADER PROGRAM ARG... A PROGRAM that is a folder is one
// in Go. Its secrets are those of SECRET;
// ID, EFFECTS, BROKEN, FAULT and STYLE are passed on.
// It ends with the script.
func receiver(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: receiver SCHEME HEADER PROGRAM ARG...")
	}
	program := args[2]
	if info, err := os.Stat(program); err == nil && info.IsDir() {
		program = ts.MkAbs(filepath.Base(program) + ".exe")
		if out, err := exec.Command("go", "build", "-o", program, args[2]).CombinedOutput(); err != nil {
			ts.Fatalf("%v: %s", err, out)
		}
	}
	c := exec.Command(program, args[3:]...)
	c.Env = append(c.Environ(), "SCHEME="+args[0], "HEADER="+args[1], "SECRET="+ts.Getenv("SECRET"))
	for _, name := range []string{"ID", "EFFECTS", "BROKEN", "FAULT", "STYLE"} {
		if v := ts.Getenv(name); v != "" {
			c.Env = append(c.Env, name+"="+v)
		}
	}
	stdin, err := c.StdinPipe() // it runs until this ends
	ts.Check(err)
	stdout, err := c.StdoutPipe()
	ts.Check(err)
	ts.Check(c.Start())
	ts.Defer(func() {
		stdin.Close()
		_ = c.Wait() // how it ends does not matter
	})
	lines := bufio.NewScanner(stdout)
	if !lines.Scan() {
		ts.Fatalf("%s said nothing", args[2])
	}
	port, ok := strings.CutPrefix(lines.Text(), "listening ")
	if !ok {
		ts.Fatalf("%s said %q", args[2], lines.Text())
	}
	ts.Setenv("PORT", port)
	go func() {
		for lines.Scan() {
		}
	}()
}
