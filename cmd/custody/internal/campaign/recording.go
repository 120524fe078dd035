package campaign

import (
	"fmt"
	"os"
	"time"

	"custody/cmd/custody/internal/exit"
	"custody/cmd/custody/internal/source"
	"custody/cmd/custody/internal/term"
	"custody/cmd/internal/files"
	"custody/sim"
	"custody/sim/cover"
	"custody/sim/workload"
	"custody/traces"
)

// Recording is a workload that somebody has recorded, to be run once.
type Recording struct {
	File    string // - is standard input
	Options workload.Options
	Model   string // its name
	JSON    bool
	Script  string // file for the script that the recording becomes; "" is none
}

// RunRecording runs a recording once, with every promise on.
func RunRecording(c *term.Console, o Recording) error {
	rows, bad, err := o.read(c)
	if err != nil {
		return err
	}
	s, err := o.becomes(rows)
	if err != nil {
		return err
	}
	m, err := source.ModelNamed(o.Model)
	if err != nil {
		return err
	}
	began, seen := time.Now(), &cover.Recorder{}
	res, err := sim.Execute(s, sim.ExecuteOptions{Model: m, Watch: []sim.Watcher{seen}})
	if err != nil {
		return err
	}
	r := newWorkloadRun(res, seen.Coverage(), time.Since(began))
	r.Rows, r.Bad, r.Divisor, r.Model = len(rows), bad, o.Options.Divisor, source.ModelName(m)
	r.print(c, o.JSON)
	if o.Script != "" {
		err = files.Write(o.Script, []byte(s.String()))
	}
	if err != nil {
		return fmt.Errorf("the script could not be written: %w", err)
	}
	if !res.OK() {
		return exit.ErrBroken
	}
	return nil
}

// read reads the recording, if the options are sound.
func (o *Recording) read(c *term.Console) (rows []workload.Row, bad int, err error) {
	if err := o.Options.Validate(); err != nil {
		return nil, 0, err
	}
	switch o.File {
	case "":
		return nil, 0, exit.Usagef("--workload: expected a file, or - for standard input")
	case "-":
		return o.Options.Read("standard input", c.In)
	}
	f, err := os.Open(o.File)
	if err != nil {
		return nil, 0, fmt.Errorf("the workload cannot be read: %w", err)
	}
	defer f.Close()
	return o.Options.Read(o.File, f)
}

// becomes is the script that the rows make.
func (o *Recording) becomes(rows []workload.Row) (*traces.Script, error) {
	if err := o.Options.Fits(rows); err != nil {
		return nil, err
	}
	s := o.Options.Script(rows)
	if err := sim.Runnable(o.File, s); err != nil {
		return nil, fmt.Errorf("%w; a larger --divisor makes it smaller", err)
	}
	return s, nil
}
