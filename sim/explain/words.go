package explain

import (
	"fmt"
	"strings"

	"custody/cache"
	"custody/scheduler/protocol"
	"custody/sim"
	"custody/sim/engine"
	"custody/traces"
)

// Saw implements sim.Watcher: what the narrator has to say of each fact.
func (n *Narrator) Saw(f *sim.Fact) {
	switch f.Kind {
	case sim.Handshake:
		n.note("%s", f.Text)
	case sim.Accepted:
		n.note("submit %s of %s: %d tokens, accepted", f.Line.Name, f.Line.Tenant, len(f.Line.Prompt))
	case sim.Rejected:
		n.note("submit %s is turned away: %s", f.Line.Name, f.Why)
	case sim.Played:
		n.played(f)
	case sim.Cleared:
		n.note("plan: clear %s", n.names(f.Plan.Ended))
	case sim.Issued:
		n.issued(f)
	case sim.Finished:
		n.note("finish op%d: %s", f.Operation.Op, strings.Join(n.finished(f), ", "))
	case sim.Settling:
		n.settling(f)
	case sim.Refusing:
		n.refusing(f)
	case sim.Delivered:
		n.delivered(f)
	case sim.Drained:
		n.drained(f)
	case sim.Crashed:
		n.noteBreaches()
	}
}

func (n *Narrator) played(f *sim.Fact) {
	if f.Line.Verb == traces.Submit {
		return
	}
	words := ""
	if f.Line.When.Kind != traces.Now {
		words = " (its anchor is reached)"
	}
	if f.Armed {
		words += ": armed"
	} else if !f.Applied {
		words += ": nothing to do"
	}
	n.note("%s%s", f.Line, words)
}

func (n *Narrator) issued(f *sim.Fact) {
	var parts []string
	for i := range f.Plan.Rows {
		r := &f.Plan.Rows[i]
		parts = append(parts, fmt.Sprintf("%s [%d,%d)%s", n.name(r.Req), r.Start, r.Start+r.N, brought(r)))
	}
	for _, c := range f.Plan.Copies {
		parts = append(parts, fmt.Sprintf("copy block %d to %d for %s", c.From, c.To, n.name(c.Req)))
	}
	if len(f.Plan.Ended) > 0 {
		parts = append(parts, "clear "+n.names(f.Plan.Ended))
	}
	n.note("plan op%d, due t=%d: %s", f.Operation.Op, f.Operation.Finish, strings.Join(parts, ", "))
	for _, r := range f.Refused {
		n.note("the worker refuses %s: %s", n.name(r.Req), r.Why)
	}
}

// brought describes what a row brings along.
func brought(r *protocol.Row) string {
	if len(r.Blocks) == 0 {
		return ""
	}
	words := "+"
	if r.New || r.Resumed || r.Whole {
		words = ""
	}
	return fmt.Sprintf(" blocks %s%v", words, r.Blocks)
}

func (n *Narrator) finished(f *sim.Fact) (parts []string) {
	switch {
	case f.Operation.Lost:
		return []string{"failed"}
	case f.Operation.Queue == cache.CopyQueue:
		return []string{"copied"}
	case len(f.Operation.Result.Rows) == 0:
		return []string{"no rows"}
	}
	for i := range f.Operation.Result.Rows {
		r := &f.Operation.Result.Rows[i]
		for _, t := range r.Tokens {
			parts = append(parts, fmt.Sprintf("%s samples %s", n.name(r.Req), n.world.Model().Word(int32(t))))
		}
		if len(r.Tokens) == 0 {
			parts = append(parts, n.name(r.Req)+" computes")
		}
	}
	return parts
}

func (n *Narrator) settling(f *sim.Fact) {
	verb := "settle"
	if f.Operation.Lost {
		verb = "lost"
	}
	n.note("%s op%d: %s", verb, f.Operation.Op, n.names(f.Operation.Rows))
}

func (n *Narrator) refusing(f *sim.Fact) {
	for _, x := range f.Refused {
		fate := "it waits again"
		if x.Final {
			fate = "for good"
		}
		n.note("refuse op%d: %s, %s, %s", f.Op, n.name(x.Req), x.Why, fate)
	}
}

func (n *Narrator) delivered(f *sim.Fact) {
	name := n.world.Roster().Name(f.Client)
	if f.Why == protocol.NoReason {
		n.note("%s gets %s", name, n.world.Model().Word(int32(f.Token)))
	} else {
		n.note("%s ends: %s", name, f.Why)
	}
}

func (n *Narrator) drained(f *sim.Fact) {
	if !f.Applied {
		n.note("not drained within the bound")
		return
	}
	words := "drained"
	if x, ok := n.world.Node().Engine.(engine.Looker); ok {
		b := x.Books()
		words += fmt.Sprintf(": %d of %d blocks free, %d findable", b.Free, b.Blocks, b.Entries)
	}
	n.note("%s", words)
}

// names are those of some lives.
func (n *Narrator) names(list []cache.Req) string {
	var names []string
	for _, r := range list {
		names = append(names, n.name(r))
	}
	return strings.Join(names, " ")
}

// name names a life: its request, with the number of the life if it is not the first.
func (n *Narrator) name(r cache.Req) string {
	return n.world.Roster().Life(n.lives.clientOf(r), r.Gen).String()
}
