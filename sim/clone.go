package sim

import "custody/scheduler/protocol"

// cloneInto copies the world's state into dst, a world of the same setup, so that both go on in the same way. Nothing is
// shared: what happens in one does not show in the other.
func (w *world) cloneInto(dst *world) {
	w.mem.CloneInto(dst.mem)
	w.pool.CloneInto(dst.pool)
	w.sched.CloneInto(dst.sched)
	w.runner.CloneInto(dst.runner)
	w.ledger.CloneInto(dst.ledger)
	dst.now, dst.step, dst.wake, dst.wakeAt = w.now, w.step, w.wake, w.wakeAt
	for q := range w.lanes {
		w.lanes[q].cloneInto(&dst.lanes[q])
	}
	dst.refusals = dst.refusals[:0]
	for _, r := range w.refusals {
		dst.refusals = append(dst.refusals, refusals{op: r.op, list: append([]protocol.Refusal(nil), r.list...)})
	}
	dst.messages, dst.sent = append(dst.messages[:0], w.messages...), w.sent
	dst.clients = append(dst.clients[:0], w.clients...)
	copy(dst.bySlot, w.bySlot)
	dst.byName = append(dst.byName[:0], w.byName...)
	dst.names = append(dst.names[:0], w.names...)
	clear(dst.numbers)
	for i, name := range w.names {
		dst.numbers[name] = int32(i)
	}
	w.faults.cloneInto(&dst.faults)
	dst.anchors = append(dst.anchors[:0], w.anchors...)
	dst.blamed = append(dst.blamed[:0], w.blamed...)
	dst.digest, dst.coverage, dst.work = w.digest, w.coverage, w.work
}

func (l *lane) cloneInto(dst *lane) {
	dst.ops, dst.free = dst.ops[:0], l.free
	for i := range l.ops {
		from, to := &l.ops[i], dst.push()
		rows, result := append(to.rows, from.rows...), to.result
		from.result.CloneInto(&result)
		*to = *from
		to.rows, to.result = rows, result
	}
}
