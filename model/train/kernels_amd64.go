//go:build !purego

package train

import "golang.org/x/sys/cpu"

var assembly = cpu.X86.HasAVX2

func tile(c, a, b view, k int, keep bool) {
	if !assembly {
		tilePlain(c, a, b, k, keep)
		return
	}
	// The kernel reads and writes without looking; these look at the farthest elements.
	_ = c.x[(tileRows-1)*c.row+tileCols-1]
	_ = a.x[(tileRows-1)*a.row+(k-1)*a.col]
	_ = b.x[(k-1)*b.row+tileCols-1]
	tileAVX2(&c.x[0], c.row, &a.x[0], a.row, a.col, &b.x[0], b.row, k, keep)
}
