package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/mattn/go-isatty"
)

// console is where the command reads and writes. Results go to out, progress and errors to err.
type console struct {
	in       io.Reader
	out      *checked
	err      io.Writer
	outIsTTY bool
	errIsTTY bool
	getenv   func(string) string
}

// newConsole is the console of this process.
func newConsole() *console {
	c := plainConsole(os.Stdin, os.Stdout, os.Stderr)
	c.outIsTTY, c.errIsTTY = isatty.IsTerminal(os.Stdout.Fd()), isatty.IsTerminal(os.Stderr.Fd())
	return c
}

// plainConsole is a console that is no terminal.
func plainConsole(in io.Reader, out, err io.Writer) *console {
	return &console{in: in, out: &checked{w: out}, err: err, getenv: os.Getenv}
}

// lost is the failure to write results, if there was one.
func (c *console) lost() error { return c.out.failed }

// colours tells whether output is coloured.
func (c *console) colours(when string) bool {
	if when != "auto" {
		return when == "always"
	}
	return c.outIsTTY && c.getenv("NO_COLOR") == "" && c.getenv("TERM") != "dumb"
}

// warn says something that is no result.
func (c *console) warn(format string, args ...any) { fmt.Fprintf(c.err, format+"\n", args...) }

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

// buffered runs f with a buffer before the console's output: for what prints many lines.
func (c *console) buffered(f func(w io.Writer)) {
	w := bufio.NewWriterSize(c.out, 1<<16)
	f(w)
	w.Flush() // c.out remembers a failure
}

// open opens a file; - is standard input.
func (c *console) open(name, expected string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(c.in), nil
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
