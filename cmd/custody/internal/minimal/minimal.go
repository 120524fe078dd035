// Package minimal makes of a failing script a small one, and of that two files: a script that expects the breach, and a
// Go test that fails until the defect is mended.
package minimal

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"custody/cmd/custody/internal/exit"
	"custody/cmd/custody/internal/source"
	"custody/cmd/custody/internal/term"
	"custody/cmd/internal/files"
	"custody/sim"
	"custody/traces"
	"custody/traces/shrink"
)

// Options say what is kept and where it goes.
type Options struct {
	Promise string // which breach; "" is the first
	Budget  int    // executions
	Out     string // "" is min-PROMISE-BASE.trace here
	Package string // package of the Go test
	Force   bool   // write over files that are there
}

// shrunk is a minimal script, with what a person needs to know of it.
type shrunk struct {
	shrink.Minimal
	source      *source.Source
	promise     string
	message     string
	paint       *term.Painter
	interrupted bool
	file        string
	test        string
	also        []string         // promises that the given script breaks too
	others      []shrink.Finding // failures that only smaller scripts showed
}

// Shrink finds a minimal script and writes it.
func Shrink(c *term.Console, src *source.Source, o Options) error {
	res, err := sim.Execute(src.Script, sim.ExecuteOptions{Model: src.Model})
	if err != nil {
		return err
	}
	which, err := chooseBreach(src, res, o.Promise)
	if err != nil {
		return err
	}
	m := &shrunk{source: src, promise: res.PromiseName(&res.Breaches[which])}
	if err := m.target(&o); err != nil {
		return err
	}
	m.search(c, res, which, o.Budget)
	m.sort(res, which)
	if m.Script == nil {
		return fmt.Errorf("interrupted before anything was found")
	}
	m.retell()
	lost := m.write(o.Package)
	c.Buffered(func(w io.Writer) { m.report(w, lost) })
	return lost
}

// chooseBreach returns the index of the breach to keep.
func chooseBreach(src *source.Source, res *sim.Result, promise string) (int, error) {
	if res.OK() {
		return 0, fmt.Errorf("nothing to shrink: %s keeps every promise", src.Name)
	}
	var names []string
	for i := range res.Breaches {
		names = append(names, res.PromiseName(&res.Breaches[i]))
		if promise == "" || names[i] == promise {
			return i, nil
		}
	}
	return 0, fmt.Errorf("nothing to shrink: %s keeps the promise %q (it breaks: %s)", src.Name, promise, strings.Join(names, ", "))
}

// search shrinks. An interrupt makes every further candidate a failure to fail, so that the best script so far remains.
func (m *shrunk) search(c *term.Console, res *sim.Result, which, budget int) {
	i := term.OnInterrupt(c)
	defer i.Stop()
	bar := c.NewProgress("custody shrink", int64(budget))
	defer bar.Done()
	execute := sim.Executor(sim.ExecuteOptions{Model: m.source.Model})
	stoppable := func(s *traces.Script) shrink.Outcome {
		if m.interrupted = i.Asked.Load(); m.interrupted {
			return shrink.Outcome{Noop: make([]bool, len(s.Events))}
		}
		return execute(s)
	}
	m.Minimal = shrink.Run(m.source.Script, res.Identity(&res.Breaches[which]), stoppable, shrink.Options{
		Budget: budget,
		Progress: func(executions, size int) {
			bar.Show(int64(executions), func() string { return fmt.Sprintf("%d executions, %d lines", executions, size) })
		},
	})
}

// sort parts the failures that the given script shows itself, and that can be shrunk from it, from those that only a
// smaller script has shown.
func (m *shrunk) sort(res *sim.Result, which int) {
	known := map[shrink.Identity]bool{}
	for i := range res.Breaches {
		if b := &res.Breaches[i]; i != which {
			m.also = append(m.also, res.PromiseName(b))
			known[res.Identity(b)] = true
		}
	}
	for _, f := range m.Others {
		if !known[f.Identity] {
			m.others = append(m.others, f)
		}
	}
}

// retell runs the minimal script once more, for its message.
func (m *shrunk) retell() {
	m.paint = term.NewPainter(m.Script).Through(m.Script.Events)
	told, err := source.Narrate(m.Script, m.source.Model)
	if err != nil {
		return
	}
	for i := range told.Breaches {
		if told.PromiseName(&told.Breaches[i]) == m.promise {
			m.message = told.Message(i)
		}
	}
}

// target decides where the results go. Without force they never take the place of files that are there, and never of the
// script that was given.
func (m *shrunk) target(o *Options) error {
	if o.Out == "" {
		stem := fmt.Sprintf("min-%s-%s", m.promise, m.source.Base)
		m.place(stem + ".trace")
		for n := 2; !o.Force && m.clash() != ""; n++ {
			m.place(fmt.Sprintf("%s-%d.trace", stem, n))
		}
	} else {
		m.place(o.Out)
	}
	if files.Same(m.source.Arg, m.file) {
		return exit.Usagef("--out %s is the script to shrink: choose another name", m.file)
	}
	if name := m.clash(); name != "" && !o.Force {
		return exit.Usagef("%s is there already: choose another --out, or --force to write over it", name)
	}
	return nil
}

// place names the script's file and the test's beside it.
func (m *shrunk) place(file string) {
	m.file = file
	stem := strings.TrimSuffix(file, filepath.Ext(file))
	m.test = filepath.Join(filepath.Dir(stem), testFileName(filepath.Base(stem)))
}

// clash is a file that would be written over, or "".
func (m *shrunk) clash() string {
	for _, name := range []string{m.file, m.test, m.otherFile(0)} {
		if files.Taken(name) {
			return name
		}
	}
	return ""
}

// write writes the files. All are tried; the first failure is returned.
func (m *shrunk) write(pkg string) (lost error) {
	keep := func(name, text string) {
		if err := files.Write(name, []byte(text)); err != nil && lost == nil {
			lost = fmt.Errorf("%s could not be written: %w", name, err)
		}
	}
	keep(m.file, m.Script.String())
	keep(m.test, goTest(pkg, filepath.Base(m.file), m))
	for i := range m.others {
		keep(m.otherFile(i), m.others[i].Script.String())
	}
	return lost
}

// otherFile is the file of another finding.
func (m *shrunk) otherFile(i int) string {
	return fmt.Sprintf("%s-other-%d.trace", strings.TrimSuffix(m.file, filepath.Ext(m.file)), i+1)
}

// report tells what was found: the message first, the command to type next last.
func (m *shrunk) report(w io.Writer, lost error) {
	fmt.Fprintf(w, "%s\nit breaks the promise %q: %s\n\n", m.paint.Line(m.message), m.promise, source.Sentence(m.promise))
	for line := range strings.Lines(m.Script.String()) {
		fmt.Fprint(w, "    ", m.paint.Line(line))
	}
	fmt.Fprintf(w, "\n%d lines became %d, after %s%s\n", m.source.Script.Size(), m.Script.Size(),
		term.Plural(int64(m.Executions), "execution"), m.ended())
	if m.source.Model == nil {
		fmt.Fprintln(w, m.confirmed())
	}
	m.findings(w, lost)
	if lost != nil {
		fmt.Fprintf(w, "next: %s --out FILE\n", m.source.Command("shrink"))
		return
	}
	fmt.Fprintf(w, "written: %s, which expects the breach\nwritten: %s, a test that fails until the defect is mended\n",
		m.file, m.test)
	fmt.Fprintf(w, "next: custody replay %s\n", term.ShellWord(m.file))
}

// confirmed says what the transformer makes of the script.
func (m *shrunk) confirmed() string {
	model, err := sim.NewTransformer()
	switch {
	case err != nil:
		return fmt.Sprintf("the transformer could not be asked: %v", err)
	case sim.Confirm(m.Script, m.promise, sim.ExecuteOptions{Model: model}):
		return "confirmed on the transformer: it breaks the same promise there"
	}
	return "not so on the transformer: the script hangs on what the hash model samples"
}

// ended says why the search ended, if there may be a smaller script.
func (m *shrunk) ended() string {
	switch {
	case m.interrupted:
		return "; interrupted: there may be a smaller one"
	case m.Exhausted:
		return "; the budget is spent: a larger --budget may find a smaller one"
	}
	return "; no pass makes it smaller"
}

// findings lists the other failures that were met: each is a finding of its own.
func (m *shrunk) findings(w io.Writer, lost error) {
	for _, promise := range m.also {
		fmt.Fprintf(w, "%s breaks another promise too: %s --promise %s\n", m.source.Name, m.source.Command("shrink"), promise)
	}
	for i, f := range m.others {
		fmt.Fprintf(w, "another failure was met on the way: %s, %s", inWords(f.Identity), term.Plural(int64(f.Script.Size()), "line"))
		if lost == nil {
			fmt.Fprintf(w, ": %s", m.otherFile(i))
		}
		fmt.Fprintln(w)
	}
}

// inWords says what a failure is.
func inWords(id shrink.Identity) string {
	text := id.Promise + ", broken in " + id.Event
	if id.Relation != "none" {
		text += ", reader and writer: " + id.Relation
	}
	if id.Slot != "none" {
		text += ", the slot: " + id.Slot
	}
	if id.Crash != "" {
		text += ", " + id.Crash
	}
	return text
}
