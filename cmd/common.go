package cmd

import (
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// programName is how the program is called in messages.
const programName = "hookctl"

// say writes one message on stderr.
func (a *app) say(kind render.Kind, text, command string) {
	if a.quiet && kind != render.Error {
		return
	}
	// Nothing can be told if stderr itself fails.
	_ = render.Say(a.Stderr, a.errStyle(), render.Message{Kind: kind, Text: text, Command: command})
}

// catalog finds profiles by name: the working directory's, the user's, the
// built-in ones.
func (a *app) catalog() *profiles.Catalog {
	folders := []string{localProfiles}
	if home := a.configHome(); home != "" {
		folders = append(folders, filepath.Join(home, "hookctl", "profiles"))
	}
	return &profiles.Catalog{Folders: folders}
}

// localProfiles is the folder of profiles in the working directory.
const localProfiles = "./.hookctl/profiles"

// profileName is the profile that is named anywhere, or "".
func (a *app) profileName(flag string, c *config) string {
	if flag != "" {
		return flag
	}
	if name := a.getenv("HOOKCTL_PROFILE"); name != "" {
		return name
	}
	return c.profile()
}

// profile finds the profile that is named anywhere. None is wrong use.
func (a *app) profile(flag string, c *config, line *commandLine) (*profiles.Profile, error) {
	name := a.profileName(flag, c)
	if name != "" {
		return a.profileNamed(name)
	}
	names, err := a.catalog().Names()
	if err != nil {
		return nil, err
	}
	f := misuse("no profile given; there are %s", list(names))
	if i := slices.IndexFunc(line.args, func(arg string) bool { return slices.Contains(names, arg) }); i >= 0 {
		meant := line.with("-p", line.args[i])
		meant.args = slices.Delete(slices.Clone(line.args), i, i+1)
		f.with("a profile is named with -p:", meant.String())
	} else if len(names) > 0 {
		f.with("name one:", line.with("-p", names[0]).String())
	}
	return nil, f
}

// profileNamed gets a profile and says where it comes from if that is not
// obvious.
func (a *app) profileNamed(name string) (*profiles.Profile, error) {
	e, err := a.catalog().Get(name)
	if err != nil {
		return nil, err
	}
	a.sayProfile(e, name)
	return e.Profile, nil
}

// allProfiles are all profiles of the catalogue, sorted by name.
func (a *app) allProfiles() ([]*profiles.Profile, error) {
	entries, err := a.catalog().All()
	all := make([]*profiles.Profile, len(entries))
	for i, e := range entries {
		a.sayProfile(e, "")
		all[i] = e.Profile
	}
	return all, err
}

func (a *app) sayProfile(e profiles.Entry, name string) {
	local := filepath.Dir(e.From) == filepath.Clean(localProfiles)
	switch {
	case e.Replaces:
		a.say(render.Note, "using "+render.Escape(showPath(e.From))+", which replaces the built-in profile "+e.Profile.Name, "")
	case local && e.From != name:
		a.say(render.Note, "using "+render.Escape(showPath(e.From)), "")
	}
}

// showPath writes a path below the working directory with ./ in front.
func showPath(path string) string {
	if filepath.IsAbs(path) || strings.HasPrefix(path, "."+string(filepath.Separator)) || strings.HasPrefix(path, "..") {
		return path
	}
	return "." + string(filepath.Separator) + path
}

// target is where to deliver: the argument, HOOKCTL_URL, the config, the port of
// listen.
func (a *app) target(args []string, c *config, profile string) (*url.URL, error) {
	s := defaultTarget
	switch {
	case len(args) > 0:
		s = args[0]
	case a.getenv("HOOKCTL_URL") != "":
		s = a.getenv("HOOKCTL_URL")
	case c.url(profile) != "":
		s = c.url(profile)
	}
	return parseTarget(s)
}

// seed is the seed that was given, or one that is chosen.
func seed(p *parsed[uint64]) uint64 {
	if p.set {
		return p.value
	}
	return rand.Uint64N(1_000_000) // short enough to be typed again
}

// dice is the randomness of ids under a seed.
func dice(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x686f6f6b)) }

// headerFlags reads -H flags: "Name: value".
func headerFlags(lines []string) ([]sign.Header, error) {
	var all []sign.Header
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		if !ok || name == "" {
			return nil, misuse("-H takes 'Name: value'")
		}
		// One blank is that of the form. More are part of the value: a signature is
		// judged as it came, and send.NewRequest trims what is sent.
		all = append(all, sign.Header{Name: name, Value: strings.TrimPrefix(value, " ")})
	}
	return all, nil
}

// script reads the response script that a flag gives.
func (a *app) script(flag, text string) (*send.Script, error) {
	s, err := send.ParseScript(text, func(name string) ([]byte, error) { return readFile(name, maxBody) })
	if err != nil {
		return nil, scriptFault(flag, err)
	}
	return s, nil
}

// outputFlags are the flags that every command has at its end.
type outputFlags struct {
	quiet, verbose, json bool
	record               string
	sensitive            bool // do not mask
}

// addOutput adds them; more are those that a command has beside.
func (a *app) addOutput(f *flags, o *outputFlags, quiet, verbose, json string, more ...func()) {
	if quiet != "" {
		f.yes(&o.quiet, "quiet", "q", quiet)
	}
	if verbose != "" {
		f.yes(&o.verbose, "verbose", "v", verbose)
	}
	if json != "" {
		f.yes(&o.json, "json", "", json)
	}
	for _, add := range more {
		add()
	}
	color := newWord("auto", "always", "never")
	f.value(color, "color", "", "WHEN", "auto (default), always, never")
	f.yes(new(bool), "help", "h", "this page")
}

// addRecord adds the flags of a command that records what is usage.
func (f *flags) addRecord(o *outputFlags, usage string) {
	f.text(&o.record, "record", "", "FILE", "append every "+usage+" to FILE")
}

// checkRecord refuses a record that nothing could be appended to.
func (o *outputFlags) checkRecord() error {
	if o.record == "-" {
		return misuse("--record takes a file; --json writes documents to standard output")
	}
	return nil
}

// addSensitive adds the flag that shows what is masked.
func (f *flags) addSensitive(o *outputFlags) {
	f.yes(&o.sensitive, "record-sensitive", "", "do not mask authorisation and cookies")
}

// arguments refuses more than max arguments; max is at most 2.
func arguments(max int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > max {
			f := misuse("%s takes %s", c.CommandPath(), []string{"no argument", "one argument at most", "two arguments at most"}[max])
			return f.with("see what there is:", c.CommandPath()+" --help")
		}
		return nil
	}
}
