// Package recall holds the weights of a small transformer that answers from its context: what a prompt says, it can
// repeat. So another tenant's KV puts another tenant's words into the answer, where a person can read them.
//
// They were made by `go run ./cmd/custody-train run`, which makes the same bits again.
package recall

import (
	_ "embed"

	"custody/model/llama"
	"custody/model/safetensors"
)

//go:embed recall.safetensors
var file []byte

// Weights reads the weights that are built in.
func Weights() (*llama.Weights, error) {
	f, err := safetensors.Decode(file)
	if err != nil {
		return nil, err
	}
	return f.Weights()
}
