package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

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

// hasHeader reports whether a header of that name is in a config file, of
// whatever profile.
func (c *config) hasHeader(name string) bool {
	for _, f := range c.files {
		for _, p := range f.profiles {
			if slices.ContainsFunc(p.headers, func(h sign.Header) bool { return sign.SameName(h.Name, name) }) {
				return true
			}
		}
	}
	return false
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
		if named == "" && (errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)) {
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
			a.say(render.Warning, path+" holds a secret and others can read it; chmod 600 "+shellQuote(path), "")
		}
		c.files = append(c.files, f)
	}
	return c, nil
}

// readConfig reads a regular file and tells whether others can read it.
func readConfig(path string) (data []byte, open bool, err error) {
	info, err := os.Stat(path) // opening a pipe would wait
	if err != nil {
		return nil, false, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxConfig {
		return nil, false, &os.PathError{Op: "read", Path: path, Err: errors.New("not a regular file of at most 1 MiB")}
	}
	data, err = readFile(path, maxConfig)
	return data, othersCanRead(info), err
}

// parseConfig reads a config file strictly. hasValue says that a secret stands
// in it as text.
func parseConfig(path string, data []byte) (f configFile, hasValue bool, err error) {
	r := &configReader{path: path}
	f = configFile{path: path, profiles: map[string]configProfile{}}
	var doc yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return f, false, nil // an empty file
	} else if err != nil {
		return f, false, misuse("%s: not readable as YAML%s", path, yamlLine(err))
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
				what := "profiles." + name
				if !profiles.IsName(name) { // it may be a secret in the wrong place
					what = "an entry of profiles"
				}
				f.profiles[name] = r.profile(p, what)
			}
		}
	}
	return f, r.hasValue, r.fault
}

// yamlLine is the place of an error in reading YAML, as ": line 3". The rest of
// such an error may quote the file, and so a secret.
func yamlLine(err error) string {
	after, ok := strings.CutPrefix(err.Error(), "yaml: line ")
	number, _, colon := strings.Cut(after, ":")
	if _, fault := strconv.Atoi(number); !ok || !colon || fault != nil {
		return ""
	}
	return ": line " + number
}

// A configReader reads nodes and keeps the first fault.
type configReader struct {
	path     string
	hasValue bool
	fault    error
}

func (r *configReader) fail(n *yaml.Node, near, format string, args ...any) {
	if r.fault != nil {
		return
	}
	// The line itself may hold a secret: it is not quoted.
	text := fmt.Sprintf("%s:%d:%d: ", r.path, n.Line, n.Column) + fmt.Sprintf(format, args...)
	if near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	r.fault = misuse("%s", oneLine(text))
}

// mapping yields a mapping's keys and values; with known keys others are faults.
func (r *configReader) mapping(n *yaml.Node, what string, known ...string) func(func(string, *yaml.Node) bool) {
	return func(yield func(string, *yaml.Node) bool) {
		if n.Kind != yaml.MappingNode || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
			r.fail(n, "", "%s must be a mapping", what)
			return
		}
		seen := map[string]bool{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			k, v := n.Content[i], n.Content[i+1]
			switch {
			case k.Kind != yaml.ScalarNode || k.Tag == "!!merge" || k.Anchor != "":
				r.fail(k, "", "a key of %s must be a plain word", what)
			case len(known) > 0 && !slices.Contains(known, k.Value):
				r.unknown(k, what, known)
			case seen[k.Value]:
				r.fail(k, "", "a key of %s stands twice", what)
			}
			if r.fault != nil || !yield(k.Value, v) {
				return
			}
			seen[k.Value] = true
		}
	}
}

// unknown is the fault of a key that does not exist. A key that is nothing like
// one that does may be a secret in the wrong place: it is not repeated.
func (r *configReader) unknown(k *yaml.Node, what string, known []string) {
	near := profiles.Near(k.Value, known)
	key := "unknown key"
	if near != "" {
		key = fmt.Sprintf("unknown key %q", k.Value)
	}
	r.fail(k, near, "%s in %s, which has %s", key, what, list(known))
}

func (r *configReader) text(n *yaml.Node, what string) string {
	if n.Kind != yaml.ScalarNode || n.Value == "" || n.Anchor != "" || n.Tag == "!!null" || n.Style&yaml.TaggedStyle != 0 {
		r.fail(n, "", "%s must be a text", what)
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
				if _, n := sign.Lookup(p.headers, name); n > 0 {
					r.fail(value, "", "a header of %s.headers stands twice: case does not count", what)
				}
				p.headers = append(p.headers, sign.Header{Name: name, Value: r.text(value, what+".headers")})
			}
		}
	}
	return p
}

func (r *configReader) secrets(n *yaml.Node, what string) []secretSource {
	if n.Kind != yaml.SequenceNode || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
		r.fail(n, "", "%s must be a list of { env: NAME }, { file: PATH } or { value: TEXT }", what)
		return nil
	}
	var all []secretSource
	for _, item := range n.Content {
		count := 0
		for key, v := range r.mapping(item, "an entry of "+what, "env", "file", "value") {
			r.hasValue = r.hasValue || key == "value"
			kind := map[string]string{"env": "secret-env", "file": "secret-file", "value": "secret"}[key]
			from := fmt.Sprintf("%s:%d:%d: %s", r.path, v.Line, v.Column, key)
			all = append(all, secretSource{kind, r.text(v, "an entry of "+what), from})
			count++
		}
		if r.fault == nil && count != 1 {
			r.fail(item, "", "an entry of %s has one of env, file and value", what)
		}
	}
	return all
}
