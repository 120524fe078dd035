package sim

import (
	"fmt"
	"strings"

	"custody/cache"
	"custody/invariants"
	"custody/scheduler/protocol"
	"custody/traces"
)

// teller stands between the engine and the ledger when a script is replayed for a person: it writes down what happens,
// and remembers who did what to which block and row, and where in the source.
type teller struct {
	*invariants.Ledger
	world    *world
	line     int
	notes    [][]string
	freed    map[cache.BlockID]mark
	given    map[cache.BlockID]mark
	bound    map[int32]binding
	wrote    map[slotAt]mark
	lives    map[cache.Req]int32 // by life: its client
	messages []string            // by breach, in words, as they were known when it happened
	used     map[int32]int32     // by client: the worker's row that it was computed in last
}

type slotAt struct {
	block cache.BlockID
	at    int32
}

// mark is a step, and the place in the source that did it.
type mark struct {
	step  int64
	place string
}

func newTeller(w *world) *teller {
	return &teller{
		Ledger: w.ledger, world: w, notes: make([][]string, 1),
		freed: map[cache.BlockID]mark{}, given: map[cache.BlockID]mark{}, bound: map[int32]binding{},
		wrote: map[slotAt]mark{}, used: map[int32]int32{}, lives: map[cache.Req]int32{},
	}
}

// Block remembers where a block was handed out and freed.
func (t *teller) Block(k cache.BlockKind, r cache.Req, b cache.BlockID, op cache.OpID) {
	switch k {
	case cache.Alloc, cache.Adopt:
		t.given[b] = t.here("custody/cache.")
	case cache.Freed:
		t.freed[b] = t.here("custody/cache.", ".release", ".move", ".end")
	}
	t.Ledger.Block(k, r, b, op)
}

// Touch remembers who wrote a slot when.
func (t *teller) Touch(k cache.TouchKind, op cache.OpID, r cache.Req, layer int, run cache.Run) {
	if size := t.world.cache.Layout.BlockTokens; k == cache.Write {
		for p := run.Lo; p < run.Hi; p++ {
			t.wrote[slotAt{run.Table[p/size], p % size}] = mark{step: t.world.step}
		}
	}
	t.Ledger.Touch(k, op, r, layer, run)
}

// CopyBlock remembers when a copy wrote.
func (t *teller) CopyBlock(op cache.OpID, c cache.Copy) {
	for i := range t.world.cache.Layout.BlockTokens {
		t.wrote[slotAt{c.To, i}] = mark{step: t.world.step}
	}
	t.Ledger.CopyBlock(op, c)
}

// binding is a row's binding to a request.
type binding struct {
	mark
	client int32
	left   *binding // what the row was bound to before, if it has not been cleared since
}

// Row remembers where a row was bound, and what it was not cleared of.
func (t *teller) Row(k cache.RowKind, row int32, r cache.Req) {
	if k == cache.Bound {
		now := binding{mark: t.here(".report", ".bind"), client: t.world.bySlot[r.Slot]}
		if before, ok := t.bound[row]; ok {
			now.left = &before
		}
		t.bound[row] = now
	} else {
		delete(t.bound, row)
	}
	t.Ledger.Row(k, row, r)
}

// Life remembers whose a life is: the slot of the request table will be another's.
func (t *teller) Life(r cache.Req, k cache.LifeKind, why cache.Cause) {
	if k != cache.Accepted { // then the world does not know the request yet
		t.lives[r] = t.world.bySlot[r.Slot]
	}
	t.Ledger.Life(r, k, why)
}

// clientOf is the client of a life, which may have ended.
func (t *teller) clientOf(r cache.Req) int32 {
	if c, ok := t.lives[r]; ok {
		return c
	}
	return t.world.bySlot[r.Slot]
}

// Use remembers in which row a request was computed.
func (t *teller) Use(u *cache.Used) {
	t.used[t.world.bySlot[u.Req.Slot]] = u.Row
	t.Ledger.Use(u)
}

func (t *teller) here(hide ...string) mark {
	return mark{step: t.world.step, place: place(2, hide...)}
}

// tellBreaches puts new breaches into words while it is known who did what last.
func (w *world) tellBreaches() {
	t := w.teller
	if t == nil {
		return
	}
	for breaches := w.ledger.Breaches(); len(t.messages) < len(breaches); {
		b := &breaches[len(t.messages)]
		t.messages = append(t.messages, w.describe(b))
		w.note("BROKEN %s: %s", w.promiseName(b), t.messages[len(t.messages)-1])
	}
}

// note writes down one line of what happens in this step.
func (w *world) note(format string, args ...any) {
	if w.teller == nil {
		return
	}
	t := w.teller
	line := fmt.Sprintf("%d t=%d ", w.step, w.now) + fmt.Sprintf(format, args...)
	t.notes[t.line] = append(t.notes[t.line], line)
}

// tellLine notes that the next notes belong to a line of the script.
func (w *world) tellLine(i int) {
	if t := w.teller; t != nil {
		for len(t.notes) <= i+1 {
			t.notes = append(t.notes, nil)
		}
		t.line = i + 1
	}
}

func (w *world) tellHandshake() {
	if w.teller != nil && w.refused {
		w.note("%s", w.handshakeText())
	}
}

func (w *world) tellScript(e *traces.Event, applied bool) {
	if w.teller == nil || e.Verb == traces.Submit {
		return
	}
	words := ""
	if e.When.Kind != traces.Now {
		words = " (its anchor is reached)"
	}
	if w.faults.didArm {
		words += ": armed"
	} else if !applied {
		words += ": nothing to do"
	}
	w.note("%s%s", e, words)
}

func (w *world) tellAccepted(e *traces.Event) {
	if w.teller != nil {
		w.note("submit %s of %s: %d tokens, accepted", e.Name, e.Tenant, len(e.Prompt))
	}
}

func (w *world) tellDenied(e *traces.Event, why protocol.Reason) {
	if w.teller != nil {
		w.note("submit %s is turned away: %s", e.Name, why)
	}
}

func (w *world) tellEnded(p *protocol.Plan) {
	if w.teller != nil {
		w.note("plan: clear %s", w.lives(p.Ended))
	}
}

func (w *world) tellPlan(p *protocol.Plan, o *operation, refused []protocol.Refusal) {
	if w.teller == nil {
		return
	}
	var parts []string
	for i := range p.Rows {
		r := &p.Rows[i]
		parts = append(parts, fmt.Sprintf("%s [%d,%d)%s", w.lifeName(r.Req), r.Start, r.Start+r.N, w.given(r)))
	}
	for _, c := range p.Copies {
		parts = append(parts, fmt.Sprintf("copy block %d to %d for %s", c.From, c.To, w.lifeName(c.Req)))
	}
	if len(p.Ended) > 0 {
		parts = append(parts, "clear "+w.lives(p.Ended))
	}
	w.note("plan op%d, due t=%d: %s", p.Op, o.finish, strings.Join(parts, ", "))
	for _, r := range refused {
		w.note("the worker refuses %s: %s", w.lifeName(r.Req), r.Why)
	}
}

// given describes what a row brings along.
func (w *world) given(r *protocol.Row) string {
	if len(r.Blocks) == 0 {
		return ""
	}
	words := "+"
	if r.New {
		words = ""
	}
	return fmt.Sprintf(" blocks %s%v", words, r.Blocks)
}

func (w *world) tellFinish(o *operation, q cache.Queue) {
	if w.teller == nil {
		return
	}
	var parts []string
	for i := range o.result.Rows {
		r := &o.result.Rows[i]
		for _, t := range r.Tokens {
			parts = append(parts, fmt.Sprintf("%s samples %s", w.lifeName(r.Req), w.model.Word(int32(t))))
		}
		if len(r.Tokens) == 0 {
			parts = append(parts, w.lifeName(r.Req)+" computes")
		}
	}
	if len(parts) == 0 {
		parts = []string{"no rows"}
	}
	if o.lost {
		parts = []string{"failed"}
	} else if q == cache.CopyQueue {
		parts = []string{"copied"}
	}
	w.note("finish op%d: %s", o.op, strings.Join(parts, ", "))
}

func (w *world) tellSettle(o *operation) {
	if w.teller == nil {
		return
	}
	verb := "settle"
	if o.lost {
		verb = "lost"
	}
	w.note("%s op%d: %s", verb, o.op, w.lives(o.rows))
}

func (w *world) tellRefusals(r *refusals) {
	if w.teller == nil {
		return
	}
	for _, x := range r.list {
		fate := "it waits again"
		if x.Final {
			fate = "for good"
		}
		w.note("refuse op%d: %s, %s, %s", r.op, w.lifeName(x.Req), x.Why, fate)
	}
}

func (w *world) tellDelivery(m message) {
	if w.teller == nil {
		return
	}
	if m.why == protocol.NoReason {
		w.note("%s gets %s", w.clientName(m.client), w.model.Word(int32(m.token)))
	} else {
		w.note("%s ends: %s", w.clientName(m.client), m.why)
	}
}

func (w *world) tellDrained() {
	if w.teller == nil {
		return
	}
	if w.atRest() {
		w.note("drained: %d of %d blocks free, %d findable", w.pool.Free(), w.pool.Blocks(), w.pool.Entries())
	} else {
		w.note("not drained within the bound")
	}
}

func (w *world) lives(list []cache.Req) string {
	var names []string
	for _, r := range list {
		names = append(names, w.lifeName(r))
	}
	return strings.Join(names, " ")
}

// lifeName names a life: its request, with the generation if it is not the first.
func (w *world) lifeName(r cache.Req) string {
	return w.lifeOf(w.teller.clientOf(r), r.Gen).String()
}

// nobody is the name of a client that is not known.
const nobody = "nobody"

func (w *world) clientName(i int32) string {
	if i < 0 || int(i) >= len(w.clients) {
		return nobody
	}
	return w.names[w.clients[i].name]
}

// tenantName is the name of a client's tenant.
func (w *world) tenantName(i int32) string {
	if i < 0 || int(i) >= len(w.clients) || w.clients[i].tenant < 0 {
		return unknownTenant
	}
	return w.tenants[w.clients[i].tenant]
}
