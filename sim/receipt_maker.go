package sim

import (
	"slices"

	"custody/cache"
	"custody/model"
	"custody/model/llama"
)

// receiptMaker stands between the engine and the teller and writes the receipts of one request. It keeps its own account
// of who wrote which slot, from what the memory accessor reports.
type receiptMaker struct {
	*teller
	name    string
	event   int // the submission that the receipt is of
	receipt Receipt
	origins origins
	rows    []cache.Used // of the present pass
	open    []reading
}

// reading is what the last position of a row has read so far in a pass.
type reading struct {
	row     int
	origins []origin    // [layer][position]
	weights [][]float32 // [layer × head][position]
}

func newReceiptMaker(w *world, name string) *receiptMaker {
	return &receiptMaker{teller: newTeller(w), name: name, event: -1, origins: newOrigins(&w.cache.Layout)}
}

// watch lets the maker see the attention of a worker's model.
func (k *receiptMaker) watch(m model.Model) {
	if t, ok := m.(*llama.Transformer); ok {
		k.receipt.Layers, k.receipt.Heads = t.Arch().Layers, t.Arch().Heads
		t.Watch(k.attended)
	}
}

// Use notes the rows of a pass, in the order of the batch.
func (k *receiptMaker) Use(u *cache.Used) {
	if len(k.rows) > 0 && k.rows[0].Op != u.Op {
		k.rows, k.open = k.rows[:0], k.open[:0]
	}
	x := *u
	x.Input, x.Table = slices.Clone(u.Input), slices.Clone(u.Table)
	k.rows = append(k.rows, x)
	k.teller.Use(u)
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
	k.teller.Touch(kind, op, r, layer, run)
}

func (k *receiptMaker) origin(r cache.Req, t cache.Token) origin {
	c := &k.world.clients[k.clientOf(r)]
	return origin{event: int32(c.event) + 1, gen: r.Gen, tenant: c.tenant, name: c.name, token: t}
}

// CopyBlock notes what a copy writes.
func (k *receiptMaker) CopyBlock(op cache.OpID, c cache.Copy) {
	k.origins.copied(c)
	k.teller.CopyBlock(op, c)
}

// Block notes what is poisoned.
func (k *receiptMaker) Block(kind cache.BlockKind, r cache.Req, b cache.BlockID, op cache.OpID) {
	if kind == cache.Poison {
		k.origins.poison(b)
	}
	k.teller.Block(kind, r, b, op)
}

// attended is told of a query's attention.
func (k *receiptMaker) attended(row, layer, _ int, pos int32, weights []float32) {
	u := &k.rows[row]
	if pos != u.Start+u.N-1 || k.world.clientName(k.clientOf(u.Req)) != k.name {
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
func (k *receiptMaker) Sampled(op cache.OpID, r cache.Req, pos int32, t cache.Token) {
	at := k.rowOf(op, r)
	if x := k.reading(at); at >= 0 && x != nil {
		k.write(&k.rows[at], x, t)
	}
	k.teller.Sampled(op, r, pos, t)
}

// sent notes that the next token of a client is on its way.
func (k *receiptMaker) sent(c *client) {
	if c.event == k.event && int(c.tokens) <= len(k.receipt.Tokens) {
		k.receipt.Tokens[c.tokens-1].Sent = true
	}
}

// write adds a token to the receipt; a later request of the name begins it anew. What was sampled for the same position
// before, for a life that was preempted with the pass under way, leaves the receipt.
func (k *receiptMaker) write(u *cache.Used, x *reading, t cache.Token) {
	client := k.clientOf(u.Req)
	if c := &k.world.clients[client]; c.event != k.event {
		k.event, k.receipt.Tokens = c.event, nil
		k.receipt.Name, k.receipt.Tenant = k.name, k.world.tenantName(client)
	}
	out := TokenReceipt{Step: k.world.step, Pos: u.Start + u.N, Token: int32(t)}
	k.receipt.Tokens = slices.DeleteFunc(k.receipt.Tokens, func(t TokenReceipt) bool { return t.Pos >= out.Pos })
	k.sum(u, x, &out)
	k.receipt.Tokens = append(k.receipt.Tokens, out)
}
