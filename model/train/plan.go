package train

import "custody/model/llama"

func queryWidth(a llama.Arch) int { return a.Heads * a.HeadDim }
func keyWidth(a llama.Arch) int   { return a.KVHeads * a.HeadDim }

// tensor is a matrix [rows][cols] within the flat vector of all parameters; a gain has one row.
type tensor struct {
	name           string
	rows, cols, at int
}

func (t tensor) of(flat []float32) []float32 { return flat[t.at : t.at+t.rows*t.cols] }

func (t tensor) matrix(flat []float32) *matrix { return &matrix{t.rows, t.cols, t.of(flat)} }

// gain tells a norm's tensor from a matrix.
func (t tensor) gain() bool { return t.rows == 1 }

type block struct{ norm1, q, k, v, o, norm2, gate, up, down tensor }

// plan is where each tensor lies in the flat vector: in the order of llama.Weights.
type plan struct {
	llama.Arch
	all               []tensor
	size              int
	embed, norm, head tensor
	blocks            []block
}

// newPlan lays out weights of the shape. Widths are multiples of 16, and the head is not tied.
func newPlan(a llama.Arch) *plan {
	p := &plan{Arch: a}
	for _, t := range llama.NewWeights(a).Tensors() {
		one := tensor{name: t.Name, rows: 1, cols: t.Shape[len(t.Shape)-1], at: p.size}
		if len(t.Shape) == 2 {
			one.rows = t.Shape[0]
		}
		p.all = append(p.all, one)
		p.size += len(t.Data)
	}
	rest := p.all
	take := func() tensor {
		t := rest[0]
		rest = rest[1:]
		return t
	}
	p.embed = take()
	for range a.Layers {
		p.blocks = append(p.blocks, block{take(), take(), take(), take(), take(), take(), take(), take(), take()})
	}
	p.norm, p.head = take(), take()
	return p
}

// weights are the flat vector as the model wants it.
func (p *plan) weights(flat []float32) *llama.Weights {
	w := llama.NewWeights(p.Arch)
	for i, t := range w.Tensors() {
		copy(t.Data, p.all[i].of(flat))
	}
	return w
}

// flatten is the way back of weights.
func (p *plan) flatten(w *llama.Weights) []float32 {
	flat := make([]float32, p.size)
	for i, t := range w.Tensors() {
		copy(p.all[i].of(flat), t.Data)
	}
	return flat
}

// transposed fills a second flat vector with every matrix turned.
func (p *plan) transposed(to, flat []float32) {
	for _, t := range p.all {
		transpose(view{t.of(to), t.rows, 1}, t.matrix(flat).view(), t.rows, t.cols)
	}
}
