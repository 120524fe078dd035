package llama

import (
	"math"

	"custody/cache"
	"custody/model"
	"custody/model/kernel"
	"custody/model/numeric"
)

// scratch is what a pass computes with: one row of numbers a query in each slice. It grows to the largest batch seen.
type scratch struct {
	queries []query
	x       []float32  // [query][dim] the stream
	n       []float32  // [query][dim] the stream, normalised
	kv      []float32  // [query][K: kv head × head size, V: as much]
	q       []float32  // [query][head][head size]
	mixed   []float32  // [query][head][head size] likewise: what attention found
	gates   []float32  // [query][gate: hidden, up: hidden]
	hidden  []float32  // [query][hidden]
	added   []float32  // [query][dim] what a part of a layer adds to the stream
	logits  []float32  // [query][vocabulary]
	k, v    [][]uint32 // blocks that a row reads
	weights []float32  // for the watch
}

// query is one position of one row.
type query struct {
	row, pos int32
}

// room returns s with n elements, in place if it can hold them.
func room(s []float32, n int) []float32 {
	if n > cap(s) {
		return make([]float32, n, n+n/4)
	}
	return s[:n]
}

// start lists the queries of a batch in the order of rows and positions, and embeds their tokens.
func (t *Transformer) start(b *model.Batch) {
	t.queries = t.queries[:0]
	for i := range b.Rows {
		row := &b.Rows[i]
		t.angles.reserve(int(row.Start + row.N))
		t.attention.Reserve(int(row.Start + row.N))
		for pos := row.Start; pos < row.Start+row.N; pos++ {
			t.queries = append(t.queries, query{int32(i), pos})
		}
	}
	n, d := len(t.queries), t.arch.Dim
	t.x, t.n = room(t.x, n*d), room(t.n, n*d)
	for i, q := range t.queries {
		row := &b.Rows[q.row]
		// Admission refuses a token beyond the vocabulary; should a defect bring one, the pass goes on.
		at := int(uint32(row.Input[q.pos-row.Start]) % uint32(t.arch.Vocab))
		copy(t.x[i*d:][:d], t.embed[at*d:])
	}
}

func (t *Transformer) normalise(w []float32) {
	d := t.arch.Dim
	for i := range t.queries {
		kernel.Norm(t.n[i*d:][:d], t.x[i*d:][:d], w, t.arch.Eps)
	}
}

// store computes K and V of all queries and writes them to the cache, row by row.
func (t *Transformer) store(b *model.Batch, mem *cache.Memory, layer int) {
	l := &t.layers[layer]
	t.normalise(l.attnNorm)
	width, words := l.kv.Stride(), t.arch.KVHeads*t.arch.HeadDim
	t.kv = room(t.kv, len(t.queries)*width)
	l.kv.Mul(t.kv, width, t.n, t.arch.Dim, len(t.queries))
	for i, q := range t.queries {
		cos, sin := t.angles.at(q.pos)
		kernel.Rotate(t.kv[i*width:][:words], cos, sin, 1)
	}
	from := t.kv
	for i := range b.Rows {
		row := &b.Rows[i]
		v := mem.Write(&row.Used, layer)
		for j := range v.Blocks() {
			k, val := v.Block(j)
			for ; len(k) > 0; k, val, from = k[words:], val[words:], from[width:] {
				toBits(k[:words], from)
				toBits(val[:words], from[words:])
			}
		}
	}
}

func toBits(dst []uint32, src []float32) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = math.Float32bits(src[i])
	}
}

// keep drops the queries from which nothing is wanted: after the last layer's K and V nobody needs them.
func (t *Transformer) keep(b *model.Batch, want wanted) {
	kept, d := 0, t.arch.Dim
	for i, q := range t.queries {
		if want(&b.Rows[q.row], q.pos) {
			copy(t.x[kept*d:][:d], t.x[i*d:])
			copy(t.n[kept*d:][:d], t.n[i*d:])
			t.queries[kept] = q
			kept++
		}
	}
	t.queries = t.queries[:kept]
}

// attend adds to the stream what the queries find in the cache, row by row.
func (t *Transformer) attend(b *model.Batch, mem *cache.Memory, layer int) {
	l := &t.layers[layer]
	n, wide, width := len(t.queries), t.arch.Heads*t.arch.HeadDim, l.q.Stride()
	t.q, t.mixed = room(t.q, n*width), room(t.mixed, n*width)
	l.q.Mul(t.q, width, t.n, t.arch.Dim, n)
	scale := 1 / numeric.Sqrt(float32(t.arch.HeadDim))
	for i, q := range t.queries {
		cos, sin := t.angles.at(q.pos)
		kernel.Rotate(t.q[i*width:][:wide], cos, sin, scale)
	}
	for i := 0; i < n; {
		count := t.ofOneRow(i)
		t.read(b, mem, layer, &b.Rows[t.queries[i].row])
		t.search(i, count, layer)
		i += count
	}
	t.add(l.o, t.mixed, width)
}

// ofOneRow is the number of queries from i on that are at consecutive positions of one row.
func (t *Transformer) ofOneRow(i int) int {
	n, q := 0, t.queries[i]
	for i+n < len(t.queries) && t.queries[i+n] == (query{q.row, q.pos + int32(n)}) {
		n++
	}
	return n
}

// search computes the attention of count queries of one row: together, or one by one for the watch.
func (t *Transformer) search(i, count, layer int) {
	width, together := len(t.q)/len(t.queries), count
	if t.watch != nil {
		together = 1
	}
	for end := i + count; i < end; i += together {
		q := t.queries[i]
		t.attention.Queries(t.mixed[i*width:], t.q[i*width:], width, together, t.k, t.v, int(q.pos)+1)
		if t.watch != nil {
			t.tell(q, layer)
		}
	}
}

// read lists the blocks of a row's positions so far.
func (t *Transformer) read(b *model.Batch, mem *cache.Memory, layer int, row *model.Row) {
	view := mem.Read(&row.Used, layer)
	t.k, t.v = t.k[:0], t.v[:0]
	for i := range view.Blocks() {
		k, v := view.Block(i)
		t.k, t.v = append(t.k, k), append(t.v, v)
	}
}

func (t *Transformer) tell(q query, layer int) {
	for head := range t.arch.Heads {
		t.weights = t.attention.Weights(t.weights[:0], head, int(q.pos)+1)
		t.watch(int(q.row), layer, head, q.pos, t.weights)
	}
}

// feed is the feed-forward part of a layer.
func (t *Transformer) feed(l *packedLayer) {
	t.normalise(l.mlpNorm)
	n, wide := len(t.queries), kernel.Padded(t.arch.Hidden)
	t.gates, t.hidden = room(t.gates, n*2*wide), room(t.hidden, n*wide)
	l.gates.Mul(t.gates, 2*wide, t.n, t.arch.Dim, n)
	for i := range n {
		both := t.gates[i*2*wide:][:2*wide]
		kernel.Gate(t.hidden[i*wide:][:wide], both[:wide], both[wide:])
	}
	t.add(l.down, t.hidden, wide)
}

// add adds the products of m with the rows of y to the stream.
func (t *Transformer) add(m *kernel.Matrix, y []float32, yStride int) {
	n, d, width := len(t.queries), t.arch.Dim, m.Stride()
	t.added = room(t.added, n*width)
	m.Mul(t.added, width, y, yStride, n)
	for i := range n {
		kernel.Add(t.x[i*d:][:d], t.added[i*width:])
	}
}
