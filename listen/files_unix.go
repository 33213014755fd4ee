//go:build unix

package listen

import (
	"math"
	"syscall"
)

// FileLimit is how many files the process may open.
func FileLimit() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil || uint64(limit.Cur) > math.MaxInt32 { //nolint:unconvert // FreeBSD has an int64
		return math.MaxInt32
	}
	return int(limit.Cur)
}
