package cmd_test

import (
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"runtime"
)

// peak runs a program and says the most memory that it held, on Linux. It is a
// program of its own, since what Linux tells of a child is never less than its
// parent had.
func peak() {
	c := exec.Command(os.Args[1], os.Args[2:]...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if runtime.GOOS == "linux" {
		// by name: the field is not there on every system
		fmt.Println("peak", reflect.ValueOf(c.ProcessState.SysUsage()).Elem().FieldByName("Maxrss"), "KiB")
	}
}
