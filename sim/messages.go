package sim

import (
	"custody/scheduler/protocol"
	"custody/traces"
)

// send puts the engine's outputs on their way; over a link of no ticks they arrive within the step.
func (w *World) send() {
	for _, out := range w.nodes[0].engine.Outputs() {
		i := w.roster.bySlot[out.Req.Slot]
		c := &w.roster.clients[i]
		if out.Why == protocol.NoReason {
			c.Tokens++
		} else {
			c.Ended = true
		}
		w.saw(Fact{Kind: Output, Client: i, Life: out.Req, Token: out.Token, Why: out.Why})
		m := Message{Client: i, Token: out.Token, Why: out.Why}
		link := Time(w.cfg.engine[traces.Link])
		if link == 0 {
			w.receive(m)
			continue
		}
		w.saw(Fact{Kind: Sent, Client: i, Token: out.Token, Why: out.Why, Due: w.now + link})
		w.effects.add(Effect{
			Due: w.now + link, Kind: StepDeliver, From: Place{Role: AtEngine}, To: Place{Role: AtClient, Index: i}, Message: m,
		})
	}
}

// deliver is the step in which a message arrives.
func (w *World) deliver() {
	e := w.effects.take()
	w.begin(StepDeliver)
	w.receive(e.Message)
}

// receive is a message's arrival at its client.
func (w *World) receive(m Message) {
	if m.Why != protocol.NoReason {
		w.roster.clients[m.Client].Live = false
	}
	w.saw(Fact{Kind: Delivered, Client: m.Client, Token: m.Token, Why: m.Why})
}
