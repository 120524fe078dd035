package cache

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWithoutAnOutstandingPassBlocksReturnAndArePoisonedAtOnce(t *testing.T) {
	for _, policy := range []ReleasePolicy{ReleaseSettled, ReleaseOrdered} {
		x := newFixture(t, 4, func(c *Config) { c.Release = policy })
		x.admit(0, text(10, 6))
		x.said()
		x.Release(req(0), 0)
		require.Equal(t, "drop 0, freed 0, poison 0, drop 1, freed 1, poison 1", x.said())
		require.Equal(t, int32(4), x.Free())
		require.Empty(t, x.Table(req(0)))
	}
}

func TestASettledReleaseWaitsForItsPass(t *testing.T) {
	x := newFixture(t, 4)
	x.admit(0, text(10, 6))
	x.said()
	x.Release(req(0), 7)
	require.Empty(t, x.said())
	require.Empty(t, x.Table(req(0)))
	require.Equal(t, []int32{1, 1, 0, 0}, x.refs)
	require.Equal(t, int32(2), x.Free())
	require.Equal(t, int32(2), x.Deferred())
	x.Done(6, PassQueue)
	require.Empty(t, x.said())
	x.Done(7, PassQueue)
	require.Equal(t, "drop 0, freed 0, poison 0, drop 1, freed 1, poison 1", x.said())
	require.Equal(t, int32(0), x.Deferred())
}

func TestAnOrderedReleaseFreesAtOnceAndPoisonsAfterThePass(t *testing.T) {
	x := newFixture(t, 4, ordered)
	x.admit(0, text(10, 6))
	x.said()
	x.Release(req(0), 7)
	require.Equal(t, "drop 0, freed 0, drop 1, freed 1", x.said())
	require.Equal(t, int32(4), x.Free())
	require.Equal(t, int32(0), x.Deferred())
	x.Done(6, PassQueue)
	require.Empty(t, x.said())
	x.Done(7, PassQueue)
	require.Equal(t, "poison 0, poison 1", x.said())
}

func TestABlockHandedOutAgainIsNotPoisonedByItsFormerHoldersPass(t *testing.T) {
	x := newFixture(t, 1, ordered)
	x.admit(0, text(10, 4))
	x.Release(req(0), 1)
	x.admit(1, text(20, 4))
	x.said()
	x.Done(1, PassQueue)
	require.Empty(t, x.said())
	x.Release(req(1), 0)
	require.Equal(t, "drop 0, freed 0, poison 0", x.said())
}

// Passes 1, 2 and 3 are outstanding. Request 0 is named by 1; request 1 got its block and is named by 2 and 3, which
// read and write it even after request 1 has been cancelled.
func TestABlockIsNotPoisonedBeforeTheLastPassThatMayTouchIt(t *testing.T) {
	x := newFixture(t, 1, ordered)
	x.admit(0, text(10, 4))
	x.Release(req(0), 1)
	x.admit(1, text(20, 4))
	x.Release(req(1), 3)
	x.said()
	x.Done(1, PassQueue)
	x.Done(2, PassQueue)
	require.Empty(t, x.said())
	x.Done(3, PassQueue)
	require.Equal(t, "poison 0", x.said())
}

func TestABlockPublishedSinceIsNotPoisoned(t *testing.T) {
	x := newFixture(t, 1, ordered)
	x.admit(0, text(10, 4))
	x.Release(req(0), 1)
	x.write(1, text(20, 4))
	x.Release(req(1), 0)
	x.said()
	x.Done(1, PassQueue)
	require.Empty(t, x.said())
}

// Copy 5 was issued after pass 4 and has settled before it.
func TestACopySettlesNoPass(t *testing.T) {
	x := newFixture(t, 2, ordered)
	x.admit(0, text(10, 4))
	x.said()
	x.Done(5, CopyQueue)
	x.Release(req(0), 4)
	require.Equal(t, "drop 0, freed 0", x.said())
	x.Done(4, PassQueue)
	require.Equal(t, "poison 0", x.said())
}

func TestASharedBlockIsPoisonedAfterTheLastPassOfAnyHolder(t *testing.T) {
	x := newFixture(t, 2, ordered)
	x.write(0, text(10, 4))
	x.admit(1, text(10, 5)) // shares block 0
	x.Release(req(1), 5)    // pass 5 still reads block 0
	x.Release(req(0), 0)    // the last reference ends
	x.said()
	require.NoError(t, x.Admit(req(2), x.look(text(90, 8)), 8, 0)) // evicts block 0
	require.NotContains(t, x.said(), "poison 0")
	x.Release(req(2), 0)
	x.Done(5, PassQueue)
	require.Contains(t, x.said(), "poison 0")
}

// Pass 3 fails while the result of pass 2 is still on its way. Nothing will touch memory for either any more.
func TestALateResultDoesNotMakeALostPassOutstandingAgain(t *testing.T) {
	x := newFixture(t, 2, ordered)
	x.write(0, text(10, 4))
	x.admit(1, text(10, 5))
	x.Release(req(1), 3)
	x.Lost(3, PassQueue)
	x.Done(2, PassQueue)
	x.Release(req(0), 0)
	x.said()
	require.NoError(t, x.Admit(req(2), x.look(text(90, 8)), 8, 0))
	require.Contains(t, x.said(), "poison 0")
}

func TestACopyReleasesWhatWaitedForIt(t *testing.T) {
	x := newFixture(t, 2)
	x.admit(0, text(10, 4))
	x.Release(req(0), 4)
	x.Lost(4, CopyQueue)
	require.Equal(t, int32(2), x.Free())
}

func TestBlocksOnTheirWayBackAreCountedOnce(t *testing.T) {
	x := newFixture(t, 4)
	x.write(0, text(10, 4)) // block 0
	x.admit(1, text(10, 5)) // blocks 0 1
	x.Release(req(0), 1)
	require.Equal(t, int32(0), x.Deferred(), "request 1 goes on holding block 0")
	x.Release(req(1), 2)
	require.Equal(t, int32(2), x.Deferred(), "both holders of block 0 leave")
	x.Done(1, PassQueue)
	require.Equal(t, int32(2), x.Deferred())
	x.Done(2, PassQueue)
	require.Equal(t, int32(0), x.Deferred())
	require.Equal(t, int32(4), x.Free())
}
