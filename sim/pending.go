package sim

import (
	"custody/cache"
	"custody/scheduler/protocol"
)

// Kind is the kind of a step: one event, applied to the world.
type Kind uint8

// The kinds. The first ones are a script's, the others follow from what the engine does.
const (
	stepSubmit Kind = iota
	stepCancel
	stepPreempt
	stepReset
	stepFault // a fault is armed
	stepNop
	stepRefuse // a worker's refusals reach the scheduler
	stepSettle // a result reaches the scheduler
	stepLost   // the news of a failed operation reaches the scheduler
	stepDeliver
	stepPlan
	stepFinish
	stepDrain
	NumKinds
)

// kindNames are the words for the kinds.
var kindNames = [NumKinds]string{
	"submit", "cancel", "preempt", "reset", "fault", "nop", "refuse", "settle", "lost", "deliver", "plan", "finish", "drain",
}

func (k Kind) String() string { return kindNames[k] }

// operation is an issued pass or copy on its way: finished on the worker at `finish`, with the scheduler settleTicks later.
type operation struct {
	op       cache.OpID
	finish   Time
	finished bool
	fails    bool
	lost     bool
	result   protocol.Result
	rows     []cache.Req // of a pass, as planned
}

// lane is one queue's operations in the order of issue.
type lane struct {
	ops  []operation
	free Time // when the queue's last operation finishes
}

func (l *lane) push() *operation {
	if n := len(l.ops); n < cap(l.ops) {
		l.ops = l.ops[:n+1]
	} else {
		l.ops = append(l.ops, operation{})
	}
	o := &l.ops[len(l.ops)-1]
	o.result.Reset(0)
	*o = operation{result: o.result, rows: o.rows[:0]}
	return o
}

// pop removes the first operation and keeps its buffers for a later one.
func (l *lane) pop() {
	first, n := l.ops[0], len(l.ops)-1
	copy(l.ops, l.ops[1:])
	l.ops[n] = first
	l.ops = l.ops[:n]
}

// message is a token or an end on its way to a client.
type message struct {
	due    Time
	client int32
	token  cache.Token
	why    protocol.Reason
}

// refusals is a worker's answer on its way to the scheduler.
type refusals struct {
	op   cache.OpID
	list []protocol.Refusal
}

// next says which derived event is due first: by time, then by kind, then by queue. No event's place in the order
// depends on when a script line was written.
func (w *world) next() (kind Kind, queue cache.Queue, at Time, ok bool) {
	best := func(k Kind, q cache.Queue, due Time) {
		due = max(due, w.now)
		if !ok || due < at || (due == at && k < kind) {
			kind, queue, at, ok = k, q, due, true
		}
	}
	if len(w.refusals) > 0 {
		best(stepRefuse, 0, w.now)
	}
	for q := range w.lanes {
		l := &w.lanes[q]
		if len(l.ops) == 0 {
			continue
		}
		if o := &l.ops[0]; o.finished {
			best(stepSettle, cache.Queue(q), o.finish+settleTicks)
		}
		for i := range l.ops {
			if !l.ops[i].finished {
				best(stepFinish, cache.Queue(q), l.ops[i].finish)
				break
			}
		}
	}
	if w.sent < len(w.messages) {
		best(stepDeliver, 0, w.messages[w.sent].due)
	}
	if w.wake {
		best(stepPlan, 0, w.wakeAt)
	}
	return kind, queue, at, ok
}
