package llama

import (
	"math"
	"math/rand/v2"
	"strings"
)

// embedSD is the standard deviation of random embeddings.
const embedSD = 0.3

// RandomWeights draws weights from a seed. They are normal with the standard deviation 1/sqrt(inputs); those of the two
// matrices that add to the stream (O and Down) are divided by sqrt(2 layers), so that the stream keeps its size however
// many layers there are; embeddings have 0.3, normalisations are 1.
func RandomWeights(a Arch, seed uint64) *Weights {
	w := NewWeights(a)
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, t := range w.Tensors() {
		if len(t.Shape) == 1 {
			for i := range t.Data {
				t.Data[i] = 1
			}
			continue
		}
		sd := 1 / math.Sqrt(float64(t.Shape[1]))
		switch {
		case t.Name == "model.embed_tokens.weight":
			sd = embedSD
		case strings.Contains(t.Name, "o_proj"), strings.Contains(t.Name, "down_proj"):
			sd /= math.Sqrt(float64(2 * a.Layers))
		}
		for i := range t.Data {
			t.Data[i] = float32(float64(normal(rng) * sd))
		}
	}
	return w
}

// normal is nearly a standard normal number: the sum of twelve uniform ones, less their mean. Each has the variance
// 1/12. Integers have the same bits everywhere; the standard library's normal numbers do not.
func normal(rng *rand.Rand) float64 {
	sum := int64(-12 / 2 * (1<<24 - 1))
	for range 12 {
		sum += int64(rng.Uint32() >> 8)
	}
	return float64(sum) / (1 << 24)
}
