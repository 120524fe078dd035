package explain

import "custody/cache"

// origin is who wrote a slot, and for what.
type origin struct {
	event      int32 // the submission, from 1; 0: nobody
	gen        uint32
	tenant     int32
	name       string
	tenantName string
	token      cache.Token
	poisoned   bool
}

// origins are the origins of all slots of a memory.
type origins struct {
	layout *cache.Layout
	list   []origin // [layer][block][slot]
}

func newOrigins(l *cache.Layout) origins {
	return origins{layout: l, list: make([]origin, l.Layers*l.Blocks*l.BlockTokens)}
}

// block is a layer of a block.
func (o *origins) block(layer int32, b cache.BlockID) []origin {
	return o.list[(layer*o.layout.Blocks+int32(b))*o.layout.BlockTokens:][:o.layout.BlockTokens]
}

// at is the slot of a position.
func (o *origins) at(layer int, table []cache.BlockID, p int32) *origin {
	size := o.layout.BlockTokens
	return &o.block(int32(layer), table[p/size])[p%size]
}

// copied notes that what a block holds is now in another, too.
func (o *origins) copied(c cache.Copy) {
	for layer := range o.layout.Layers {
		copy(o.block(layer, c.To), o.block(layer, c.From))
	}
}

// poison notes that nobody has written a block since it was poisoned.
func (o *origins) poison(b cache.BlockID) {
	for layer := range o.layout.Layers {
		for i := range o.block(layer, b) {
			o.block(layer, b)[i] = origin{poisoned: true}
		}
	}
}
