package fleet

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/sim/cover"
	"custody/sim/gen"
)

func digest(t *testing.T, workers int) (string, []uint64) {
	t.Helper()
	var sum cover.Summary
	var seeds []uint64
	Campaign{First: 1, Seeds: 200, Workers: workers, Profile: gen.Profiles[0]}.Run(func(x Taken) bool {
		require.True(t, x.Result.OK())
		sum.Add(x.Result, x.Seen)
		seeds = append(seeds, x.Seed)
		return true
	})
	return sum.Digest.String(), seeds
}

func TestTheDigestDoesNotDependOnTheNumberOfWorkers(t *testing.T) {
	want, seeds := digest(t, 1)
	require.Len(t, seeds, 200)
	for _, workers := range []int{0, 2, 7} {
		got, order := digest(t, workers)
		require.Equal(t, want, got, "%d workers", workers)
		require.Equal(t, seeds, order)
	}
}

func TestACampaignEndsWhenItsTakerSaysSo(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		n := 0
		Campaign{First: 1, Workers: workers, Profile: gen.Profiles[0]}.Run(func(Taken) bool {
			n++
			return n < 13
		})
		require.Equal(t, 13, n)
	}
}

func TestShardsTogetherRunEverySeedOnce(t *testing.T) {
	seen := map[uint64]int{}
	for shard := uint64(0); shard < 3; shard++ {
		Campaign{First: 10 + shard, Seeds: 5, Stride: 3, Workers: 2, Profile: gen.Profiles[0]}.Run(func(x Taken) bool {
			seen[x.Seed]++
			return true
		})
	}
	require.Len(t, seen, 15)
	for seed := uint64(10); seed < 25; seed++ {
		require.Equal(t, 1, seen[seed])
	}
}

func TestThereIsNoSeedBehindTheLastOne(t *testing.T) {
	var seeds []uint64
	Campaign{First: math.MaxUint64 - 1, Seeds: 5, Workers: 2, Profile: gen.Profiles[0]}.Run(func(x Taken) bool {
		seeds = append(seeds, x.Seed)
		return true
	})
	require.Equal(t, []uint64{math.MaxUint64 - 1, math.MaxUint64}, seeds)
}
