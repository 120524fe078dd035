package train

import "custody/model/kernel"

// matrix is rows of equal length, one behind the other. Rows come in multiples of 16 and so do columns, so that one
// kernel serves every product: sequences are padded, and the padding's gradients are zero.
type matrix struct {
	rows, cols int
	x          []float32
}

const blockRows = 16

func roundUp(n int) int { return (n + blockRows - 1) / blockRows * blockRows }

func newMatrix(rows, cols int) matrix { return matrix{rows, cols, make([]float32, rows*cols)} }

// shape changes the number of rows, within what was allocated. The contents are those of earlier use.
func (m *matrix) shape(rows int) *matrix {
	m.rows, m.x = rows, m.x[:rows*m.cols]
	return m
}

func (m *matrix) row(i int) []float32 { return m.x[i*m.cols : (i+1)*m.cols : (i+1)*m.cols] }

func (m *matrix) view() view { return view{m.x, m.cols, 1} }

// gather copies the rows at the given places.
func (m *matrix) gather(from *matrix, at []int) {
	for i, t := range at {
		copy(m.row(i), from.row(t))
	}
}

// scatter adds each row to the one at its place.
func (m *matrix) scatter(to *matrix, at []int) {
	for i, t := range at {
		kernel.Add(to.row(t), m.row(i))
	}
}

// view is how a product reads a matrix or a part of one: element (i,j) lies at x[i*row+j*col].
type view struct {
	x        []float32
	row, col int
}

func (v view) at(i, j int) view { return view{v.x[i*v.row+j*v.col:], v.row, v.col} }

func (v view) flipped() view { return view{v.x, v.col, v.row} }

// multiply is c = a b, or c += a b if keep, with a of m x k and b of k x n; m is a multiple of 4 and n of 16. Every
// element of c has one accumulator, and k ascends.
func multiply(c, a, b view, m, n, k int, keep bool) {
	if k == 0 && keep {
		return
	}
	for i := 0; i < m; i += tileRows {
		for j := 0; j < n; j += tileCols {
			tile(c.at(i, j), a.at(i, 0), b.at(0, j), k, keep)
		}
	}
}

// transpose writes b[j][i] = a[i][j].
func transpose(b, a view, rows, cols int) {
	for i := range rows {
		for j := range cols {
			b.x[j*b.row+i] = a.x[i*a.row+j]
		}
	}
}
