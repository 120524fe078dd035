package corpus

import "math/rand/v2"

const (
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	lower  = "abcdefghijklmnopqrstuvwxyz"
	digits = "0123456789"
)

// HeldOut tells whether a marker belongs to the eighth of all strings that no training sample contains. It goes by
// a hash of the string (FNV-1a) and not by a seed, so that no other seed can leak one into the training.
func HeldOut(marker string) bool { return fnv(marker)>>8&7 == 0 }

func fnv(text string) uint32 {
	h := uint32(2166136261)
	for i := range len(text) {
		h = (h ^ uint32(text[i])) * 16777619
	}
	return h
}

// Marker draws 4 to 8 letters, in one of four cases with a number behind: QZKTW, LMNA-042.
func Marker(rng *rand.Rand, heldOut bool) string {
	for {
		m := marker(rng)
		if HeldOut(m) == heldOut {
			return m
		}
	}
}

func marker(rng *rand.Rand) string {
	if rng.IntN(4) > 0 {
		return letters(rng, upper, 4+rng.IntN(5))
	}
	return letters(rng, upper, 4) + "-" + letters(rng, digits, 2+rng.IntN(2))
}

func letters(rng *rand.Rand, alphabet string, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = alphabet[rng.IntN(len(alphabet))]
	}
	return string(out)
}
