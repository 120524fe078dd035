package llama

import (
	"crypto/sha256"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRandomWeightsHaveTheSpreadOfTheirPlace(t *testing.T) {
	for _, tensor := range RandomWeights(Small(), 1).Tensors() {
		sum, squares := 0.0, 0.0
		for _, x := range tensor.Data {
			sum += float64(x)
			squares += float64(x) * float64(x)
		}
		n := float64(len(tensor.Data))
		got := math.Sqrt(squares / n)
		want := 1.
		switch shape := tensor.Shape; {
		case tensor.Name == "model.embed_tokens.weight":
			want = 0.3
		case len(shape) == 2 && shape[0] == 64 && (shape[1] == 128 || tensor.Name[len("model.layers.0."):] == "mlp.down_proj.weight"):
			want = 1 / math.Sqrt(float64(shape[1])) / 2 // sqrt(2 × 2 layers)
		case len(shape) == 2:
			want = 1 / math.Sqrt(float64(shape[1]))
		}
		require.InEpsilon(t, want, got, 0.06, tensor.Name)
		if len(tensor.Shape) == 2 {
			require.InDelta(t, 0, sum/n, 5*want/math.Sqrt(n), tensor.Name)
		}
	}
}

// The sum of twelve uniform numbers has the kurtosis 3 - 1.2/12.
func TestNormalNumbersAreNearlyNormal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var moments [5]float64
	const n = 200000
	for range n {
		x, power := normal(rng), 1.
		for i := range moments {
			moments[i] += power / n
			power *= x
		}
	}
	require.InDelta(t, 0, moments[1], 0.01)
	require.InDelta(t, 1, moments[2], 0.02)
	require.InDelta(t, 2.9, moments[4], 0.08)
}

// A vector of one layer, by hand: name, 0, the length 8, and eight times the float32 1.
func TestTheDigestIsOverNamesLengthsAndNumbers(t *testing.T) {
	w := &Weights{Norm: []float32{1, 1, 1, 1, 1, 1, 1, 1}, Arch: Arch{Dim: 8, Tied: true}}
	text := "model.embed_tokens.weight\x00" + "\x00\x00\x00\x00" + "\x08\x00\x00\x00" + "model.norm.weight\x00" + "\x08\x00\x00\x00"
	for range 8 {
		text += "\x00\x00\x80\x3f"
	}
	require.Equal(t, sha256.Sum256([]byte(text)), w.Digest())
}

func TestTensorsAreNamedAsHuggingFaceNamesThem(t *testing.T) {
	var names []string
	count := 0
	for _, tensor := range NewWeights(Small()).Tensors() {
		names = append(names, tensor.Name)
		require.Len(t, tensor.Data, size(tensor.Shape))
		count += len(tensor.Data)
	}
	require.Equal(t, 90432, count) // the figure of the study that the shape is from
	require.Equal(t, []string{
		"model.embed_tokens.weight",
		"model.layers.0.input_layernorm.weight", "model.layers.0.self_attn.q_proj.weight",
		"model.layers.0.self_attn.k_proj.weight", "model.layers.0.self_attn.v_proj.weight",
		"model.layers.0.self_attn.o_proj.weight", "model.layers.0.post_attention_layernorm.weight",
		"model.layers.0.mlp.gate_proj.weight", "model.layers.0.mlp.up_proj.weight", "model.layers.0.mlp.down_proj.weight",
	}, names[:10])
	require.Equal(t, []string{"model.norm.weight", "lm_head.weight"}, names[len(names)-2:])
}

func TestWeightsThatDoNotFitAreRefusedByName(t *testing.T) {
	for want, spoil := range map[string]func(*Weights){
		"llama: Dim is 60, expected a positive multiple of 8":    func(w *Weights) { w.Arch.Dim = 60 },
		"llama: Heads is 3, expected a positive multiple of 2":   func(w *Weights) { w.Arch.Heads = 3 },
		"llama: HeadDim is 0, expected a positive multiple of 8": func(w *Weights) { w.Arch.HeadDim = 0 },
		"llama: RopeBase is NaN, expected a number from " +
			"1 to 1e9": func(w *Weights) { w.Arch.RopeBase = math.NaN() },
		"llama: Eps is 0, expected a number between 0 and 1": func(w *Weights) { w.Arch.Eps = 0 },
		"llama: weights of 1 layers, expected 2":             func(w *Weights) { w.Layers = w.Layers[:1] },
		"llama: tensor model.layers.1.mlp.up_proj.weight has 5 numbers, " +
			"expected [64 64]": func(w *Weights) { w.Layers[1].Up = w.Layers[1].Up[:5] },
		"llama: tensor lm_head.weight has 0 numbers, expected [128 64]": func(w *Weights) { w.Head = nil },
	} {
		w := NewWeights(Small())
		spoil(w)
		_, err := New(w)
		require.EqualError(t, err, want)
	}
}
