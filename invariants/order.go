package invariants

import (
	"slices"

	"custody/cache"
)

var orderStatement = Statement{
	ID: Order, Name: "order", Unit: "admissions and preemptions",
	Sentence: "the policy's order holds: no overtaking beyond the documented exceptions; the victim rule",
}

// Observes: what happens to requests; which preemptions and resets the script asked for.
// Decides: the ledger keeps a line of its own. First come, first served: behind the others, and in front of them after
// losing its blocks; by priority: where number and arrival put it. Whoever leaves the line for blocks must be its head
// (requests that already hold blocks, after a copy, do not stand in it). Whoever is preempted for somebody else's blocks
// must be the newest admitted (first come, first served) or the last by priority and arrival.

// Policy is the order in which waiting requests are admitted and running ones give way.
type Policy uint8

// The policies.
const (
	AnyOrder Policy = iota // none is promised
	FirstCome
	ByPriority
)

// Forced tells the ledger that the preemptions of this step are somebody's wish, and follow no rule.
func (l *Ledger) Forced() { l.forced = true }

// follow keeps the line and the list of running requests; it is called when a request's phase changes, before that counts.
func (l *Ledger) follow(r cache.Req, from, to phase, why cache.Cause) {
	if from == to {
		return
	}
	if from == running {
		if why == cache.ByPreempt && !l.forced && l.cfg.Policy != AnyOrder {
			l.checkVictim(r)
		}
		l.running = without(l.running, r.Slot)
	}
	if from == waiting {
		l.leaveLine(r, to)
	}
	if to == waiting {
		l.joinLine(r, from != over)
	}
	if to == running {
		l.running = append(l.running, r.Slot)
		l.checkRunning(r)
	}
}

func (l *Ledger) leaveLine(r cache.Req, to phase) {
	if to != over && l.cfg.Policy != AnyOrder {
		l.checks[Order]++
		if len(l.line) > 0 && l.line[0] != r.Slot {
			b := plain(Order, l.who(r), "a request was admitted before one that stood in front of it")
			b.Writer = l.lives[l.line[0]].client
			b.Relation = l.between(r, cache.Req{Slot: l.line[0], Gen: l.lives[l.line[0]].gen})
			l.breach(b)
		}
	}
	l.line = without(l.line, r.Slot)
}

func (l *Ledger) joinLine(r cache.Req, front bool) {
	at := len(l.line)
	if front {
		at = 0
	}
	if l.cfg.Policy == ByPriority {
		at = 0
		for at < len(l.line) && l.before(l.line[at], r.Slot) {
			at++
		}
	}
	if !front && at < len(l.line) {
		l.Reach(LaterCameFirst)
	}
	l.line = slices.Insert(l.line, at, r.Slot)
}

// before tells whether one request comes before another by priority, then arrival.
func (l *Ledger) before(a, b int32) bool {
	x, y := &l.clients[l.lives[a].client], &l.clients[l.lives[b].client]
	if x.prio != y.prio {
		return x.prio < y.prio
	}
	return x.author < y.author
}

func (l *Ledger) checkVictim(r cache.Req) {
	l.checks[Order]++
	victim := r.Slot
	for i, s := range l.running {
		last := i == len(l.running)-1
		if (l.cfg.Policy == ByPriority && l.before(victim, s)) || (l.cfg.Policy == FirstCome && last) {
			victim = s
		}
	}
	if victim != r.Slot {
		b := plain(Order, l.who(r), "a request was preempted although another had to give way first")
		b.Writer = l.lives[victim].client
		l.breach(b)
	}
}

func without(list []int32, s int32) []int32 {
	if i := slices.Index(list, s); i >= 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}
