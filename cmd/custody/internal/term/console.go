// Package term is the terminal: where the command reads and writes, colours, tables, words, a bar, Ctrl-C.
//
// Colours mean tenants and nothing else. Output that is lost is an error, and results are never mixed with progress:
// the former go to standard output, the latter to standard error.
package term

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/mattn/go-isatty"
)

// Console is where the command reads and writes. Results go to out, progress and errors to err.
type Console struct {
	In       io.Reader
	Out      *checked
	Err      io.Writer
	OutIsTTY bool
	errIsTTY bool
	getenv   func(string) string
}

// New is the console of this process.
func New() *Console {
	c := Plain(os.Stdin, os.Stdout, os.Stderr)
	c.OutIsTTY, c.errIsTTY = isatty.IsTerminal(os.Stdout.Fd()), isatty.IsTerminal(os.Stderr.Fd())
	return c
}

// Plain is a console that is no terminal.
func Plain(in io.Reader, out, err io.Writer) *Console {
	return &Console{In: in, Out: &checked{w: out}, Err: err, getenv: os.Getenv}
}

// Lost is the failure to write results, if there was one.
func (c *Console) Lost() error { return c.Out.failed }

// Colours tells whether output is coloured.
func (c *Console) Colours(when string) bool {
	if when != "auto" {
		return when == "always"
	}
	return c.OutIsTTY && c.getenv("NO_COLOR") == "" && c.getenv("TERM") != "dumb"
}

// Warn says something that is no result.
func (c *Console) Warn(format string, args ...any) { fmt.Fprintf(c.Err, format+"\n", args...) }

// checked remembers the first failure to write, as on a full disk; nothing is written after it.
type checked struct {
	w      io.Writer
	failed error
}

func (c *checked) Write(p []byte) (int, error) {
	if c.failed != nil {
		return len(p), nil
	}
	n, err := c.w.Write(p)
	if err != nil {
		c.failed = err
	}
	return n, err
}

// Buffered runs f with a buffer before the console's output: for what prints many lines.
func (c *Console) Buffered(f func(w io.Writer)) {
	w := bufio.NewWriterSize(c.Out, 1<<16)
	f(w)
	w.Flush() // c.out remembers a failure
}

// Open opens a file; - is standard input.
func (c *Console) Open(name, expected string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(c.In), nil
	}
	f, err := os.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no such file; expected %s", name, expected)
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	return f, nil
}
