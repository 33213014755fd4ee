package send

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hookctl/hookctl/profiles"
)

// maxTimes bounds xN.
const maxTimes = 1_000_000

// A scanner reads the steps of a script.
type scanner struct {
	text     string
	at       int
	readFile func(string) ([]byte, error)
}

// outcomes are the outcomes that have a name.
func outcomes() map[string]profiles.Failure {
	return map[string]profiles.Failure{
		"timeout":         profiles.ReadTimeout,
		"reset":           profiles.Reset,
		"close":           profiles.Closed,
		"protocol":        profiles.Protocol,
		"refused":         profiles.Refused,
		"dns":             profiles.DNS,
		"tls":             profiles.TLS,
		"unreachable":     profiles.Unreachable,
		"connect-timeout": profiles.ConnectTimeout,
	}
}

// options are the names of a step's options.
func options() []string { return []string{"retry-after", "location", "delay", "header", "body"} }

// fault is an error at the bytes from start to end.
func fault(start, end int, format string, args ...any) *ScriptError {
	return &ScriptError{Offset: start, Width: max(1, end-start), Message: fmt.Sprintf(format, args...)}
}

// step reads one step, up to its comma or the end.
func (s *scanner) step() (Step, *ScriptError) {
	start := s.at
	end := s.until(start, ",:")
	step, err := readOutcome(s.text[start:end], start)
	if err != nil {
		return Step{}, err
	}
	s.at = end
	var given []string
	for s.at < len(s.text) && s.text[s.at] == ':' {
		s.at++
		nameAt := s.at
		name := s.text[nameAt:s.until(nameAt, ",:=")]
		if err := s.option(&step, name); err != nil {
			return Step{}, err
		}
		if slices.Contains(given, name) && name != "header" {
			return Step{}, fault(nameAt, nameAt+len(name), "option %q is given twice", name)
		}
		given = append(given, name)
	}
	step.Text = s.text[start:s.at]
	if o := step.Outcome; step.Body != nil && (o.Status == 101 || o.Status == 204 || o.Status == 304) {
		return Step{}, fault(start, end, "an answer with status %d has no body", o.Status)
	}
	return step, nil
}

// until is the place of the first of the stop bytes, or the end.
func (s *scanner) until(from int, stops string) int {
	if i := strings.IndexAny(s.text[from:], stops); i >= 0 {
		return from + i
	}
	return len(s.text)
}

// readOutcome reads OUTCOME[xN], which stands at the offset at.
func readOutcome(head string, at int) (Step, *ScriptError) {
	if head == "" {
		return Step{}, fault(at, at, "no outcome")
	}
	name, times, repeated := head, "", false
	if i := strings.LastIndexByte(head, 'x'); i > 0 && known(head[:i]) {
		name, times, repeated = head[:i], head[i+1:], true
	}
	step := Step{Times: 1}
	if digits(name) {
		status, err := strconv.Atoi(name)
		if err != nil || len(name) != 3 || status != 101 && (status < 200 || status > 999) {
			return Step{}, fault(at, at+len(name), "no status %s: 101, or 200 to 999", short(name))
		}
		step.Outcome.Status = status
	} else {
		failure, ok := outcomes()[name]
		if !ok {
			err := fault(at, at+len(name), "unknown outcome %s", quoted(name))
			err.Near = profiles.Near(name, outcomeNames())
			return Step{}, err
		}
		step.Outcome.Failure = failure
	}
	if repeated {
		n, err := strconv.Atoi(times)
		if !digits(times) || err != nil || n < 1 || n > maxTimes {
			from := at + len(name)
			return Step{}, fault(from, at+len(head), "a step comes x1 to x%d times, not %s", maxTimes, quoted("x"+times))
		}
		step.Times = n
	}
	return step, nil
}

// known reports whether s is a number or the name of an outcome.
func known(s string) bool {
	_, ok := outcomes()[s]
	return ok || digits(s)
}

// outcomeNames are the names of outcomes, sorted.
func outcomeNames() []string {
	var names []string
	for name := range outcomes() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// short is a number cut to its first 20 digits.
func short(number string) string {
	if len(number) > 20 {
		return number[:20] + "..."
	}
	return number
}

// option reads the value of the option of that name, which ends where the
// scanner stands, into the step.
func (s *scanner) option(step *Step, name string) *ScriptError {
	nameAt := s.at
	s.at += len(name)
	if !slices.Contains(options(), name) {
		err := fault(nameAt, s.at, "unknown option %s", quoted(name))
		if name == "" {
			err.Message = "no option after the colon"
		}
		err.Near = profiles.Near(name, options())
		return err
	}
	if s.at == len(s.text) || s.text[s.at] != '=' {
		return fault(nameAt, s.at, "option %q has no value", name)
	}
	s.at++
	from := s.at
	if name == "header" {
		return s.header(step)
	}
	value, err := s.value()
	if err != nil {
		return err
	}
	switch name {
	case "retry-after":
		step.RetryAfter, step.HasRetry = value, true
		return headerValue(value, from, s.at)
	case "location":
		step.Location = value
		return headerValue(value, from, s.at)
	case "delay":
		d, err := profiles.ParseDuration(value)
		if err != nil {
			return fault(from, s.at, "delay %s is no duration such as 500ms or 9s", quoted(value))
		}
		step.Delay = d
	case "body":
		return s.body(step, value, from)
	}
	return nil
}

// body sets the step's body to a text or to what a file holds.
func (s *scanner) body(step *Step, value string, from int) *ScriptError {
	name, file := strings.CutPrefix(value, "@")
	if !file {
		step.Body = []byte(value)
		return nil
	}
	if s.readFile == nil {
		return fault(from, s.at, "a body from a file cannot be used here")
	}
	data, err := s.readFile(name)
	if err != nil {
		f := fault(from, s.at, "body: %s", err)
		f.Err = err
		return f
	}
	step.Body = append([]byte{}, data...)
	return nil
}
