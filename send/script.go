package send

import (
	"fmt"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/sign"
)

// A Script says how an endpoint answers, step by step; the last step repeats.
type Script struct {
	Text  string
	Steps []Step

	// Start is the instant of the first attempt in a Plan, from which a
	// Retry-After that is a date counts; zero: the start of 2026.
	Start time.Time
}

// A Step is an outcome and how often it comes.
type Step struct {
	Outcome    profiles.Outcome // timeout is profiles.ReadTimeout
	Times      int              // from 1 to 1,000,000
	RetryAfter string           // "+120" is the date 120 s after the answer; anything else is sent as it is
	HasRetry   bool
	Location   string
	Delay      time.Duration
	Header     []sign.Header
	Body       []byte
	Text       string // the step as written
}

// Playable reports whether a receiver can play the step: what happens before a
// connection stands can only be planned.
func (s Step) Playable() bool {
	switch s.Outcome.Failure {
	case "", profiles.ReadTimeout, profiles.Reset, profiles.Closed, profiles.Protocol:
		return true
	}
	return false
}

// At is the step of the nth answer, from 1. A script without steps answers 200.
func (s *Script) At(n int) Step {
	for _, step := range s.Steps {
		if n -= step.Times; n <= 0 {
			return step
		}
	}
	if len(s.Steps) == 0 {
		return Step{Outcome: profiles.Outcome{Status: 200}, Times: 1, Text: "200"}
	}
	return s.Steps[len(s.Steps)-1]
}

// A ScriptError points at what is wrong in a script.
type ScriptError struct {
	Text          string // the script
	Step, Steps   int    // which step of how many, from 1
	Offset, Width int    // bytes of Text
	Message       string
	Near          string // what may have been meant, or ""
	Err           error  // the cause, or nil
}

// Error says which step is wrong and why: "step 2 of 3: unknown option ...".
func (e *ScriptError) Error() string {
	return fmt.Sprintf("step %d of %d: %s", e.Step, e.Steps, e.Message)
}

// Unwrap is the cause, such as a file that cannot be read.
func (e *ScriptError) Unwrap() error { return e.Err }

// ParseScript reads STEP[,STEP...], where STEP is OUTCOME[xN][:OPTION...]. A
// body=@FILE is read with readFile; nil: such a step is an error. An error is a
// *ScriptError.
//
// A value ends at the next comma, or at a colon that is followed by an
// option's name and "=". In double quotes it holds anything, with \" and \\;
// the value of header=Name=value may be quoted whole or after the name.
func ParseScript(text string, readFile func(name string) ([]byte, error)) (*Script, error) {
	s := &scanner{text: text, readFile: readFile}
	script := &Script{Text: text}
	for {
		step, err := s.step()
		if err != nil {
			err.Text, err.Step = text, len(script.Steps)+1
			err.Steps = err.Step + countSteps(text[min(err.Offset, len(text)):])
			return nil, err
		}
		script.Steps = append(script.Steps, step)
		if s.at == len(text) {
			return script, nil
		}
		s.at++ // the comma
	}
}

// countSteps counts the commas outside quoted values, from the place of an
// error to the end.
func countSteps(text string) int {
	n, in := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case in && c == '\\':
			i++
		case c == '"' && (in || i == 0 || text[i-1] == '='):
			in = !in
		case c == ',' && !in:
			n++
		}
	}
	return n
}
