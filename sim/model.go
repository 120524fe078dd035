package sim

import (
	"fmt"

	"custody/cache"
	"custody/invariants"
	"custody/model"
	"custody/model/llama"
	"custody/model/recall"
	"custody/traces"
)

// WorkerModel is a model whose KV is watched. Nil is the hash model, for hunting: two layers of one word. Many worlds may
// share one: each works with a scratch of its own over the same weights.
type WorkerModel struct {
	base  *llama.Transformer
	ascii bool // its tokens are characters
}

// NewTransformer returns the small transformer that is built in, for seeing: it answers from its context, so what a leak
// changes, a person can read. Scripts run on it as they are: the shape that they declare is that of the hash model, and
// stands for the model's own; tokens beyond its vocabulary are read modulo its size.
func NewTransformer() (*WorkerModel, error) {
	w, err := recall.Weights()
	if err != nil {
		return nil, err
	}
	m, err := NewModel(w)
	if err != nil {
		return nil, err
	}
	m.ascii = true
	return m, nil
}

// NewModel returns a transformer of weights of one's own. What its tokens spell is not known: they are shown as numbers.
func NewModel(w *llama.Weights) (*WorkerModel, error) {
	t, err := llama.New(w)
	if err != nil {
		return nil, err
	}
	return &WorkerModel{base: t}, nil
}

// Word shows a token, as a character where it is one.
func (m *WorkerModel) Word(t int32) string {
	if (m == nil || m.ascii) && t > ' ' && t < 127 {
		return fmt.Sprintf("%d '%c'", t, t)
	}
	return fmt.Sprint(t)
}

// shape is the layout of a model's KV, as configuration values.
type shape struct{ layers, heads, headDim int64 }

var hashShape = shape{layers: model.HashLayers, heads: 1, headDim: 1}

func (m *WorkerModel) shape() shape {
	if m == nil {
		return hashShape
	}
	a := m.base.Arch()
	return shape{layers: int64(a.Layers), heads: int64(a.KVHeads), headDim: int64(a.HeadDim)}
}

// reshape turns a script's shape into the model's. Who differs from the hash model goes on differing.
func (m *WorkerModel) reshape(c *traces.Config) {
	s := m.shape()
	c[traces.Layers] += s.layers - hashShape.layers
	c[traces.Heads] += s.heads - hashShape.heads
	c[traces.HeadDim] += s.headDim - hashShape.headDim
}

// start returns a model for one worker, of so many tokens.
func (m *WorkerModel) start(vocab int32) model.Model {
	if m == nil {
		return model.NewHash(vocab)
	}
	return m.base.Fork(vocab)
}

// alone computes what a request gets that has a fresh cache to itself.
type alone struct {
	model *llama.Transformer
	mem   *cache.Memory
	batch model.Batch
}

// aloneBlock is the block size of the fresh cache. What a request gets does not depend on it.
const aloneBlock = 16

func (m *WorkerModel) alone(c *setup) invariants.Alone {
	if m == nil {
		return nil // the ledger follows the hash model by itself
	}
	blocks := (c.i32(traces.MaxLen) + aloneBlock - 1) / aloneBlock
	a := &alone{model: m.base.Fork(c.i32(traces.Vocab)), mem: cache.NewMemory(m.base.Arch().Layout(blocks, aloneBlock))}
	a.batch.Rows = make([]model.Row, 1)
	for b := range blocks {
		a.batch.Rows[0].Table = append(a.batch.Rows[0].Table, cache.BlockID(b))
	}
	return a
}

// Differs implements invariants.Alone by teacher forcing: one pass over all of the text but its last token.
func (a *alone) Differs(id cache.Identity, s cache.Sampling, text []cache.Token, prompt int32) int32 {
	row := &a.batch.Rows[0]
	row.ID, row.Sampling, row.N = id, s, int32(len(text)-1)
	row.Input = append(row.Input[:0], text[:row.N]...)
	differs := int32(-1)
	a.model.Continue(&a.batch, a.mem, prompt, func(_ int, pos int32, next cache.Token) {
		if differs < 0 && text[pos] != next {
			differs = pos
		}
	})
	return differs
}
