package traces

// This file decides on candidates: whether one is executed, and whether it becomes the best script.

// shrinker is the state of one shrink.
type shrinker struct {
	want Identity
	exec Executor
	opt  ShrinkOptions

	best *Script
	out  Outcome // of executing best
	cast cast    // of best

	spare *Script // a rejected candidate, whose memory the next one takes

	seen       map[Digest]bool // scripts executed
	executions int
	exhausted  bool // a candidate was not executed for want of budget

	stats  []PassStat
	stat   *PassStat // of the pass at work
	others []Finding
}

// start takes the script given as the first best one, if it fails as wanted.
func (sh *shrinker) start(s *Script) bool {
	c := s.sharing()
	out := sh.execute(c)
	if out.Has(sh.want) == nil {
		return false
	}
	sh.keep(c, out)
	return true
}

// attempt lets edit change a copy of the best script and considers the copy.
func (sh *shrinker) attempt(edit func(*Script)) bool {
	if sh.exhausted {
		return false
	}
	c := sh.draft(sh.best)
	edit(c)
	return sh.consider(c)
}

// draft returns a copy of s to edit and to consider. It is gone once it has been rejected.
func (sh *shrinker) draft(s *Script) *Script {
	c := sh.spare
	if c == nil {
		return s.sharing()
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
func (sh *shrinker) consider(c *Script) bool {
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
func (sh *shrinker) worthwhile(c *Script) bool {
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

func (sh *shrinker) keep(c *Script, out Outcome) {
	sh.best, sh.out, sh.cast = c, out, castOf(c, out.Noop)
}

// execute runs a script and files what else it broke.
func (sh *shrinker) execute(c *Script) Outcome {
	out := sh.exec(c)
	sh.executions++
	sh.stat.Tried++
	for i := range out.Breaches {
		sh.file(c, &out.Breaches[i])
	}
	if sh.opt.Progress != nil {
		sh.opt.Progress(sh.executions, sh.sizeOr(c))
	}
	return out
}

// sizeOr is the size of the best script, or of the first one while there is none.
func (sh *shrinker) sizeOr(first *Script) int {
	if sh.best == nil {
		return first.Size()
	}
	return sh.best.Size()
}

// file records the first script of every identity but the wanted one. There are few, so they are searched in order.
func (sh *shrinker) file(c *Script, b *Breach) {
	if b.Identity == sh.want {
		return
	}
	for i := range sh.others {
		if sh.others[i].Identity == b.Identity {
			return
		}
	}
	sh.others = append(sh.others, Finding{b.Identity, reproduction(c, b)})
}

// sharing returns a copy that shares prompts and comments with s. Its other parts may be written to.
func (s *Script) sharing() *Script {
	c := *s
	c.Tenants = append([]Tenant(nil), s.Tenants...)
	c.Workers = append([]Worker(nil), s.Workers...)
	c.Events = append(make([]Event, 0, len(s.Events)+1), s.Events...) // room for a drain
	return &c
}

// keyOf digests everything that an execution may depend on: not comments, line numbers, or the expectation.
func keyOf(s *Script) Digest {
	var d Digest
	for _, v := range s.Config {
		d.Add(uint64(v))
	}
	d.Add(uint64(len(s.Tenants)))
	for i := range s.Tenants {
		d.AddString(s.Tenants[i].Name)
		d.Add(uint64(s.Tenants[i].Quota))
		addTokens(&d, s.Tenants[i].Marker)
	}
	d.Add(uint64(len(s.Workers)))
	for i := range s.Workers {
		addWorker(&d, &s.Workers[i])
	}
	for i := range s.Events {
		addEvent(&d, &s.Events[i])
	}
	return d
}

func addWorker(d *Digest, w *Worker) {
	d.AddString(w.Name)
	for k, has := range w.Has {
		if has {
			d.Add(uint64(k) + 1)
			d.Add(uint64(w.Value[k]))
		}
	}
	d.Add(0)
}

func addEvent(d *Digest, e *Event) {
	d.Add(uint64(e.Verb)<<8 | uint64(e.When.Kind))
	d.Add(uint64(e.When.N))
	d.AddString(e.Name)
	d.AddString(e.Tenant)
	addTokens(d, e.Prompt)
	for a, v := range e.Args {
		if v != 0 { // most are
			d.Add(uint64(a))
			d.Add(uint64(v))
		}
	}
	d.Add(uint64(NumArgs))
}

func addTokens(d *Digest, tokens []int32) {
	d.Add(uint64(len(tokens)))
	for i := 0; i < len(tokens)-1; i += 2 {
		d.Add(two(tokens[i], tokens[i+1]))
	}
	if len(tokens)%2 == 1 {
		d.Add(uint64(tokens[len(tokens)-1]))
	}
}

func two(a, b int32) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }
