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

func (x *fixture) found(slot int32) found {
	return found{x.freeOrder(), slices.Clone(x.Table(req(slot))), slices.Clone(x.refs), x.Entries()}
}

// Requests 0 and 1 have come and gone: all blocks have entries, and the free list is 5 4 3 | 2 1 0 | 6 7 with the
// content of 0 1 2 and of 3 4 5.
func used(t *testing.T) *fixture {
	x := newFixture(t, 8)
	x.write(0, text(10, 12))
	x.write(1, text(50, 12))
	x.Release(req(1), 0)
	x.Release(req(0), 0)
	require.Equal(t, []BlockID{6, 7, 5, 4, 3, 2, 1, 0}, x.freeOrder())
	return x
}

func TestAnAllocationThatFailsOnTheWayLeavesEverythingAsFound(t *testing.T) {
	for block := range int32(5) {
		t.Run(fmt.Sprintf("admit, block %d", block), func(t *testing.T) {
			x := used(t)
			was := x.found(2)
			x.failAt(req(2), block)
			require.ErrorIs(t, x.Admit(req(2), x.look(text(90, 20)), 20, 0), ErrAllocFailed)
			require.Equal(t, was, x.found(2))
			x.admit(2, text(90, 20)) // fails once
		})
	}
	for block := int32(1); block < 5; block++ {
		t.Run(fmt.Sprintf("grow, block %d", block), func(t *testing.T) {
			x := used(t)
			x.admit(2, text(90, 3))
			was := x.found(2)
			x.failAt(req(2), block)
			require.ErrorIs(t, x.Grow(req(2), 20), ErrAllocFailed)
			require.Equal(t, was, x.found(2))
			require.NoError(t, x.Grow(req(2), 20))
		})
	}
}

// The hit 0 1 has left the free list and returned to it, at its end; all others stand where they stood.
func TestAnAdmissionThatFailsAfterAHitGivesTheHitBack(t *testing.T) {
	x := used(t)
	x.failAt(req(2), 3)
	require.ErrorIs(t, x.Admit(req(2), x.look(text(10, 11)), 16, 0), ErrAllocFailed)
	require.Equal(t, []BlockID{6, 7, 5, 4, 3, 2, 1, 0}, x.freeOrder())
	require.Equal(t, make([]int32, 8), x.refs)
	require.Equal(t, []BlockID{0, 1}, x.look(text(10, 11)).Blocks)
}

func TestAnAdmissionThatFailsAfterATailGivesTheTailBack(t *testing.T) {
	x := used(t)
	h := x.look(text(10, 12))
	x.LookupTail(text(10, 12), h)
	require.Equal(t, BlockID(2), h.Tail)
	x.failAt(req(2), 2)
	require.ErrorIs(t, x.Admit(req(2), h, 12, 0), ErrAllocFailed)
	require.Equal(t, make([]int32, 8), x.refs)
	require.Equal(t, int32(8), x.Free())
	require.Equal(t, int32(6), x.Entries())
}

func TestAVetoMeansOneBlock(t *testing.T) {
	x := newFixture(t, 4)
	x.failAt(req(0), 2)
	x.admit(0, text(10, 8)) // blocks 0 and 1 of its table
	require.ErrorIs(t, x.Grow(req(0), 9), ErrAllocFailed)
}

func TestAVetoMeansOneLife(t *testing.T) {
	x := newFixture(t, 4)
	x.failAt(Req{2, 2}, 0)
	x.admit(2, text(10, 3)) // life 1
	x.Release(req(2), 0)
	require.ErrorIs(t, x.Admit(Req{2, 2}, x.look(nil), 3, 0), ErrAllocFailed)
}

func TestAVetoIsToldHowManyBlocksAreSetAside(t *testing.T) {
	var asked []string
	x := newFixture(t, 4, func(c *Config) {
		c.Veto = func(_ BlockKind, r Req, entry, aside int32) bool {
			asked = append(asked, fmt.Sprint(r.Slot, ": entry ", entry, ", aside ", aside))
			return false
		}
	})
	x.admit(2, text(10, 5))
	require.NoError(t, x.Grow(req(2), 9))
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
			x := used(t)
			was := x.found(2)
			err := x.Admit(req(2), x.look(text(90, 3)), c.tokens, c.reserve)
			require.Equal(t, c.err, err)
			if err != nil {
				require.Equal(t, was, x.found(2))
			}
		})
	}
}

// Blocks of a hit that are on the free list are used up by adopting them: 8 free, hit 0 1, so 6 are left.
func TestAHitOnFreeBlocksUsesThemUp(t *testing.T) {
	x := used(t)
	h := x.look(text(10, 9))
	require.Equal(t, []BlockID{0, 1}, h.Blocks)
	require.True(t, x.Fits(h, 32))
	require.False(t, x.Fits(h, 33))
	x.admit(3, text(10, 9)) // now 0 and 1 are held, and one more: 5 are left
	require.True(t, x.Fits(h, 28))
	require.False(t, x.Fits(h, 29))
}

func TestGrowAddsNoBlockThatIsThere(t *testing.T) {
	x := newFixture(t, 2)
	x.admit(0, text(10, 3))
	require.NoError(t, x.Grow(req(0), 4))
	require.Equal(t, []BlockID{0}, x.Table(req(0)))
	require.NoError(t, x.Grow(req(0), 5))
	require.Equal(t, []BlockID{0, 1}, x.Table(req(0)))
	require.Equal(t, ErrNoBlocks, x.Grow(req(0), 9))
}

func TestAdmittingAHolderIsAMistakeOfTheCaller(t *testing.T) {
	x := newFixture(t, 2)
	x.admit(0, text(10, 3))
	require.PanicsWithValue(t, "cache: admit: slot 0 holds 1 blocks", func() { x.admit(0, text(10, 3)) })
}
