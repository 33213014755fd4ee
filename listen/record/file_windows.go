package record

import (
	"io/fs"
	"os"
	"syscall"
	"unsafe"
)

// OpenNoFollow opens a file. Who may make a symlink on Windows may write the
// file as well.
func OpenNoFollow(path string, flags int, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flags, mode)
}

// farAway is a byte that no file reaches. It is what is locked, since Windows
// lets nobody read what is.
const farAway = 1 << 30 // times 4 GiB

// lock keeps other processes from appending until unlock. Where the file system
// knows no locks, each line is still one write.
func lock(f *os.File) {
	const exclusive = 2
	at := syscall.Overlapped{OffsetHigh: farAway}
	_, _, _ = kernel("LockFileEx").Call(f.Fd(), exclusive, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
}

func unlock(f *os.File) {
	at := syscall.Overlapped{OffsetHigh: farAway}
	_, _, _ = kernel("UnlockFileEx").Call(f.Fd(), 0, 1, 0, uintptr(unsafe.Pointer(&at)))
}

func kernel(name string) *syscall.LazyProc { return syscall.NewLazyDLL("kernel32.dll").NewProc(name) }

// removed reports whether a file has no name any more: Windows removes none that
// is open.
func removed(fs.FileInfo) bool { return false }

// othersCanRead reports whether other users may read a file. On Windows the
// rights of the folder hold, which a file's mode does not tell.
func othersCanRead(fs.FileInfo) bool { return false }
