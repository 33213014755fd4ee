package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/sign"
)

// A fault is an error for a person: what happened, and apart from it what to do.
type fault struct {
	code   int
	text   string
	source []string // the quoted place, with its caret
	hint   hint
	err    error // the cause, or nil
}

// A hint says what to do, and may end with a command to paste.
type hint struct{ text, command string }

func (f *fault) Error() string { return f.text }
func (f *fault) Unwrap() error { return f.err }

// with adds a hint.
func (f *fault) with(text, command string) *fault {
	f.hint = hint{text, command}
	return f
}

// misuse is wrong use: exit code 2.
func misuse(format string, args ...any) *fault {
	return &fault{code: ExitUsage, text: fmt.Sprintf(format, args...)}
}

// cannot is a command that could not run: exit code 3.
func cannot(err error, format string, args ...any) *fault {
	return &fault{code: ExitCannot, text: fmt.Sprintf(format, args...), err: err}
}

// An answer is an exit code without a message: the output has said it all.
type answer int

func (a answer) Error() string { return "exit code " + strconv.Itoa(int(a)) }

var (
	errNo          = answer(ExitNo)
	errInterrupted = errors.New("interrupted")
)

// errStdout is a failed write of stdout. A reader that left gets no message.
func errStdout(err error) error {
	if closedPipe(err) {
		return answer(ExitCannot)
	}
	return cannot(err, "writing the output: %v", err)
}

// report says an error on stderr and returns the exit code.
func (a *app) report(err error) int {
	if err == nil {
		return ExitOK
	}
	if errors.Is(err, errInterrupted) {
		return exitCode(a.ctx)
	}
	var quiet answer
	if errors.As(err, &quiet) {
		return int(quiet)
	}
	all := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok && !isFaults(err) {
		all = joined.Unwrap()
	}
	var first *fault
	for _, err := range all {
		f := a.explain(err)
		// Nothing can be told if stderr itself fails.
		_ = render.Say(a.Stderr, a.errStyle(), render.Message{Kind: render.Error, Text: f.text, Source: f.source})
		if first == nil {
			first = f
		}
	}
	if first.hint.text != "" { // at most one
		a.say(render.Hint, first.hint.text, first.hint.command)
	}
	return first.code
}

// isFaults reports whether err is the faults of one file, which are told
// together.
func isFaults(err error) bool {
	_, ok := err.(profiles.Errors) //nolint:errorlint // those of several files are told one by one
	return ok
}

// explain makes a fault of any error: the one place that gives errors of other
// packages their words and their exit code.
func (a *app) explain(err error) *fault {
	var (
		f        *fault
		file     *profiles.FileError
		unknown  *profiles.NotFoundError
		faults   profiles.Errors
		event    *send.EventError
		header   *sign.HeaderError
		missing  *profiles.MissingError
		owned    *send.HeaderError
		noSecret *send.NoSecretError
		badURL   *send.URLError
		badValue *sign.ValueError
		insecure *send.HTTPSOnlyError
		local    *send.LocalError
		name     = programName
	)
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &local):
		return localFault(local, "")
	case errors.As(err, &unknown):
		text := fmt.Sprintf("no profile named %q", unknown.Name)
		if unknown.Near != "" {
			text += "; did you mean " + unknown.Near + "?"
		}
		if file := fileBeside(unknown.Name); file != "" {
			return misuse("%s", text).with("a file is named by its path: "+file, "")
		}
		return misuse("%s", text).with("see all of them:", name+" profiles list")
	case errors.As(err, &faults) && len(faults) > 0:
		return profileFault(name, faults)
	case errors.As(err, &file):
		f := misuse("%s", oneLine(file.Error()))
		if !errors.Is(err, fs.ErrNotExist) { // a file that is not there is a wrong name
			f.code = ExitCannot
		}
		return f
	case errors.As(err, &event):
		if len(event.Known) == 0 {
			return misuse("%s has no samples", event.Profile).with("give a body of your own: -d @FILE", "")
		}
		text := fmt.Sprintf("%s has no sample of type %q", event.Profile, event.Type)
		if event.Near != "" {
			text += "; did you mean " + event.Near + "?"
		} else {
			text += "; it has " + list(event.Known)
		}
		return misuse("%s", text).with("any type can be sent with a body of your own: -d @FILE", "")
	case errors.As(err, &owned):
		return misuse("%s", oneLine(owned.Error()))
	case errors.As(err, &noSecret), errors.As(err, &badURL), errors.As(err, &badValue):
		return misuse("%s", oneLine(err.Error()))
	case errors.As(err, &insecure):
		return misuse("%s (--strict)", oneLine(insecure.Error()))
	case errors.As(err, &header):
		f := misuse("%v", header)
		if header.Missing != nil {
			f.with("give it with "+flagOf(header.Missing.Name), "")
		}
		return f
	case errors.As(err, &missing):
		return misuse("%v in the signed text", missing).with("give it with "+flagOf(missing.Name), "")
	}
	return cannot(err, "%s", oneLine(err.Error()))
}

// fileBeside is the path of the profile file of that name in the working
// directory; "" if there is none.
func fileBeside(name string) string {
	if !profiles.IsName(name) {
		return ""
	}
	for _, file := range []string{"./" + name + ".yaml", "./" + name + ".yml"} {
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return ""
}

// localFault is the fault of a connection that this machine could not begin.
// lower says what else helps, or is "".
func localFault(e *send.LocalError, lower string) *fault {
	f := cannot(e, "no connection could be begun: %s", oneLine(e.Error()))
	if e.Ports {
		return f.with(lower+"closed connections keep their port for a while", "")
	}
	return f.with(lower+"ulimit -n allows more files", "")
}

// flagOf is the flag that gives a placeholder its value.
func flagOf(placeholder string) string {
	switch placeholder {
	case "id":
		return "--id"
	case "type":
		return "--event"
	case "url":
		return "--url"
	case "attempt", "retry":
		return "--attempt"
	case "first_sent_at":
		return "--first-sent"
	}
	return "--" + strings.ReplaceAll(placeholder, "_", "-")
}

// profileFault shows the first fault of a profile file with its place.
func profileFault(name string, faults profiles.Errors) *fault {
	first := faults[0]
	f := misuse("%s", first.Error())
	f.source = quote(first)
	check := name + " profiles check " + shellQuote(first.File)
	switch n := len(faults) - 1; n {
	case 0:
		return f.with("after the change:", check)
	case 1:
		return f.with("1 more fault is in the file; see all of them:", check)
	default:
		return f.with(fmt.Sprintf("%d more faults are in the file; see all of them:", n), check)
	}
}

// quote draws the faulty line and a caret under the fault. The line is from
// outside: it is shown escaped, and the caret counts the escapes.
func quote(e *profiles.Error) []string {
	if e.Source == "" || e.Column == 0 {
		return nil
	}
	number := strconv.Itoa(e.Line)
	line := []rune(strings.ToValidUTF8(e.Source, "\ufffd"))
	start := min(e.Column-1, len(line))
	end := min(start+e.Width, len(line))
	caret := underline(string(line[:start]), string(line[start:end]), e.Near)
	return []string{
		number + " | " + render.Escape(string(line)),
		strings.Repeat(" ", len(number)) + " | " + caret,
	}
}

// underline is the line of carets under fault, which stands after before.
func underline(before, fault, near string) string {
	blanks := len([]rune(render.Escape(before)))
	carets := max(len([]rune(render.Escape(fault))), 1)
	line := strings.Repeat(" ", blanks) + strings.Repeat("^", carets)
	if near != "" {
		line += fmt.Sprintf(" did you mean %q?", near)
	}
	return line
}

// scriptFault points at what is wrong in the response script of a flag.
func scriptFault(flag string, err error) error {
	var e *send.ScriptError
	if !errors.As(err, &e) {
		return err
	}
	f := misuse("%s: %s", flag, oneLine(e.Error()))
	if e.Err != nil { // a body's file
		f.code = ExitCannot
	}
	end := min(e.Offset+e.Width, len(e.Text))
	f.source = []string{render.Escape(e.Text), underline(e.Text[:e.Offset], e.Text[e.Offset:end], e.Near)}
	return f.with("all steps and options:", programName+" help response-script")
}

// list writes words as prose: "a, b and c", "none".
func list(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return profiles.List(words, "and")
}

// oneLine makes any text safe for one line of a terminal.
func oneLine(s string) string { return render.Escape(strings.TrimSpace(s)) }
