package sim

import (
	"fmt"

	"custody/model"
	"custody/traces"
)

// layoutKeys are the configuration keys of the layout fields.
var layoutKeys = [model.NumFields]traces.Key{
	model.BlockTokens: traces.Block, model.Layers: traces.Layers, model.Heads: traces.Heads, model.HeadDim: traces.HeadDim,
	model.RopeBase: traces.Rope, model.Precision: traces.Dtype, model.Vocab: traces.Vocab,
}

func layoutOf(c *traces.Config) (l model.LayoutFields) {
	for f, k := range layoutKeys {
		l[f] = c[k]
	}
	return l
}

// handshake lets the engine, the worker and its model compare their layouts. A pair that differs never runs.
func (c *setup) handshake() {
	fixed := c.engine // the model has one shape, and its worker can agree to no other
	shape := c.model.shape()
	fixed[traces.Layers], fixed[traces.Heads], fixed[traces.HeadDim] = shape.layers, shape.heads, shape.headDim
	for i, config := range []*traces.Config{&c.engine, &c.worker, &fixed} {
		c.layouts[i] = layoutOf(config)
	}
	for i := range c.layouts[1:] {
		if f, ok := model.Handshake(&c.layouts[0], &c.layouts[i+1]); !ok {
			c.mismatch, c.refused = f, true
			return
		}
	}
}

// handshakeText says why the worker was refused.
func (c *setup) handshakeText() string {
	f := c.mismatch
	name, engine, worker, own := traces.Keys[layoutKeys[f]].Name, c.layouts[0][f], c.layouts[1][f], c.layouts[2][f]
	if worker == engine {
		return fmt.Sprintf("handshake: the worker is refused: %s is %d, the model's is %d", name, worker, own)
	}
	return fmt.Sprintf("handshake: the worker is refused: %s is %d, the engine's is %d", name, worker, engine)
}
