package train

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	"custody/model/kernel"
	"custody/model/llama"
)

// Every gradient is compared with what the loss does when one number moves a little: (f(x+e) - f(x-e)) / 2e.

// probe is a random weighting of an output, which makes a loss of it.
type probe struct{ rng *rand.Rand }

func newProbe() *probe { return &probe{rand.New(rand.NewPCG(1, 2))} }

func (p *probe) matrix(rows, cols int) *matrix {
	m := newMatrix(rows, cols)
	p.fill(m.x)
	return &m
}

func (p *probe) vector(n int) []float32 {
	x := make([]float32, n)
	p.fill(x)
	return x
}

func (p *probe) fill(x []float32) {
	for i := range x {
		x[i] = float32(p.rng.Float64()*2 - 1)
	}
}

// against is the loss: the sum of output times weighting, in float64.
func against(y, weighting []float32) float64 {
	sum := 0.0
	for i, v := range y {
		sum += float64(v) * float64(weighting[i])
	}
	return sum
}

// requireGradient moves up to 60 of the numbers x and compares with got.
func requireGradient(t *testing.T, what string, x, got []float32, loss func() float64) {
	t.Helper()
	const move, most = 4e-3, 60
	var away, size float64
	for i := 0; i < len(x); i += max(1, len(x)/most) {
		was := x[i]
		x[i] = was + move
		up := loss()
		x[i] = was - move
		down := loss()
		x[i] = was
		want := (up - down) / (2 * move)
		away += (want - float64(got[i])) * (want - float64(got[i]))
		size += want * want
	}
	require.NotZero(t, size, "%s: nothing moves the loss", what)
	require.Less(t, math.Sqrt(away/size), 0.01, "%s: the gradient's distance from the finite differences, relative", what)
}

func TestGradientOfALinearLayer(t *testing.T) {
	p := newProbe()
	x, w, weighting := p.matrix(16, 32), p.matrix(48, 32), p.matrix(16, 48)
	y, dx, dw, turned := newMatrix(16, 48), newMatrix(16, 32), newMatrix(48, 32), newMatrix(32, 48)
	one := &pass{flat: w.x, turned: turned.x}
	shape := tensor{"w", 48, 32, 0}
	loss := func() float64 {
		transpose(turned.view(), w.view(), 48, 32)
		one.linear(&y, x, shape, false)
		return against(y.x, weighting.x)
	}
	one.linearBackward(&dx, weighting, x, shape, dw.x, false)
	requireGradient(t, "x", x.x, dx.x, loss)
	requireGradient(t, "w", w.x, dw.x, loss)
}

func TestGradientOfTheNorm(t *testing.T) {
	p := newProbe()
	x, weighting, gain := p.matrix(16, 32), p.matrix(16, 32), p.vector(32)
	y, dx, dgain := newMatrix(16, 32), newMatrix(16, 32), make([]float32, 32)
	loss := func() float64 {
		normForward(&y, x, gain, 1e-5)
		return against(y.x, weighting.x)
	}
	normBackward(&dx, weighting, x, gain, dgain, 1e-5)
	requireGradient(t, "x", x.x, dx.x, loss)
	requireGradient(t, "gain", gain, dgain, loss)
}

func TestGradientOfTheRotation(t *testing.T) {
	p := newProbe()
	at := []int{3, 7, 8, 40}
	r := newRope(100, 16, 41)
	x, weighting := p.matrix(4, 32), p.matrix(4, 32)
	loss := func() float64 {
		y := newMatrix(4, 32)
		copy(y.x, x.x)
		r.turn(&y, at, 0.5)
		return against(y.x, weighting.x)
	}
	dx := newMatrix(4, 32)
	copy(dx.x, weighting.x)
	r.unturn(&dx, at, 0.5)
	requireGradient(t, "x", x.x, dx.x, loss)
}

func TestGradientOfTheGate(t *testing.T) {
	p := newProbe()
	gate, up, weighting := p.vector(48), p.vector(48), p.vector(48)
	y := make([]float32, 48)
	loss := func() float64 {
		kernel.Gate(y, gate, up)
		return against(y, weighting)
	}
	dgate, dup := append([]float32{}, gate...), append([]float32{}, up...)
	swigluBackward(weighting, dgate, dup)
	requireGradient(t, "gate", gate, dgate, loss)
	requireGradient(t, "up", up, dup, loss)
}

// All positions ask, or only some of a longer sequence.
func TestGradientOfAttention(t *testing.T) {
	every := make([]int, 48)
	for i := range every {
		every[i] = i
	}
	some := []int{0, 5, 6, 7, 17, 18, 19, 25, 30, 31, 32, 33, 40, 44, 46, 47}
	for name, at := range map[string][]int{"all": every, "some": some} {
		t.Run(name, func(t *testing.T) {
			p := newProbe()
			a := newAttention(llama.Arch{Heads: 4, KVHeads: 2, HeadDim: 16}, 48)
			a.shape(48, at)
			for _, m := range []*matrix{&a.q, &a.k, &a.v} {
				p.fill(m.x)
			}
			weighting := p.matrix(len(at), 64)
			loss := func() float64 {
				a.forward()
				return against(a.out.x, weighting.x)
			}
			loss()
			dq, dk, dv := newMatrix(len(at), 64), newMatrix(48, 32), newMatrix(48, 32)
			a.backward(weighting, &dq, &dk, &dv)
			requireGradient(t, "q", a.q.x, dq.x, loss)
			requireGradient(t, "k", a.k.x, dk.x, loss)
			requireGradient(t, "v", a.v.x, dv.x, loss)
		})
	}
}

func TestGradientOfTheLoss(t *testing.T) {
	p := newProbe()
	logits, targets := p.matrix(16, 32), []cache.Token{3, 1, 31, 0, 7}
	loss := func() float64 {
		scratch := newMatrix(16, 32)
		copy(scratch.x, logits.x)
		sum, _ := crossEntropy(&scratch, targets, 1)
		return sum
	}
	d := newMatrix(16, 32)
	copy(d.x, logits.x)
	crossEntropy(&d, targets, 1)
	requireGradient(t, "logits", logits.x, d.x, loss)
}

// Two layers from the tokens to the loss, tensor by tensor. The embedding is among them.
func TestGradientOfTheWholeNetwork(t *testing.T) {
	s := llama.Arch{Vocab: 32, Dim: 16, Layers: 2, Heads: 4, KVHeads: 2, HeadDim: 16, Hidden: 32, RopeBase: 100, Eps: 1e-5}
	plan := newPlan(s)
	p := newProbe()
	flat, grad, turned := p.vector(plan.size), make([]float32, plan.size), make([]float32, plan.size)
	one := newPass(plan, 48)
	one.flat, one.turned = flat, turned
	var tokens []cache.Token
	for range 45 {
		tokens = append(tokens, cache.Token(p.rng.IntN(s.Vocab)))
	}
	predict, targets := []int{4, 5, 9, 20, 40, 44}, []cache.Token{1, 2, 3, 4, 5, 6}
	loss := func() float64 {
		plan.transposed(turned, flat)
		sum, _ := crossEntropy(one.forward(tokens, predict), targets, 1)
		return sum
	}
	loss()
	one.backward(&one.logits, grad)
	for _, tensor := range plan.all {
		t.Run(tensor.name, func(t *testing.T) {
			requireGradient(t, tensor.name, tensor.of(flat), tensor.of(grad), loss)
		})
	}
}
