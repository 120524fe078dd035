package sim

import (
	"slices"

	"custody/invariants"
	"custody/traces"
)

// Result is what one run of a script has shown.
type Result struct {
	Breaches []invariants.Breach // the first of each broken promise, in the order in which they broke
	Noop     []bool              // by event of the script: it did nothing
	Last     []int               // by breach: the last script event before it
	Digest   traces.Digest
	Work     Work
	Ticks    Time
	Checks   [invariants.NumPromises]int64
	Coverage Coverage

	world *world
}

// OK tells whether every promise was kept.
func (r *Result) OK() bool { return len(r.Breaches) == 0 }

// ExecuteOptions are the options of an execution.
type ExecuteOptions struct {
	Promises []invariants.Promise // the user's own
	Narrate  bool                 // record places in the source and a trace, for people
	KVEvents func(KVEvent)        // is told of every KV event, if not nil
	Model    *Model               // whose KV is watched; nil is the hash model
}

// Execute runs a script from its first moment. Same script, same result.
func Execute(s *traces.Script, o ExecuteOptions) *Result {
	return o.newWorld(s).run(s)
}

// newWorld builds the world of a script's header.
func (o *ExecuteOptions) newWorld(s *traces.Script) *world {
	return newWorld(newSetup(s, o.Model), worldOptions{promises: o.Promises, narrate: o.Narrate, kvEvents: o.KVEvents})
}

// run applies a script to a world in its first moment.
func (w *world) run(s *traces.Script) *Result {
	res := &Result{Noop: make([]bool, len(s.Events)), world: w}
	for i := range res.Noop {
		res.Noop[i] = true
	}
	w.onFire = func(i int) { res.Noop[i] = false }
	w.tellHandshake()
	at := 0
	w.guarded(func() {
		for i := range s.Events {
			at = i
			w.perform(&s.Events[i], i)
			res.noteLast(w, i)
		}
	})
	w.conclude(res, at)
	return res
}

// noteLast notes which script event came last before the breaches that are new.
func (r *Result) noteLast(w *world, event int) {
	for len(r.Last) < len(w.ledger.Breaches()) {
		r.Last = append(r.Last, event)
	}
}

// guarded runs f and records a panic of the system under test as a finding.
func (w *world) guarded(f func()) {
	defer func() {
		if err := recover(); err != nil {
			w.ledger.Crashed(crashIdentity(err))
		}
	}()
	f()
}

// conclude fills in what the run has come to.
func (w *world) conclude(res *Result, at int) {
	w.nameBreaches()
	w.tellBreaches()
	res.Breaches = slices.Clone(w.ledger.Breaches())
	res.noteLast(w, at)
	w.closeCoverage()
	res.Digest, res.Work, res.Ticks = w.digest, w.work, w.now
	for id := range res.Checks {
		res.Checks[id] = w.ledger.Checks(invariants.ID(id))
	}
	res.Coverage = w.coverage
}

// closeCoverage adds what the ledger has counted.
func (w *world) closeCoverage() {
	w.work.Reads = w.ledger.Checks(invariants.Content)
	w.closeMarks()
	for k := range traces.NumKeys {
		if w.engine[k] != w.worker[k] {
			w.coverage.Mismatch[k]++
		}
	}
}
