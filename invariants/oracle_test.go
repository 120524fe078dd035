package invariants

import (
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"custody/cache"
	"custody/model"
)

// The hash model, from its definition, in the slow way: every position from the beginning.
//
//	layer 0: K0[p] = mix(identity, token p, p)
//	layer 1: K1[p] = mix(sum of K0[0..p])
//	next     = mix(seed, sum of K1[0..n]), brought below the vocabulary's size

// mixed is the finalizer of MurmurHash3.
func mixed(x uint64) uint64 {
	for _, prime := range []uint64{0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53} {
		x ^= x >> 33
		_, x = bits.Mul64(x, prime)
	}
	return x ^ x>>33
}

const golden = 0x9e3779b97f4a7c15

// summed multiplies the words of every position by two odd numbers, which go up by even steps modulo 2³².
func summed(slots []uint64) uint64 {
	sum := uint64(0)
	for p, x := range slots {
		low := (0x9e3779b1 + uint64(p)*0x85ebca6a) % (1 << 32)
		high := (0xc2b2ae3d + uint64(p)*0x27d4eb2e) % (1 << 32)
		sum += x%(1<<32)*low + x/(1<<32)*high
	}
	return sum
}

func layer0(id cache.Identity, text []cache.Token) []uint64 {
	weights := mixed(golden ^ uint64(id.Adapter))
	weights = mixed(weights ^ uint64(id.Epoch))
	weights = mixed(weights ^ uint64(id.Layout))
	var slots []uint64
	for p, t := range text {
		slots = append(slots, mixed(weights^uint64(t)<<32^uint64(p)))
	}
	return slots
}

func layer1(first []uint64) []uint64 {
	var slots []uint64
	for p := range first {
		slots = append(slots, mixed(summed(first[:p+1])))
	}
	return slots
}

func nextByDefinition(a *Submission, text []cache.Token, vocab uint64) cache.Token {
	sum := summed(layer1(layer0(a.ID, text)))
	token, _ := bits.Mul64(mixed(sum^(a.Sampling.Seed+golden)*0xff51afd7ed558ccd), vocab)
	return cache.Token(token)
}

// drawAsk draws a submission: any identity, any seed.
func drawAsk(t *rapid.T, vocab int32) *Submission {
	return &Submission{
		ID: cache.Identity{
			Domain: rapid.Uint32().Draw(t, "domain"), Adapter: rapid.Uint32().Draw(t, "adapter"),
			Epoch: rapid.Uint32().Draw(t, "epoch"), Layout: rapid.Uint32().Draw(t, "layout"),
		},
		Prompt:   drawTokens(t, vocab),
		Max:      rapid.Int32Range(1, 20).Draw(t, "max"),
		Sampling: cache.Sampling{Seed: rapid.Uint64().Draw(t, "seed")},
	}
}

func drawTokens(t *rapid.T, vocab int32) []cache.Token {
	return rapid.SliceOfN(rapid.Map(rapid.Int32Range(0, vocab-1), func(n int32) cache.Token { return cache.Token(n) }), 1, 12).
		Draw(t, "prompt")
}

const oracleLen = 16

func oracle(a *Submission, vocab int32) *Ledger {
	l := NewLedger(Config{
		Shape: Shape{Blocks: 4, BlockTokens: 4, Layers: 2, Slots: 1, Rows: 1}, Bounds: Bounds{MaxLen: oracleLen, Vocab: vocab},
	}, nil)
	l.Submitted(0, a)
	return l
}

func TestTheOracleFollowsTheDefinitionOfTheHashModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vocab := rapid.Int32Range(1, 1<<20).Draw(t, "vocab")
		a := drawAsk(t, vocab)
		l := oracle(a, vocab)
		text := slices.Clone(a.Prompt)
		for len(text) < oracleLen {
			want := nextByDefinition(a, text, uint64(vocab))
			if got := l.accounts.expected(&l.accounts.list[0], int32(len(text))); got != want {
				t.Fatalf("token %d: %d, by the definition %d", len(text), got, want)
			}
			text = append(text, want)
		}
	})
}

// answers lets the hash model itself compute a request in real memory: its prompt in chunks, then token by token, in
// blocks that stand anywhere.
func answers(t *rapid.T, a *Submission, vocab int32) []cache.Token {
	mem := cache.NewMemory(cache.Layout{Blocks: 4, Layers: model.HashLayers, BlockTokens: 4, TokenWords: 1})
	hash := model.NewHash(vocab)
	table := rapid.Permutation([]cache.BlockID{0, 1, 2, 3}).Draw(t, "table")
	text, start := slices.Clone(a.Prompt), int32(0)
	for len(text) < oracleLen {
		n := rapid.Int32Range(1, int32(len(text))-start).Draw(t, "chunk")
		u := cache.Used{ID: a.ID, Start: start, N: n, Input: text[start : start+n], Table: table, Sampling: a.Sampling}
		b := model.Batch{Rows: []model.Row{{Used: u, Sample: true}}}
		hash.Forward(&b, mem)
		if start += n; start == int32(len(text)) {
			text = append(text, b.Rows[0].Next[0])
		}
	}
	return text
}

func TestTheOracleAgreesWithTheHashModelInRealMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vocab := rapid.Int32Range(1, 1<<20).Draw(t, "vocab")
		a := drawAsk(t, vocab)
		l := oracle(a, vocab)
		want := answers(t, a, vocab)
		l.accounts.expected(&l.accounts.list[0], oracleLen-1)
		if got := l.accounts.tokensOf(&l.accounts.list[0]); !slices.Equal(got, want) {
			t.Fatalf("the ledger expects %v, the model says %v", got, want)
		}
	})
}

// Two slots with one tag must hold the same KV: a tag stands for all that KV depends on.
func TestOneTagStandsForOneIdentityAndOneText(t *testing.T) {
	texts := [][]cache.Token{{1}, {1, 1}, {1, 2}, {2, 1}, {1, 1, 1}, {0}, {0, 0}, {1, 0}, {0, 1}}
	ids := []cache.Identity{
		{}, {Domain: 1}, {Adapter: 1}, {Epoch: 1}, {Layout: 1}, {Domain: 2}, {Domain: 1, Adapter: 1}, {Epoch: 1, Layout: 1},
	}
	seen := map[uint64]string{}
	for _, id := range ids {
		for _, text := range texts {
			tag := tagRoot(id)
			for _, tok := range text {
				tag = nextTag(tag, tok)
			}
			if was, ok := seen[tag]; ok {
				t.Errorf("%+v %v has the tag of %s", id, text, was)
			}
			seen[tag] = "another"
		}
	}
}

func TestTagsDoNotDependOnHowFarTheyWereDerivedBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawAsk(t, 50)
		whole, parts := oracle(a, 50), oracle(a, 50)
		whole.accounts.extend(&whole.accounts.list[0], oracleLen)
		for n := int32(0); n < oracleLen; n += rapid.Int32Range(1, 5).Draw(t, "more") {
			parts.accounts.extend(&parts.accounts.list[0], n)
		}
		parts.accounts.extend(&parts.accounts.list[0], oracleLen)
		if !slices.Equal(whole.accounts.tags, parts.accounts.tags) || !slices.Equal(whole.accounts.tokens, parts.accounts.tokens) {
			t.Fatalf("tags or tokens differ")
		}
	})
}
