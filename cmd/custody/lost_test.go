package main

import (
	"bytes"
	"errors"
	"testing"

	"custody/cmd/custody/internal/exit"
	"custody/cmd/custody/internal/term"
)

// broken is a writer that fails.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestOutputThatIsLostIsAnError(t *testing.T) {
	var errs bytes.Buffer
	c := term.Plain(nil, broken{}, &errs)
	if code := execute([]string{"promises"}, c); code != exit.Misuse {
		t.Errorf("the exit code is %d", code)
	}
	if got := errs.String(); got != "custody: writing the output: full\n" {
		t.Errorf("it says %q", got)
	}
}
