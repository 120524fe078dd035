package explain

import (
	"slices"

	"custody/cache"
	"custody/model/llama"
	"custody/sim"
)

// receiptMaker is a watcher that writes the receipts of one request. It keeps its own account of who wrote which slot, from
// what the memory accessor reports.
type receiptMaker struct {
	inattentive
	world   *sim.World
	name    string
	event   int // the submission that the receipt is of
	receipt Receipt
	origins origins
	lives   lives
	rows    []cache.Used // of the present pass
	open    []reading
}

// reading is what the last position of a row has read so far in a pass.
type reading struct {
	row     int
	origins []origin    // [layer][position]
	weights [][]float32 // [layer × head][position]
}

// Start implements sim.Watcher: it lets the maker see the attention of the worker's model.
func (k *receiptMaker) Start(w *sim.World) {
	layout := w.Layout()
	*k = receiptMaker{world: w, name: k.name, event: -1, origins: newOrigins(&layout), lives: newLives(w)}
	if t, ok := w.Node().Model.(*llama.Transformer); ok {
		k.receipt.Layers, k.receipt.Heads = t.Arch().Layers, t.Arch().Heads
		t.Watch(k.attended)
	}
}

// Begin implements sim.Watcher.
func (k *receiptMaker) Begin(sim.Step) {}

// End implements sim.Watcher.
func (k *receiptMaker) End(sim.Step) {}

// Observer implements sim.Observing.
func (k *receiptMaker) Observer() cache.Observer { return k }

// Saw implements sim.Watcher: it notes which tokens are on their way to the client.
func (k *receiptMaker) Saw(f *sim.Fact) {
	if f.Kind != sim.Output {
		return
	}
	c := k.world.Roster().Client(f.Client)
	if c.Event == k.event && int(c.Tokens) <= len(k.receipt.Tokens) {
		k.receipt.Tokens[c.Tokens-1].Sent = true
	}
}

// Life implements cache.Observer: it remembers whose a life is.
func (k *receiptMaker) Life(r cache.Req, kind cache.LifeKind, _ cache.Cause) { k.lives.saw(r, kind) }

func (k *receiptMaker) client(r cache.Req) *sim.Client {
	return k.world.Roster().Client(k.lives.clientOf(r))
}

// Use notes the rows of a pass, in the order of the batch.
func (k *receiptMaker) Use(u *cache.Used) {
	if len(k.rows) > 0 && k.rows[0].Op != u.Op {
		k.rows, k.open = k.rows[:0], k.open[:0]
	}
	x := *u
	x.Input, x.Table = slices.Clone(u.Input), slices.Clone(u.Table)
	k.rows = append(k.rows, x)
}

// rowOf is the index of a request's row in the present pass, or -1.
func (k *receiptMaker) rowOf(op cache.OpID, r cache.Req) int {
	return slices.IndexFunc(k.rows, func(u cache.Used) bool { return u.Op == op && u.Req == r })
}

// Touch notes who writes which slots.
func (k *receiptMaker) Touch(kind cache.TouchKind, op cache.OpID, r cache.Req, layer int, run cache.Run) {
	if kind == cache.Write {
		at := k.rowOf(op, r)
		for p := run.Lo; p < run.Hi; p++ {
			*k.origins.at(layer, run.Table, p) = k.origin(r, k.rows[at].Input[p-run.Lo])
		}
	}
}

func (k *receiptMaker) origin(r cache.Req, t cache.Token) origin {
	i, people := k.lives.clientOf(r), k.world.Roster()
	c := people.Client(i)
	return origin{
		event: int32(c.Event) + 1, gen: r.Gen, tenant: c.Tenant, name: people.Name(i), tenantName: people.TenantName(i), token: t,
	}
}

// CopyBlock notes what a copy writes.
func (k *receiptMaker) CopyBlock(_ cache.OpID, c cache.Copy) {
	k.origins.copied(c)
}

// Block notes what is poisoned.
func (k *receiptMaker) Block(kind cache.BlockKind, _ cache.Req, b cache.BlockID, _ cache.OpID) {
	if kind == cache.Poison {
		k.origins.poison(b)
	}
}

// attended is told of a query's attention.
func (k *receiptMaker) attended(row, layer, _ int, pos int32, weights []float32) {
	u := &k.rows[row]
	if pos != u.Start+u.N-1 || k.world.Roster().Name(k.lives.clientOf(u.Req)) != k.name {
		return
	}
	r := k.begun(row)
	if len(r.weights)%k.receipt.Heads == 0 {
		for p := range pos + 1 {
			r.origins = append(r.origins, *k.origins.at(layer, u.Table, p))
		}
	}
	r.weights = append(r.weights, slices.Clone(weights))
}

// begun is the reading of a row, begun if it is not yet.
func (k *receiptMaker) begun(row int) *reading {
	if r := k.reading(row); r != nil {
		return r
	}
	k.open = append(k.open, reading{row: row})
	return &k.open[len(k.open)-1]
}

// reading is the reading of a row, or nil.
func (k *receiptMaker) reading(row int) *reading {
	for i := range k.open {
		if k.open[i].row == row {
			return &k.open[i]
		}
	}
	return nil
}

// Sampled closes a row's reading with the token that came of it.
func (k *receiptMaker) Sampled(op cache.OpID, r cache.Req, _ int32, t cache.Token) {
	at := k.rowOf(op, r)
	if x := k.reading(at); at >= 0 && x != nil {
		k.write(&k.rows[at], x, t)
	}
}

// write adds a token to the receipt; a later request of the name begins it anew. What was sampled for the same position
// before, for a life that was preempted with the pass under way, leaves the receipt.
func (k *receiptMaker) write(u *cache.Used, x *reading, t cache.Token) {
	client := k.lives.clientOf(u.Req)
	if c := k.world.Roster().Client(client); c.Event != k.event {
		k.event, k.receipt.Tokens = c.Event, nil
		k.receipt.Name, k.receipt.Tenant = k.name, k.world.Roster().TenantName(client)
	}
	out := TokenReceipt{Step: k.world.Step().Number, Pos: u.Start + u.N, Token: int32(t)}
	k.receipt.Tokens = slices.DeleteFunc(k.receipt.Tokens, func(t TokenReceipt) bool { return t.Pos >= out.Pos })
	k.sum(u, x, &out)
	k.receipt.Tokens = append(k.receipt.Tokens, out)
}
