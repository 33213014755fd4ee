package cmd_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/hookctl/hookctl/cmd"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"hookctl": func() { os.Exit(cmd.Run(os.Args[1:])) },
		"peak":    peak,
	})
}

// TestScripts runs the real program as users do.
func TestScripts(t *testing.T) {
	const dir = "../testdata/script"
	if files, err := filepath.Glob(filepath.Join(dir, "*.txtar")); err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s: %v", dir, err)
	}
	receivers, err := filepath.Abs("../testdata/receivers")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") == "1",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"capture":  capture,
			"exits":    exits,
			"post":     post,
			"receiver": receiver,
			"tear":     tear,
			"wait4":    waitForLine,
		},
		Condition: func(cond string) (bool, error) {
			name, ok := strings.CutPrefix(cond, "has:")
			if !ok {
				return false, nil
			}
			_, err := exec.LookPath(name)
			if err != nil {
				t.Logf("%s is not installed: its part of a script is not run", name)
			}
			return err == nil, nil
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("RECEIVERS", receivers)
			e.Setenv("GORACE", "atexit_sleep_ms=0")
			if runtime.GOOS != "windows" {
				e.Setenv("LANG", "C.UTF-8")
			}
			return nil
		},
	})
}

// exits runs a program and wants its exit code: exits CODE PROGRAM ARG...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	var e *exec.ExitError
	if errors.As(err, &e) {
		code = strconv.Itoa(e.ExitCode())
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if code != args[0] {
		ts.Fatalf("%s exited with %s, want %s", strings.Join(args[1:], " "), code, args[0])
	}
}
