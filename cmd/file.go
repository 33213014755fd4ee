package cmd

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// writeFile writes a whole file or nothing: to a temporary name in the same
// folder, then renamed. A symlink is resolved first; a pipe or device is written
// directly. An error names the path as it was given.
func writeFile(path string, data []byte) error {
	err := replaceFile(path, data)
	var (
		named *fs.PathError
		link  *os.LinkError
	)
	switch {
	case errors.As(err, &named):
		return &fs.PathError{Op: named.Op, Path: path, Err: named.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: link.Op, Path: path, Err: link.Err}
	}
	return err
}

func replaceFile(path string, data []byte) error {
	info, err := os.Stat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil && !info.Mode().IsRegular() { // also /dev/stdout, a link that names no file
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return errors.Join(err, f.Close())
	}
	path = resolve(path)
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// removeFile removes what writeFile wrote: a regular file, also behind a
// symlink, and nothing else.
func removeFile(path string) {
	path = resolve(path)
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		_ = os.Remove(path) // it is gone, or nothing can be done
	}
}

// resolve follows symlinks, also to what does not exist yet.
func resolve(path string) string {
	for range 40 { // more is a circle
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return path
}
