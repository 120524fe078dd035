// Package fleet runs many whole worlds on many cores. Each world stays in one thread and knows nothing of the others;
// what comes out is handed on in the order of the seeds, so that a campaign's digest does not depend on the number of
// workers.
package fleet

import (
	"sync"

	"custody/sim"
	"custody/sim/cover"
	"custody/sim/gen"
	"custody/traces"
)

// Campaign says which seeds to run, and how.
type Campaign struct {
	First   uint64 // the first seed
	Seeds   uint64 // how many; 0: until Take says stop
	Stride  uint64 // from one seed to the next; 0 is 1
	Workers int    // worlds at once; below 1 is 1
	Profile gen.Profile
	Options sim.ExecuteOptions // of every run; watchers of its own are not shared between worlds, so it has none
	Model   *sim.WorkerModel   // runs scripts of the hash model's seeds once more; nil: none
	Every   uint64             // of which seeds: those that it divides; 0 is 1
}

// Taken is one seed's script and result.
type Taken struct {
	Seed      uint64
	Script    *traces.Script
	Result    *sim.Result
	Seen      *cover.Coverage // what the run has exercised
	Again     *sim.Result     // of the script on the campaign's model; nil if it did not run there
	SeenAgain *cover.Coverage
	Err       error // why the seed's world cannot be run; then there is no result
}

// job is a few seeds on their way: whoever waits for them waits on done.
type job struct {
	seeds []Taken
	done  chan struct{}
}

// atOnce is how many seeds a job has at the most. A seed takes microseconds, and waking whoever waits takes some too.
const atOnce = 8

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
	takeAll(order, take)
	close(stop)
	busy.Wait()
}

// takeAll hands on the results until one is the last.
func takeAll(order <-chan *job, take func(Taken) bool) {
	for j := range order {
		<-j.done
		for i := range j.seeds {
			if !take(j.seeds[i]) {
				return
			}
			j.seeds[i] = Taken{} // its world is not needed any more
		}
	}
}

// deal hands out the seeds in order: to whoever works, and to who takes the results.
func (c Campaign) deal(todo, order chan<- *job, stop <-chan struct{}) {
	defer close(todo)
	defer close(order)
	for i, n := uint64(0), c.share(); ; i += n {
		j := &job{seeds: c.seeds(i, n), done: make(chan struct{})}
		if len(j.seeds) == 0 {
			return
		}
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

// share is how many seeds a job has: of a short campaign so few that every worker gets some.
func (c Campaign) share() uint64 {
	if c.Seeds == 0 {
		return atOnce
	}
	return min(max(c.Seeds/uint64(4*max(c.Workers, 1)), 1), atOnce)
}

// seeds are the next n seeds from the i-th one on, as far as there are any.
func (c Campaign) seeds(i, n uint64) (list []Taken) {
	stride := max(c.Stride, 1)
	for end := i + n; i < end && (c.Seeds == 0 || i < c.Seeds); i++ {
		seed := c.First + i*stride
		if i > 0 && seed < c.First { // past the last seed there is
			break
		}
		list = append(list, Taken{Seed: seed})
	}
	return list
}

// one runs a seed.
func (c Campaign) one(t *Taken) {
	seen, o := &cover.Recorder{}, c.Options
	o.Watch = []sim.Watcher{seen}
	if t.Script, t.Result, t.Err = gen.Generate(t.Seed, c.Profile, o); t.Err != nil {
		return
	}
	t.Seen = seen.Coverage()
	if c.Model != nil && t.Seed%max(c.Every, 1) == 0 {
		again := &cover.Recorder{}
		o.Model, o.Watch = c.Model, []sim.Watcher{again}
		if t.Again, t.Err = sim.Execute(t.Script, o); t.Err == nil {
			t.SeenAgain = again.Coverage()
		}
	}
}

func (c Campaign) work(todo <-chan *job) {
	for j := range todo {
		for i := range j.seeds {
			c.one(&j.seeds[i])
		}
		close(j.done)
	}
}
