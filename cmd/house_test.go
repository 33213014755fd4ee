package cmd_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hookctl/hookctl/profiles"
)

const module = "github.com/hookctl/hookctl"

// order is the one line of imports: a package imports those before it.
var order = []string{"profiles", "sign", "sign/explain", "send", "send/conform", "send/forecast", "listen", "listen/record", "cmd/render", "cmd", ""}

// only says which packages may import what is not of the standard library.
var only = map[string][]string{
	"gopkg.in/yaml.v3":                      {"profiles", "cmd"},
	"golang.org/x/text/unicode/norm":        {"sign/explain"},
	"github.com/spf13/cobra":                {"cmd"},
	"github.com/spf13/pflag":                {"cmd"},
	"github.com/charmbracelet/x/term":       {"cmd"},
	"github.com/charmbracelet/lipgloss":     {"cmd/render"},
	"github.com/muesli/termenv":             {"cmd/render"},
	"github.com/fatih/color":                {"cmd/render"},
	"github.com/charmbracelet/x/ansi":       {"cmd/render"},
	"github.com/mattn/go-runewidth":         {"cmd/render"},
	"github.com/charmbracelet/colorprofile": {},
}

// goFiles are the Go files that are built, by their path from the top.
func goFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir("..", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".."):
			return fs.SkipDir
		case strings.HasSuffix(p, ".go") && !strings.HasSuffix(p, "_test.go"):
			files = append(files, filepath.ToSlash(strings.TrimPrefix(p, ".."+string(filepath.Separator))))
		}
		return nil
	})
	if err != nil || len(files) < 50 {
		t.Fatalf("found %d Go files: %v", len(files), err)
	}
	return files
}

func TestImportsGoOneWay(t *testing.T) {
	for _, file := range goFiles(t) {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", file), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		from := path.Dir(file)
		if from == "." {
			from = ""
		}
		place := slices.Index(order, from)
		if place < 0 {
			t.Errorf("%s: package %q has no place in the line of imports", file, from)
			continue
		}
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if own, ok := strings.CutPrefix(imported, module+"/"); ok {
				if i := slices.Index(order, own); i < 0 || i >= place {
					t.Errorf("%s imports %s, which does not stand before it", file, own)
				}
			} else if strings.Contains(imported, ".") && !slices.Contains(only[imported], from) {
				t.Errorf("%s may not import %s", file, imported)
			}
		}
	}
}

func TestNoGoCodeKnowsAProvider(t *testing.T) {
	provider := providerNames(t)
	for _, file := range goFiles(t) {
		for i, line := range strings.Split(withoutImports(t, file), "\n") {
			if found := provider.FindString(strings.ReplaceAll(line, module, "")); found != "" {
				t.Errorf("%s:%d names %q", file, i+1, found)
			}
		}
	}
}

// providerNames matches the names and titles of the built-in profiles as words,
// in any case and spelling, and as words of an identifier.
func providerNames(t *testing.T) *regexp.Regexp {
	t.Helper()
	all, err := profiles.Builtin().All()
	if err != nil || len(all) == 0 {
		t.Fatalf("%d profiles: %v", len(all), err)
	}
	var words, parts []string
	for _, e := range all {
		for _, name := range []string{e.Profile.Name, e.Profile.Title} {
			fields := strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == ' ' })
			words = append(words, strings.Join(fields, "[-_ ]?"))
			for i, field := range fields {
				fields[i] = strings.ToUpper(field[:1]) + field[1:]
			}
			parts = append(parts, strings.Join(fields, ""))
		}
	}
	return regexp.MustCompile(`(?i:(?:^|[^a-z])(?:` + strings.Join(words, "|") + `))(?:$|[^a-z])|[a-z](?:` + strings.Join(parts, "|") + `)(?:$|[^a-z])`)
}

// withoutImports is a Go file with blanks in place of what it imports.
func withoutImports(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", file))
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, b, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range f.Imports {
		from, to := set.Position(spec.Path.Pos()).Offset, set.Position(spec.Path.End()).Offset
		copy(b[from:to], strings.Repeat(" ", to-from))
	}
	return string(b)
}

func TestProvidersAreFoundUnderAnySpelling(t *testing.T) {
	provider := providerNames(t)
	for text, want := range map[string]bool{
		"kudos": true, "// as Kudos CRM does": true, "KUDOS_SECRET": true, "kudosHeader": true, "isKudos": true, "isKudosHeader": true, `"x-kudos-id"`: true,
		"github": true, "GitHub.com": true, "Standard Webhooks": true, "standard_webhooks": true, "standardWebhooks": true, "asStandardWebhooksDo": true,
		"stripes": false, "striped": false, "Slackers": false, "a standard": false, "webhooks": false, "thisKudosity": false,
	} {
		if got := provider.MatchString(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestOneExit(t *testing.T) {
	exits := map[string]int{}
	for _, file := range goFiles(t) {
		b, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(b), "os.Exit("); n > 0 {
			exits[file] = n
		}
		if strings.Contains(string(b), "\nfunc init()") {
			t.Errorf("%s has an init", file)
		}
	}
	// One at the end, and one for a second signal.
	if want := map[string]int{"main.go": 1, "cmd/cmd.go": 1}; !maps.Equal(exits, want) {
		t.Errorf("os.Exit is called in %v, want %v", exits, want)
	}
}
