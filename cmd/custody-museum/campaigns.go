package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"custody/sim/museum"
)

// measure builds and runs everything, some at once, and prints a line for each as soon as those before it are done.
func (o *measureOptions) measure(m *museum.Museum, c *console) error {
	dir, err := os.MkdirTemp("", "museum")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	engines, err := museum.Build(o.root, dir, o.plants)
	if err != nil {
		return err
	}
	bar := newBar(c, len(m.Exhibits)+len(m.Controls))
	defer bar.done()
	fmt.Fprintf(bar.above(c), "%-38s %-9s %7s %7s %7s %7s %6s %6s\n",
		"exhibit", "promise", "median", "95%", "any", "found", "lines", "steps")
	m.Kills, err = each(o, bar, m.Exhibits,
		func(x *museum.Exhibit) (*museum.Kill, error) { return x.Measure(engines, o.seeds) },
		func(x *museum.Exhibit, k *museum.Kill) {
			fmt.Fprintf(bar.above(c), "%-38s %-9s %7d %7d %7d %7d %6d %6d\n",
				x.ID, x.Promise, k.Median, k.P95, k.Any, k.Found, k.Lines, k.Steps)
		})
	if err != nil {
		return err
	}
	m.Silences, err = each(o, bar, m.Controls,
		func(x *museum.Control) (*museum.Silence, error) { return x.Measure(engines, o.seeds) },
		func(_ *museum.Control, s *museum.Silence) { fmt.Fprintln(bar.above(c), s) })
	return err
}

// each measures things, o.workers at once, and tells of them in their order.
func each[T, R any](o *measureOptions, bar *bar, things []*T, measure func(*T) (*R, error), tell func(*T, *R)) ([]*R, error) {
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
