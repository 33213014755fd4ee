package cmd

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestTheManualHasAPageForEachCommandAndTopic(t *testing.T) {
	folder(t, nil)
	r := world{}.run("man", "a/man")
	r.want(t, ExitOK)
	if r.stdout+r.stderr != "" {
		t.Errorf("it says %q", r.stdout+r.stderr)
	}
	request := regexp.MustCompile(`(?m)^[.'](TH|SH|SS|TP|PP|nf|fi|in)?`)
	var want []string
	for path, c := range commands(t) {
		file := strings.TrimSuffix("hookctl-"+strings.ReplaceAll(path, " ", "-"), "-") + ".1"
		if path == "help" {
			continue // hookctl help is no page of its own
		}
		want = append(want, file)
		page, err := os.ReadFile(filepath.Join("a", "man", file))
		if err != nil {
			t.Error(err)
			continue
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Annotations != nil && !strings.Contains(string(page), `\-\-`+strings.ReplaceAll(f.Name, "-", `\-`)) {
				t.Errorf("%s: no --%s", file, f.Name)
			}
		})
		for _, m := range request.FindAllStringSubmatch(string(page), -1) {
			if m[1] == "" {
				t.Errorf("%s: text that reads as a request", file)
			}
		}
	}
	for _, topic := range topics() {
		want = append(want, "hookctl-"+topic+".7")
	}
	entries, err := os.ReadDir("a/man")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("pages %q, want %q", got, want)
	}
	world{}.run("man", "a/man").want(t, ExitOK) // again
}

// The program itself is not told its version: the build info has it.
func TestAManualPageSaysItsVersion(t *testing.T) {
	for told, want := range map[string]string{"0.1.0": "0.1.0", "": Env{}.version()} {
		folder(t, nil)
		a, _, _ := world{}.app()
		a.Version = told
		if code := Main(t.Context(), a.Env, []string{"man", "man"}); code != ExitOK {
			t.Fatalf("exit code %d", code)
		}
		page, err := os.ReadFile("man/hookctl-send.1")
		if err != nil {
			t.Fatal(err)
		}
		title := `.TH "HOOKCTL\-SEND" "1" "" "hookctl ` + want + `" "hookctl manual"`
		if first, _, _ := strings.Cut(string(page), "\n"); want == "" || first != title {
			t.Errorf("%s\nwant %s", first, title)
		}
	}
}

func TestAManualThatCannotBeWritten(t *testing.T) {
	folder(t, map[string]string{"file": ""})
	world{}.run("man", "file").want(t, ExitCannot, `^hookctl: error: cannot write manual pages: file: `)
	world{}.run("man").want(t, ExitUsage, `hookctl man takes a folder`)
}

func TestRoffSaysWhatIsMeant(t *testing.T) {
	var r roff
	r.request("TH", `a "b"`, "c-d")
	r.text("one\n two -x\n\n'three' `four`\n")
	r.literal("\n  .five \\n\n.six ~^\n")
	r.bold("-p")
	want := ".TH \"a \\(dqb\\(dq\" \"c\\-d\"\none\ntwo \\-x\n.PP\n\\(aqthree\\(aq \\(gafour\\(ga\n" +
		".in 0\n.nf\n  .five \\en\n\\&.six \\(ti\\(ha\n.fi\n.in\n\\fB\\-p\\fR\n"
	if r.String() != want {
		t.Errorf("%q\nwant %q", r.String(), want)
	}
}

// A Homebrew cask names each page.
func TestTheCaskNamesEachPage(t *testing.T) {
	data, err := os.ReadFile("../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, m := range regexp.MustCompile(`(?m)^      - man/(\S+)$`).FindAllStringSubmatch(string(data), -1) {
		got = append(got, m[1])
	}
	a, _, _ := world{}.app()
	for _, p := range a.manual() {
		want = append(want, p.file())
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("manpages in .goreleaser.yaml are %q, want %q", got, want)
	}
}
