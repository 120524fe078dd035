package source

import "custody/sim"

// The models.
const (
	HashModel        = "hash"
	TransformerModel = "transformer"
	BothModels       = "both" // the hash model, with samples on the transformer
)

// ModelNamed is the model on which a script runs once; of both it is the hash model.
func ModelNamed(name string) (*sim.WorkerModel, error) {
	if name != TransformerModel {
		return nil, nil
	}
	return sim.NewTransformer()
}

// ModelName is the name of a model that ModelNamed has made.
func ModelName(m *sim.WorkerModel) string {
	if m == nil {
		return HashModel
	}
	return TransformerModel
}
