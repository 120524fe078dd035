package cache

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// found is what an allocation may change.
type found struct {
	free, table []BlockID
	refs        []int32
	entries     int32
}

func (l *lab) found(slot int32) found {
	return found{l.freeOrder(), slices.Clone(l.Table(req(slot))), slices.Clone(l.refs), l.Entries()}
}

// Requests 0 and 1 have come and gone: all blocks have entries, and the free list is 5 4 3 | 2 1 0 | 6 7 with the
// content of 0 1 2 and of 3 4 5.
func used(t *testing.T) *lab {
	l := newLab(t, 8)
	l.write(0, text(10, 12))
	l.write(1, text(50, 12))
	l.Release(req(1), 0)
	l.Release(req(0), 0)
	require.Equal(t, []BlockID{6, 7, 5, 4, 3, 2, 1, 0}, l.freeOrder())
	return l
}

func TestAnAllocationThatFailsOnTheWayLeavesEverythingAsFound(t *testing.T) {
	for block := range int32(5) {
		t.Run(fmt.Sprintf("admit, block %d", block), func(t *testing.T) {
			l := used(t)
			was := l.found(2)
			l.failAt(req(2), block)
			require.ErrorIs(t, l.Admit(req(2), l.look(text(90, 20)), 20, 0), ErrAllocFailed)
			require.Equal(t, was, l.found(2))
			l.admit(2, text(90, 20)) // fails once
		})
	}
	for block := int32(1); block < 5; block++ {
		t.Run(fmt.Sprintf("grow, block %d", block), func(t *testing.T) {
			l := used(t)
			l.admit(2, text(90, 3))
			was := l.found(2)
			l.failAt(req(2), block)
			require.ErrorIs(t, l.Grow(req(2), 20), ErrAllocFailed)
			require.Equal(t, was, l.found(2))
			require.NoError(t, l.Grow(req(2), 20))
		})
	}
}

// The hit 0 1 has left the free list and returned to it, at its end; all others stand where they stood.
func TestAnAdmissionThatFailsAfterAHitGivesTheHitBack(t *testing.T) {
	l := used(t)
	l.failAt(req(2), 3)
	require.ErrorIs(t, l.Admit(req(2), l.look(text(10, 11)), 16, 0), ErrAllocFailed)
	require.Equal(t, []BlockID{6, 7, 5, 4, 3, 2, 1, 0}, l.freeOrder())
	require.Equal(t, make([]int32, 8), l.refs)
	require.Equal(t, []BlockID{0, 1}, l.look(text(10, 11)).Blocks)
}

func TestAnAdmissionThatFailsAfterATailGivesTheTailBack(t *testing.T) {
	l := used(t)
	h := l.look(text(10, 12))
	l.LookupTail(text(10, 12), h)
	require.Equal(t, BlockID(2), h.Tail)
	l.failAt(req(2), 2)
	require.ErrorIs(t, l.Admit(req(2), h, 12, 0), ErrAllocFailed)
	require.Equal(t, make([]int32, 8), l.refs)
	require.Equal(t, int32(8), l.Free())
	require.Equal(t, int32(6), l.Entries())
}

func TestAVetoMeansOneBlock(t *testing.T) {
	l := newLab(t, 4)
	l.failAt(req(0), 2)
	l.admit(0, text(10, 8)) // blocks 0 and 1 of its table
	require.ErrorIs(t, l.Grow(req(0), 9), ErrAllocFailed)
}

func TestAVetoMeansOneLife(t *testing.T) {
	l := newLab(t, 4)
	l.failAt(Req{2, 2}, 0)
	l.admit(2, text(10, 3)) // life 1
	l.Release(req(2), 0)
	require.ErrorIs(t, l.Admit(Req{2, 2}, l.look(nil), 3, 0), ErrAllocFailed)
}

func TestAVetoIsToldHowManyBlocksAreSetAside(t *testing.T) {
	var asked []string
	l := newLab(t, 4, func(c *Config) {
		c.Veto = func(r Req, entry, aside int32) bool {
			asked = append(asked, fmt.Sprint(r.Slot, ": entry ", entry, ", aside ", aside))
			return false
		}
	})
	l.admit(2, text(10, 5))
	require.NoError(t, l.Grow(req(2), 9))
	require.Equal(t, []string{"2: entry 0, aside 0", "2: entry 1, aside 1", "2: entry 2, aside 0"}, asked)
}

func TestAnAllocationBeyondTheFreeBlocksChangesNothing(t *testing.T) {
	for _, c := range []struct {
		name            string
		tokens, reserve int32
		err             error
	}{
		{"fits", 32, 0, nil},
		{"one block too many", 33, 0, ErrNoBlocks},
		{"fits, and so does the reservation", 1, 32, nil},
		{"fits, but not the reservation", 1, 33, ErrNoBlocks},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := used(t)
			was := l.found(2)
			err := l.Admit(req(2), l.look(text(90, 3)), c.tokens, c.reserve)
			require.Equal(t, c.err, err)
			if err != nil {
				require.Equal(t, was, l.found(2))
			}
		})
	}
}

// Blocks of a hit that are on the free list are used up by adopting them: 8 free, hit 0 1, so 6 are left.
func TestAHitOnFreeBlocksUsesThemUp(t *testing.T) {
	l := used(t)
	h := l.look(text(10, 9))
	require.Equal(t, []BlockID{0, 1}, h.Blocks)
	require.True(t, l.Fits(h, 32))
	require.False(t, l.Fits(h, 33))
	l.admit(3, text(10, 9)) // now 0 and 1 are held, and one more: 5 are left
	require.True(t, l.Fits(h, 28))
	require.False(t, l.Fits(h, 29))
}

func TestGrowAddsNoBlockThatIsThere(t *testing.T) {
	l := newLab(t, 2)
	l.admit(0, text(10, 3))
	require.NoError(t, l.Grow(req(0), 4))
	require.Equal(t, []BlockID{0}, l.Table(req(0)))
	require.NoError(t, l.Grow(req(0), 5))
	require.Equal(t, []BlockID{0, 1}, l.Table(req(0)))
	require.Equal(t, ErrNoBlocks, l.Grow(req(0), 9))
}

func TestAdmittingAHolderIsAMistakeOfTheCaller(t *testing.T) {
	l := newLab(t, 2)
	l.admit(0, text(10, 3))
	require.PanicsWithValue(t, "cache: admit: slot 0 holds 1 blocks", func() { l.admit(0, text(10, 3)) })
}
