//go:build !windows

package cmd

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// names are the files of a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestAWholeFileIsWrittenOrNothing(t *testing.T) {
	for name, test := range map[string]struct {
		before  func() error
		path    string
		written string // where the text then is
		links   []string
		err     error
	}{
		"a new file":                   {path: "f", written: "f"},
		"in another folder":            {path: "sub/f", written: "sub/f"},
		"an old file":                  {before: func() error { return os.WriteFile("f", []byte("a longer text than before"), 0o600) }, path: "f", written: "f"},
		"a file that cannot be opened": {before: func() error { return os.WriteFile("f", nil, 0) }, path: "f", written: "f"},
		"a symlink":                    {before: func() error { return errors.Join(os.WriteFile("sub/to", nil, 0o600), os.Symlink("sub/to", "f")) }, path: "f", written: "sub/to", links: []string{"f"}},
		"an absolute symlink":          {before: func() error { return os.Symlink(mustAbs("sub/to"), "f") }, path: "f", written: "sub/to", links: []string{"f"}},
		"a dangling symlink":           {before: func() error { return os.Symlink("sub/to", "f") }, path: "f", written: "sub/to", links: []string{"f"}},
		"a chain of symlinks":          {before: func() error { return errors.Join(os.Symlink("to", "sub/g"), os.Symlink("sub/g", "f")) }, path: "f", written: "sub/to", links: []string{"f", "sub/g"}},
		"a circle of symlinks":         {before: func() error { return errors.Join(os.Symlink("g", "f"), os.Symlink("f", "g")) }, path: "f", err: syscall.ELOOP, links: []string{"f", "g"}},
		"a missing folder":             {path: "none/f", err: fs.ErrNotExist},
		"a symlink to no folder":       {before: func() error { return os.Symlink("none/to", "f") }, path: "f", err: fs.ErrNotExist, links: []string{"f"}},
		"a folder":                     {path: "sub", err: syscall.EISDIR},
		"no name":                      {path: "", err: fs.ErrNotExist}, // the rename fails
		"below a file":                 {before: func() error { return os.WriteFile("f", nil, 0o600) }, path: "f/g", err: syscall.ENOTDIR},
	} {
		t.Run(name, func(t *testing.T) {
			folder(t, nil)
			if err := os.Mkdir("sub", 0o700); err != nil {
				t.Fatal(err)
			}
			if test.before != nil {
				if err := test.before(); err != nil {
					t.Fatal(err)
				}
			}
			top, sub := len(names(t, ".")), len(names(t, "sub"))
			err := writeFile(test.path, []byte("text\n"))
			if !errors.Is(err, test.err) {
				t.Fatalf("%v, want %v", err, test.err)
			}
			for _, link := range test.links {
				if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
					t.Errorf("%s is no symlink any more: %v", link, err)
				}
			}
			if test.err != nil { // nothing is left behind
				if a, b := len(names(t, ".")), len(names(t, "sub")); a != top || b != sub {
					t.Errorf("left behind: %v, %v", names(t, "."), names(t, "sub"))
				}
				return
			}
			if b, err := os.ReadFile(test.written); err != nil && !errors.Is(err, fs.ErrPermission) || err == nil && string(b) != "text\n" {
				t.Errorf("%s holds %q, %v", test.written, b, err)
			}
			if info, err := os.Lstat(test.written); err != nil || info.Mode() != 0o600 {
				t.Errorf("%s: %v, %v", test.written, info.Mode(), err)
			}
			for _, dir := range []string{".", "sub"} {
				for _, n := range names(t, dir) {
					if n[0] == '.' {
						t.Errorf("a temporary file is left: %s", n)
					}
				}
			}
		})
	}
}

func mustAbs(path string) string {
	full, err := filepath.Abs(path)
	if err != nil {
		panic(err)
	}
	return full
}

func TestAPipeOrDeviceIsWrittenDirectly(t *testing.T) {
	folder(t, nil)
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pipe", "link"); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"pipe", "link"} {
		read := make(chan string, 1)
		go func() {
			f, err := os.Open("pipe")
			if err != nil {
				read <- err.Error()
				return
			}
			defer f.Close()
			b, _ := io.ReadAll(f)
			read <- string(b)
		}()
		if err := writeFile(path, []byte("text\n")); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if got := <-read; got != "text\n" {
			t.Errorf("%s: %q came out", path, got)
		}
		if info, err := os.Lstat("pipe"); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
			t.Errorf("%s: the pipe is gone: %v", path, err)
		}
	}
	if err := writeFile(os.DevNull, []byte("text\n")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is a file now: %v", os.DevNull, err)
	}
	// A pipe of this process, as /dev/stdout or a process substitution is.
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	name := filepath.Join("/dev/fd", itoa(w.Fd()))
	if _, err := os.Stat(name); err != nil {
		t.Logf("no %s here: %v", name, err)
		w.Close()
		return
	}
	if err := writeFile(name, []byte("text\n")); err != nil {
		t.Error(err)
	}
	w.Close()
	if b, err := io.ReadAll(r); err != nil || string(b) != "text\n" {
		t.Errorf("%q came out, %v", b, err)
	}
	if info, err := os.Stat("/dev/full"); err == nil && !info.Mode().IsRegular() {
		if err := writeFile("/dev/full", []byte("x")); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("a full device: %v", err)
		}
	}
}

func TestWhoCanReadAFile(t *testing.T) {
	folder(t, map[string]string{"f": ""})
	for mode, want := range map[fs.FileMode]bool{
		0o600: false, 0o400: false, 0o700: false, 0o610: false, 0o601: false, 0o622: false, 0o711: false,
		0o640: true, 0o604: true, 0o644: true, 0o666: true, 0o440: true,
	} {
		if err := os.Chmod("f", mode); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat("f")
		if err != nil {
			t.Fatal(err)
		}
		if got := othersCanRead(info); got != want {
			t.Errorf("%o: %v, want %v", mode, got, want)
		}
	}
}

func TestAConfigWithASecretThatOthersCanReadGetsAWarning(t *testing.T) {
	const said = "my c.yaml holds a secret and others can read it; chmod 600 'my c.yaml'"
	for _, test := range []struct {
		secrets string
		mode    fs.FileMode
		want    string
	}{
		{"{ value: " + canary + " }", 0o600, ""},
		{"{ value: " + canary + " }", 0o640, "hookctl: warning: " + said + "\n"},
		{"{ value: " + canary + " }", 0o604, "hookctl: warning: " + said + "\n"},
		{"{ env: S }", 0o644, ""},
	} {
		folder(t, map[string]string{"my c.yaml": "profiles: { kudos: { secrets: [" + test.secrets + "] } }"})
		if err := os.Chmod("my c.yaml", test.mode); err != nil {
			t.Fatal(err)
		}
		r := world{env: map[string]string{"HOOKCTL_CONFIG": "my c.yaml", "S": "s"}}.run("sign", "-p", "kudos", "-d", "x")
		if r.code != ExitOK || r.stderr != test.want {
			t.Errorf("%s, %o: exit code %d, stderr %q, want %q", test.secrets, test.mode, r.code, r.stderr, test.want)
		}
		r.never(t, "Canary")
	}
}
