package main

import (
	"bufio"
	"fmt"
	"io"
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

func newConsole() *console {
	return &console{
		in: os.Stdin, out: &checked{w: os.Stdout}, err: os.Stderr, getenv: os.Getenv,
		outIsTTY: isatty.IsTerminal(os.Stdout.Fd()), errIsTTY: isatty.IsTerminal(os.Stderr.Fd()),
	}
}

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
