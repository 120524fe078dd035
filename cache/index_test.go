package cache

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// entry is a line of the reference: a list in the order of publication.
type entry struct {
	block  BlockID
	key    uint64
	tokens string
}

func TestTheIndexIsAListOfEntries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const blocks = 9
		x := newIndex(blocks, 2, rapid.SampledFrom([]int{0, 1, 2, 3, 8, 64}).Draw(t, "bits"))
		var want []entry
		key := rapid.SampledFrom([]uint64{0, 1, 2, 3, 1 << 8, 1<<8 + 1, 1 << 63, ^uint64(0)})
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			b := BlockID(rapid.Int32Range(0, blocks-1).Draw(t, "block"))
			tokens := []Token{Token(rapid.Int32Range(0, 1).Draw(t, "token")), 5}
			e := entry{b, key.Draw(t, "key"), fmt.Sprint(tokens)}
			at := slices.IndexFunc(want, func(e entry) bool { return e.block == b })
			require.Equal(t, at >= 0, x.published[b])
			if at >= 0 {
				x.remove(b)
				want = slices.Delete(want, at, at+1)
			} else {
				x.add(b, e.key, tokens)
				want = append(want, e)
			}
			require.Equal(t, int32(len(want)), x.count)
			require.Equal(t, oldest(want, e), x.find(e.key, tokens))
		}
	})
}

// oldest is the block that was published first with an entry's key and tokens.
func oldest(list []entry, e entry) BlockID {
	for _, have := range list {
		if have.key == e.key && have.tokens == e.tokens {
			return have.block
		}
	}
	return None
}

func TestNarrowKeysAnswerOnlyWithTheContentAskedFor(t *testing.T) {
	for bits := range 9 {
		t.Run(fmt.Sprint(bits), func(t *testing.T) {
			x := newFixture(t, 8, func(c *Config) { c.KeyBits = bits })
			prompts := [][]Token{text(10, 5), text(20, 5), text(30, 5), text(40, 5), text(50, 5), text(60, 5), text(70, 5), text(80, 5)}
			for i, p := range prompts {
				x.write(int32(i), p[:4])
			}
			for i, p := range prompts {
				require.Equal(t, []BlockID{BlockID(i)}, x.look(p).Blocks)
			}
			require.Empty(t, x.look(text(90, 5)).Blocks)
		})
	}
}

func TestEachFieldOfAnIdentityKeepsEntriesApart(t *testing.T) {
	x := newFixture(t, 4)
	x.write(0, text(10, 4))
	require.Equal(t, int32(4), x.look(text(10, 5)).Tokens)
	for _, id := range []Identity{{2, 0, 0, 9}, {1, 1, 0, 9}, {1, 0, 1, 9}, {1, 0, 0, 8}, {0, 1, 0, 9}, {9, 0, 0, 1}} {
		h := &Hit{}
		x.Lookup(id, text(10, 5), h)
		require.Empty(t, h.Blocks, "%+v", id)
	}
}

func TestABlockIsFoundOnlyBehindTheSameTokens(t *testing.T) {
	x := newFixture(t, 6)
	x.write(0, []Token{1, 1, 1, 1, 2, 2, 2, 2})
	require.Equal(t, int32(8), x.look([]Token{1, 1, 1, 1, 2, 2, 2, 2, 0}).Tokens)
	require.Equal(t, int32(4), x.look([]Token{1, 1, 1, 1, 3, 2, 2, 2, 0}).Tokens)
	require.Equal(t, int32(0), x.look([]Token{2, 2, 2, 2, 0}).Tokens)
	require.Equal(t, int32(4), x.look([]Token{1, 1, 1, 1, 2, 2, 2, 2}).Tokens, "the last token is never found")
	require.Equal(t, int32(0), x.look([]Token{1, 1, 1, 1}).Tokens)
}

func TestOfTwoBlocksWithOneContentTheFirstPublishedIsFound(t *testing.T) {
	x := newFixture(t, 4)
	prompt := text(10, 5)
	x.admit(0, prompt) // blocks 0 1
	x.admit(1, prompt) // blocks 2 3: nothing was published yet
	x.Publish(req(1), testID, prompt, 5, 0)
	x.Publish(req(0), testID, prompt, 5, 0)
	require.Equal(t, int32(2), x.Entries())
	require.Equal(t, []BlockID{2}, x.look(prompt).Blocks)
}
