package sim

import "custody/scheduler/protocol"

// deliver is the step in which a message arrives.
func (w *World) deliver() {
	e := w.effects.pop()
	w.begin(StepDeliver)
	w.receive(int32(e.To), &e.Output)
}

// receive is a message's arrival at its client.
func (w *World) receive(client int32, out *protocol.Output) {
	if out.Why != protocol.NoReason {
		w.roster.clients[client].Live = false
	}
	w.hearers.message(Delivered, client, out)
}
