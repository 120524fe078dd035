package cache

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// play makes n calls that depend on the seed and on nothing else.
func (x *fixture) play(seed uint64, n int) {
	r := rand.New(rand.NewPCG(seed, 1))
	op := OpID(seed * 1000)
	for range n {
		slot, after := r.Int32N(4), op-OpID(r.IntN(3))
		tokens := fill4(fill4(nil, Token(r.IntN(2))), Token(r.IntN(2)))[:1+r.IntN(8)]
		switch held := len(x.Table(req(slot))) > 0; {
		case !held:
			x.failAt(req(slot), r.Int32N(4))
			x.Admit(req(slot), x.look(tokens), int32(len(tokens)), 0)
			clear(x.failing)
			x.Publish(req(slot), testID, tokens, min(int32(len(tokens)), int32(len(x.Table(req(slot))))*testBlock), after)
		case r.IntN(3) == 0:
			x.Grow(req(slot), 1+r.Int32N(16))
		default:
			x.Release(req(slot), after)
		}
		if r.IntN(2) == 0 {
			x.Done(op, PassQueue)
			op++
		}
	}
}

// state is all of a pool that decides its future.
func (x *fixture) state() Pool {
	p := *x.Pool
	p.mem, p.watch, p.cfg.Veto = nil, watchers{}, nil
	return p
}

func variants(t *testing.T, f func(t *testing.T, change func(*Config))) {
	for _, order := range []FreeOrder{FreeVLLM, FreeLIFO, FreeRandom} {
		for _, release := range []ReleasePolicy{ReleaseSettled, ReleaseOrdered} {
			f(t, func(c *Config) { c.Order, c.Release = order, release })
		}
	}
}

func TestACloneIsEqualAndApart(t *testing.T) {
	variants(t, func(t *testing.T, change func(*Config)) {
		for seed := range uint64(20) {
			a, b := newFixture(t, 9, change), newFixture(t, 9, change)
			a.play(seed, 30)
			b.play(seed+100, 30) // what stood there before must not matter
			a.CloneInto(b.Pool)
			a.mem.CloneInto(b.mem)
			require.Equal(t, a.state(), b.state())
			require.Equal(t, a.mem.words, b.mem.words)
			a.said()
			b.said()
			b.play(seed+200, 30)
			a.play(seed+200, 30)
			require.Equal(t, a.said(), b.said())
			require.Equal(t, a.state(), b.state())
			require.Equal(t, a.mem.words, b.mem.words)
		}
	})
}

func TestAResetPoolGoesOnLikeANewOne(t *testing.T) {
	variants(t, func(t *testing.T, change func(*Config)) {
		for seed := range uint64(20) {
			fresh, reset := newFixture(t, 9, change), newFixture(t, 9, change)
			reset.play(seed+100, 30)
			reset.Reset()
			reset.mem.Reset()
			reset.said()
			fresh.play(seed, 60)
			reset.play(seed, 60)
			require.Equal(t, fresh.said(), reset.said())
			require.Equal(t, fresh.freeOrder(), reset.freeOrder())
			require.Equal(t, fresh.mem.words, reset.mem.words)
		}
	})
}

func TestAPoolAllocatesNothingOnceWarm(t *testing.T) {
	variants(t, func(t *testing.T, change func(*Config)) {
		x := newFixture(t, 9, change)
		x.Attach(nil)
		x.mem.Attach(nil)
		other := newFixture(t, 9, change)
		tokens, free := text(10, 11), make([]BlockID, 0, 9)
		h := &Hit{Blocks: make([]BlockID, 0, 9)}
		op := OpID(1)
		cycle := func() {
			for slot := range int32(2) {
				x.Lookup(testID, tokens, h)
				x.Admit(req(slot), h, 8, 0)
				x.Grow(req(slot), 11)
				x.Publish(req(slot), testID, tokens, 11, op)
			}
			x.Void(op, req(1))
			x.Release(req(0), op)
			x.Release(req(1), op)
			x.CloneInto(other.Pool)
			x.Done(op, PassQueue)
			free = x.FreeBlocks(free[:0])
			op++
		}
		cycle()
		require.Zero(t, testing.AllocsPerRun(50, cycle))
	})
}
