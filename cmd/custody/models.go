package main

import (
	"custody/sim"
)

// The models.
const (
	hashModel        = "hash"
	transformerModel = "transformer"
	bothModels       = "both" // the hash model, with samples on the transformer
)

// modelNamed is the model on which a script runs once; of both it is the hash model.
func modelNamed(name string) (*sim.Model, error) {
	if name != transformerModel {
		return nil, nil
	}
	return newTransformer()
}

// newTransformer is the transformer that the command runs.
func newTransformer() (*sim.Model, error) { return sim.NewTransformer() }

// nameOf is the name of a model that modelNamed has made.
func nameOf(m *sim.Model) string {
	if m == nil {
		return hashModel
	}
	return transformerModel
}
