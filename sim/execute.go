package sim

import (
	"slices"

	"custody/invariants"
	"custody/sim/engine"
	"custody/sim/local"
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

	// Unchecked are the promises of which nothing can be said: the engine hides what it takes to check them.
	Unchecked []invariants.ID

	world *World
}

// OK tells whether every promise was kept.
func (r *Result) OK() bool { return len(r.Breaches) == 0 }

// World is the world in which the script was run, as it was left.
func (r *Result) World() *World { return r.world }

// ExecuteOptions are the options of an execution.
type ExecuteOptions struct {
	Engine   func() engine.Engine                   // the engine under test; nil is Custody's own
	Worker   func(engine.WorkerSetup) engine.Worker // who carries out its plans; nil is Custody's own
	Model    *WorkerModel                           // whose KV is watched; nil is the hash model
	Promises []invariants.Promise                   // the user's own
	Watch    []Watcher                              // who else is told what happens

	// Unwatched leaves the ledger and the digest out: no promise is checked, and the run costs what the engine does.
	Unwatched bool
}

// parts are who makes the parts of a node.
type parts struct {
	engine func() engine.Engine
	worker func(engine.WorkerSetup) engine.Worker
}

func (o *ExecuteOptions) parts() parts {
	p := parts{o.Engine, o.Worker}
	if p.engine == nil {
		p.engine = local.New
	}
	if p.worker == nil {
		p.worker = local.NewWorker
	}
	return p
}

// Execute runs a script from its first moment. Same script, same result. The error says why the script cannot be run with
// these options; what can be run is, whatever becomes of it.
func Execute(s *traces.Script, o ExecuteOptions) (*Result, error) {
	w, err := NewWorld(s, o)
	if err != nil {
		return nil, err
	}
	return w.Run(), nil
}

// NewWorld builds the world of a script, in its first moment.
func NewWorld(s *traces.Script, o ExecuteOptions) (*World, error) {
	if err := fits(s); err != nil {
		return nil, err
	}
	w, err := newWorld(newSetup(s, &o), &o)
	if err != nil {
		return nil, err
	}
	w.cursor.load(s)
	return w, nil
}

// Run carries out the script to its end, or until the engine crashes.
func (w *World) Run() *Result {
	w.Guard(func() {
		for w.Next() {
		}
	})
	return w.Result()
}

// Append adds an event to the script and carries it out. It reports false if the engine crashed. It is for a world that is
// the only one of its script.
func (w *World) Append(e traces.Event) (sound bool) {
	c := &w.cursor
	c.script.Events = append(c.script.Events, e)
	c.effective = append(c.effective, false)
	w.Guard(func() {
		for w.Next() {
		}
		sound = true
	})
	return sound
}

// Guard runs f and takes a panic of the system under test as a finding.
func (w *World) Guard(f func()) {
	defer func() {
		if err := recover(); err != nil {
			w.saw(Fact{Kind: Crashed, Text: crashIdentity(err)})
		}
	}()
	f()
}

// Result is what the run has come to so far.
func (w *World) Result() *Result {
	res := &Result{world: w, Work: w.work, Ticks: w.now, Noop: make([]bool, len(w.cursor.effective))}
	for i, did := range w.cursor.effective {
		res.Noop[i] = !did
	}
	if w.ledger == nil {
		return res
	}
	w.cursor.noteLast(w.ledger)
	res.Breaches, res.Last = slices.Clone(w.ledger.Breaches()), slices.Clone(w.cursor.last)
	res.Digest = w.digest.sum
	for id := range res.Checks {
		res.Checks[id] = w.ledger.Checks(invariants.ID(id))
		if w.ledger.Unchecked(invariants.ID(id)) {
			res.Unchecked = append(res.Unchecked, invariants.ID(id))
		}
	}
	res.Work.Reads = w.ledger.Checks(invariants.Content)
	return res
}
