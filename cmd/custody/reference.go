package main

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"custody/cmd/custody/internal/term"
	"custody/invariants"
	"custody/scheduler"
	"custody/traces"
)

// The commands that say what Custody is made of. They run nothing.

func newPromises(c *term.Console) *cobra.Command {
	return reference(c, "promises", "List the promises that are checked", func(w io.Writer) {
		t := term.NewTable(w, "promise", "it says", "one check is one of")
		for i := range invariants.Statements {
			s := &invariants.Statements[i]
			t.AppendRow([]any{s.Name, text.WrapSoft(s.Sentence, 80), s.Unit})
		}
		t.Render()
	})
}

func newLifecycle(c *term.Console) *cobra.Command {
	return reference(c, "lifecycle", "Print the life of a request as a Mermaid diagram", func(w io.Writer) {
		fmt.Fprint(w, scheduler.Diagram())
	})
}

func newScript(c *term.Console) *cobra.Command {
	return reference(c, "script", "Print the reference of the script language", func(w io.Writer) {
		fmt.Fprint(w, traces.Reference())
	})
}

func reference(c *term.Console, use, short string, show func(io.Writer)) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: exactly(0, ""),
		RunE: func(*cobra.Command, []string) error {
			c.Buffered(show)
			return nil
		},
	}
}
