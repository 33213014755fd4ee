package cmd

import "io/fs"

// othersCanRead reports whether other users may read a file. On Windows the
// rights of the folder hold, which a file's mode does not tell.
func othersCanRead(fs.FileInfo) bool { return false }
