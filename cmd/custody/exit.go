package main

import (
	"errors"
	"fmt"
)

// The exit codes.
const (
	exitOK     = 0
	exitBroken = 1 // a promise was broken; two traces differ
	exitMisuse = 2 // the command could not do what was asked
)

// errBroken ends a command that did its work and found a broken promise, which it has reported already.
var errBroken = errors.New("a promise is broken")

// exitCode is the code with which a command ends.
func exitCode(err error) int {
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errBroken):
		return exitBroken
	}
	return exitMisuse
}

// usageError is a command line that cannot be understood; the reader is sent to the help.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// asUsage makes an error one of the command line.
func asUsage(err error) error { return usageError{err} }

// usagef is an error of the command line.
func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// isUsage tells whether the command line was at fault.
func isUsage(err error) bool {
	var u usageError
	return errors.As(err, &u)
}
