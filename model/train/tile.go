package train

const (
	tileRows = 4
	tileCols = 16
)

// tilePlain computes 4 rows of 16 columns. It works on 2 x 4 at a time, which fit the registers.
func tilePlain(c, a, b view, k int, keep bool) {
	for i := 0; i < tileRows; i += 2 {
		for j := 0; j < tileCols; j += 4 {
			tile2x4(c.at(i, j), a.at(i, 0), b.at(0, j), k, keep)
		}
	}
}

func tile2x4(c, a, b view, k int, keep bool) {
	var c00, c01, c02, c03, c10, c11, c12, c13 float32
	top, low := c.x[:4:4], c.x[c.row:c.row+4:c.row+4]
	if keep {
		c00, c01, c02, c03 = top[0], top[1], top[2], top[3]
		c10, c11, c12, c13 = low[0], low[1], low[2], low[3]
	}
	at, from := 0, 0
	for range k {
		x, y := a.x[at], a.x[at+a.row]
		r := b.x[from : from+4 : from+4]
		c00 += float32(x * r[0])
		c01 += float32(x * r[1])
		c02 += float32(x * r[2])
		c03 += float32(x * r[3])
		c10 += float32(y * r[0])
		c11 += float32(y * r[1])
		c12 += float32(y * r[2])
		c13 += float32(y * r[3])
		at += a.col
		from += b.row
	}
	top[0], top[1], top[2], top[3] = c00, c01, c02, c03
	low[0], low[1], low[2], low[3] = c10, c11, c12, c13
}
