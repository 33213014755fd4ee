package render

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

// golden compares a drawing with testdata/name.golden.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs\ngot:\n%s\nwant:\n%s", file, got, want)
	}
}

// stripped is text without style codes.
func stripped(s string) string {
	return regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(s, "")
}

// firstWide is the first line wider than width that no exception of the
// contract covers, or "".
func firstWide(text string, width int, except ...string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(stripped(line), "\n")
		if columns(line) <= width || allowed(line, except) {
			continue
		}
		return line
	}
	return ""
}

func allowed(line string, except []string) bool {
	for _, part := range except {
		if part != "" && strings.Contains(line, part) {
			return true
		}
	}
	return false
}
