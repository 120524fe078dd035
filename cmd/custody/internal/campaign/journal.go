package campaign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"custody/cmd/internal/files"
	"custody/sim/fleet"
	"custody/traces"
)

// The files of --out that a later process goes on from.
const (
	startFile = "start.json"  // the options
	seedsFile = "seeds.jsonl" // a line for each completed seed, in order
)

// seedRecord is a line of seeds.jsonl. Its fields are a contract with programs: add to them, do not rename them.
type seedRecord struct {
	Kind   string   `json:"kind"`
	Seed   uint64   `json:"seed"`
	Digest string   `json:"digest"`
	Steps  int64    `json:"steps"`
	Broken []string `json:"broken"` // promises
}

// earlier is what the processes before this one have completed.
type earlier struct {
	seeds       uint64
	violations  int    // seeds
	firstBroken uint64 // of violations
	digest      traces.Digest
	torn        bool  // there is half a line behind the last whole one
	size        int64 // of the whole lines
}

// journal keeps completed seeds as they come: a killed process or a full disk costs the last line at most.
type journal struct {
	file   *os.File
	failed error
}

// openJournal begins a journal in --out, or goes on with the one that is there.
func (r *campaign) openJournal() (err error) {
	name := filepath.Join(r.Out, seedsFile)
	if r.Resume {
		return r.resumeJournal(name)
	}
	// The seeds go before the options: a process that is killed in between leaves no seeds under options not theirs.
	if r.journal.file, err = os.Create(name); err != nil {
		return fmt.Errorf("the seeds cannot be kept: %w", err)
	}
	if err = files.Write(filepath.Join(r.Out, startFile), indented(newStartRecord(&r.Options))); err != nil {
		return fmt.Errorf("the options cannot be kept: %w", err)
	}
	return nil
}

// resumeJournal takes in what is done, and stands behind its last whole line.
func (r *campaign) resumeJournal(name string) (err error) {
	if err = r.sameOptions(); err != nil {
		return err
	}
	if r.earlier, err = r.readSeeds(name); err != nil {
		return err
	}
	if r.earlier.torn {
		r.console.Warn("custody run: the torn last line of %s is dropped", name)
	}
	r.sum.Digest = r.earlier.digest
	if r.journal.file, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o644); err == nil {
		err = errors.Join(r.journal.file.Truncate(r.earlier.size), seek(r.journal.file, r.earlier.size))
	}
	if err != nil {
		return fmt.Errorf("the seeds cannot be kept: %w", err)
	}
	return nil
}

func seek(f *os.File, to int64) error {
	_, err := f.Seek(to, io.SeekStart)
	return err
}

// sameOptions refuses to go on under options that would draw other seeds, or other scripts from them.
func (r *campaign) sameOptions() error {
	name := filepath.Join(r.Out, startFile)
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("there is nothing to resume: %s is missing", name)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", name, err)
	}
	return r.continues(name, text)
}

// continues refuses a record of other options; name is its file's.
func (o *Options) continues(name string, text []byte) error {
	was, is := startRecord{}, newStartRecord(o)
	if err := json.Unmarshal(text, &was); err != nil {
		return fmt.Errorf("%s cannot be read: %w", name, err)
	}
	for _, x := range []struct {
		flag    string
		was, is any
	}{{"profile", was.Profile, is.Profile}, {"seed", was.Seed, is.Seed}, {"shard", was.Shard, is.Shard},
		{"model", was.Model, is.Model}} {
		if x.was != x.is {
			return fmt.Errorf("%s cannot be resumed with --%s %v: it was begun with --%s %v", o.Out, x.flag, x.is, x.flag, x.was)
		}
	}
	return nil
}

// readSeeds reads a journal. None is one of no seeds.
func (r *campaign) readSeeds(name string) (earlier, error) {
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return earlier{}, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	return r.completedIn(name, text)
}

// completedIn reads the whole lines of a journal. They must be the campaign's seeds in order: the digest rests on it.
func (o *Options) completedIn(name string, text []byte) (e earlier, err error) {
	for {
		line, rest, whole := bytes.Cut(text, []byte("\n"))
		if !whole {
			e.torn = len(line) > 0
			return e, nil
		}
		if err := e.add(line, o); err != nil {
			return e, fmt.Errorf("%s:%d: %w", name, e.seeds+1, err)
		}
		text = rest
	}
}

// add takes in a whole line.
func (e *earlier) add(line []byte, o *Options) error {
	var rec seedRecord
	if err := json.Unmarshal(line, &rec); err != nil {
		return fmt.Errorf("the line is damaged: %w", err)
	}
	want, ok := o.Shard.Seed(o.First, e.seeds)
	if rec.Kind != "seed" || rec.Seed != want || !ok {
		return fmt.Errorf("found kind %q, seed %d; expected kind %q, seed %d", rec.Kind, rec.Seed, "seed", want)
	}
	if len(rec.Digest) != len(e.digest.String()) {
		return fmt.Errorf("the line is damaged: %q is no digest", rec.Digest)
	}
	if len(rec.Broken) > 0 && e.violations == 0 {
		e.firstBroken = rec.Seed
	}
	if len(rec.Broken) > 0 {
		e.violations++
	}
	e.seeds++
	e.size += int64(len(line)) + 1
	e.digest.AddString(rec.Digest)
	return nil
}

// keep writes a seed's line. After a failure nothing more is written: behind a gap nobody could go on.
func (j *journal) keep(x fleet.Taken) {
	if j.file == nil || j.failed != nil {
		return
	}
	rec := seedRecord{Kind: "seed", Seed: x.Seed, Digest: x.Result.Digest.String(), Steps: x.Result.Work.Steps, Broken: []string{}}
	for i := range x.Result.Breaches {
		rec.Broken = append(rec.Broken, x.Result.PromiseName(&x.Result.Breaches[i]))
	}
	line, err := json.Marshal(rec)
	if err != nil {
		panic(err) // no type in it can fail
	}
	_, j.failed = j.file.Write(append(line, '\n')) // straight to the file: a buffer would die with the process
}

// close ends the journal. Sync reports the full disk that a later close would not.
func (j *journal) close() error {
	if j.file == nil {
		return nil
	}
	err := j.failed
	if e := j.file.Sync(); err == nil {
		err = e
	}
	if e := j.file.Close(); err == nil {
		err = e
	}
	return err
}
