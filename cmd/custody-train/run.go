package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"custody/cmd/internal/files"
	"custody/model/llama"
	"custody/model/safetensors"
	"custody/model/train"
	"custody/model/train/corpus"
)

// runOptions are the flags of run.
type runOptions struct {
	recipe     train.Recipe
	out        string
	checkpoint string
	resume     string
	stop       int
	threads    int
	every      int
}

const runDoc = `Trains from a seed, or goes on from a checkpoint. Without flags it makes the weights that are shipped, in a few
minutes on two cores; they are written to --out, and the SHA-256 of that file is printed.

Ctrl-C writes the checkpoint and ends; the training that is resumed gives the same weights as one that was not
interrupted.`

func newRun(c *console) *cobra.Command {
	o := runOptions{recipe: train.Accepted}
	cmd := &cobra.Command{
		Use: "run", Short: "Train", Long: runDoc, Args: noArguments,
		Example: "  custody-train run --out weights.safetensors --checkpoint train.safetensors\n" +
			"  custody-train run --resume train.safetensors --out weights.safetensors",
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd, c) },
	}
	f := cmd.Flags()
	f.Uint64Var(&o.recipe.Seed, "seed", o.recipe.Seed, "of the first weights and of all samples")
	f.IntVar(&o.recipe.Steps, "steps", o.recipe.Steps, "of the whole training, 16 samples each; the rate falls until the last")
	f.IntVar(&o.recipe.Curriculum, "curriculum", o.recipe.Curriculum, "steps until the samples are as hard as they get")
	f.IntVar(&o.recipe.Warmup, "warmup", o.recipe.Warmup, "steps until the rate is at its highest")
	f.StringVar(&o.out, "out", "", "write the weights to this file at the end")
	f.StringVar(&o.checkpoint, "checkpoint", "", "write the state to this file at every exam, and at the end or on Ctrl-C")
	f.StringVar(&o.resume, "resume", "", "go on from this checkpoint; its recipe holds")
	f.IntVar(&o.stop, "stop", 0, "end after this step, though the recipe has more (0: at its end)")
	f.IntVar(&o.threads, "threads", cores(), "1 or 2; the weights do not depend on it")
	f.IntVar(&o.every, "exam-every", 500, "steps between two short exams (0: none)")
	return cmd
}

func (o *runOptions) run(cmd *cobra.Command, c *console) error {
	if o.threads < 1 || o.threads > 2 {
		return fmt.Errorf("--threads is %d, expected 1 or 2", o.threads)
	}
	if o.stop < 0 || o.every < 0 {
		return fmt.Errorf("--stop and --exam-every expect a number of steps, 0 or more")
	}
	t, err := o.start(cmd)
	if err != nil {
		return err
	}
	if o.stop == 0 || o.stop > t.Recipe().Steps {
		o.stop = t.Recipe().Steps
	}
	asked := onInterrupt()
	if err := o.steps(t, c, asked); err != nil {
		return err
	}
	if asked.Load() && t.Steps() < o.stop {
		return o.interrupted(t, c)
	}
	return o.finish(t, c)
}

// start makes a trainer, from the beginning or from a checkpoint.
func (o *runOptions) start(cmd *cobra.Command) (*train.Trainer, error) {
	if o.resume == "" {
		if err := o.recipe.Validate(); err != nil {
			return nil, err
		}
		return train.New(llama.Small(), o.recipe), nil
	}
	for _, name := range []string{"seed", "steps", "curriculum", "warmup"} {
		if cmd.Flags().Changed(name) {
			return nil, fmt.Errorf("--%s has no meaning with --resume: the checkpoint's recipe holds; leave one of them out", name)
		}
	}
	file, err := os.ReadFile(o.resume)
	if err != nil {
		return nil, fmt.Errorf("reading the checkpoint: %w", err)
	}
	t, err := train.Resume(llama.Small(), file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.resume, err)
	}
	return t, nil
}

// steps trains until the end or until somebody asks to stop.
func (o *runOptions) steps(t *train.Trainer, c *console, asked *atomic.Bool) error {
	bar := newBar(c, o.stop)
	defer bar.done()
	for t.Steps() < o.stop && !asked.Load() {
		p := t.Step(o.threads)
		bar.show(p)
		if o.every > 0 && (p.Step%o.every == 0 || p.Step == o.stop) {
			bar.say(c, report(t, p))
			if err := o.save(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// shortExam is the number of prompts a kind during a training.
const shortExam = 50

// report is a line of what the weights can do by now.
func report(t *train.Trainer, p train.Progress) string {
	var line strings.Builder
	fmt.Fprintf(&line, "step %d  loss %.4f  characters %.1f%%  answers:", p.Step, p.Loss, 100*p.Hits)
	examiner := train.NewExaminer(t.Weights())
	for i := range corpus.Subjects {
		s := &corpus.Subjects[i]
		g := examiner.Grade(s.Exam(duringTraining, shortExam))
		asked, right := g.All()
		fmt.Fprintf(&line, " %s %d%%", s.Name, 100*right/asked)
	}
	return line.String()
}

// Seeds of exams: the shown progress has no part in the judgement.
const (
	duringTraining = 2
	judgement      = 1
)

func (o *runOptions) save(t *train.Trainer) error {
	if o.checkpoint == "" {
		return nil
	}
	file, err := t.Checkpoint()
	if err != nil {
		return err
	}
	if err := files.Write(o.checkpoint, file); err != nil {
		return fmt.Errorf("writing the checkpoint: %w", err)
	}
	return nil
}

func (o *runOptions) interrupted(t *train.Trainer, c *console) error {
	if err := o.save(t); err != nil {
		return err
	}
	fmt.Fprintf(c.err, "custody-train: stopped after step %d\n", t.Steps())
	if o.checkpoint != "" {
		fmt.Fprintf(c.err, "next: custody-train run --resume %s --checkpoint %[1]s\n", o.checkpoint)
	} else {
		fmt.Fprintln(c.err, "nothing was saved: no --checkpoint was given")
	}
	return errInterrupted
}

func (o *runOptions) finish(t *train.Trainer, c *console) error {
	if err := o.save(t); err != nil {
		return err
	}
	file, err := safetensors.FromWeights(t.Weights()).Encode()
	if err != nil {
		return err
	}
	if o.out != "" {
		if err := files.Write(o.out, file); err != nil {
			return fmt.Errorf("writing the weights: %w", err)
		}
	}
	fmt.Fprintf(c.out, "weights after step %d: %d bytes, SHA-256 %x\n", t.Steps(), len(file), sha256.Sum256(file))
	return nil
}

// onInterrupt listens for Ctrl-C. The first asks to stop, the second ends the process.
func onInterrupt() *atomic.Bool {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	asked := &atomic.Bool{}
	go func() {
		<-signals
		asked.Store(true)
		<-signals
		os.Exit(exitInterrupted)
	}()
	return asked
}
