package sim

import (
	"slices"

	"custody/cache"
	"custody/scheduler/protocol"
	"custody/sim/engine"
	"custody/traces"
)

// fault is a fault that a script has armed and that has not struck yet. It means one life of a request.
type fault struct {
	verb  traces.Verb
	req   cache.Req
	nth   int32 // the life's pass, from 1, that it strikes; of a failing allocation the entry of its table, from 0
	by    Time
	final bool
	index int // script event
}

// faults are what may go wrong because a script says so. The engine and its worker know nothing of them: they ask whether
// they may go on.
type faults struct {
	armed    []fault
	denied   []denied // in the present step
	lostPass bool     // a pass has failed, and the engine does not know yet: those behind it are lost too
}

// denied is what a fault has denied the engine.
type denied struct {
	verb  traces.Verb
	index int
	aside int32 // of an allocation: blocks that had been set aside for it by then
}

func (f *faults) reset() { *f = faults{armed: f.armed[:0], denied: f.denied[:0]} }

func (f *faults) cloneInto(dst *faults) {
	armed, list := append(dst.armed[:0], f.armed...), append(dst.denied[:0], f.denied...)
	*dst = *f
	dst.armed, dst.denied = armed, list
}

// due takes out the fault of a verb that is due for a life.
func (f *faults) due(verb traces.Verb, r cache.Req, nth int32) (fault, bool) {
	for i, x := range f.armed {
		if x.verb == verb && x.req == r && x.nth == nth {
			f.armed = slices.Delete(f.armed, i, i+1)
			return x, true
		}
	}
	return fault{}, false
}

// veto denies the engine what it is about to do, if a fault is due.
func (f *faults) veto(k cache.BlockKind, r cache.Req, entry, aside int32) bool {
	for i := range f.armed {
		if verb := f.armed[i].verb; slices.Contains(verbs[verb].denies, k) {
			if x, due := f.due(verb, r, entry); due {
				f.denied = append(f.denied, denied{verb: verb, index: x.index, aside: aside})
				return true
			}
		}
	}
	return false
}

// fails tells whether an operation is lost: because a fault has struck it, or a pass that was issued before.
func (f *faults) fails(o *Operation) bool {
	if o.Queue != cache.PassQueue {
		return o.fails
	}
	f.lostPass = f.lostPass || o.fails
	return f.lostPass
}

// vetoRow refuses a row of a pass that is being issued, if a fault says so.
func (n *Node) vetoRow(p *protocol.Row) (protocol.Refusal, bool) {
	f := &n.world.faults
	if len(f.armed) == 0 {
		return protocol.Refusal{}, false
	}
	x, due := f.due(traces.Refuse, p.Req, n.passesOf(p.Req)+1)
	return protocol.Refusal{Req: p.Req, Why: protocol.Injected, Final: x.final}, due
}

// passesOf is how many passes have been issued for a life.
func (n *Node) passesOf(r cache.Req) int32 {
	if c := n.client(r); c != nil {
		return c.Issued
	}
	return 0
}

// arm readies a fault for the request's present life. It has no effect until it strikes.
func arm(w *World, c *Client, e *traces.Event) bool {
	w.faults.ready(faultOf(w, c, e), w.Node().Engine)
	w.cursor.armed = true
	return false
}

// armRefusal readies a refusal. A pass that has been issued already is never refused.
func armRefusal(w *World, c *Client, e *traces.Event) bool {
	f := faultOf(w, c, e)
	if f.nth <= w.Node().passesOf(f.req) {
		return false
	}
	w.saw(Fact{Kind: Injecting, Client: w.roster.Of(f.req)})
	f.final = e.Has(traces.Final)
	w.faults.ready(f, w.Node().Engine)
	return true
}

// faultOf is what a line arms for the request's present life. No verb counts both blocks and chunks.
func faultOf(w *World, c *Client, e *traces.Event) fault {
	return fault{
		verb: e.Verb, req: w.Node().present(c), nth: e.Int(traces.NthChunk) + e.Int(traces.NthBlock), by: Time(e.Args[traces.By]),
		index: w.cursor.index,
	}
}

// ready puts a fault among the armed, and forgets those of lives that have ended.
func (f *faults) ready(x fault, e engine.Engine) {
	f.armed = slices.DeleteFunc(f.armed, func(x fault) bool { return e.View(x.req).Life != x.req })
	f.armed = append(f.armed, x)
}

// inject lets armed faults strike an operation that is being issued.
func (w *World) inject(o *Operation, r cache.Req, nth int32, fail, slow traces.Verb) {
	for i := 0; i < len(w.faults.armed); {
		f := w.faults.armed[i]
		if f.req != r || (f.verb != fail && f.verb != slow) || (nth > 0 && f.nth != nth) {
			i++
			continue
		}
		if f.verb == fail {
			o.fails = true
		} else {
			o.Finish += f.by
		}
		w.tookEffect(f.verb, f.index, 0)
		w.faults.armed = slices.Delete(w.faults.armed, i, i+1)
	}
}

// tookEffect notes that what a line of the script has armed has taken effect.
func (w *World) tookEffect(verb traces.Verb, index int, aside int32) {
	w.cursor.effective[index] = true
	w.saw(Fact{Kind: TookEffect, Verb: verb, Aside: aside})
}

// noteDenied notes what the engine has been denied in this step.
func (w *World) noteDenied() {
	for _, x := range w.faults.denied {
		w.tookEffect(x.verb, x.index, x.aside)
	}
	w.faults.denied = w.faults.denied[:0]
}

// canon appends the faults that may still strike: those of lives that have been named.
func (f *faults) canon(c *cache.Canon) {
	c.Bool(f.lostPass)
	for _, x := range f.armed {
		if !slices.Contains(c.Lives(), x.req) {
			continue
		}
		c.Int(int32(x.verb))
		c.Req(x.req)
		c.Int(x.nth)
		c.Word(uint64(x.by))
		c.Bool(x.final)
	}
	c.Int(-1)
}
