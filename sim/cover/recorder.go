package cover

import (
	"custody/cache"
	"custody/invariants"
	"custody/scheduler"
	"custody/scheduler/protocol"
	"custody/sim"
	"custody/sim/engine"
	"custody/traces"
)

// Recorder is a watcher that counts what a run exercises.
type Recorder struct {
	seen   Coverage
	world  *sim.World
	sentTo int32 // client of the last message that was sent
}

// Start implements sim.Watcher.
func (r *Recorder) Start(w *sim.World) {
	*r = Recorder{world: w}
	if x, ok := w.Node().Engine.(engine.Lifecycled); ok {
		x.WatchLifecycle(func(life cache.Req, t scheduler.Transition) {
			r.seen.Lifecycle[t.From][t.On]++
			if i := interruptIndex(t.On); i >= 0 {
				r.interrupt(i, life, t.From)
			}
		})
	}
}

// Begin implements sim.Watcher.
func (r *Recorder) Begin(s sim.Step) { r.seen.Steps[s.Kind]++ }

// End implements sim.Watcher.
func (r *Recorder) End(sim.Step) {}

// Coverage is what the run has exercised so far.
func (r *Recorder) Coverage() *Coverage {
	r.close()
	return &r.seen
}

// Hears chooses what it is told.
func (r *Recorder) Hears(k sim.FactKind) bool {
	switch k {
	case sim.Accepted, sim.Rejected, sim.NothingToDo, sim.Resetting, sim.TookEffect, sim.Issued, sim.Settling, sim.Refusing,
		sim.Ending, sim.Sent, sim.Begun:
		return true
	}
	return false
}

// Saw implements sim.Watcher.
func (r *Recorder) Saw(f *sim.Fact) {
	switch f.Kind {
	case sim.Accepted:
		r.seen.Denials[protocol.NoReason]++
		r.nameAgain(f)
	case sim.Rejected:
		r.seen.Denials[f.Why]++
	case sim.NothingToDo:
		r.hit(invariants.NothingToDo)
	case sim.Resetting:
		r.seen.Resets[b2i(f.Applied)][b2i(f.Busy)]++
	case sim.TookEffect:
		r.struck(f)
	case sim.Issued:
		r.issued(f)
	case sim.Settling:
		r.settling(f)
	case sim.Refusing:
		for _, x := range f.Refused {
			r.seen.Refusals[x.Why]++
		}
	case sim.Ending:
		r.ending(f)
	case sim.Sent:
		r.sent(f)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (r *Recorder) hit(m invariants.Mark) { r.seen.Marks[m] = 1 }

// interrupt counts a cell of the matrix.
func (r *Recorder) interrupt(i int, life cache.Req, in scheduler.State) {
	people := r.world.Roster()
	c := people.Client(people.Of(life))
	r.seen.Interrupts[i][in][r.world.PhaseOf(c.Last)][min(r.world.Node().Claims.Depth, numDepths)-1]++
}

// nameAgain counts a name that is used again. Its earlier client's number may be another's by now.
func (r *Recorder) nameAgain(f *sim.Fact) {
	if f.Before < 0 {
		return
	}
	r.seen.NamesAgain++
	people := r.world.Roster()
	if people.Name(f.Before) == people.Name(f.Client) && r.world.PhaseOf(people.Client(f.Before).Last) != sim.PhaseIdle {
		r.hit(invariants.NameAgainWithPass)
	}
}

func (r *Recorder) struck(f *sim.Fact) {
	r.seen.Faults[f.Verb]++
	if f.Verb == traces.FailAlloc && f.Aside > 0 {
		r.hit(invariants.SecondBlockFailed)
	}
}

// issued looks at whom a pass carries.
func (r *Recorder) issued(f *sim.Fact) {
	people := r.world.Roster()
	for i := range f.Plan.Rows {
		life := f.Plan.Rows[i].Req
		c := people.Client(people.Of(life))
		if !c.Counts(life) {
			continue
		}
		if c.Issued-1 > c.Settled {
			r.hit(invariants.PassOnPass)
		}
		if c.Tenant != people.Client(people.Of(f.Plan.Rows[0].Req)).Tenant {
			r.hit(invariants.DomainsInOnePass)
		}
	}
}

func (r *Recorder) settling(f *sim.Fact) {
	if f.Operation.Lost {
		if f.Operation.Queue == cache.PassQueue && r.world.Outstanding(cache.PassQueue) > 1 {
			r.hit(invariants.LostWithLaterPass)
		}
		return
	}
	if f.Late {
		r.hit(invariants.LateResult)
	}
}

func (r *Recorder) ending(f *sim.Fact) {
	r.seen.Ends[f.Why]++
	normal := f.Why == protocol.Stopped || f.Why == protocol.LengthEnd
	if normal && f.Life.Gen != r.world.Roster().Client(f.Client).Req.Gen {
		r.hit(invariants.EndedAfterRestart)
	}
}

func (r *Recorder) sent(f *sim.Fact) {
	for i := range r.world.UnderWay() {
		if r.world.UnderWay()[i].Kind == sim.StepDeliver && r.sentTo != f.Client {
			r.hit(invariants.MessagesInterleaved)
		}
	}
	r.sentTo = f.Client
}

// close adds what shows only at the end, and what the ledger has come by.
func (r *Recorder) close() {
	w := r.world
	if x, ok := w.Node().Engine.(engine.Looker); ok && x.Books().Collisions > 0 {
		r.hit(invariants.KeysCollided)
	}
	own, worker := w.Configs()
	if *own != *worker && w.Work().Passes > 0 {
		r.hit(invariants.OtherLimitsRan)
	}
	for k := range own {
		r.seen.Mismatch[k] = int64(b2i(own[k] != worker[k]))
	}
	if w.Ledger() == nil {
		return
	}
	for m, reached := range w.Ledger().Hits() {
		if reached {
			r.seen.Marks[m] = 1
		}
	}
}
