package traces

// repairLimit bounds the candidates that one call of repair tries; mostRise is how far one number may rise.
const (
	repairLimit = 2000
	mostRise    = 8
)

// repair deletes one event and makes up for it elsewhere: a number rises (a longer run for a lost one, a longer
// prompt for a lost request), or a fault waits at an anchor for the moment that a lost run led to. Nothing else makes
// anything larger, so this is the way out of places where every deletion alone is too much. A line is worth any
// number and any anchor.
func repair(sh *shrinker) {
	for i := len(sh.best.Events) - 1; i >= 0; i-- {
		if i >= len(sh.best.Events) || sh.best.Events[i].Kind == Drain {
			continue
		}
		if !sh.raiseFor(i) && passesTime(&sh.best.Events[i]) {
			sh.anchorFor(i)
		}
	}
}

// raiseFor tries the best script without event i, with every dial raised in turn.
func (sh *shrinker) raiseFor(i int) bool {
	rest := sh.lacking(i)
	lost := int64(0)
	if e := &sh.best.Events[i]; e.Kind == Run {
		lost = int64(e.N)
	}
	dials := raisable(rest)
	rises := repairLimit / (len(sh.best.Events) * max(1, len(dials)))
	for _, d := range dials {
		if d.of == countDial && lost > mostRise && sh.raise(rest, d, lost) {
			return true
		}
		for by := range int64(max(1, min(rises, mostRise))) {
			if sh.raise(rest, d, by+1) {
				return true
			}
		}
	}
	return false
}

// lacking returns a copy of the best script without event i and what depends on it.
func (sh *shrinker) lacking(i int) *Script {
	gone := make([]bool, len(sh.best.Events))
	gone[i] = true
	sh.markDependents(gone)
	c := sh.best.sharing()
	c.Events = without(c.Events, gone)
	return c
}

// raise considers the script rest with a dial turned up. More of a run needs requests that live as long, and their
// limits have just been lowered to what is barely enough; so a run may rise together with all of them.
func (sh *shrinker) raise(rest *Script, d dial, by int64) bool {
	if sh.exhausted || d.value(rest)+by > d.highest(rest) {
		return false
	}
	c := sh.draft(rest)
	d.set(c, d.value(c)+by)
	if sh.consider(c) {
		return true
	}
	if d.of != countDial {
		return false
	}
	c = sh.draft(rest)
	d.set(c, d.value(c)+by)
	for i := range c.Events {
		if e := &c.Events[i]; e.Kind == Submit {
			e.Max = min(e.Max+int32(by), maxCount)
		}
	}
	return sh.consider(c)
}

// raisable returns the dials that may make up for a lost event, runs first: a lost event most often only took time.
func raisable(s *Script) []dial {
	var runs, others []dial
	for _, d := range allEventDials(s) {
		switch {
		case d.of == countDial:
			runs = append(runs, d)
		case d.of != seedDial:
			others = append(others, d)
		}
	}
	for _, k := range [...]Key{Block, Chunk} {
		if s.Config[k] == Keys[k].Default {
			others = append(others, dial{configDial, 0, int(k)})
		}
	}
	for _, d := range headerDials(s) {
		if d.of == quotaDial || Keys[d.arg].Names == nil && Key(d.arg) != Seed {
			others = append(others, d)
		}
	}
	return append(runs, others...)
}

// anchorFor tries the best script without event i, which let time pass, with one later fault at an anchor.
func (sh *shrinker) anchorFor(i int) bool {
	for j := i + 1; j < len(sh.best.Events); j++ {
		if e := &sh.best.Events[j]; verbs[e.Kind].anchor && e.When.Kind == Now && sh.anchorInstead(i, j) {
			return true
		}
	}
	return false
}

// anchorInstead tries the first few points of every anchor for event j.
func (sh *shrinker) anchorInstead(i, j int) bool {
	const few = 3
	for kind := WhenTokens; kind < NumAnchors; kind++ {
		last := int32(few)
		if kind == WhenState {
			last = int32(len(States)) - 1
		}
		for n := int32(1); n <= last; n++ {
			if sh.attempt(func(c *Script) {
				c.Events[j].When = Anchor{kind, n}
				c.Events = append(c.Events[:i], c.Events[i+1:]...)
			}) {
				return true
			}
		}
	}
	return false
}
