package train

import (
	"custody/cache"
	"custody/model/numeric"
)

// crossEntropy is the sum over rows of -ln(probability of the row's target). The logits become the gradients: weight
// times (probability - 1 at the target). Rows without a target come behind the others and get none.
func crossEntropy(logits *matrix, targets []cache.Token, weight float32) (loss float64, hits int) {
	for i, target := range targets {
		row := logits.row(i)
		if argmax(row) == int(target) {
			hits++
		}
		softmax(row)
		loss -= numeric.Log64(max(float64(row[target]), 1e-30))
		row[target]--
		for j := range row {
			row[j] = float32(row[j] * weight)
		}
	}
	clear(logits.x[len(targets)*logits.cols:])
	return loss, hits
}

// argmax is the first of the largest.
func argmax(row []float32) int {
	best := 0
	for i, x := range row {
		if x > row[best] {
			best = i
		}
	}
	return best
}
