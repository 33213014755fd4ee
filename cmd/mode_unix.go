//go:build !windows

package cmd

import "io/fs"

// othersCanRead reports whether other users may read a file.
func othersCanRead(info fs.FileInfo) bool { return info.Mode().Perm()&0o044 != 0 }
