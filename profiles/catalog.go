package profiles

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// A Catalog finds profiles by name: in the folders first, in their order, then
// among the built-in ones. Files are read and parsed when they are asked for.
type Catalog struct {
	Folders []string
}

// An Entry is a profile and where it comes from.
type Entry struct {
	Profile  *Profile
	From     string // "built in", or the path of the file
	Replaces bool   // a file with the name of a built-in profile
	text     []byte // of a file
}

// Source is the YAML that describes the profile.
func (e Entry) Source() []byte {
	if e.text == nil {
		data, _ := builtinSource(e.Profile.Name)
		return data
	}
	return e.text
}

// Get finds a profile by name, or by path: a name that has a slash or ends in
// .yaml or .yml is a path. In a folder the profile NAME is the file NAME.yaml,
// else NAME.yml, and its name must be the file's. Get returns a *NotFoundError
// (with the names that exist and a near one), a *FileError, or [Errors] of
// parsing.
func (c *Catalog) Get(name string) (Entry, error) {
	if strings.ContainsAny(name, "/"+string(filepath.Separator)) || extension(name) != "" {
		return fromFile(name, "")
	}
	if IsName(name) {
		for _, folder := range c.Folders {
			path, ok := find(folder, name)
			if !ok {
				continue
			}
			e, err := fromFile(path, name)
			_, e.Replaces = builtinSource(name)
			return e, err
		}
		if p, ok := fromOutline(name); ok {
			return Entry{Profile: p, From: "built in"}, nil
		}
	}
	names, err := c.Names()
	if err != nil {
		return Entry{}, err
	}
	return Entry{}, &NotFoundError{Name: name, Names: names, Near: Near(name, names)}
}

// Names lists what Get would find, sorted. A folder that does not exist has
// none; one that cannot be read is a *FileError.
func (c *Catalog) Names() ([]string, error) {
	all := map[string]bool{}
	for _, name := range builtinNames() {
		all[name] = true
	}
	for _, folder := range c.Folders {
		if _, err := os.Stat(folder); absent(err) {
			continue
		}
		files, err := os.ReadDir(folder)
		if err != nil {
			return nil, &FileError{Path: folder, Err: reason(err)}
		}
		for _, f := range files {
			name := strings.TrimSuffix(f.Name(), extension(f.Name()))
			if extension(f.Name()) != "" && IsName(name) && !f.IsDir() {
				all[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all)), nil
}

// All is every profile of the catalogue, sorted by name. Where some cannot be
// read, it returns the others, and the errors joined.
func (c *Catalog) All() ([]Entry, error) {
	names, err := c.Names()
	if err != nil {
		return nil, err
	}
	var all []Entry
	var faults []error
	for _, name := range names {
		e, err := c.Get(name)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		all = append(all, e)
	}
	return all, errors.Join(faults...)
}

// NotFoundError says that no profile has the name.
type NotFoundError struct {
	Name  string
	Names []string // those that exist, sorted
	Near  string   // what may have been meant, or ""
}

func (e *NotFoundError) Error() string {
	if e.Near != "" {
		return fmt.Sprintf("no profile named %s; did you mean %s?", quote(e.Name), e.Near)
	}
	return "no profile named " + quote(e.Name)
}

// FileError says why a profile file, or a folder of them, could not be read.
type FileError struct {
	Path    string
	Err     error
	Builtin string // the built-in profile that a missing file is named like, or ""
}

func (e *FileError) Error() string {
	text := fmt.Sprintf("cannot read %s: %v", e.Path, e.Err)
	if e.Builtin != "" {
		text += fmt.Sprintf("; %s without a path is a built-in profile", e.Builtin)
	}
	return text
}

// Unwrap is the cause.
func (e *FileError) Unwrap() error { return e.Err }

// extension is the end of a name that makes it a profile file, or "".
func extension(name string) string {
	for _, ext := range []string{".yaml", ".yml"} {
		if strings.HasSuffix(name, ext) {
			return ext
		}
	}
	return ""
}

// find is the file of a profile in a folder. Its path begins as the folder's is
// spelled.
func find(folder, name string) (string, bool) {
	for _, ext := range []string{".yaml", ".yml"} {
		path := strings.TrimSuffix(folder, "/") + "/" + name + ext
		if info, err := os.Stat(path); err == nil && !info.IsDir() || err != nil && !absent(err) {
			return path, true
		}
	}
	return "", false
}

// absent reports whether an error says that a path leads nowhere; also through a
// file, as ~/.config does where HOME is /dev/null.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// fromFile reads and parses a file. called is the name that it must have, or "".
func fromFile(path, called string) (Entry, error) {
	data, err := ReadFile(path)
	if err != nil {
		return Entry{}, err
	}
	p, err := parse(path, data, called)
	if err != nil {
		return Entry{}, err
	}
	return Entry{Profile: p, From: path, text: data}, nil
}

// ReadFile reads a profile file. An error is a *FileError; a file larger than
// 1 MiB is not read, and is [Errors].
func ReadFile(path string) ([]byte, error) {
	data, err := read(path)
	if err == nil {
		return data, nil
	}
	if faults := (Errors)(nil); errors.As(err, &faults) {
		return nil, faults
	}
	e := &FileError{Path: path, Err: reason(err)}
	base := filepath.Base(path)
	base = strings.TrimSuffix(base, extension(base))
	if _, ok := builtinSource(base); ok && errors.Is(err, fs.ErrNotExist) {
		e.Builtin = base
	}
	return nil, e
}

// read reads a regular file; of one that grows meanwhile no more than [Parse]
// needs to refuse it.
func read(path string) (data []byte, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	if info.Size() > maxFile {
		return nil, errTooLarge(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(io.LimitReader(f, maxFile+1))
}

// reason is a file's error without its path, which is told already.
func reason(err error) error {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return at.Err
	}
	return err
}
