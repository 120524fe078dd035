// Package exit is how the command ends: with which code, and whether its reader is sent to the help.
package exit

import (
	"errors"
	"fmt"
)

// The exit codes.
const (
	OK     = 0
	Broken = 1 // a promise was broken; two traces differ
	Misuse = 2 // the command could not do what was asked
)

// ErrBroken ends a command that did its work and found a broken promise, which it has reported already.
var ErrBroken = errors.New("a promise is broken")

// Code is the code with which a command ends.
func Code(err error) int {
	switch {
	case err == nil:
		return OK
	case errors.Is(err, ErrBroken):
		return Broken
	}
	return Misuse
}

// usageError is a command line that cannot be understood; the reader is sent to the help.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// Usage makes an error one of the command line.
func Usage(err error) error { return usageError{err} }

// Usagef is an error of the command line.
func Usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// IsUsage tells whether the command line was at fault.
func IsUsage(err error) bool {
	var u usageError
	return errors.As(err, &u)
}
