package profiles

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// folder has the given files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// called is a plain profile of another name.
func called(name string) string { return strings.Replace(plain, "name: acme", "name: "+name, 1) }

func TestFoldersAreSearchedInOrderThenBuiltin(t *testing.T) {
	near := folder(t, map[string]string{"acme.yaml": called("acme"), "both.yml": called("both"), "both.yaml": called("both")})
	far := folder(t, map[string]string{"acme.yaml": called("acme"), "kudos.yml": called("kudos"), "readme.txt": "no profile", "Upper.yaml": plain})
	c := Catalog{Folders: []string{near, filepath.Join(near, "absent"), far}}
	names, err := c.Names()
	if want := slices.Sorted(slices.Values(append([]string{"acme", "both"}, builtins...))); err != nil || !slices.Equal(names, want) {
		t.Fatalf("got %v, %v, want %v", names, err, want)
	}
	files := map[string]string{"acme": near + "/acme.yaml", "both": near + "/both.yaml", "kudos": far + "/kudos.yml"}
	entries, err := c.All()
	if err != nil || len(entries) != len(names) {
		t.Fatalf("got %d entries, %v", len(entries), err)
	}
	for i, e := range entries {
		from := or(files[names[i]], "built in")
		if e.Profile.Name != names[i] || e.From != from || e.Replaces != (names[i] == "kudos") {
			t.Errorf("%s is from %s, replaces %v, want %s from %s", e.Profile.Name, e.From, e.Replaces, names[i], from)
		}
	}
}

func TestPathInAFolderIsSpelledAsGiven(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll(".hookctl/profiles", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(".hookctl/profiles/acme.yaml", []byte(plain), 0o600); err != nil {
		t.Fatal(err)
	}
	c := Catalog{Folders: []string{"./.hookctl/profiles"}}
	if e, err := c.Get("acme"); err != nil || e.From != "./.hookctl/profiles/acme.yaml" {
		t.Errorf("got %q, %v", e.From, err)
	}
}

func TestUnknownNameIsToldWithANearOne(t *testing.T) {
	for _, tt := range []struct{ name, near, text string }{
		{"kudoz", "kudos", `no profile named "kudoz"; did you mean kudos?`},
		{"Kudos", "kudos", `no profile named "Kudos"; did you mean kudos?`},
		{"paddle", "", `no profile named "paddle"`},
		{"standard-webhook", "standard-webhooks", `no profile named "standard-webhook"; did you mean standard-webhooks?`},
		{"", "", `no profile named ""`},
		{"..", "", `no profile named ".."`},
	} {
		_, err := Builtin().Get(tt.name)
		var e *NotFoundError
		if !errors.As(err, &e) || e.Name != tt.name || e.Near != tt.near || !slices.Equal(e.Names, builtins) || e.Error() != tt.text {
			t.Errorf("%q: got %+v", tt.name, err)
		}
	}
}

func TestFileThatCannotBeReadIsTold(t *testing.T) {
	dir := folder(t, map[string]string{"plain.txt": plain})
	if err := os.Mkdir(filepath.Join(dir, "dir.yaml"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path, after, builtin string
		missing              bool
	}{
		{"acme.yaml", "", "", true},
		{"kudos.yaml", "; kudos without a path is a built-in profile", "kudos", true},
		{"kustomer.yml", "; kustomer without a path is a built-in profile", "kustomer", true},
		{"clodo", "; clodo without a path is a built-in profile", "clodo", true},
		{"dir.yaml", "", "", false},
	} {
		path := dir + "/" + tt.path
		_, err := Builtin().Get(path)
		var e *FileError
		if !errors.As(err, &e) || e.Path != path || e.Builtin != tt.builtin || errors.Is(err, fs.ErrNotExist) != tt.missing {
			t.Errorf("%s: got %#v", tt.path, err)
			continue
		}
		if want := "cannot read " + path + ": " + e.Err.Error() + tt.after; e.Error() != want {
			t.Errorf("got %q, want %q", e.Error(), want)
		}
	}
}

func TestPathNeedsNoNameOfItsOwn(t *testing.T) {
	dir := folder(t, map[string]string{"other.yaml": plain, "plain.txt": plain})
	for _, name := range []string{"other.yaml", "plain.txt"} {
		e, err := Builtin().Get(dir + "/" + name)
		if err != nil || e.Profile.Name != "acme" || e.From != dir+"/"+name || e.Replaces || string(e.Source()) != plain {
			t.Errorf("%s: got %+v, %v", name, e, err)
		}
	}
}

func TestNameInAFolderIsTheFilesName(t *testing.T) {
	dir := folder(t, map[string]string{"other.yaml": plain})
	_, err := (&Catalog{Folders: []string{dir}}).Get("other")
	want := dir + `/other.yaml:2:7: the name is "acme", but the file is called "other"`
	if text(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestFileOverOneMiBIsRefused(t *testing.T) {
	dir := folder(t, map[string]string{"large.yaml": plain + strings.Repeat("#", 1<<20)})
	_, err := Builtin().Get(dir + "/large.yaml")
	if want := dir + "/large.yaml:1:1: the file is larger than 1 MiB"; text(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestBrokenFileDoesNotHideTheOthers(t *testing.T) {
	dir := folder(t, map[string]string{"acme.yaml": "name: acme\n", "zeta.yaml": called("zeta")})
	entries, err := (&Catalog{Folders: []string{dir}}).All()
	var names []string
	for _, e := range entries {
		names = append(names, e.Profile.Name)
	}
	if want := append(slices.Clone(builtins), "zeta"); !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
	var faults Errors
	if !errors.As(err, &faults) || faults[0].File != dir+"/acme.yaml" {
		t.Errorf("got %v", err)
	}
}
