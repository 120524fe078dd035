package sim

import (
	"custody/cache"
	"custody/invariants"
	"custody/traces"
)

// cursor is where a world stands in its script. A line may let many derived events happen; it is taken in piece by piece,
// so that whoever looks at a run can stop between two of them and go on later, in a copy of the world too.
type cursor struct {
	world     *World
	script    *traces.Script
	line      int   // of the script: the one that is being carried out, or is next
	begun     bool  // the line is
	left      int64 // derived events that the line still lets happen
	until     Time  // of an advance
	index     int   // the event that is being applied: of this line, or an anchored one
	armed     bool  // it has armed a fault
	anchors   []anchored
	effective []bool // by event: it did something
	last      []int  // by breach: the last line before it
}

// load sets the script whose lines are next.
func (c *cursor) load(s *traces.Script) {
	c.script = s
	c.rewind()
}

// rewind goes back to the script's first line.
func (c *cursor) rewind() {
	*c = cursor{world: c.world, script: c.script, anchors: c.anchors[:0], effective: c.effective[:0], last: c.last[:0]}
	if c.script != nil {
		c.effective = append(c.effective, make([]bool, len(c.script.Events))...)
	}
}

func (c *cursor) cloneInto(dst *cursor) {
	world, anchors, effective, last := dst.world, dst.anchors[:0], dst.effective[:0], dst.last[:0]
	*dst = *c
	dst.world = world
	dst.anchors, dst.effective, dst.last = append(anchors, c.anchors...), append(effective, c.effective...), append(last, c.last...)
}

// Next carries out the next part of the script: a line, or one derived event that it lets happen with the anchored
// events that this fires. It reports false at the script's end.
func (w *World) Next() bool {
	c := &w.cursor
	if c.line >= len(c.script.Events) {
		return false
	}
	if !c.next(&c.script.Events[c.line]) {
		c.noteLast(w.ledger)
		c.line, c.begun = c.line+1, false
	}
	return true
}

// next reports false when the line is done.
func (c *cursor) next(e *traces.Event) bool {
	more := false
	switch e.Verb {
	case traces.Run:
		return c.runLine(e)
	case traces.Advance:
		more = c.runUntil(e)
	case traces.Drain:
		more = c.drain()
	default:
		if e.When.Kind == traces.Now && !c.world.Node().hears(e.Verb) && c.world.runNext() {
			return true
		}
		c.applyOrArm(e, c.line)
		return false
	}
	c.effective[c.line] = c.effective[c.line] || !more
	return more
}

// runLine lets the next derived event happen.
func (c *cursor) runLine(e *traces.Event) bool {
	if !c.begun {
		c.begun, c.left = true, e.Args[traces.Count]
	}
	if c.left <= 0 || !c.world.runNext() {
		return false
	}
	c.left--
	c.effective[c.line] = true
	return true
}

// runUntil lets time pass: all derived events that are due by then happen.
func (c *cursor) runUntil(e *traces.Event) bool {
	w := c.world
	if !c.begun {
		c.begun, c.until = true, w.now+Time(e.Args[traces.Ticks])
	}
	if l := w.effects.list; len(l) > 0 && max(l[0].Due, w.now) <= c.until {
		return w.runNext()
	}
	w.now = max(w.now, c.until)
	return false
}

// noteLast notes which line came last before the breaches that are new.
func (c *cursor) noteLast(l *invariants.Ledger) {
	if l == nil {
		return
	}
	for len(c.last) < len(l.Breaches()) {
		c.last = append(c.last, c.line)
	}
}

// canon appends the lines that wait for their requests.
func (x *cursor) canon(c *cache.Canon) {
	c.Int(int32(len(x.anchors)))
	for i := range x.anchors {
		a := &x.anchors[i]
		c.Int(int32(a.event.Verb))
		for _, v := range a.event.Args {
			c.Word(uint64(v))
		}
		c.Int(int32(a.event.When.Kind))
		c.Int(a.event.When.N)
		c.Name(uint32(a.name))
	}
}
