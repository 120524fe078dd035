package shrink

import "custody/traces"

// This file decides on candidates: whether one is executed, and whether it becomes the best script.

// shrinker is the state of one shrink. Its methods are for all reductions; the steps of one are functions in its file.
type shrinker struct {
	want Identity
	exec Executor
	opt  Options

	best  *traces.Script
	out   Outcome   // of executing best
	names nameIndex // of best

	spare *traces.Script // a rejected candidate, whose memory the next one takes

	seen       map[traces.Digest]bool // scripts executed
	executions int
	exhausted  bool // a candidate was not executed for want of budget

	stats  []Stat
	stat   *Stat // of the reduction at work
	others []Finding
}

// start takes the script given as the first best one, if it fails as wanted.
func (sh *shrinker) start(s *traces.Script) bool {
	c := sharing(s)
	out := sh.execute(c)
	if out.Has(sh.want) == nil {
		return false
	}
	sh.keep(c, out)
	return true
}

// attempt lets edit change a copy of the best script and considers the copy.
func (sh *shrinker) attempt(edit func(*traces.Script)) bool {
	if sh.exhausted {
		return false
	}
	c := sh.draft(sh.best)
	edit(c)
	return sh.consider(c)
}

// draft returns a copy of s to edit and to consider. It is gone once it has been rejected.
func (sh *shrinker) draft(s *traces.Script) *traces.Script {
	c := sh.spare
	if c == nil {
		return sharing(s)
	}
	sh.spare = nil
	tenants, workers, events := c.Tenants[:0], c.Workers[:0], c.Events[:0]
	*c = *s
	c.Tenants = append(tenants, s.Tenants...)
	c.Workers = append(workers, s.Workers...)
	c.Events = append(events, s.Events...)
	return c
}

// consider makes c the best script if it is simpler and fails as wanted.
func (sh *shrinker) consider(c *traces.Script) bool {
	if sh.worthwhile(c) {
		if out := sh.execute(c); out.Has(sh.want) != nil {
			sh.stat.Kept++
			sh.keep(c, out)
			return true
		}
	}
	sh.spare = c
	return false
}

// worthwhile tells whether c is to be executed. A script executed before cannot qualify: had it failed as wanted it
// would have been kept, and the best script would now be as simple as it, or simpler.
func (sh *shrinker) worthwhile(c *traces.Script) bool {
	if sh.exhausted || !simpler(c, sh.best) {
		return false
	}
	key := keyOf(c)
	if sh.seen[key] {
		return false
	}
	sh.exhausted = sh.executions >= sh.opt.Budget
	sh.seen[key] = !sh.exhausted
	return !sh.exhausted
}

func (sh *shrinker) keep(c *traces.Script, out Outcome) {
	sh.best, sh.out, sh.names = c, out, indexNames(c, out.Noop)
}

// execute runs a script and files what else it broke.
func (sh *shrinker) execute(c *traces.Script) Outcome {
	out := sh.exec(c)
	sh.executions++
	sh.stat.Tried++
	for i := range out.Failures {
		sh.file(c, &out.Failures[i])
	}
	if sh.opt.Progress != nil {
		sh.opt.Progress(sh.executions, sh.sizeOr(c))
	}
	return out
}

// sizeOr is the size of the best script, or of the first one while there is none.
func (sh *shrinker) sizeOr(first *traces.Script) int {
	if sh.best == nil {
		return first.Size()
	}
	return sh.best.Size()
}

// file records the first script of every identity but the wanted one. There are few, so they are searched in order.
func (sh *shrinker) file(c *traces.Script, f *Failure) {
	if f.Identity == sh.want {
		return
	}
	for i := range sh.others {
		if sh.others[i].Identity == f.Identity {
			return
		}
	}
	sh.others = append(sh.others, Finding{f.Identity, reproduction(c, f)})
}

// sharing returns a copy that shares prompts, comments and settings with s. Its other parts may be written to.
func sharing(s *traces.Script) *traces.Script {
	c := *s
	c.Tenants = append([]traces.Tenant(nil), s.Tenants...)
	c.Workers = append([]traces.Worker(nil), s.Workers...)
	c.Events = append(make([]traces.Event, 0, len(s.Events)+1), s.Events...) // room for a drain
	return &c
}
