package cache

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Pool of 8. Request 0 has tokens for blocks 0 1 2 3, of which 0 1 2 are full and published; request 1 holds 4.
func TestReturnedBlocksStandWhereThePolicySays(t *testing.T) {
	for _, c := range []struct {
		name  string
		order FreeOrder
		after [2][]BlockID // request 0 released, then request 1
	}{
		{"vllm", FreeVLLM, [2][]BlockID{{3, 5, 6, 7, 2, 1, 0}, {4, 3, 5, 6, 7, 2, 1, 0}}},
		{"lifo", FreeLIFO, [2][]BlockID{{0, 1, 2, 3, 5, 6, 7}, {4, 0, 1, 2, 3, 5, 6, 7}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := newFixture(t, 8, func(cfg *Config) { cfg.Order = c.order })
			x.write(0, text(100, 14))
			x.admit(1, text(200, 3))
			x.Release(req(0), 0)
			require.Equal(t, c.after[0], x.freeOrder())
			x.Release(req(1), 0)
			require.Equal(t, c.after[1], x.freeOrder())
		})
	}
}

// A run of blocks without entries goes to the front last-first: block 2 before 1 before 0.
func TestBlocksWithoutEntriesAreReusedLastFirst(t *testing.T) {
	x := newFixture(t, 5)
	x.admit(0, text(100, 12))
	x.Release(req(0), 0)
	require.Equal(t, []BlockID{2, 1, 0, 3, 4}, x.freeOrder())
}

func TestARequestWaitingForAPassLeavesItsBlocksInTheSameOrder(t *testing.T) {
	now, later := newFixture(t, 8), newFixture(t, 8)
	for _, x := range []*fixture{now, later} {
		x.write(0, text(100, 14))
		require.NoError(t, x.Grow(req(0), 20))
	}
	now.Release(req(0), 0)
	later.Release(req(0), 3)
	later.Done(3, PassQueue)
	require.Equal(t, []BlockID{4, 3, 5, 6, 7, 2, 1, 0}, now.freeOrder())
	require.Equal(t, now.freeOrder(), later.freeOrder())
}

func TestRandomOrderDependsOnTheSeedAlone(t *testing.T) {
	orders := map[string]bool{}
	for seed := range uint64(20) {
		order := func() []BlockID {
			x := newFixture(t, 4, func(c *Config) { c.Order, c.Seed = FreeRandom, seed })
			x.admit(0, text(100, 12))
			x.Release(req(0), 0)
			return x.freeOrder()
		}
		first := order()
		require.Equal(t, first, order())
		require.Equal(t, []BlockID{0, 1, 2, 3}, slices.Sorted(slices.Values(first)))
		orders[string(rune(first[0]))+string(rune(first[1]))] = true
	}
	require.Greater(t, len(orders), 2)
}

func TestTheFreeListIsAListOfBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int32Range(1, 12).Draw(t, "blocks")
		f := newFreeList(n, FreeVLLM, 0)
		want := f.appendTo(nil)
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			b := BlockID(rapid.Int32Range(0, n-1).Draw(t, "block"))
			at := slices.Index(want, b)
			require.Equal(t, at >= 0, f.has(b))
			switch {
			case at >= 0 && rapid.Bool().Draw(t, "front"):
				require.Equal(t, want[0], f.pop())
				want = want[1:]
			case at >= 0:
				f.remove(b)
				want = slices.Delete(want, at, at+1)
			case rapid.Bool().Draw(t, "front"):
				f.pushFront(b)
				want = slices.Insert(want, 0, b)
			default:
				f.pushBack(b)
				want = append(want, b)
			}
			require.Equal(t, int32(len(want)), f.len)
			require.Equal(t, append([]BlockID{}, want...), append([]BlockID{}, f.appendTo(nil)...))
		}
	})
}
