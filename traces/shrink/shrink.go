// Package shrink makes a failing script small.
//
// A generator that throws two hundred events at an engine finds defects, but nobody can read two hundred events. Run
// looks for the smallest script that still fails in the same way, by executing smaller ones. It knows the language and
// nothing of the engine: its caller executes scripts for it.
//
//	         ┌───── a reduction edits a copy of the best script ◀─────┐
//	         ▼                                                        │
//	strictly simpler? ──no──▶ forget it                               │
//	         │yes                                                     │
//	already executed? ──yes─▶ forget it                               │
//	         │no                                                      │
//	      execute ──▶ wanted identity among the failures? ──no──▶ keep the others as findings
//	                               │yes                               │
//	                               └──▶ it is the best script now ────┘
//
// The first question is asked by simpler (order.go), and it is asked of every candidate, so no sequence of reductions
// can run in a circle. The reductions, one a file, stand in the table below, in order; they are run in rounds until a
// whole round changes nothing. A script that Run returns is therefore one that no reduction can improve: shrinking it
// again changes nothing, unless the budget was spent first (Minimal.Exhausted).
//
// # Local minima
//
// Deleting is easy and does most of the work, but a script from which no single line can go need not be small. Two
// reductions exist only to get out of such places: pairs deletes two lines that need each other; repair deletes a line
// and lets one number rise, or a fault wait at an anchor, to make up for it. When a result looks larger than you can
// do by hand, find the step that you made and the reductions lack: that is the next reduction.
//
// # Writing a reduction
//
// A reduction is a function of the shrinker, in a file of its own, and a line in the table. It reads sh.best and sh.out
// (the outcome of executing sh.best) and proposes candidates with
//
//	sh.attempt(func(c *traces.Script) { … })   // edit a copy; true if it is the best script now
//	sh.dropWhere(func(i int, e *traces.Event) bool { … })   // delete events, and what depends on them
//
// What to know before writing one:
//
//   - It need not ask whether its candidate makes sense, fails, is simpler, or was tried before: attempt does, and a
//     candidate that is not simpler, or was executed before, costs no budget. So be generous.
//   - The copy shares its prompts and settings with the best script. Replace them, never write into them. Do not hold
//     on to a copy: when it is rejected the next one takes its memory.
//   - After a success sh.best is another script, with other indices. Loop from the back to the front, or re-read it.
//   - Try the bold candidate first (everything at once), then the careful ones.
//   - What a reduction tries must follow from sh.best and sh.out alone: no state between two calls, no chance, no clock,
//     no order that comes from a map. That is what makes the result reproducible and final.
//   - If it reaches a form that is simpler in a way that simpler does not know, teach simpler first.
//   - Bound the work by the size of the script, so that a later reduction gets its share of the budget (see pairs).
//   - Test it by value: a script, a toy defect, and the exact script that must come out.
package shrink

import "custody/traces"

// Options bounds and watches a shrink. The zero value is fine.
type Options struct {
	Budget   int                        // most executions; 0 is 5000
	Progress func(executions, size int) // if set, called after each execution with the size of the best script
}

const defaultBudget = 5000

// Stat says what one reduction did in all rounds.
type Stat struct {
	Name  string
	Tried int // candidates executed
	Kept  int // candidates that became the best script
}

// Finding is another failure that was met on the way, with the first script that showed it.
type Finding struct {
	Identity Identity
	Script   *traces.Script
}

// Minimal is what Run found.
type Minimal struct {
	Script     *traces.Script // the smallest script that fails as wanted; nil if the one given does not
	Executions int            // executions spent, the first one included
	Exhausted  bool           // the budget was spent before a round changed nothing: a larger one may find a smaller script
	Reductions []Stat         // in the order of the table of reductions
	Others     []Finding      // in order of discovery
}

// Run returns the smallest script that it can reach from s whose execution breaks a promise with the wanted
// identity. Same arguments, same result. It never changes s; exec must neither change a script nor keep it.
func Run(s *traces.Script, want Identity, exec Executor, opt Options) Minimal {
	sh := &shrinker{want: want, exec: exec, opt: opt, seen: map[traces.Digest]bool{}, stats: make([]Stat, len(reductions))}
	if sh.opt.Budget <= 0 {
		sh.opt.Budget = defaultBudget
	}
	sh.stat = &Stat{} // the first execution belongs to no reduction
	if sh.start(s) {
		for sh.round() {
		}
	}
	return sh.result()
}

// reduction is one way to make a script simpler.
type reduction struct {
	name string
	run  func(*shrinker)
}

// reductions is the table of reductions, in the order of a round: what deletes most for one execution comes first.
var reductions = [...]reduction{
	{"cut the tail", cutTail},
	{"drop no-ops", dropNoops},
	{"keep the cone", keepCone},
	{"delete chunks", deleteChunks},
	{"delete entities", deleteEntities},
	{"delete pairs", deletePairs},
	{"weaken faults", weakenFaults},
	{"default configuration", defaultConfiguration},
	{"simplify time", simplifyTime},
	{"lower numbers", lowerNumbers},
	{"shorten prompts", shortenPrompts},
	{"lower tokens", lowerTokens},
	{"repair", repair},
	{"merge entities", mergeEntities},
	{"canonical order", canonicalOrder},
}

// round runs every reduction once and tells whether the best script changed and there is budget left.
func (sh *shrinker) round() bool {
	before := sh.best
	for i := range reductions {
		sh.stat = &sh.stats[i]
		reductions[i].run(sh)
	}
	return sh.best != before && !sh.exhausted
}

// result packs up. The script gets the expectation that it fulfils.
func (sh *shrinker) result() Minimal {
	r := Minimal{Executions: sh.executions, Exhausted: sh.exhausted, Reductions: sh.stats, Others: sh.others}
	for i := range r.Reductions {
		r.Reductions[i].Name = reductions[i].name
	}
	if sh.best != nil {
		r.Script = reproduction(sh.best, sh.out.Has(sh.want))
	}
	return r
}

// reproduction returns a copy of s, free of the traces of where it came from, that expects the failure f.
func reproduction(s *traces.Script, f *Failure) *traces.Script {
	c := s.Clone()
	for i := range c.Events {
		c.Events[i].Line = 0
	}
	c.Expect = traces.Expect{Set: true, Promise: f.Promise}
	if len(f.Names) > 0 {
		c.Expect.By = f.Names[0]
	}
	return c
}
