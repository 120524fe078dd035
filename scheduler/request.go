package scheduler

import (
	"custody/cache"
	"custody/scheduler/protocol"
)

// request is one entry of the request table.
type request struct {
	gen      uint32
	state    State
	name     uint32
	tenant   int32
	id       cache.Identity
	sampling cache.Sampling
	eos      cache.Token
	prio     int32
	arrival  uint32
	limit    int32 // most tokens, prompt and output

	known     int32 // tokens known: prompt and settled outputs
	unsettled int32 // outputs that outstanding passes will sample
	planned   int32
	settled   int32

	sent        sent
	last        place
	outstanding int32 // operations that name it
	requeues    int32
	again       bool // has been admitted before
}

// sent is what the worker's row of a request has been sent.
type sent struct {
	tokens int32
	blocks int32
}

// place is a row of an operation.
type place struct {
	op  cache.OpID
	row int32
}

// requests is the request table.
type requests struct {
	list   []request     // by slot
	tokens []cache.Token // [slot][stride]
	stride int32
}

func newRequests(slots, maxLen int32) requests {
	return requests{list: make([]request, slots), tokens: make([]cache.Token, slots*maxLen), stride: maxLen}
}

func (t *requests) reset() {
	clear(t.list)
	clear(t.tokens)
}

func (t *requests) at(slot int32) *request { return &t.list[slot] }

// current is the slot's present life.
func (t *requests) current(slot int32) cache.Req { return cache.Req{Slot: slot, Gen: t.list[slot].gen} }

// text is the known tokens.
func (t *requests) text(slot int32) []cache.Token {
	at := slot * t.stride
	return t.tokens[at : at+t.list[slot].known : at+t.stride]
}

// enter writes a new request into a vacant slot. The arrival is its number among those that were accepted.
func (t *requests) enter(slot int32, spec *protocol.Spec, limit int32, arrival uint32) *request {
	x := t.at(slot)
	*x = request{
		gen: x.gen, name: spec.Name, tenant: spec.Tenant, id: spec.ID, sampling: spec.Sampling, eos: spec.EOS,
		prio: spec.Priority, arrival: arrival, limit: limit, known: int32(len(spec.Prompt)),
	}
	copy(t.tokens[slot*t.stride:], spec.Prompt)
	return x
}

// learn appends an output token.
func (t *requests) learn(slot int32, token cache.Token) {
	x := t.at(slot)
	t.tokens[slot*t.stride+x.known] = token
	x.known++
}

// named tells whether a live request has the name.
func (t *requests) named(name uint32) bool {
	for i := range t.list {
		if x := &t.list[i]; x.state != Absent && x.state != Ended && x.name == name {
			return true
		}
	}
	return false
}

// vacant returns a free slot. There is one: Config.Slots counts everything that may be live or named.
func (t *requests) vacant() int32 {
	for i := range t.list {
		if t.list[i].state == Absent {
			return int32(i)
		}
	}
	panic("scheduler: the request table is full")
}

// vacate frees the slot of an ended request once no outstanding operation names it.
func (t *requests) vacate(slot int32) {
	if x := t.at(slot); x.state == Ended && x.outstanding == 0 {
		*x = request{gen: x.gen}
	}
}

func (t *requests) cloneInto(dst *requests) {
	copy(dst.list, t.list)
	copy(dst.tokens, t.tokens)
}
