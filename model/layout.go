package model

// Field is a property of KV memory, or of the ids that index it, in which two parties must agree.
type Field uint8

// The layout fields.
const (
	BlockTokens Field = iota // token positions a block
	Layers
	Heads // KV heads
	HeadDim
	RopeBase  // base of the rotary positions
	Precision // of the KV words
	Vocab     // tokens of the vocabulary
	NumFields
)

// LayoutFields holds a value for every field.
type LayoutFields [NumFields]int64

// Handshake compares two parties that are to write and read the same KV. It names the first field in which they differ.
// A pair that differs must not run: each would look for the other's KV in another place, or find other numbers there.
func Handshake(a, b *LayoutFields) (differs Field, ok bool) {
	for f := range a {
		if a[f] != b[f] {
			return Field(f), false
		}
	}
	return 0, true
}

// ID is a digest of all fields (FNV-1a, field by field). It is part of the identity that KV is computed under.
func (l *LayoutFields) ID() uint32 {
	d := uint64(1469598103934665603)
	for _, v := range l {
		d = (d ^ uint64(v)) * 1099511628211
	}
	return uint32(d >> 32)
}
