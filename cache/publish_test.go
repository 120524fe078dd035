package cache

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// promised is a request whose two full blocks are published for pass 5, which has yet to write them.
func promised(t *testing.T, change ...func(*Config)) (*fixture, []Token) {
	x := newFixture(t, 6, change...)
	tokens := text(10, 10)
	x.admit(0, tokens)
	x.Publish(req(0), testID, tokens, 10, 5)
	x.said()
	return x, tokens
}

func TestOnlyFullBlocksArePublishedAndEachOnce(t *testing.T) {
	x := newFixture(t, 6)
	tokens := text(10, 12)
	x.admit(0, tokens)
	for _, c := range []struct {
		upto int32
		said string
	}{{3, ""}, {4, "publish 0"}, {7, ""}, {12, "publish 1, publish 2"}, {12, ""}} {
		x.said()
		x.Publish(req(0), testID, tokens, c.upto, 0)
		require.Equal(t, c.said, x.log0(), "up to %d", c.upto)
	}
}

// log0 is what has been said about publishing.
func (x *fixture) log0() string {
	var list []string
	for _, line := range x.log {
		if line[0] == 'p' || line[0] == 'u' {
			list = append(list, line)
		}
	}
	x.log = list
	return x.said()
}

func TestWithoutPrefixCachingNothingIsFound(t *testing.T) {
	x := newFixture(t, 4, func(c *Config) { c.Prefix = false })
	x.write(0, text(10, 8))
	require.Equal(t, int32(0), x.Entries())
	require.Empty(t, x.look(text(10, 8)).Blocks)
}

func TestAPromisedBlockIsFoundBeforeItIsWritten(t *testing.T) {
	x, tokens := promised(t)
	require.Equal(t, []BlockID{0, 1}, x.look(tokens).Blocks)
	x.Done(5, PassQueue)
	x.Lost(5, PassQueue) // a kept promise cannot be withdrawn
	require.Equal(t, []BlockID{0, 1}, x.look(tokens).Blocks)
}

func TestARowThatWillNotRunWithdrawsItsPromises(t *testing.T) {
	for _, c := range []struct {
		name string
		void func(x *fixture)
		said string
	}{
		{"void", func(x *fixture) { x.Void(5, req(0)) }, "unpublish 1, unpublish 0"},
		{"void of another request", func(x *fixture) { x.Void(5, req(1)) }, ""},
		{"void of another pass", func(x *fixture) { x.Void(4, req(0)) }, ""},
		{"void of an earlier life", func(x *fixture) { x.Void(5, Req{0, 0}) }, ""},
		{"lost", func(x *fixture) { x.Lost(5, PassQueue) }, "unpublish 1, unpublish 0"},
		{"another pass lost", func(x *fixture) { x.Lost(4, PassQueue) }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, tokens := promised(t)
			c.void(x)
			require.Equal(t, c.said, x.said())
			require.Equal(t, c.said == "", len(x.look(tokens).Blocks) == 2)
		})
	}
}

func TestAWithdrawnBlockThatNobodyHoldsIsPoisoned(t *testing.T) {
	x, _ := promised(t, ordered)
	x.Release(req(0), 5)
	x.said()
	x.Lost(5, PassQueue)
	require.Equal(t, "unpublish 1, unpublish 0, poison 2, poison 1, poison 0", x.said())
}

func TestAnEntryEndsBeforeItsBlockIsHandedOut(t *testing.T) {
	x := newFixture(t, 2)
	x.write(0, text(10, 8))
	x.Release(req(0), 0)
	require.Equal(t, int32(2), x.Entries())
	x.said()
	x.admit(1, text(50, 5))
	require.Equal(t, "unpublish 1, poison 1, alloc 1, unpublish 0, poison 0, alloc 0", x.said())
}

func TestAnAdoptedBlockLeavesTheMiddleOfTheFreeList(t *testing.T) {
	x := newFixture(t, 4)
	x.write(0, text(10, 8))
	x.Release(req(0), 0)
	require.Equal(t, []BlockID{2, 3, 1, 0}, x.freeOrder())
	h := x.look(text(10, 7))
	require.Equal(t, []BlockID{0}, h.Blocks)
	x.said()
	require.NoError(t, x.Admit(req(1), h, 7, 0))
	require.Equal(t, "adopt 0, alloc 2", x.said())
	require.Equal(t, []BlockID{3, 1}, x.freeOrder())
	require.Equal(t, []BlockID{0, 2}, x.Table(req(1)))
}

func TestAResetIsRefusedUnlessEveryBlockIsFree(t *testing.T) {
	for _, c := range []struct {
		name  string
		after OpID
		done  bool
		err   error
	}{
		{"held", 0, false, ErrInUse},
		{"waiting for a pass", 3, true, ErrInUse},
		{"free", 0, true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := newFixture(t, 4)
			x.write(0, text(10, 8))
			if c.done {
				x.Release(req(0), c.after)
			}
			x.said()
			require.Equal(t, c.err, x.ResetPrefix())
			if c.err != nil {
				require.Empty(t, x.said())
				require.Equal(t, int32(2), x.Entries())
				return
			}
			require.Equal(t, "unpublish 0, poison 0, unpublish 1, poison 1", x.said())
			require.Empty(t, x.look(text(10, 9)).Blocks)
		})
	}
}

func TestTheTailOfAPromptThatIsFoundWholeIsItsLastBlock(t *testing.T) {
	x := newFixture(t, 8)
	x.write(0, text(10, 8)) // blocks 0 1
	for _, c := range []struct {
		name   string
		tokens []Token
		tail   BlockID
	}{
		{"whole", text(10, 8), 1},
		{"one block", text(10, 4), 0},
		{"not whole blocks", text(10, 7), None},
		{"longer than what is published", text(10, 12), None},
		{"another last block", append(text(10, 4), 9, 9, 9, 9), None},
		{"nothing found", text(50, 8), None},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := x.look(c.tokens)
			x.LookupTail(c.tokens, h)
			require.Equal(t, c.tail, h.Tail)
		})
	}
}

func TestATailIsNotCopiedWhileAnyOfThePromptIsPromised(t *testing.T) {
	for _, c := range []struct {
		name  string
		first OpID // writes block 0; block 1 is promised for pass 5
		n     int32
		tail  BlockID
	}{
		{"both blocks promised", 5, 8, None},
		{"the tail promised", 0, 8, None},
		{"the only block promised", 5, 4, None},
		{"the only block written", 0, 4, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := newFixture(t, 6)
			tokens := text(10, 8)
			x.admit(0, tokens)
			x.Publish(req(0), testID, tokens, 4, c.first)
			x.Publish(req(0), testID, tokens, 8, 5)
			h := x.look(tokens[:c.n])
			x.LookupTail(tokens[:c.n], h)
			require.Equal(t, c.tail, h.Tail)
			x.Done(5, PassQueue)
			x.LookupTail(tokens[:c.n], h)
			require.Equal(t, BlockID(c.n/4-1), h.Tail)
		})
	}
}

// The free list is 2, 1, 0 with the prompt in 0 and 1; the tail must not be what is handed out for its copy.
func TestATailIsHeldUntilItsCopyIsMade(t *testing.T) {
	x := newFixture(t, 3)
	tokens := text(10, 8)
	x.write(0, tokens)
	x.Release(req(0), 0)
	h := x.look(tokens)
	x.LookupTail(tokens, h)
	require.True(t, x.Fits(h, 8))
	require.NoError(t, x.Admit(req(1), h, 8, 0))
	require.Equal(t, []BlockID{0, 2, 1}, x.Table(req(1)))
	require.Equal(t, int32(0), x.Free())
	x.DropTail(req(1), 8)
	require.Equal(t, []BlockID{0, 2}, x.Table(req(1)))
	require.Equal(t, []BlockID{1}, x.freeOrder())
	require.True(t, x.index.published[1])
}

func TestATailThatLeavesNoRoomForItsCopyDoesNotFit(t *testing.T) {
	x := newFixture(t, 2)
	tokens := text(10, 8)
	x.write(0, tokens)
	x.Release(req(0), 0)
	h := x.look(tokens)
	x.LookupTail(tokens, h)
	require.False(t, x.Fits(h, 8))
	h.Tail = None
	require.True(t, x.Fits(h, 8))
}
