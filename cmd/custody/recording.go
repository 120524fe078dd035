package main

import (
	"fmt"
	"os"
	"time"

	"custody/cmd/internal/files"
	"custody/sim"
	"custody/sim/workload"
	"custody/traces"
)

// recording is a workload that somebody has recorded, to be run once.
type recording struct {
	file    string // - is standard input
	options workload.Options
	model   string // its name
	json    bool
	script  string // file for the script that the recording becomes; "" is none
}

// runRecording runs a recording once, with every promise on.
func runRecording(c *console, o recording) error {
	rows, bad, err := o.read(c)
	if err != nil {
		return err
	}
	s, err := o.becomes(rows)
	if err != nil {
		return err
	}
	m, err := modelNamed(o.model)
	if err != nil {
		return err
	}
	began := time.Now()
	res := sim.Execute(s, sim.ExecuteOptions{Model: m})
	r := newWorkloadRun(res, time.Since(began))
	r.Rows, r.Bad, r.Divisor, r.Model = len(rows), bad, o.options.Divisor, nameOf(m)
	r.print(c, o.json)
	if o.script != "" {
		err = files.Write(o.script, []byte(s.String()))
	}
	if err != nil {
		return fmt.Errorf("the script could not be written: %w", err)
	}
	if !res.OK() {
		return errBroken
	}
	return nil
}

// read reads the recording, if the options are sound.
func (o *recording) read(c *console) (rows []workload.Row, bad int, err error) {
	if err := o.options.Validate(); err != nil {
		return nil, 0, err
	}
	switch o.file {
	case "":
		return nil, 0, usagef("--workload: expected a file, or - for standard input")
	case "-":
		return o.options.Read("standard input", c.in)
	}
	f, err := os.Open(o.file)
	if err != nil {
		return nil, 0, fmt.Errorf("the workload cannot be read: %w", err)
	}
	defer f.Close()
	return o.options.Read(o.file, f)
}

// becomes is the script that the rows make.
func (o *recording) becomes(rows []workload.Row) (*traces.Script, error) {
	if err := o.options.Fits(rows); err != nil {
		return nil, err
	}
	s := o.options.Script(rows)
	if err := sim.Runnable(o.file, s); err != nil {
		return nil, fmt.Errorf("%w; a larger --divisor makes it smaller", err)
	}
	return s, nil
}
