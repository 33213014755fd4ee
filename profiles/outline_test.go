package profiles

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

var update = flag.Bool("update", false, "write the outlines of the built-in profiles anew")

// writeOutline writes a tree as outlines have it, and counts its nodes.
func writeOutline(b *strings.Builder, n *yaml.Node) (nodes int) {
	switch n.Kind {
	case yaml.MappingNode:
		fmt.Fprintf(b, "{%d\n", len(n.Content)/2)
	case yaml.SequenceNode:
		fmt.Fprintf(b, "[%d\n", len(n.Content))
	default:
		fmt.Fprintf(b, "%d %s\n", len(n.Value), n.Value)
	}
	nodes = 1
	for _, child := range n.Content {
		nodes += writeOutline(b, child)
	}
	return nodes
}

func TestOutlinesAreThoseOfTheYAML(t *testing.T) {
	const file = "builtin/outlines"
	var want strings.Builder
	for _, name := range builtinNames() {
		data, _ := builtinSource(name)
		_, root := load(name, data)
		var text strings.Builder
		nodes := writeOutline(&text, root)
		fmt.Fprintf(&want, "%s %d %d\n%s", name, nodes, text.Len(), text.String())
	}
	if *update {
		if err := os.WriteFile(file, []byte(want.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want.String() {
		t.Errorf("%s is not that of the YAML files: go test ./profiles -update", file)
	}
}

func TestAnOutlineGivesTheProfileOfItsYAML(t *testing.T) {
	for _, e := range all(t) {
		want, err := Parse(e.Profile.Name+".yaml", e.Source())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(e.Profile, want) {
			t.Errorf("%s from its outline is\n%+v, want\n%+v", e.Profile.Name, e.Profile, want)
		}
	}
}
