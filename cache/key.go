package cache

// A prefix key is chained: the key of a block is a digest of the identity and of all tokens up to the block's end,
// computed from the key of the block before it (vLLM's block hash; Kwon et al., SOSP 2023, section 4.3).

// rootKey is the chain's start: what the KV depends on beside tokens. Each field has its own round, so that no two
// fields can stand for one another.
func rootKey(id Identity) uint64 {
	h := mix(0x6375_7374_6f64_7931, uint64(id.Domain))
	h = mix(h, uint64(id.Adapter))
	h = mix(h, uint64(id.Epoch))
	return mix(h, uint64(id.Layout))
}

// chainKey extends a chain by one block of tokens.
func chainKey(parent uint64, tokens []Token) uint64 {
	h := parent
	for _, t := range tokens {
		h = mix(h, uint64(uint32(t))+1)
	}
	return mix(h, uint64(len(tokens))<<32)
}

// mix is one round of a multiply-xorshift hash (constants of SplitMix64).
func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0xbf58476d1ce4e5b9
	h ^= h >> 27
	h *= 0x94d049bb133111eb
	return h ^ h>>31
}
