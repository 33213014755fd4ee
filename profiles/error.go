package profiles

import (
	"fmt"
	"strings"
)

// An Error is one fault in a profile file.
type Error struct {
	File         string
	Line, Column int // from 1; Column counts characters, 0 if not known
	Width        int // characters to underline
	Message      string
	Near         string // what may have been meant, or ""
	Source       string // the faulty line
}

// Error is FILE:LINE:COLUMN: MESSAGE, without the column where it is not known.
func (e *Error) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Errors are the faults of a file, in its order; the first hundred of them.
type Errors []*Error

// Error has a line for each fault.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, fault := range e {
		lines[i] = fault.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives each fault to [errors.As].
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i, fault := range e {
		all[i] = fault
	}
	return all
}
