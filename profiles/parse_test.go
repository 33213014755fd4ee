package profiles

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// brokenFiles are the files of testdata/profiles. Each begins with what is wrong
// with it, a comment a fault: "# LINE:COLUMN+WIDTH: MESSAGE; did you mean NEAR?".
func brokenFiles(t testing.TB) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("../testdata/profiles/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) < 50 {
		t.Fatalf("only %d broken profiles found", len(paths))
	}
	files := map[string]string{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[path] = string(data)
	}
	return files
}

func TestBrokenProfileIsToldWithLineAndColumn(t *testing.T) {
	for path, text := range brokenFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p, err := Parse("acme.yaml", []byte(text))
			if p != nil {
				t.Error("a profile was returned")
			}
			var faults Errors
			if !errors.As(err, &faults) {
				t.Fatalf("got %v, want Errors", err)
			}
			var got strings.Builder
			for _, e := range faults {
				fmt.Fprintf(&got, "# %d", e.Line)
				if e.Column > 0 {
					fmt.Fprintf(&got, ":%d+%d", e.Column, e.Width)
				}
				fmt.Fprintf(&got, ": %s", e.Message)
				if e.Near != "" {
					fmt.Fprintf(&got, "; did you mean %s?", e.Near)
				}
				got.WriteByte('\n')
				lines := strings.Split(text, "\n")
				if e.Source != lines[e.Line-1] {
					t.Errorf("source is %q, want %q", e.Source, lines[e.Line-1])
				}
			}
			if !strings.HasPrefix(text, got.String()) || strings.HasPrefix(text[got.Len():], "# ") && !strings.HasPrefix(text[got.Len():], "# nothing") {
				t.Errorf("got\n%s\nwant\n%s", got.String(), strings.Join(strings.SplitN(text, "\n", len(faults)+2)[:len(faults)+1], "\n"))
			}
		})
	}
}

// plain is a whole profile that says no more than it must.
const plain = `schema: 1
name: acme
signature: { content: "{timestamp}.{body}" }
headers:
  Acme-Signature: "t={timestamp},v1={signature}"
delivery:
  timeout: 8s
  rules:
    - { on: [any], then: retry }
`

func TestErrorTextHasFileLineAndColumn(t *testing.T) {
	text := strings.Replace(plain, "timeout: 8s", "timeuot: 8s", 1)
	_, err := Parse("./acme.yaml", []byte(text))
	want := `./acme.yaml:7:3: unknown key "timeuot" in delivery`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	var first *Error
	if !errors.As(err, &first) {
		t.Fatalf("no *Error in %v", err)
	}
	wantError := Error{"./acme.yaml", 7, 3, 7, `unknown key "timeuot" in delivery`, "timeout", "  timeuot: 8s"}
	if *first != wantError {
		t.Errorf("got %+v, want %+v", *first, wantError)
	}
}

func TestErrorWithoutColumnHasLineOnly(t *testing.T) {
	_, err := Parse("acme.yaml", []byte("a: b\nc: [\n"))
	want := "acme.yaml:2: not YAML: did not find expected node content"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestBytesThatAreNoTextAreToldWithTheirPlace(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a byte that is not UTF-8", "name: a\xffb\n", `acme.yaml:1:8: the byte 0xff is not UTF-8`},
		{"the character of a byte that is not UTF-8 is one", "name: é�\xc3\n", `acme.yaml:1:9: the byte 0xc3 is not UTF-8`},
		{"NUL", "schema: 1\nname: \x00\n", `acme.yaml:2:7: the character U+0000 may not stand in a profile file`},
		{"an escape", "# \x1b[2J\n", `acme.yaml:1:3: the character U+001B may not stand in a profile file`},
		{"UTF-16", "\xff\xfes\x00", `acme.yaml:1:1: the byte 0xff is not UTF-8`},
		{"over 1 MiB", strings.Repeat("#\n", 1<<19) + "\n", "acme.yaml:1:1: the file is larger than 1 MiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Parse("acme.yaml", []byte(tt.text)); err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestLineEndsAndByteOrderMarkDoNotMoveThePlace(t *testing.T) {
	broken := strings.Replace(plain, "then: retry", "then: rety", 1)
	for name, text := range map[string]string{
		"LF":   broken,
		"CRLF": strings.ReplaceAll(broken, "\n", "\r\n"),
		"CR":   strings.ReplaceAll(broken, "\n", "\r"),
		"BOM":  "\xef\xbb\xbf" + broken,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("acme.yaml", []byte(text))
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v", err)
			}
			want := Error{"acme.yaml", 9, 26, 4, `delivery.rules.then: "rety" is not delivered, retry or failed`, "retry", "    - { on: [any], then: rety }"}
			if *e != want {
				t.Errorf("got %+v, want %+v", *e, want)
			}
		})
	}
}

func TestExactlyOneMiBIsRead(t *testing.T) {
	text := plain + strings.Repeat("#", maxFile-len(plain))
	if _, err := Parse("acme.yaml", []byte(text)); err != nil {
		t.Error(err)
	}
}

func TestColumnCountsCharacters(t *testing.T) {
	text := strings.Replace(plain, "name: acme", "name: acme\ndocs: [{ says: \"Größe\", ulr: x }]", 1)
	_, err := Parse("acme.yaml", []byte(text))
	want := `acme.yaml:3:25: unknown key "ulr" in docs`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestFaultsOfOneFileAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(plain)
	for i := range 30000 {
		fmt.Fprintf(&b, "k%d: [1]\n", i)
	}
	_, err := Parse("acme.yaml", []byte(b.String()))
	var faults Errors
	if !errors.As(err, &faults) || len(faults) != maxFaults {
		t.Errorf("got %d faults, want %d", len(faults), maxFaults)
	}
}

func TestNestingIsBounded(t *testing.T) {
	for _, n := range []int{1000, 9000, 100000} {
		text := plain + "not_emulated: " + strings.Repeat("[", n) + strings.Repeat("]", n) + "\n"
		if _, err := Parse("acme.yaml", []byte(text)); err == nil {
			t.Errorf("%d levels were accepted", n)
		}
	}
}
