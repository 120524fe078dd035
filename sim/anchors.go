package sim

import "custody/traces"

// anchored is an event that waits for its request to reach a point.
type anchored struct {
	event *traces.Event
	index int
	name  int32 // of the request
}

// applyOrArm applies a script event, or arms it if its anchor has not been reached. Those armed before it need no
// second look: arming changes nothing that they wait for.
func (c *cursor) applyOrArm(e *traces.Event, index int) {
	if e.When.Kind != traces.Now {
		a := anchored{event: e, index: index, name: c.world.roster.number(e.Name)}
		if !c.reached(&a) {
			c.anchors = append(c.anchors, a)
			return
		}
	}
	if c.world.apply(e, index) {
		c.effective[index] = true
	}
}

// fireAnchors applies the armed events whose point has been reached, in the order in which they were armed.
func (c *cursor) fireAnchors() {
	for i := 0; i < len(c.anchors); {
		a := c.anchors[i]
		if !c.reached(&a) {
			i++
			continue
		}
		c.anchors = append(c.anchors[:i], c.anchors[i+1:]...)
		if c.world.apply(a.event, a.index) {
			c.effective[a.index] = true
		}
		i = 0 // applying it may have moved others
	}
}

func (c *cursor) reached(a *anchored) bool {
	n, people := c.world.Node(), c.world.roster
	e, x := a.event, people.latest(a.name)
	if !n.hears(e.Verb) {
		return false
	}
	if x == nil {
		return e.When.Kind == traces.WhenState && e.When.N == 0
	}
	view := n.Engine.View(x.Req)
	mine := x == people.Client(people.Of(view.Life))
	if e.When.Kind == traces.WhenState {
		state := int32(0)
		if mine {
			state = int32(view.State)
		}
		return state == e.When.N
	}
	if !mine || x.Ended {
		return false
	}
	n.client(view.Life) // its counts are of this life
	switch n := e.When.N; e.When.Kind {
	case traces.WhenTokens:
		return x.Tokens >= n
	case traces.WhenChunk:
		return x.Settled >= n
	case traces.WhenIssued:
		return x.Issued >= n
	case traces.WhenDone:
		return x.Done >= n
	}
	return false
}
