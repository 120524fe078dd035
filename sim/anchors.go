package sim

import "custody/traces"

// anchored is an event that waits for its request to reach a point.
type anchored struct {
	event *traces.Event
	index int
	name  int32 // of the request
}

// take takes in a script event: applies it, or arms it if its anchor has not been reached. Those armed before it need no
// second look: arming changes nothing that they wait for.
func (w *world) take(e *traces.Event, index int) {
	if e.When.Kind != traces.Now {
		a := anchored{event: e, index: index, name: w.nameNumber(e.Name)}
		if !w.reached(&a) {
			w.anchors = append(w.anchors, a)
			return
		}
	}
	if w.apply(e, index) {
		w.fired(index)
	}
}

// fireAnchors applies the armed events whose point has been reached, in the order in which they were armed.
func (w *world) fireAnchors() {
	for i := 0; i < len(w.anchors); {
		a := w.anchors[i]
		if !w.reached(&a) {
			i++
			continue
		}
		w.anchors = append(w.anchors[:i], w.anchors[i+1:]...)
		if w.apply(a.event, a.index) {
			w.fired(a.index)
		}
		i = 0 // applying it may have moved others
	}
}

func (w *world) reached(a *anchored) bool {
	e, c := a.event, w.latest(a.name)
	if c == nil {
		return e.When.Kind == traces.WhenState && e.When.N == 0
	}
	r := w.sched.Current(c.req.Slot)
	mine := w.bySlot[r.Slot] >= 0 && &w.clients[w.bySlot[r.Slot]] == c
	if e.When.Kind == traces.WhenState {
		state := int32(0)
		if mine {
			s, _ := w.sched.Live(r)
			state = int32(s)
		}
		return state == e.When.N
	}
	if !mine || c.ended {
		return false
	}
	w.life(r)
	switch n := e.When.N; e.When.Kind {
	case traces.WhenTokens:
		return c.tokens >= n
	case traces.WhenChunk:
		return c.settled >= n
	case traces.WhenIssued:
		return c.issued >= n
	case traces.WhenDone:
		return c.done >= n
	}
	return false
}
