package kernel

// panel is how many outputs are computed side by side.
const panel = 16

// Matrix is a matrix of weights, packed for products that run across outputs: panels of 16 outputs, each [input][16].
// Outputs are padded with zeros to whole panels.
type Matrix struct {
	in, out int
	words   []float32
}

// NewMatrix returns a zero matrix of in inputs and out outputs.
func NewMatrix(in, out int) *Matrix {
	return &Matrix{in: in, out: out, words: make([]float32, Padded(out)*in)}
}

// Pack writes the rows of w, row-major [rows][in], to the outputs from at on.
func (m *Matrix) Pack(at int, w []float32) {
	for row := range len(w) / m.in {
		o := at + row
		to := m.words[o/panel*panel*m.in+o%panel:]
		for k := range m.in {
			to[k*panel] = w[row*m.in+k]
		}
	}
}

// Padded is a number of outputs, rounded up to whole panels.
func Padded(outputs int) int { return roundUp(outputs, panel) }

// Stride is the number of outputs with padding: the least width of a row of results.
func (m *Matrix) Stride() int { return Padded(m.out) }

// Mul sets rows rows of y, of width yStride, to the products of the matrix with the rows of x, of width xStride.
// Padding outputs become 0.
//
//	y[r][o] = (((0 + w[o][0] x[r][0]) + w[o][1] x[r][1]) + ...)
func (m *Matrix) Mul(y []float32, yStride int, x []float32, xStride, rows int) {
	if rows == 0 {
		return
	}
	y = y[:(rows-1)*yStride+m.Stride()]
	x = x[:(rows-1)*xStride+m.in]
	mul(y, yStride, x, xStride, m.words, m.in, m.Stride()/panel, rows)
}

func mulPlain(y []float32, yStride int, x []float32, xStride int, words []float32, in, panels, rows int) {
	for r := range rows {
		row := x[r*xStride:][:in]
		for p := range panels {
			to, from := y[r*yStride+p*panel:][:panel], words[p*panel*in:][:panel*in]
			for o := 0; o < panel; o += 4 {
				four(to[o:], row, from[o:])
			}
		}
	}
}

// four computes four outputs of a panel.
func four(y, x, words []float32) {
	var a, b, c, d float32
	for k, v := range x {
		w := words[k*panel:][:4]
		a += float32(v * w[0])
		b += float32(v * w[1])
		c += float32(v * w[2])
		d += float32(v * w[3])
	}
	y[0], y[1], y[2], y[3] = a, b, c, d
}
