package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"custody/sim/museum"
)

// measure builds and runs everything, some at once, and prints a line for each as soon as those before it are done.
func (o *options) measure(m *museum.Museum, out, progress io.Writer) error {
	dir, err := os.MkdirTemp("", "museum")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	clean, err := museum.Build(o.root, dir, "", nil)
	if err != nil {
		return err
	}
	bar := newBar(progress, len(m.Exhibits)+len(m.Controls))
	defer bar.done()
	fmt.Fprintf(bar.above(out), "%-38s %-9s %7s %7s %7s %7s %6s %6s\n", "exhibit", "promise", "median", "95%", "any", "found", "lines", "steps")
	m.Kills, err = each(o, bar, m.Exhibits, func(x *museum.Exhibit) (*museum.Kill, error) { return x.Measure(o.root, clean, o.seeds) },
		func(x *museum.Exhibit, k *museum.Kill) {
			fmt.Fprintf(bar.above(out), "%-38s %-9s %7d %7d %7d %7d %6d %6d\n", x.ID, x.Promise, k.Median, k.P95, k.Any, k.Found, k.Lines, k.Steps)
		})
	if err != nil {
		return err
	}
	m.Silences, err = each(o, bar, m.Controls, func(c *museum.Control) (*museum.Silence, error) { return c.Measure(o.root, clean, o.seeds) },
		func(c *museum.Control, s *museum.Silence) { fmt.Fprintln(bar.above(out), s) })
	return err
}

// each measures things, o.workers at once, and tells of them in their order.
func each[T, R any](o *options, bar *bar, things []*T, measure func(*T) (*R, error), tell func(*T, *R)) ([]*R, error) {
	results, errs := make([]*R, len(things)), make([]error, len(things))
	done := make([]chan struct{}, len(things))
	for i := range done {
		done[i] = make(chan struct{})
	}
	next := make(chan int, len(things))
	for i := range things {
		next <- i
	}
	close(next)
	var busy sync.WaitGroup
	var failed atomic.Bool // nothing more is begun
	for range o.workers {
		busy.Go(func() {
			for i := range next {
				if !failed.Load() {
					results[i], errs[i] = measure(things[i])
				}
				bar.step()
				close(done[i])
			}
		})
	}
	defer busy.Wait()
	defer failed.Store(true)
	for i, x := range things {
		<-done[i]
		if errs[i] != nil {
			return nil, errs[i]
		}
		tell(x, results[i])
	}
	return results, nil
}

// bar shows on a terminal how far things are. Elsewhere it shows nothing: the lines of the table do.
type bar struct {
	bars *mpb.Progress
	bar  *mpb.Bar
}

func newBar(w io.Writer, total int) *bar {
	f, ok := w.(*os.File)
	if !ok || !isatty.IsTerminal(f.Fd()) {
		return &bar{}
	}
	b := &bar{bars: mpb.New(mpb.WithOutput(w), mpb.WithWidth(60))}
	b.bar = b.bars.AddBar(int64(total), mpb.PrependDecorators(decor.Name("campaigns ")),
		mpb.AppendDecorators(decor.CountersNoUnit(" %d of %d")), mpb.BarRemoveOnComplete())
	return b
}

func (b *bar) step() {
	if b.bar != nil {
		b.bar.Increment()
	}
}

// above is where lines go that are to stand above the bar, if they are for the same terminal.
func (b *bar) above(out io.Writer) io.Writer {
	if f, ok := out.(*os.File); b.bars != nil && ok && isatty.IsTerminal(f.Fd()) {
		return b.bars
	}
	return out
}

func (b *bar) done() {
	if b.bar != nil {
		b.bar.Abort(true)
		b.bars.Wait()
	}
}
