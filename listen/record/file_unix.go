//go:build !windows

package record

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// OpenNoFollow opens a file, also through symlinks of this user or the
// superuser, never through one of another user.
func OpenNoFollow(path string, flags int, mode fs.FileMode) (*os.File, error) {
	at := path
	for range 40 { // more is a circle
		f, err := os.OpenFile(at, flags|syscall.O_NOFOLLOW, mode)
		if !errors.Is(err, syscall.ELOOP) {
			return f, renamed(err, path)
		}
		info, err := os.Lstat(at)
		if err != nil {
			return nil, renamed(err, path)
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); !ok || stat.Uid != 0 && int(stat.Uid) != os.Geteuid() {
			return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("a symlink of another user is not followed")}
		}
		to, err := os.Readlink(at)
		if err != nil {
			return nil, renamed(err, path)
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(at), to)
		}
		if _, err := os.Lstat(to); err != nil && linked(at) { // such as /dev/stdout: it names no file
			f, err := os.OpenFile(at, flags&^os.O_CREATE, mode)
			return f, renamed(err, path)
		}
		at = to
	}
	return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.ELOOP}
}

// linked reports whether there is something behind a symlink.
func linked(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// renamed is an error about a path as it was given.
func renamed(err error, path string) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return &fs.PathError{Op: e.Op, Path: path, Err: e.Err}
	}
	return err
}

// lock keeps other processes from appending until unlock. Where the file system
// knows no locks, each line is still one write.
func lock(f *os.File) {
	for errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX), syscall.EINTR) {
	}
}

func unlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }

// removed reports whether a file has no name any more.
func removed(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Nlink == 0
}

// othersCanRead reports whether other users may read a file.
func othersCanRead(info fs.FileInfo) bool { return info.Mode().Perm()&0o044 != 0 }
