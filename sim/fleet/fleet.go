// Package fleet runs many whole worlds on many cores. Each world stays in one thread and knows nothing of the others;
// what comes out is handed on in the order of the seeds, so that a campaign's digest does not depend on the number of
// workers.
package fleet

import (
	"sync"

	"custody/sim"
	"custody/traces"
)

// Campaign says which seeds to run, and how.
type Campaign struct {
	First   uint64 // the first seed
	Seeds   uint64 // how many; 0: until Take says stop
	Stride  uint64 // from one seed to the next; 0 is 1
	Workers int    // worlds at once; below 1 is 1
	Profile sim.Profile
	Model   *sim.Model // runs scripts of the hash model's seeds once more; nil: none
	Every   uint64     // of which seeds: those that it divides; 0 is 1
}

// Taken is one seed's script and result.
type Taken struct {
	Seed   uint64
	Script *traces.Script
	Result *sim.Result
	Again  *sim.Result // of the script on the campaign's model; nil if it did not run there
}

// job is a seed on its way: whoever waits for it waits on done.
type job struct {
	Taken
	done chan struct{}
}

// Run runs the campaign's seeds and hands each result to take, in the order of the seeds and never two at once, until
// take returns false or the seeds are through. Seeds that were begun behind the last one taken are thrown away.
func (c Campaign) Run(take func(Taken) bool) {
	workers := max(c.Workers, 1)
	todo, order, stop := make(chan *job), make(chan *job, 2*workers), make(chan struct{})
	var busy sync.WaitGroup
	for range workers {
		busy.Go(func() { c.work(todo) })
	}
	busy.Go(func() { c.deal(todo, order, stop) })
	for j := range order {
		<-j.done
		if !take(j.Taken) {
			break
		}
	}
	close(stop)
	busy.Wait()
}

// deal hands out the seeds in order: to whoever works, and to who takes the results.
func (c Campaign) deal(todo, order chan<- *job, stop <-chan struct{}) {
	defer close(todo)
	defer close(order)
	stride := max(c.Stride, 1)
	for i := uint64(0); c.Seeds == 0 || i < c.Seeds; i++ {
		seed := c.First + i*stride
		if i > 0 && seed < c.First { // past the last seed there is
			return
		}
		j := &job{Taken: Taken{Seed: seed}, done: make(chan struct{})}
		select {
		case order <- j:
		case <-stop:
			return
		}
		select {
		case todo <- j:
		case <-stop:
			close(j.done)
			return
		}
	}
}

func (c Campaign) work(todo <-chan *job) {
	for j := range todo {
		j.Script, j.Result = sim.Generate(j.Seed, c.Profile, sim.ExecuteOptions{})
		if c.Model != nil && j.Seed%max(c.Every, 1) == 0 {
			j.Again = sim.Execute(j.Script, sim.ExecuteOptions{Model: c.Model})
		}
		close(j.done)
	}
}
