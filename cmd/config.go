package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// localConfig is the config file of the working directory.
const localConfig = "./.hookctl.yaml"

// maxConfig bounds a config file.
const maxConfig = 1 << 20

// A config is what the config files say, nearest first. For each value the
// first file that has it wins.
type config struct {
	files []configFile
}

type configFile struct {
	path     string
	profile  string
	profiles map[string]configProfile
}

type configProfile struct {
	url     string
	secrets []secretSource
	headers []sign.Header
}

func (c *config) profile() string {
	for _, f := range c.files {
		if f.profile != "" {
			return f.profile
		}
	}
	return ""
}

func (c *config) url(profile string) string {
	for _, f := range c.files {
		if u := f.profiles[profile].url; u != "" {
			return u
		}
	}
	return ""
}

func (c *config) secrets(profile string) []secretSource {
	for _, f := range c.files {
		if s := f.profiles[profile].secrets; len(s) > 0 {
			return s
		}
	}
	return nil
}

func (c *config) headers(profile string) []sign.Header {
	for _, f := range c.files {
		if h := f.profiles[profile].headers; len(h) > 0 {
			return h
		}
	}
	return nil
}

// config reads the config files: the one of HOOKCTL_CONFIG, or else that of the
// working directory and that of the user. One of the working directory is named.
func (a *app) config() (*config, error) {
	paths := []string{localConfig}
	named := a.getenv("HOOKCTL_CONFIG")
	if named != "" {
		paths = []string{named}
	} else if home := a.configHome(); home != "" {
		paths = append(paths, filepath.Join(home, "hookctl", "config.yaml"))
	}
	c := &config{}
	for _, path := range paths {
		data, open, err := readConfig(path)
		if errors.Is(err, os.ErrNotExist) && named == "" {
			continue
		}
		if errors.Is(err, os.ErrNotExist) {
			return nil, misuse("HOOKCTL_CONFIG: %s", pathError(err))
		}
		if err != nil {
			return nil, cannot(err, "config: %s", pathError(err))
		}
		f, hasValue, err := parseConfig(path, data)
		if err != nil {
			return nil, err
		}
		if path == localConfig {
			a.say(render.Note, "using "+localConfig, "")
		}
		if hasValue && open {
			a.say(render.Warning, path+" holds a secret and others can read it; chmod 600 "+path, "")
		}
		c.files = append(c.files, f)
	}
	return c, nil
}

// readConfig reads a regular file and tells whether others can read it.
func readConfig(path string) (data []byte, open bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxConfig {
		return nil, false, &os.PathError{Op: "read", Path: path, Err: errors.New("not a regular file of at most 1 MiB")}
	}
	data, err = io.ReadAll(io.LimitReader(f, maxConfig))
	return data, othersCanRead(info), err
}

// parseConfig reads a config file strictly. hasValue says that a secret stands
// in it as text.
func parseConfig(path string, data []byte) (f configFile, hasValue bool, err error) {
	r := &configReader{path: path, lines: strings.Split(string(data), "\n")}
	f = configFile{path: path, profiles: map[string]configProfile{}}
	var doc yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return f, false, nil // an empty file
	} else if err != nil {
		return f, false, misuse("%s: %s", path, oneLine(strings.TrimPrefix(err.Error(), "yaml: ")))
	}
	if err := dec.Decode(&yaml.Node{}); !errors.Is(err, io.EOF) {
		return f, false, misuse("%s: more than one document", path)
	}
	for key, v := range r.mapping(doc.Content[0], "the file", "profile", "profiles") {
		switch key {
		case "profile":
			f.profile = r.text(v, "profile")
		case "profiles":
			for name, p := range r.mapping(v, "profiles") {
				f.profiles[name] = r.profile(p, "profiles."+name)
			}
		}
	}
	return f, r.hasValue, r.fault
}

// A configReader reads nodes and keeps the first fault.
type configReader struct {
	path     string
	lines    []string
	hasValue bool
	fault    error
}

func (r *configReader) fail(n *yaml.Node, width int, near, format string, args ...any) {
	if r.fault != nil {
		return
	}
	e := &profiles.Error{File: r.path, Line: n.Line, Column: n.Column, Width: width, Near: near, Message: fmt.Sprintf(format, args...)}
	f := misuse("%s", oneLine(e.Error()))
	if n.Line >= 1 && n.Line <= len(r.lines) {
		e.Source = r.lines[n.Line-1]
	}
	if !r.hasValue && !strings.Contains(e.Source, "value:") { // never show a secret
		f.source = quote(e)
	}
	r.fault = f
}

// mapping yields a mapping's keys and values; with known keys others are faults.
func (r *configReader) mapping(n *yaml.Node, what string, known ...string) func(func(string, *yaml.Node) bool) {
	return func(yield func(string, *yaml.Node) bool) {
		if n.Kind != yaml.MappingNode || n.Anchor != "" {
			r.fail(n, 1, "", "%s must be a mapping", what)
			return
		}
		seen := map[string]bool{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			k, v := n.Content[i], n.Content[i+1]
			switch {
			case k.Kind != yaml.ScalarNode || k.Tag == "!!merge":
				r.fail(k, 1, "", "a key of %s must be a plain word", what)
			case len(known) > 0 && !slices.Contains(known, k.Value):
				r.fail(k, len(k.Value), profiles.Near(k.Value, known), "unknown key %q in %s", k.Value, what)
			case seen[k.Value]:
				r.fail(k, len(k.Value), "", "key %q stands twice in %s", k.Value, what)
			}
			if r.fault != nil || !yield(k.Value, v) {
				return
			}
			seen[k.Value] = true
		}
	}
}

func (r *configReader) text(n *yaml.Node, what string) string {
	if n.Kind != yaml.ScalarNode || n.Value == "" || n.Anchor != "" {
		r.fail(n, 1, "", "%s must be a text", what)
		return ""
	}
	return n.Value
}

func (r *configReader) profile(n *yaml.Node, what string) configProfile {
	var p configProfile
	for key, v := range r.mapping(n, what, "url", "secrets", "headers") {
		switch key {
		case "url":
			p.url = r.text(v, what+".url")
		case "secrets":
			p.secrets = r.secrets(v, what+".secrets")
		case "headers":
			for name, value := range r.mapping(v, what+".headers") {
				p.headers = append(p.headers, sign.Header{Name: name, Value: r.text(value, what+".headers")})
			}
		}
	}
	return p
}

func (r *configReader) secrets(n *yaml.Node, what string) []secretSource {
	if n.Kind != yaml.SequenceNode || n.Anchor != "" {
		r.fail(n, 1, "", "%s must be a list of { env: NAME }, { file: PATH } or { value: TEXT }", what)
		return nil
	}
	var all []secretSource
	for _, item := range n.Content {
		count := 0
		for key, v := range r.mapping(item, "an entry of "+what, "env", "file", "value") {
			r.hasValue = r.hasValue || key == "value"
			kind := map[string]string{"env": "secret-env", "file": "secret-file", "value": "secret"}[key]
			all = append(all, secretSource{kind, r.text(v, "an entry of "+what)})
			count++
		}
		if r.fault == nil && count != 1 {
			r.fail(item, 1, "", "an entry of %s has one of env, file and value", what)
		}
	}
	return all
}
