package train

import (
	"encoding/json"
	"errors"
	"fmt"

	"custody/model/llama"
	"custody/model/safetensors"
)

// A checkpoint is a safetensors file: the state of a Trainer, from which it goes on as if nothing had happened. It must
// come from this command; weights of other origin have no optimiser's memory.

const stateKey = "custody.training"

// state is what a checkpoint says beside its numbers.
type state struct {
	Arch   llama.Arch
	Recipe Recipe
	Step   int
}

// parts are the three vectors of a checkpoint, by the prefix of their tensors' names.
func (t *Trainer) parts() map[string][]float32 {
	return map[string][]float32{"weight.": t.flat, "mean.": t.adam.mean, "square.": t.adam.square}
}

var partOrder = []string{"weight.", "mean.", "square."}

// Checkpoint is the present state as a file.
func (t *Trainer) Checkpoint() ([]byte, error) {
	text, err := json.Marshal(state{t.plan.Arch, t.recipe, t.step})
	if err != nil {
		return nil, fmt.Errorf("train: checkpoint: %w", err)
	}
	f := &safetensors.File{Metadata: map[string]string{stateKey: string(text)}}
	parts := t.parts()
	for _, prefix := range partOrder {
		for _, tensor := range t.plan.all {
			f.Tensors = append(f.Tensors, safetensors.Tensor{
				Name: prefix + tensor.name, Shape: []int{tensor.rows, tensor.cols}, Data: tensor.of(parts[prefix]),
			})
		}
	}
	return f.Encode()
}

// Resume goes on from a checkpoint of the shape.
func Resume(a llama.Arch, file []byte) (*Trainer, error) {
	f, err := safetensors.Decode(file)
	if err != nil {
		return nil, fmt.Errorf("train: checkpoint: %w", err)
	}
	s, err := readState(f)
	if err != nil {
		return nil, fmt.Errorf("train: checkpoint: %w", err)
	}
	if s.Arch != a {
		return nil, fmt.Errorf("train: checkpoint of the shape %+v, expected %+v", s.Arch, a)
	}
	t := New(a, s.Recipe)
	parts := t.parts()
	for _, prefix := range partOrder {
		for _, tensor := range t.plan.all {
			data, err := f.Tensor(prefix+tensor.name, tensor.rows, tensor.cols)
			if err != nil {
				return nil, fmt.Errorf("train: checkpoint: %w", err)
			}
			copy(tensor.of(parts[prefix]), data)
		}
	}
	for t.step < s.Step {
		t.step++
		t.adam.advance()
	}
	return t, nil
}

func readState(f *safetensors.File) (state, error) {
	var s state
	text, ok := f.Metadata[stateKey]
	if !ok {
		return s, errors.New("the file says nothing of a training; weights alone cannot go on")
	}
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return s, fmt.Errorf("%s: %w", stateKey, err)
	}
	if err := s.Recipe.Validate(); err != nil {
		return s, err
	}
	if s.Step < 0 || s.Step > s.Recipe.Steps {
		return s, fmt.Errorf("it is at step %d of %d", s.Step, s.Recipe.Steps)
	}
	return s, nil
}

// Weights are the weights as they are now.
func (t *Trainer) Weights() *llama.Weights { return t.plan.weights(t.flat) }

// Recipe is what the training follows.
func (t *Trainer) Recipe() Recipe { return t.recipe }
