package profiles

import (
	"embed"
	"strings"
)

//go:embed builtin/*.yaml
var builtinFiles embed.FS

//go:embed new.yaml
var newFile []byte

// Builtin has the profiles that hookctl brings, and nothing else.
func Builtin() *Catalog { return &Catalog{} }

// builtinSource is the YAML of a built-in profile.
func builtinSource(name string) ([]byte, bool) {
	if !IsName(name) {
		return nil, false
	}
	data, err := builtinFiles.ReadFile("builtin/" + name + ".yaml")
	return data, err == nil
}

// builtinNames are the names of the built-in profiles, sorted.
func builtinNames() []string {
	files, err := builtinFiles.ReadDir("builtin")
	if err != nil {
		return nil
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".yaml"))
	}
	return names
}
