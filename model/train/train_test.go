package train

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/model/llama"
	"custody/model/safetensors"
)

// quick is a recipe that reaches long samples soon.
var quick = Recipe{Seed: 5, Steps: 6, Rate: 2e-3, Warmup: 2, Curriculum: 3}

// digest is that of the weights as a file.
func digest(t *testing.T, trainer *Trainer) string {
	t.Helper()
	file, err := safetensors.FromWeights(trainer.Weights()).Encode()
	require.NoError(t, err)
	return fmt.Sprintf("%x", sha256.Sum256(file))
}

func trained(r Recipe, threads, steps int) *Trainer {
	t := New(llama.Small(), r)
	for range steps {
		t.Step(threads)
	}
	return t
}

func TestOneThreadAndTwoGiveTheSameWeights(t *testing.T) {
	one := digest(t, trained(quick, 1, 6))
	require.Equal(t, one, digest(t, trained(quick, 2, 6)))
	other := quick
	other.Seed++
	require.NotEqual(t, one, digest(t, trained(other, 1, 6)))
}

func TestAResumedTrainingEndsWithTheSameBits(t *testing.T) {
	whole := trained(quick, 1, 6)
	file, err := trained(quick, 1, 2).Checkpoint()
	require.NoError(t, err)
	resumed, err := Resume(llama.Small(), file)
	require.NoError(t, err)
	require.Equal(t, 2, resumed.Steps())
	require.Equal(t, quick, resumed.Recipe())
	for !resumed.Done() {
		resumed.Step(1)
	}
	want, err := whole.Checkpoint() // the optimiser's memory too
	require.NoError(t, err)
	got, err := resumed.Checkpoint()
	require.NoError(t, err)
	require.Equal(t, sha256.Sum256(want), sha256.Sum256(got))
}

func TestACheckpointThatCannotGoOnIsRefusedInWords(t *testing.T) {
	whole, err := trained(quick, 1, 0).Checkpoint()
	require.NoError(t, err)
	weights, err := safetensors.FromWeights(llama.NewWeights(llama.Small())).Encode()
	require.NoError(t, err)
	missing, err := safetensors.Decode(whole)
	require.NoError(t, err)
	missing.Tensors = missing.Tensors[1:]
	less, err := missing.Encode()
	require.NoError(t, err)
	beyond, err := safetensors.Decode(whole)
	require.NoError(t, err)
	beyond.Metadata[stateKey] = `{"Step":7,"Recipe":{"Steps":6,"Curriculum":1,"Rate":0.1}}`
	past, err := beyond.Encode()
	require.NoError(t, err)
	other := llama.Small()
	other.Layers = 3
	for says, c := range map[string]struct {
		arch llama.Arch
		file []byte
	}{
		"the file is cut off":                        {llama.Small(), whole[:len(whole)-4]},
		"the file says nothing of a training":        {llama.Small(), weights},
		"tensor weight.model.embed_tokens.weight of": {llama.Small(), less},
		"it is at step 7 of 6":                       {llama.Small(), past},
		"Layers:2 Heads:4":                           {other, whole},
	} {
		_, err := Resume(c.arch, c.file)
		require.ErrorContains(t, err, "train: checkpoint")
		require.ErrorContains(t, err, says)
	}
}

// The first steps of the accepted recipe: about 5 s of processor time, 45 s without assembly.
func TestThreeHundredStepsGiveThePinnedWeights(t *testing.T) {
	if testing.Short() {
		t.Skip("trains for some seconds")
	}
	const want = "0024fc1d9c0f506d5d339e258c3bc6361bb9c9cba735bfa36715a50b6fddb842"
	trainer := New(llama.Small(), Accepted)
	var first, last Progress
	for range 300 {
		last = trainer.Step(2)
		if first.Step == 0 {
			first = last
		}
	}
	require.Greater(t, first.Loss, 4.0, "before it has learnt anything the loss is about ln 128 = 4.85")
	require.Less(t, last.Loss, 3.0)
	require.Equal(t, want, digest(t, trainer))
}
