//go:build !windows

package cmd

import (
	"errors"
	"os"
	"syscall"
)

// closedPipe reports whether the reader of a pipe has left.
func closedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed)
}
