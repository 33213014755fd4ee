// Modproxy makes of a tree a folder from which go install can fetch it: what
// proxy.golang.org would serve of a version.
//
//	modproxy TREE VERSION FOLDER
//	GOPROXY=file://FOLDER go install MODULE@VERSION
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: modproxy TREE VERSION FOLDER")
		os.Exit(2)
	}
	if err := serve(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "modproxy:", err)
		os.Exit(1)
	}
}

// serve writes the four files of a version.
func serve(tree, version, folder string) error {
	data, err := os.ReadFile(filepath.Join(tree, "go.mod"))
	if err != nil {
		return err
	}
	mod, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return err
	}
	if len(mod.Replace) > 0 || len(mod.Exclude) > 0 {
		return errors.New("go install refuses a go.mod with replace or exclude")
	}
	v := module.Version{Path: mod.Module.Mod.Path, Version: version}
	if err := module.Check(v.Path, v.Version); err != nil {
		return err
	}
	path, err := module.EscapePath(v.Path)
	if err != nil {
		return err
	}
	dir := filepath.Join(folder, filepath.FromSlash(path), "@v")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, text := range map[string]string{
		"list":            version + "\n",
		version + ".info": fmt.Sprintf("{%q:%q,%q:%q}\n", "Version", version, "Time", time.Unix(0, 0).UTC().Format(time.RFC3339)),
		version + ".mod":  string(data),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	f, err := os.Create(filepath.Join(dir, version+".zip"))
	if err != nil {
		return err
	}
	return errors.Join(zip.CreateFromDir(f, v, tree), f.Close())
}
