package cache

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWithoutAnOutstandingPassBlocksReturnAndArePoisonedAtOnce(t *testing.T) {
	for _, policy := range []ReleasePolicy{ReleaseSettled, ReleaseOrdered} {
		l := newLab(t, 4, func(c *Config) { c.Release = policy })
		l.admit(0, text(10, 6))
		l.said()
		l.Release(req(0), 0)
		require.Equal(t, "drop 0, freed 0, poison 0, drop 1, freed 1, poison 1", l.said())
		require.Equal(t, int32(4), l.Free())
		require.Empty(t, l.Table(req(0)))
	}
}

func TestASettledReleaseWaitsForItsPass(t *testing.T) {
	l := newLab(t, 4)
	l.admit(0, text(10, 6))
	l.said()
	l.Release(req(0), 7)
	require.Empty(t, l.said())
	require.Empty(t, l.Table(req(0)))
	require.Equal(t, []int32{1, 1, 0, 0}, l.refs)
	require.Equal(t, int32(2), l.Free())
	require.Equal(t, int32(2), l.Deferred())
	l.Done(6, PassQueue)
	require.Empty(t, l.said())
	l.Done(7, PassQueue)
	require.Equal(t, "drop 0, freed 0, poison 0, drop 1, freed 1, poison 1", l.said())
	require.Equal(t, int32(0), l.Deferred())
}

func TestAnOrderedReleaseFreesAtOnceAndPoisonsAfterThePass(t *testing.T) {
	l := newLab(t, 4, ordered)
	l.admit(0, text(10, 6))
	l.said()
	l.Release(req(0), 7)
	require.Equal(t, "drop 0, freed 0, drop 1, freed 1", l.said())
	require.Equal(t, int32(4), l.Free())
	require.Equal(t, int32(0), l.Deferred())
	l.Done(6, PassQueue)
	require.Empty(t, l.said())
	l.Done(7, PassQueue)
	require.Equal(t, "poison 0, poison 1", l.said())
}

func TestABlockHandedOutAgainIsNotPoisonedByItsFormerHoldersPass(t *testing.T) {
	l := newLab(t, 1, ordered)
	l.admit(0, text(10, 4))
	l.Release(req(0), 1)
	l.admit(1, text(20, 4))
	l.said()
	l.Done(1, PassQueue)
	require.Empty(t, l.said())
	l.Release(req(1), 0)
	require.Equal(t, "drop 0, freed 0, poison 0", l.said())
}

// Passes 1, 2 and 3 are outstanding. Request 0 is named by 1; request 1 got its block and is named by 2 and 3, which
// read and write it even after request 1 has been cancelled.
func TestABlockIsNotPoisonedBeforeTheLastPassThatMayTouchIt(t *testing.T) {
	l := newLab(t, 1, ordered)
	l.admit(0, text(10, 4))
	l.Release(req(0), 1)
	l.admit(1, text(20, 4))
	l.Release(req(1), 3)
	l.said()
	l.Done(1, PassQueue)
	l.Done(2, PassQueue)
	require.Empty(t, l.said())
	l.Done(3, PassQueue)
	require.Equal(t, "poison 0", l.said())
}

func TestABlockPublishedSinceIsNotPoisoned(t *testing.T) {
	l := newLab(t, 1, ordered)
	l.admit(0, text(10, 4))
	l.Release(req(0), 1)
	l.write(1, text(20, 4))
	l.Release(req(1), 0)
	l.said()
	l.Done(1, PassQueue)
	require.Empty(t, l.said())
}

// Copy 5 was issued after pass 4 and has settled before it.
func TestACopySettlesNoPass(t *testing.T) {
	l := newLab(t, 2, ordered)
	l.admit(0, text(10, 4))
	l.said()
	l.Done(5, CopyQueue)
	l.Release(req(0), 4)
	require.Equal(t, "drop 0, freed 0", l.said())
	l.Done(4, PassQueue)
	require.Equal(t, "poison 0", l.said())
}

func TestASharedBlockIsPoisonedAfterTheLastPassOfAnyHolder(t *testing.T) {
	l := newLab(t, 2, ordered)
	l.write(0, text(10, 4))
	l.admit(1, text(10, 5)) // shares block 0
	l.Release(req(1), 5)    // pass 5 still reads block 0
	l.Release(req(0), 0)    // the last reference ends
	l.said()
	require.NoError(t, l.Admit(req(2), l.look(text(90, 8)), 8, 0)) // evicts block 0
	require.NotContains(t, l.said(), "poison 0")
	l.Release(req(2), 0)
	l.Done(5, PassQueue)
	require.Contains(t, l.said(), "poison 0")
}

// Pass 3 fails while the result of pass 2 is still on its way. Nothing will touch memory for either any more.
func TestALateResultDoesNotMakeALostPassOutstandingAgain(t *testing.T) {
	l := newLab(t, 2, ordered)
	l.write(0, text(10, 4))
	l.admit(1, text(10, 5))
	l.Release(req(1), 3)
	l.Lost(3, PassQueue)
	l.Done(2, PassQueue)
	l.Release(req(0), 0)
	l.said()
	require.NoError(t, l.Admit(req(2), l.look(text(90, 8)), 8, 0))
	require.Contains(t, l.said(), "poison 0")
}

func TestACopyReleasesWhatWaitedForIt(t *testing.T) {
	l := newLab(t, 2)
	l.admit(0, text(10, 4))
	l.Release(req(0), 4)
	l.Lost(4, CopyQueue)
	require.Equal(t, int32(2), l.Free())
}

func TestBlocksOnTheirWayBackAreCountedOnce(t *testing.T) {
	l := newLab(t, 4)
	l.write(0, text(10, 4)) // block 0
	l.admit(1, text(10, 5)) // blocks 0 1
	l.Release(req(0), 1)
	require.Equal(t, int32(0), l.Deferred(), "request 1 goes on holding block 0")
	l.Release(req(1), 2)
	require.Equal(t, int32(2), l.Deferred(), "both holders of block 0 leave")
	l.Done(1, PassQueue)
	require.Equal(t, int32(2), l.Deferred())
	l.Done(2, PassQueue)
	require.Equal(t, int32(0), l.Deferred())
	require.Equal(t, int32(4), l.Free())
}
