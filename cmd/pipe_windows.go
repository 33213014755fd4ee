package cmd

import (
	"errors"
	"os"
	"syscall"
)

// closedPipe reports whether the reader of a pipe has left.
func closedPipe(err error) bool {
	const noData = syscall.Errno(232) // ERROR_NO_DATA: the pipe is being closed
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ERROR_BROKEN_PIPE) ||
		errors.Is(err, noData) || errors.Is(err, os.ErrClosed)
}
