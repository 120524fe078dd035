package cache

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// promised is a request whose two full blocks are published for pass 5, which has yet to write them.
func promised(t *testing.T, change ...func(*Config)) (*lab, []Token) {
	l := newLab(t, 6, change...)
	tokens := text(10, 10)
	l.admit(0, tokens)
	l.Publish(req(0), testID, tokens, 10, 5)
	l.said()
	return l, tokens
}

func TestOnlyFullBlocksArePublishedAndEachOnce(t *testing.T) {
	l := newLab(t, 6)
	tokens := text(10, 12)
	l.admit(0, tokens)
	for _, c := range []struct {
		upto int32
		said string
	}{{3, ""}, {4, "publish 0"}, {7, ""}, {12, "publish 1, publish 2"}, {12, ""}} {
		l.said()
		l.Publish(req(0), testID, tokens, c.upto, 0)
		require.Equal(t, c.said, l.log0(), "up to %d", c.upto)
	}
}

// log0 is what has been said about publishing.
func (l *lab) log0() string {
	var list []string
	for _, line := range l.log {
		if line[0] == 'p' || line[0] == 'u' {
			list = append(list, line)
		}
	}
	l.log = list
	return l.said()
}

func TestWithoutPrefixCachingNothingIsFound(t *testing.T) {
	l := newLab(t, 4, func(c *Config) { c.Prefix = false })
	l.write(0, text(10, 8))
	require.Equal(t, int32(0), l.Entries())
	require.Empty(t, l.look(text(10, 8)).Blocks)
}

func TestAPromisedBlockIsFoundBeforeItIsWritten(t *testing.T) {
	l, tokens := promised(t)
	require.Equal(t, []BlockID{0, 1}, l.look(tokens).Blocks)
	l.Done(5, PassQueue)
	l.Lost(5, PassQueue) // a kept promise cannot be withdrawn
	require.Equal(t, []BlockID{0, 1}, l.look(tokens).Blocks)
}

func TestARowThatWillNotRunWithdrawsItsPromises(t *testing.T) {
	for _, c := range []struct {
		name string
		void func(l *lab)
		said string
	}{
		{"void", func(l *lab) { l.Void(5, req(0)) }, "unpublish 1, unpublish 0"},
		{"void of another request", func(l *lab) { l.Void(5, req(1)) }, ""},
		{"void of another pass", func(l *lab) { l.Void(4, req(0)) }, ""},
		{"void of an earlier life", func(l *lab) { l.Void(5, Req{0, 0}) }, ""},
		{"lost", func(l *lab) { l.Lost(5, PassQueue) }, "unpublish 1, unpublish 0"},
		{"another pass lost", func(l *lab) { l.Lost(4, PassQueue) }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, tokens := promised(t)
			c.void(l)
			require.Equal(t, c.said, l.said())
			require.Equal(t, c.said == "", len(l.look(tokens).Blocks) == 2)
		})
	}
}

func TestAWithdrawnBlockThatNobodyHoldsIsPoisoned(t *testing.T) {
	l, _ := promised(t, ordered)
	l.Release(req(0), 5)
	l.said()
	l.Lost(5, PassQueue)
	require.Equal(t, "unpublish 1, unpublish 0, poison 2, poison 1, poison 0", l.said())
}

func TestAnEntryEndsBeforeItsBlockIsHandedOut(t *testing.T) {
	l := newLab(t, 2)
	l.write(0, text(10, 8))
	l.Release(req(0), 0)
	require.Equal(t, int32(2), l.Entries())
	l.said()
	l.admit(1, text(50, 5))
	require.Equal(t, "unpublish 1, poison 1, alloc 1, unpublish 0, poison 0, alloc 0", l.said())
}

func TestAnAdoptedBlockLeavesTheMiddleOfTheFreeList(t *testing.T) {
	l := newLab(t, 4)
	l.write(0, text(10, 8))
	l.Release(req(0), 0)
	require.Equal(t, []BlockID{2, 3, 1, 0}, l.freeOrder())
	h := l.look(text(10, 7))
	require.Equal(t, []BlockID{0}, h.Blocks)
	l.said()
	require.NoError(t, l.Admit(req(1), h, 7, 0))
	require.Equal(t, "adopt 0, alloc 2", l.said())
	require.Equal(t, []BlockID{3, 1}, l.freeOrder())
	require.Equal(t, []BlockID{0, 2}, l.Table(req(1)))
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
			l := newLab(t, 4)
			l.write(0, text(10, 8))
			if c.done {
				l.Release(req(0), c.after)
			}
			l.said()
			require.Equal(t, c.err, l.ResetPrefix())
			if c.err != nil {
				require.Empty(t, l.said())
				require.Equal(t, int32(2), l.Entries())
				return
			}
			require.Equal(t, "unpublish 0, poison 0, unpublish 1, poison 1", l.said())
			require.Empty(t, l.look(text(10, 9)).Blocks)
		})
	}
}

func TestTheTailOfAPromptThatIsFoundWholeIsItsLastBlock(t *testing.T) {
	l := newLab(t, 8)
	l.write(0, text(10, 8)) // blocks 0 1
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
			h := l.look(c.tokens)
			l.LookupTail(c.tokens, h)
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
			l := newLab(t, 6)
			tokens := text(10, 8)
			l.admit(0, tokens)
			l.Publish(req(0), testID, tokens, 4, c.first)
			l.Publish(req(0), testID, tokens, 8, 5)
			h := l.look(tokens[:c.n])
			l.LookupTail(tokens[:c.n], h)
			require.Equal(t, c.tail, h.Tail)
			l.Done(5, PassQueue)
			l.LookupTail(tokens[:c.n], h)
			require.Equal(t, BlockID(c.n/4-1), h.Tail)
		})
	}
}

// The free list is 2, 1, 0 with the prompt in 0 and 1; the tail must not be what is handed out for its copy.
func TestATailIsHeldUntilItsCopyIsMade(t *testing.T) {
	l := newLab(t, 3)
	tokens := text(10, 8)
	l.write(0, tokens)
	l.Release(req(0), 0)
	h := l.look(tokens)
	l.LookupTail(tokens, h)
	require.True(t, l.Fits(h, 8))
	require.NoError(t, l.Admit(req(1), h, 8, 0))
	require.Equal(t, []BlockID{0, 2, 1}, l.Table(req(1)))
	require.Equal(t, int32(0), l.Free())
	l.DropTail(req(1), 8)
	require.Equal(t, []BlockID{0, 2}, l.Table(req(1)))
	require.Equal(t, []BlockID{1}, l.freeOrder())
	require.True(t, l.index.published[1])
}

func TestATailThatLeavesNoRoomForItsCopyDoesNotFit(t *testing.T) {
	l := newLab(t, 2)
	tokens := text(10, 8)
	l.write(0, tokens)
	l.Release(req(0), 0)
	h := l.look(tokens)
	l.LookupTail(tokens, h)
	require.False(t, l.Fits(h, 8))
	h.Tail = None
	require.True(t, l.Fits(h, 8))
}
