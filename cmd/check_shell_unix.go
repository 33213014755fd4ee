//go:build !windows

package cmd

import (
	"context"
	"os/exec"
	"syscall"
)

// shellCommand is a command in sh, in a process group of its own that ends with
// the context.
func shellCommand(ctx context.Context, command string) *exec.Cmd {
	c := exec.CommandContext(ctx, "sh", "-c", command)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	return c
}
