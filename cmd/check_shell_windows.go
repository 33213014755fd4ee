package cmd

import (
	"context"
	"os/exec"
	"strconv"
	"syscall"
)

// shellCommand is a command in cmd, whose processes end with the context.
func shellCommand(ctx context.Context, command string) *exec.Cmd {
	c := exec.CommandContext(ctx, "cmd")
	c.SysProcAttr = &syscall.SysProcAttr{CmdLine: "cmd /c " + command}
	c.Cancel = func() error {
		return exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(c.Process.Pid)).Run()
	}
	return c
}
