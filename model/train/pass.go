package train

import (
	"custody/cache"
	"custody/model"
	"custody/model/kernel"
	"custody/model/numeric"
)

// pass carries one sequence through the network and its gradients back. It belongs to one thread; the weights are shared.
//
//	x ─norm─▶ a ─▶ q,k,v ─rope─▶ attention ─o─▶ + x ─norm─▶ b ─▶ gate,up ─swiglu─▶ hidden ─down─▶ + ... ─norm─▶ head
//
// Nobody asks for the last layer's other rows: it computes only those that are to predict something.
type pass struct {
	plan         *plan
	flat         []float32 // the weights
	turned       []float32 // the same, every matrix transposed
	rope         *rope
	scale        float32 // of queries
	tokens       []cache.Token
	all          []int // every position
	asked        []int // the positions that predict, padded
	layers       []*layer
	out          matrix // [asked][Dim] behind the last layer
	normed       matrix // out, normed
	logits       matrix
	dx, dmid, da matrix // gradients [row][Dim]
	dbelow       matrix
	datt, dq     matrix
	dk, dv       matrix
	dhidden      matrix
}

// layer is what one layer remembers for the way back.
type layer struct {
	at                []int
	x, a, picked, mid matrix // input, normed, the normed rows that are asked for, after attention
	b                 matrix
	attention         *attention
	gate, up, hidden  matrix
}

func newPass(p *plan, most int) *pass {
	s, most := p.Arch, roundUp(most)
	rows := func(cols int) matrix { return newMatrix(most, cols) }
	w := &pass{
		plan: p, scale: 1 / numeric.Sqrt(float32(s.HeadDim)), rope: newRope(s.RopeBase, s.HeadDim, most),
		out: rows(s.Dim), normed: rows(s.Dim), logits: rows(s.Vocab),
		dx: rows(s.Dim), dmid: rows(s.Dim), da: rows(s.Dim), dbelow: rows(s.Dim),
		datt: rows(queryWidth(s)), dq: rows(queryWidth(s)), dk: rows(keyWidth(s)), dv: rows(keyWidth(s)),
		dhidden: rows(s.Hidden),
	}
	for range s.Layers {
		w.layers = append(w.layers, &layer{
			x: rows(s.Dim), a: rows(s.Dim), picked: rows(s.Dim), mid: rows(s.Dim), b: rows(s.Dim),
			attention: newAttention(s, most), gate: rows(s.Hidden), up: rows(s.Hidden), hidden: rows(s.Hidden),
		})
	}
	return w
}

// forward computes the logits of the tokens that follow the given positions, which ascend.
func (p *pass) forward(tokens []cache.Token, predict []int) *matrix {
	p.begin(tokens, predict)
	p.embed()
	for i, l := range p.layers {
		p.down(i, l, p.input(i+1))
	}
	normForward(p.normed.shape(len(p.asked)), &p.out, p.plan.norm.of(p.flat), p.plan.Eps)
	p.linear(p.logits.shape(len(p.asked)), &p.normed, p.plan.head, false)
	return &p.logits
}

// begin pads the sequence and the positions that are asked for.
func (p *pass) begin(tokens []cache.Token, predict []int) {
	p.tokens = append(p.tokens[:0], tokens...)
	for len(p.tokens)%blockRows > 0 {
		p.tokens = append(p.tokens, model.Pad)
	}
	p.all = p.all[:0]
	for t := range p.tokens {
		p.all = append(p.all, t)
	}
	p.asked = append(p.asked[:0], predict...)
	for len(p.asked)%blockRows > 0 {
		p.asked = append(p.asked, len(p.tokens)-1)
	}
	for i, l := range p.layers {
		l.at = p.all
		if i == len(p.layers)-1 {
			l.at = p.asked
		}
		l.shape(len(p.tokens))
	}
	p.out.shape(len(p.asked))
}

func (l *layer) shape(positions int) {
	for _, m := range []*matrix{&l.x, &l.a} {
		m.shape(positions)
	}
	for _, m := range []*matrix{&l.picked, &l.mid, &l.b, &l.gate, &l.up, &l.hidden} {
		m.shape(len(l.at))
	}
	l.attention.shape(positions, l.at)
}

// input is what layer i reads; behind the last layer, what the head reads.
func (p *pass) input(i int) *matrix {
	if i == len(p.layers) {
		return &p.out
	}
	return &p.layers[i].x
}

func (p *pass) embed() {
	x, table := p.input(0), p.plan.embed.matrix(p.flat)
	for t, token := range p.tokens {
		copy(x.row(t), table.row(int(token)))
	}
}

// down carries the rows through one layer.
func (p *pass) down(i int, l *layer, out *matrix) {
	b := &p.plan.blocks[i]
	normForward(&l.a, &l.x, b.norm1.of(p.flat), p.plan.Eps)
	l.picked.gather(&l.a, l.at)
	p.linear(&l.attention.q, &l.picked, b.q, false)
	p.linear(&l.attention.k, &l.a, b.k, false)
	p.linear(&l.attention.v, &l.a, b.v, false)
	p.rope.turn(&l.attention.q, l.at, p.scale)
	p.rope.turn(&l.attention.k, p.all, 1)
	l.attention.forward()
	l.mid.gather(&l.x, l.at)
	p.linear(&l.mid, &l.attention.out, b.o, true)

	normForward(&l.b, &l.mid, b.norm2.of(p.flat), p.plan.Eps)
	p.linear(&l.gate, &l.b, b.gate, false)
	p.linear(&l.up, &l.b, b.up, false)
	kernel.Gate(l.hidden.x, l.gate.x, l.up.x)
	copy(out.x, l.mid.x)
	p.linear(out, &l.hidden, b.down, true)
}

// linear is y = x Wᵀ, or y += x Wᵀ if keep.
func (p *pass) linear(y, x *matrix, t tensor, keep bool) {
	multiply(y.view(), x.view(), view{t.of(p.turned), t.rows, 1}, x.rows, t.rows, t.cols, keep)
}

// backward adds the gradients of all weights to grad, given those of the logits.
func (p *pass) backward(dlogits *matrix, grad []float32) {
	rows := len(p.asked)
	p.linearBackward(p.da.shape(rows), dlogits, &p.normed, p.plan.head, grad, false)
	clear(p.dx.shape(rows).x)
	normBackward(&p.dx, &p.da, &p.out, p.plan.norm.of(p.flat), p.plan.norm.of(grad), p.plan.Eps)
	for i := len(p.layers) - 1; i >= 0; i-- {
		p.up(i, p.layers[i], grad)
		p.dx, p.dbelow = p.dbelow, p.dx
	}
	dembed := p.plan.embed.matrix(grad)
	for t, token := range p.tokens {
		kernel.Add(dembed.row(int(token)), p.dx.row(t))
	}
}

// up carries the gradient of a layer's output, dx, to that of its input, dbelow.
func (p *pass) up(i int, l *layer, grad []float32) {
	b, rows := &p.plan.blocks[i], len(l.at)
	p.linearBackward(p.dhidden.shape(rows), &p.dx, &l.hidden, b.down, grad, false)
	swigluBackward(p.dhidden.x, l.gate.x, l.up.x)
	p.linearBackward(p.da.shape(rows), &l.gate, &l.b, b.gate, grad, false)
	p.linearBackward(&p.da, &l.up, &l.b, b.up, grad, true)
	copy(p.dmid.shape(rows).x, p.dx.x)
	normBackward(&p.dmid, &p.da, &l.mid, b.norm2.of(p.flat), b.norm2.of(grad), p.plan.Eps)

	p.linearBackward(p.datt.shape(rows), &p.dmid, &l.attention.out, b.o, grad, false)
	l.attention.backward(&p.datt, p.dq.shape(rows), p.dk.shape(l.x.rows), p.dv.shape(l.x.rows))
	p.rope.unturn(&p.dq, l.at, p.scale)
	p.rope.unturn(&p.dk, p.all, 1)
	p.linearBackward(p.dx.shape(rows), &p.dq, &l.picked, b.q, grad, false)
	p.linearBackward(p.da.shape(l.x.rows), &p.dk, &l.a, b.k, grad, false)
	p.linearBackward(&p.da, &p.dv, &l.a, b.v, grad, true)
	p.dx.scatter(&p.da, l.at)
	clear(p.dbelow.shape(l.x.rows).x)
	p.dmid.scatter(&p.dbelow, l.at)
	normBackward(&p.dbelow, &p.da, &l.x, b.norm1.of(p.flat), b.norm1.of(grad), p.plan.Eps)
}

// linearBackward is dx = dy W, or dx += dy W if keep, and dW += dyᵀ x.
func (p *pass) linearBackward(dx, dy, x *matrix, t tensor, grad []float32, keep bool) {
	multiply(dx.view(), dy.view(), t.matrix(p.flat).view(), dy.rows, t.cols, t.rows, keep)
	multiply(t.matrix(grad).view(), dy.view().flipped(), x.view(), t.rows, t.cols, dy.rows, true)
}
