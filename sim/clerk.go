package sim

import (
	"slices"

	"custody/cache"
	"custody/model"
)

// clerk stands between the engine and the teller and writes receipts for one request. It keeps its own account of who
// wrote which slot, from what the memory accessor reports.
type clerk struct {
	*teller
	name    string
	event   int // the submission that the receipt is of
	receipt Receipt
	written []origin // [layer][block][slot]
	rows    []cache.Used
	open    []reading
}

// origin is who wrote a slot, and for what.
type origin struct {
	event    int32 // the submission, from 1; 0: nobody
	gen      uint32
	client   int32
	tenant   int32
	name     int32
	token    cache.Token
	poisoned bool
}

// reading is what the last position of a row has read so far in a pass.
type reading struct {
	row     int
	origins []origin    // [layer][position]
	weights [][]float32 // [layer × head][position]
}

func newClerk(w *world, name string) *clerk {
	l := &w.cache.Layout
	return &clerk{teller: newTeller(w), name: name, event: -1, written: make([]origin, l.Layers*l.Blocks*l.BlockTokens)}
}

// watch lets the clerk see the attention of a worker's model.
func (k *clerk) watch(m model.Model) {
	if t, ok := m.(*model.Transformer); ok {
		k.receipt.Layers, k.receipt.Heads = t.Arch().Layers, t.Arch().Heads
		t.Watch(k.saw)
	}
}

// Use notes the rows of a pass, in the order of the batch.
func (k *clerk) Use(u *cache.Used) {
	if len(k.rows) > 0 && k.rows[0].Op != u.Op {
		k.rows, k.open = k.rows[:0], k.open[:0]
	}
	x := *u
	x.Input, x.Table = slices.Clone(u.Input), slices.Clone(u.Table)
	k.rows = append(k.rows, x)
	k.teller.Use(u)
}

// Touch notes who writes which slots.
func (k *clerk) Touch(kind cache.TouchKind, op cache.OpID, r cache.Req, layer int, run cache.Run) {
	if kind == cache.Write {
		at := slices.IndexFunc(k.rows, func(u cache.Used) bool { return u.Op == op && u.Req == r })
		for p := run.Lo; p < run.Hi; p++ {
			*k.slot(layer, run.Table, p) = k.author(r, k.rows[at].Input[p-run.Lo])
		}
	}
	k.teller.Touch(kind, op, r, layer, run)
}

func (k *clerk) author(r cache.Req, t cache.Token) origin {
	client := k.clientOf(r)
	c := &k.world.clients[client]
	return origin{event: int32(c.event) + 1, gen: r.Gen, client: client, tenant: c.tenant, name: c.name, token: t}
}

// clientOf is the client of a life, which may have ended.
func (k *clerk) clientOf(r cache.Req) int32 {
	if c, ok := k.lives[r]; ok {
		return c
	}
	return k.world.bySlot[r.Slot]
}

func (k *clerk) slot(layer int, table []cache.BlockID, p int32) *origin {
	l := &k.world.cache.Layout
	return &k.written[(int32(layer)*l.Blocks+int32(table[p/l.BlockTokens]))*l.BlockTokens+p%l.BlockTokens]
}

// block is a layer of a block.
func (k *clerk) block(layer int32, b cache.BlockID) []origin {
	l := &k.world.cache.Layout
	return k.written[(layer*l.Blocks+int32(b))*l.BlockTokens:][:l.BlockTokens]
}

// CopyBlock notes that what a block holds is now in another, too.
func (k *clerk) CopyBlock(op cache.OpID, c cache.Copy) {
	for layer := range k.world.cache.Layout.Layers {
		copy(k.block(layer, c.To), k.block(layer, c.From))
	}
	k.teller.CopyBlock(op, c)
}

// Block notes what is poisoned.
func (k *clerk) Block(kind cache.BlockKind, r cache.Req, b cache.BlockID, op cache.OpID) {
	if kind == cache.Poison {
		for layer := range k.world.cache.Layout.Layers {
			for i := range k.block(layer, b) {
				k.block(layer, b)[i] = origin{poisoned: true}
			}
		}
	}
	k.teller.Block(kind, r, b, op)
}

// saw is told of a query's attention.
func (k *clerk) saw(row, layer, _ int, pos int32, weights []float32) {
	u := &k.rows[row]
	if pos != u.Start+u.N-1 || k.world.clientName(k.clientOf(u.Req)) != k.name {
		return
	}
	r := k.reading(row)
	if len(r.weights)%k.receipt.Heads == 0 {
		for p := range pos + 1 {
			r.origins = append(r.origins, *k.slot(layer, u.Table, p))
		}
	}
	r.weights = append(r.weights, slices.Clone(weights))
}

// reading is that of a row, begun if it is not yet.
func (k *clerk) reading(row int) *reading {
	if r := k.find(row); r != nil {
		return r
	}
	k.open = append(k.open, reading{row: row})
	return &k.open[len(k.open)-1]
}

func (k *clerk) find(row int) *reading {
	for i := range k.open {
		if k.open[i].row == row {
			return &k.open[i]
		}
	}
	return nil
}

// Sampled closes a row's reading with the token that came of it.
func (k *clerk) Sampled(op cache.OpID, r cache.Req, pos int32, t cache.Token) {
	at := slices.IndexFunc(k.rows, func(u cache.Used) bool { return u.Op == op && u.Req == r })
	if x := k.find(at); at >= 0 && x != nil {
		k.write(&k.rows[at], x, t)
	}
	k.teller.Sampled(op, r, pos, t)
}

// sent notes that the next token of a client is on its way.
func (k *clerk) sent(c *client) {
	if c.event == k.event && int(c.tokens) <= len(k.receipt.Tokens) {
		k.receipt.Tokens[c.tokens-1].Sent = true
	}
}

// write adds a token to the receipt; a later request of the name begins it anew. What was sampled for the same position
// before, for a life that was preempted with the pass under way, leaves the receipt.
func (k *clerk) write(u *cache.Used, x *reading, t cache.Token) {
	c := &k.world.clients[k.clientOf(u.Req)]
	if c.event != k.event {
		k.event, k.receipt.Tokens = c.event, nil
		k.receipt.Name, k.receipt.Tenant = k.name, k.world.tenantName(k.clientOf(u.Req))
	}
	n := u.Start + u.N
	k.receipt.Tokens = slices.DeleteFunc(k.receipt.Tokens, func(t TokenReceipt) bool { return t.Pos >= n })
	out := TokenReceipt{Step: k.world.step, Pos: n, Token: int32(t)}
	k.account(u, x, n, &out)
	k.receipt.Tokens = append(k.receipt.Tokens, out)
}
