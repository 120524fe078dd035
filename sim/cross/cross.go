// Package cross is an oracle without promises: policies decide when and where things are computed, never what comes out.
// One script is run under every combination of them, without a ledger, and every client must see the same tokens. Where a
// policy lets a request be refused, cancelled or cut short elsewhere, what both runs have given must agree.
package cross

import (
	"fmt"
	"slices"

	"custody/scheduler/protocol"
	"custody/sim"
	"custody/traces"
)

// crossed are the policies of the cross, each with its values.
var crossed = []struct {
	key    traces.Key
	values []int64
}{
	{traces.Publish, choices(traces.Publish)},
	{traces.Release, choices(traces.Release)},
	{traces.Free, choices(traces.Free)},
	{traces.Chunk, []int64{0, 1, 3}},
	{traces.Rows, []int64{1, 2, 8}},
	{traces.Cache, choices(traces.Cache)},
	{traces.Depth, []int64{1, 2}},
}

// choices are all values of a key that is a choice.
func choices(k traces.Key) []int64 {
	var all []int64
	for v := range traces.Keys[k].Names {
		all = append(all, int64(v))
	}
	return all
}

// Heard is what one client has heard.
type Heard struct {
	Tokens []int32
	End    protocol.Reason // NoReason: it was turned away, or the script ended before it did
}

// whole tells whether the answer came to its own end.
func (h *Heard) whole() bool { return h.End == protocol.Stopped || h.End == protocol.LengthEnd }

// Disagreement is a client that saw something else under another policy.
type Disagreement struct {
	Event int // index of its submit event
	Name  string
	A, B  traces.Config
	Left  Heard
	Right Heard
}

// String says what differed and under which policies.
func (d *Disagreement) String() string {
	return fmt.Sprintf("%s saw %v under {%s} and %v under {%s}",
		d.Name, d.Left.Tokens, policies(&d.A), d.Right.Tokens, policies(&d.B))
}

func policies(c *traces.Config) string {
	text := ""
	for _, x := range crossed {
		spec := &traces.Keys[x.key]
		word := fmt.Sprint(c[x.key])
		if spec.Names != nil {
			word = spec.Names[c[x.key]]
		}
		text += " " + spec.Name + "=" + word
	}
	return text[1:]
}

// Run runs a script under every combination of policies and compares what clients heard with the script's own policies.
// It returns the number of combinations and the first disagreement, or nil. Before each combination it asks goOn, if that
// is not nil, with the number of those done, and ends if it says no.
func Run(s *traces.Script, goOn func(runs int) bool) (runs int, d *Disagreement) {
	base := listen(s, s.Config)
	combinations(s.Config, 0, func(c traces.Config) bool {
		if goOn != nil && !goOn(runs) {
			return false
		}
		runs++
		d = disagree(s, s.Config, c, base, listen(s, c))
		return d == nil
	})
	return runs, d
}

// Combinations is how many there are.
func Combinations() int {
	n := 1
	for _, x := range crossed {
		n *= len(x.values)
	}
	return n
}

// combinations visits every choice of values for the policies from the i-th on, until visit returns false.
func combinations(c traces.Config, i int, visit func(traces.Config) bool) bool {
	if i == len(crossed) {
		return visit(c)
	}
	for _, v := range crossed[i].values {
		c[crossed[i].key] = v
		if !combinations(c, i+1, visit) {
			return false
		}
	}
	return true
}

// listen runs a script under a configuration and returns what its clients heard, by submit event.
func listen(s *traces.Script, c traces.Config) map[int]*Heard {
	other := *s
	other.Config = c
	x := &listener{heard: map[int]*Heard{}}
	if w, err := sim.NewWorld(&other, sim.ExecuteOptions{Unwatched: true, Watch: []sim.Watcher{x}}); err == nil {
		w.Run()
	}
	return x.heard
}

// listener is a watcher that hears what clients hear.
type listener struct {
	world *sim.World
	heard map[int]*Heard
}

// Start implements sim.Watcher.
func (l *listener) Start(w *sim.World) { l.world = w }

// Begin implements sim.Watcher.
func (l *listener) Begin(sim.Step) {}

// End implements sim.Watcher.
func (l *listener) End(sim.Step) {}

// Saw implements sim.Watcher.
func (l *listener) Saw(f *sim.Fact) {
	if f.Kind != sim.Delivered {
		return
	}
	event := l.world.Roster().Client(f.Client).Event
	if l.heard[event] == nil {
		l.heard[event] = &Heard{}
	}
	if f.Why == protocol.NoReason {
		l.heard[event].Tokens = append(l.heard[event].Tokens, int32(f.Token))
	} else {
		l.heard[event].End = f.Why
	}
}

// disagree finds the first client of whom the two runs tell different things.
func disagree(s *traces.Script, a, b traces.Config, left, right map[int]*Heard) *Disagreement {
	for i := range s.Events {
		l, r := left[i], right[i]
		if l == nil || r == nil || l.agrees(r) {
			continue
		}
		return &Disagreement{Event: i, Name: s.Events[i].Name, A: a, B: b, Left: *l, Right: *r}
	}
	return nil
}

func (h *Heard) agrees(o *Heard) bool {
	n := min(len(h.Tokens), len(o.Tokens))
	if !slices.Equal(h.Tokens[:n], o.Tokens[:n]) {
		return false
	}
	return !h.whole() || !o.whole() || len(h.Tokens) == len(o.Tokens)
}
