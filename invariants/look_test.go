package invariants

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Slots of block 0: one written for an earlier holder than the last, one for the last, one by a life that is forgotten.
func TestALookTellsWhatASlotHolds(t *testing.T) {
	l := NewLedger(Config{Shape: Shape{Blocks: 1, BlockTokens: 4, Layers: 1, Slots: 1, Rows: 1}, Bounds: Bounds{MaxLen: 4}}, nil)
	l.Submitted(0, &Submission{})
	l.lives.begin(&l.accounts.list[0], 5)
	l.memory.ages[0].epoch = 2
	*l.memory.slotAt(0, 0, 0) = slot{life: 1, epoch: 1}
	*l.memory.slotAt(0, 0, 1) = slot{life: 1, epoch: 2}
	*l.memory.slotAt(0, 0, 2) = slot{life: 1 + knownLives, epoch: 2}
	for i, want := range []struct {
		state SlotState
		by    Life
	}{{SlotStale, Life{0, 5}}, {SlotWritten, Life{0, 5}}, {SlotWritten, nobody}, {SlotUnwritten, nobody}} {
		state, by := l.Look().Slot(0, 0, int32(i))
		require.Equal(t, want.state, state, "slot %d", i)
		require.Equal(t, want.by, by, "slot %d", i)
	}
	*l.memory.slotAt(0, 0, 3) = slot{life: poison, epoch: 2}
	state, by := l.Look().Slot(0, 0, 3)
	require.Equal(t, SlotPoisoned, state)
	require.Equal(t, nobody, by)
}
