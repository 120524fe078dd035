package train

import "custody/model/llama"

// attention is what one layer's attention remembers. Queries are the rows that somebody asks for, at ascending
// positions; keys and values are all positions.
type attention struct {
	heads, groups, headDim int         // groups of heads share keys and values
	at                     []int       // of a query: its position
	q, k, v, out           matrix      // [query][heads x dim], [position][groups x dim] twice, [query][heads x dim]
	weights                [][]float32 // by head: [query][position], zero behind the query's own position
	flat                   matrix      // scratch: keys or values [groups x dim][position]
	dweights               []float32   // scratch: [query][position]
}

func newAttention(s llama.Arch, most int) *attention {
	a := &attention{
		heads: s.Heads, groups: s.KVHeads, headDim: s.HeadDim,
		q: newMatrix(most, queryWidth(s)), out: newMatrix(most, queryWidth(s)),
		k: newMatrix(most, keyWidth(s)), v: newMatrix(most, keyWidth(s)), flat: newMatrix(keyWidth(s), most),
		weights: make([][]float32, s.Heads), dweights: make([]float32, most*most),
	}
	for h := range a.weights {
		a.weights[h] = make([]float32, most*most)
	}
	return a
}

// shape sets the number of positions and the queries.
func (a *attention) shape(positions int, at []int) {
	a.at = at
	a.q.shape(len(at))
	a.out.shape(len(at))
	a.k.shape(positions)
	a.v.shape(positions)
}

// seen is how many positions the block of queries that starts at i looks at, a multiple of 16.
func (a *attention) seen(i int) int { return roundUp(a.at[i+blockRows-1] + 1) }

// of is the part of a matrix that belongs to head or group h.
func (a *attention) of(m *matrix, h int) view { return m.view().at(0, h*a.headDim) }

func (a *attention) group(head int) int { return head / (a.heads / a.groups) }

func (a *attention) table(x []float32) view { return view{x, a.k.rows, 1} }

// turned is the transposed matrix, of which head h is rows.
func (a *attention) turned(m *matrix) {
	transpose(view{a.flat.x, m.rows, 1}, m.view(), m.rows, m.cols)
}

func (a *attention) turnedOf(h int) view { return view{a.flat.x[h*a.headDim*a.k.rows:], a.k.rows, 1} }

func (a *attention) forward() {
	a.turned(&a.k)
	for h := range a.heads {
		g, weights := a.group(h), a.table(a.weights[h])
		for i := 0; i < len(a.at); i += blockRows {
			n := a.seen(i)
			multiply(weights.at(i, 0), a.of(&a.q, h).at(i, 0), a.turnedOf(g), blockRows, n, a.headDim, false)
			for r := i; r < i+blockRows; r++ {
				a.softmax(weights.at(r, 0).x[:n], a.at[r])
			}
			multiply(a.of(&a.out, h).at(i, 0), weights.at(i, 0), a.of(&a.v, g), blockRows, a.headDim, n, false)
		}
	}
}

// softmax leaves no weight to what lies behind the query.
func (a *attention) softmax(row []float32, at int) {
	for j := at + 1; j < len(row); j++ {
		row[j] = masked
	}
	softmax(row)
}

// backward turns the gradient of out into those of q (set), k and v (set).
func (a *attention) backward(dout, dq, dk, dv *matrix) {
	a.turned(&a.v)
	clear(dk.x)
	clear(dv.x)
	dweights := a.table(a.dweights)
	for h := range a.heads {
		g, weights := a.group(h), a.table(a.weights[h])
		for i := 0; i < len(a.at); i += blockRows {
			n := a.seen(i)
			multiply(dweights.at(i, 0), a.of(dout, h).at(i, 0), a.turnedOf(g), blockRows, n, a.headDim, false)
			for r := i; r < i+blockRows; r++ {
				softmaxBackward(dweights.at(r, 0).x[:n], weights.at(r, 0).x[:n])
			}
			multiply(a.of(dq, h).at(i, 0), dweights.at(i, 0), a.of(&a.k, g), blockRows, a.headDim, n, false)
		}
		a.backwardKeys(a.of(dv, g), weights, a.of(dout, h))
		a.backwardKeys(a.of(dk, g), dweights, a.of(&a.q, h))
	}
}

// backwardKeys is d += tableᵀ rows, a block of positions at a time, over the queries that see the block.
func (a *attention) backwardKeys(d, table, rows view) {
	first := 0
	for j := 0; j < a.k.rows; j += blockRows {
		for first < len(a.at) && a.seen(first) <= j {
			first += blockRows
		}
		if n := len(a.at) - first; n > 0 {
			multiply(d.at(j, 0), table.at(first, j).flipped(), rows.at(first, 0), blockRows, a.headDim, n, true)
		}
	}
}
