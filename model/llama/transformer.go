// Package llama is a small transformer of the Llama family over the engine's KV memory: its shape, its weights, how it
// computes a batch and how it samples.
//
//	weights ──New──▶ transformer ──Forward(batch, memory)──▶ logits ──temperature, top k, top p──▶ next token
//
// Its numbers have the same bits on every processor: package numeric says how, package kernel does it fast. The simulator
// shows it to people; what hunts is the hash model, which has the same interface.
package llama

import (
	"slices"

	"custody/cache"
	"custody/model"
	"custody/model/kernel"
)

// Transformer is a decoder of the Llama family (Touvron et al., 2023; grouped queries: Ainslie et al., 2023).
//
//	x = embedding of the token                                     [dim]
//	for each layer:
//	    q, k, v = Wq n, Wk n, Wv n     where n = norm(x)           [head][head size]
//	    turn q and k by the position; write k and v to the cache
//	    x += Wo attention(q, all k and v of the request so far)
//	    x += Wdown (silu(Wgate n) · Wup n)     where n = norm(x)
//	logits = Whead norm(x)                                         [vocabulary]
//
// K and V words in the cache are the bits of float32 numbers. A request's numbers depend on its tokens and on the slots
// that it reads, and on nothing else: not on the other rows of a batch, nor on how its positions are cut into passes or
// blocks. The identity does not change what is computed.
type Transformer struct {
	arch   Arch
	vocab  int // of the arch, those that may be sampled
	embed  []float32
	layers []packedLayer
	norm   []float32
	head   *kernel.Matrix

	angles    rotary
	attention *kernel.Attention
	sampler   sampler
	watch     Watch
	scratch
}

// packedLayer is one layer's weights as the kernels want them.
type packedLayer struct {
	attnNorm, mlpNorm     []float32
	q, kv, o, gates, down *kernel.Matrix // kv: K's outputs, then V's; gates: those of Gate, padded, then those of Up
}

// Watch is told how a query at a position spread its attention: weights[p] is the weight of position p, for all p up to
// the query's; they add up to 1. row is the index into the batch. The slice is valid during the call.
type Watch func(row, layer, head int, pos int32, weights []float32)

// Watch sets who is told of the attention; nil, the default, tells nobody and costs nothing. A query of the last layer
// from which nothing is sampled is not computed, so nobody is told of it.
func (t *Transformer) Watch(w Watch) { t.watch = w }

// Arch is the transformer's shape.
func (t *Transformer) Arch() Arch { return t.arch }

// New packs weights. They are not kept, embedding and normalisations aside.
func New(w *Weights) (*Transformer, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	a := w.Arch
	t := &Transformer{
		arch: a, vocab: a.Vocab, embed: w.Embed, norm: w.Norm,
		attention: kernel.NewAttention(a.Heads, a.KVHeads, a.HeadDim),
		angles:    newRotary(a),
	}
	head := w.Head
	if a.Tied {
		head = w.Embed
	}
	t.head = packed(a.Dim, head)
	for i := range w.Layers {
		t.layers = append(t.layers, pack(a, &w.Layers[i]))
	}
	t.angles.reserve(a.MaxLen)
	t.attention.Reserve(a.MaxLen)
	return t, nil
}

// Fork returns a transformer of the same weights with a scratch of its own, so that both may compute at once. It samples
// from the first vocab tokens only.
func (t *Transformer) Fork(vocab int32) *Transformer {
	f := &Transformer{
		arch: t.arch, vocab: min(t.arch.Vocab, int(vocab)), embed: t.embed, layers: t.layers, norm: t.norm, head: t.head,
		angles: t.angles, attention: kernel.NewAttention(t.arch.Heads, t.arch.KVHeads, t.arch.HeadDim),
	}
	f.angles.cos, f.angles.sin = slices.Clip(f.angles.cos), slices.Clip(f.angles.sin) // growing one must not show in the other
	f.attention.Reserve(t.arch.MaxLen)
	return f
}

func pack(a Arch, l *LayerWeights) packedLayer {
	p := packedLayer{
		attnNorm: l.AttnNorm, mlpNorm: l.MLPNorm,
		q: packed(a.Dim, l.Q), kv: packed(a.Dim, l.K, l.V),
		o: packed(a.Heads*a.HeadDim, l.O), down: packed(a.Hidden, l.Down),
	}
	wide := kernel.Padded(a.Hidden)
	p.gates = kernel.NewMatrix(a.Dim, 2*wide)
	p.gates.Pack(0, l.Gate)
	p.gates.Pack(wide, l.Up)
	return p
}

// packed joins matrices of one number of inputs, output by output.
func packed(in int, parts ...[]float32) *kernel.Matrix {
	out := 0
	for _, w := range parts {
		out += len(w) / in
	}
	m, at := kernel.NewMatrix(in, out), 0
	for _, w := range parts {
		m.Pack(at, w)
		at += len(w) / in
	}
	return m
}

// Forward implements Model.
func (t *Transformer) Forward(b *model.Batch, mem *cache.Memory) {
	t.run(b, mem, sampled)
	for i := range t.queries {
		q := &t.queries[i]
		row := &b.Rows[q.row]
		row.Next = append(row.Next[:0], t.sampler.next(t.logitsOf(i), row.Sampling, row.Start+row.N))
	}
}

// Logits computes a batch like Forward, but at all its positions, and shows the logits of each, [vocabulary]. It sets no
// row's Next. The slice is valid during the call.
func (t *Transformer) Logits(b *model.Batch, mem *cache.Memory, visit func(row int, pos int32, logits []float32)) {
	t.run(b, mem, all)
	for i := range t.queries {
		visit(int(t.queries[i].row), t.queries[i].pos, t.logitsOf(i))
	}
}

// Continue computes a batch like Forward, but tells for each position from the given one on which token comes there, and
// computes no more than that takes. It sets no row's Next.
func (t *Transformer) Continue(b *model.Batch, mem *cache.Memory, from int32, visit func(row int, pos int32, next cache.Token)) {
	t.run(b, mem, func(_ *model.Row, pos int32) bool { return pos+1 >= from })
	for i, q := range t.queries {
		visit(int(q.row), q.pos+1, t.sampler.next(t.logitsOf(i), b.Rows[q.row].Sampling, q.pos+1))
	}
}

// wanted says at which positions logits are wanted.
type wanted func(row *model.Row, pos int32) bool

func sampled(row *model.Row, pos int32) bool { return row.Sample && pos == row.Start+row.N-1 }

func all(*model.Row, int32) bool { return true }

// run leaves the queries whose logits are wanted, and their logits, in the scratch.
func (t *Transformer) run(b *model.Batch, mem *cache.Memory, want wanted) {
	t.start(b)
	last := len(t.layers) - 1
	for i := range t.layers {
		t.store(b, mem, i)
		if i == last {
			t.keep(b, want)
		}
		t.attend(b, mem, i)
		t.feed(&t.layers[i])
	}
	n := len(t.queries)
	t.logits = room(t.logits, n*t.head.Stride())
	t.normalise(t.norm)
	t.head.Mul(t.logits, t.head.Stride(), t.n, t.arch.Dim, n)
}

// logitsOf is the logits of a query.
func (t *Transformer) logitsOf(i int) []float32 { return t.logits[i*t.head.Stride():][:t.vocab] }
