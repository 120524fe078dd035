package source

import (
	"fmt"
	"os"
	"path/filepath"

	"custody/model/llama"
	"custody/model/llama2c"
	"custody/model/safetensors"
	"custody/sim"
)

// mostWeights bounds a file of weights: what the simulator runs is small.
const mostWeights = 1 << 28

// LoadModel reads a transformer of one's own. The file's name says which format it has.
func LoadModel(name string) (*sim.WorkerModel, error) {
	at, err := os.Stat(name)
	if err == nil && at.Size() > mostWeights {
		return nil, fmt.Errorf("the weights cannot be read: %s has %d bytes, at the most %d are", name, at.Size(), mostWeights)
	}
	file, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("the weights cannot be read: %w", err)
	}
	w, err := readWeights(name, file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return sim.NewModel(w)
}

func readWeights(name string, file []byte) (*llama.Weights, error) {
	if filepath.Ext(name) == ".bin" {
		return llama2c.Read(file)
	}
	f, err := safetensors.Decode(file)
	if err != nil {
		return nil, err
	}
	return f.Weights()
}
