package sim

import (
	"custody/cache"
	"custody/traces"
)

// anchored is an event that waits for its request to reach a point.
type anchored struct {
	event *traces.Event
	index int
	name  int32 // of the request
}

// present is the life that stands in the client's slot now.
func (w *World) present(c *Client) cache.Req { return w.nodes[0].engine.View(c.Req).Life }

// take takes in a script event: applies it, or arms it if its anchor has not been reached. Those armed before it need no
// second look: arming changes nothing that they wait for.
func (w *World) take(e *traces.Event, index int) {
	if e.When.Kind != traces.Now {
		a := anchored{event: e, index: index, name: w.roster.number(e.Name)}
		if !w.reached(&a) {
			w.cursor.anchors = append(w.cursor.anchors, a)
			return
		}
	}
	if w.apply(e, index) {
		w.cursor.effective[index] = true
	}
}

// fireAnchors applies the armed events whose point has been reached, in the order in which they were armed.
func (w *World) fireAnchors() {
	list := &w.cursor.anchors
	for i := 0; i < len(*list); {
		a := (*list)[i]
		if !w.reached(&a) {
			i++
			continue
		}
		*list = append((*list)[:i], (*list)[i+1:]...)
		if w.apply(a.event, a.index) {
			w.cursor.effective[a.index] = true
		}
		i = 0 // applying it may have moved others
	}
}

func (w *World) reached(a *anchored) bool {
	e, c := a.event, w.roster.latest(a.name)
	if c == nil {
		return e.When.Kind == traces.WhenState && e.When.N == 0
	}
	view := w.nodes[0].engine.View(c.Req)
	mine := c == w.roster.Client(w.roster.Of(view.Life))
	if e.When.Kind == traces.WhenState {
		state := int32(0)
		if mine {
			state = int32(view.State)
		}
		return state == e.When.N
	}
	if !mine || c.Ended {
		return false
	}
	w.ClientOf(view.Life)
	switch n := e.When.N; e.When.Kind {
	case traces.WhenTokens:
		return c.Tokens >= n
	case traces.WhenChunk:
		return c.Settled >= n
	case traces.WhenIssued:
		return c.Issued >= n
	case traces.WhenDone:
		return c.Done >= n
	}
	return false
}
