package invariants

import (
	"slices"

	"custody/cache"
)

// QueueOrder is the order in which waiting requests are admitted and running ones give way.
type QueueOrder uint8

// The policies.
const (
	AnyOrder QueueOrder = iota // none is promised
	FirstCome
	ByPriority
)

// orderBook is the ledger's own queue: who waits, in the order in which they must be admitted, and who runs.
type orderBook struct {
	policy  QueueOrder
	waiting []place
	running []place // in the order of admission
	exempt  bool    // this step's preemptions follow no rule
}

// place is a request in the queue.
type place struct {
	slot       int32 // of the request table
	priority   int32 // lower is sooner
	submission uint32
}

// placeOf is a request in the queue.
func (l *Ledger) placeOf(r cache.Req) place {
	a := l.owner(r)
	return place{slot: r.Slot, priority: a.priority, submission: a.submission}
}

// before tells whether one comes before another by priority, then arrival.
func (p place) before(q place) bool {
	if p.priority != q.priority {
		return p.priority < q.priority
	}
	return p.submission < q.submission
}

func (k *orderBook) reset() { k.waiting, k.running, k.exempt = k.waiting[:0], k.running[:0], false }

func (k *orderBook) cloneInto(dst *orderBook) {
	dst.waiting, dst.running = append(dst.waiting[:0], k.waiting...), append(dst.running[:0], k.running...)
	dst.exempt = k.exempt
}

// join lets a request wait, and tells whether others wait behind it that it had not been in front of. One that has lost
// its blocks goes to the front.
func (k *orderBook) join(p place, again bool) (overtakes bool) {
	at := len(k.waiting)
	if again {
		at = 0
	}
	if k.policy == ByPriority {
		at = 0
		for at < len(k.waiting) && k.waiting[at].before(p) {
			at++
		}
	}
	overtakes = !again && at < len(k.waiting)
	k.waiting = slices.Insert(k.waiting, at, p)
	return overtakes
}

// victim is the running request that must give way first.
func (k *orderBook) victim(p place) place {
	for i, q := range k.running {
		last := i == len(k.running)-1
		if (k.policy == ByPriority && p.before(q)) || (k.policy == FirstCome && last) {
			p = q
		}
	}
	return p
}

func without(list []place, slot int32) []place {
	if i := slices.IndexFunc(list, func(p place) bool { return p.slot == slot }); i >= 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}
