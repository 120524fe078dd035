package museum

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSeedsToDetectionAreTheGapsBetweenDetectingSeeds(t *testing.T) {
	require.Equal(t, []uint64{1, 2, 3, 4}, gaps([]uint64{3, 4, 8, 10}))
	require.Empty(t, gaps(nil))
}

func TestAQuantileIsTheSmallestValueThatEnoughOthersDoNotExceed(t *testing.T) {
	twenty := make([]uint64, 20)
	for i := range twenty {
		twenty[i] = uint64(10 * (i + 1))
	}
	require.EqualValues(t, 100, quantile(twenty, 50), "10 of 20 are at most 100")
	require.EqualValues(t, 190, quantile(twenty, 95), "19 of 20 are at most 190")
	require.EqualValues(t, 20, quantile([]uint64{10, 20, 30}, 50), "2 of 3")
	require.EqualValues(t, 7, quantile([]uint64{7}, 95))
	require.Zero(t, quantile(nil, 95))
}

func TestTheMuseumSaysWhichExhibitsAreFoundTooLate(t *testing.T) {
	quick := &Kill{ID: "quick", Found: 400, Median: 2, P95: 9}
	slow := &Kill{ID: "slow", Found: 120, Median: 501, P95: 900}
	late := &Kill{ID: "late", Found: 120, Median: 120, P95: 501}
	rare := &Kill{ID: "rare", Found: 40, Median: 300, P95: 500}
	missed := &Kill{ID: "missed"}

	all := Total([]*Kill{quick, slow, late, rare, missed})
	require.Equal(t, Sum{
		Median: 120, MaxMedian: 501, MaxP95: 900,
		Slow: []string{"slow", "missed"}, Late: []string{"slow", "late"}, Few: []string{"rare", "missed"},
	}, all)
	require.False(t, all.OK())

	few := Total([]*Kill{quick, late})
	require.Equal(t, []string{"late"}, few.Late)
	require.True(t, few.OK(), "the smaller of two medians is the median by nearest rank")
	one := Total([]*Kill{rare})
	require.False(t, one.OK(), "a median of 300 is above 20")
}

func TestAControlCountsOnlyWithItsCanary(t *testing.T) {
	require.True(t, (&Silence{Canary: 3}).OK())
	require.False(t, (&Silence{}).OK())
	require.False(t, (&Silence{Broken: 2, Canary: 3}).OK())
}
